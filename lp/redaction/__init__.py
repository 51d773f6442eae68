"""Designs of redaction on binary chains: `strategies` first, which says what each is. `regions` has
the 3R design (records revealed, randomised or redacted), `local` the best redaction record by
record, `central` the best that sees the whole sequence.
"""
