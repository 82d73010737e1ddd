"""One request to a server, end to end: sent, repeated, read, checked."""
