"""What the parsers share: decoding, lines, titles."""
