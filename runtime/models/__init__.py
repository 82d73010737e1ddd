"""Models behind one interface: the answerers and embedders."""
