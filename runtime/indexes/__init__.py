"""What operators share: lexical and vector indexes, cached by content."""
