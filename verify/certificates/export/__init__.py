"""Certificates as Coq files whose compilation proves them again: `writing` first.

Nothing here needs to be trusted. The last theorem of a file is what it proves, from the definitions
of `formal/theory`; that its tables and its statement are those of the certificate is checked by a
reader that shares no code with this room, `verify/certificates/formal/tables.py`.
"""
