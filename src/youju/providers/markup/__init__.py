"""What HTML and EPUB share: bytes → tree → blocks."""
