"""The parts of the PDF parser: characters, geometry, reading order, tables, headings, paragraphs."""
