"""Records in a row, too many to list: `chain` first, then `local` and `redaction`. The framework is
`pufferproof.models.framework`, as for all others.
"""
