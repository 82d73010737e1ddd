"""Personal data in text: finding it by its form, offline, and putting placeholders in its place."""
