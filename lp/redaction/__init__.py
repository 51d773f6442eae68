"""Designs of redaction on binary chains: `strategies` first, which says what each is; `regions`,
`local` and `central` solve them.
"""
