"""Published mechanisms as the Python that people write, audited as it stands: `gallery` says what
each claims, `python -m pufferproof.examples.programs` audits them all.

Every function takes a database and a `numpy.random.Generator`. A database is a text of 0 and 1, the
answers to some queries or the records of some people.
"""
