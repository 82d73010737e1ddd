"""The books of a team: replies by the content of what was asked, and the money and calls that they took."""
