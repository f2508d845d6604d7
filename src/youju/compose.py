"""The composition root: the only place where objects are made and providers are loaded."""
