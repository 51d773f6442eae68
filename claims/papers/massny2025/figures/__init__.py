"""Examples, figures and remarks. Read `example1` first."""
