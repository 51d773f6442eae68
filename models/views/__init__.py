"""A framework as it was `stated`, what it knows of records without listing their databases, and the
`possible_values` of records.
"""
