"""The claims of five papers, one folder per paper and one below it per section. Each paper's
`__init__` says what its letters mean.
"""
