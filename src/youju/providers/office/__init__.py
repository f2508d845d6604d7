"""What the parsers of office files share: the package, its XML, its tables."""
