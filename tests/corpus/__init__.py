"""PDFs set by code, each with the truth about what stands in it: the measure of whoever reads them."""
