"""The closed form of the influence curve of a chain of bits."""
