"""What the records on both sides of a record tell."""
