"""Audits of a list of files: the command `audit-list`, and what it prints of each line."""
