"""The growth with the number of releases as programs: conditions on single mechanisms."""
