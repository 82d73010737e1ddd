"""An agent that searches and reads the raw records."""
