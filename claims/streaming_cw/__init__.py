"""Composition of CW-privacy on streams: the claims of sections 1 and 2."""
