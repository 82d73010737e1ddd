"""Which records of a history are connected, and walks along the connections."""
