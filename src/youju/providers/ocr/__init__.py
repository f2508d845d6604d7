"""Pages that are pictures: which ones they are, how they lie, and what is written on them."""
