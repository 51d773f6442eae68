"""Certificates about chains of bits as files for Coq: what a redaction leaks, and designs. Read
`walks` first, the steps that Coq takes along a chain.
"""
