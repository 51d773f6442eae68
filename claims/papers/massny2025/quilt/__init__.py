"""The Markov quilt mechanism as redaction. Read `statement` first."""
