"""Theorems of the paper, each said once: documents with a statement object for each."""
