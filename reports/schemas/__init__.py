"""The shapes of JSON answers, one file per subject and one class per object.
`reports/commands.py` names them.

Read first: `values`, which several commands print.
"""
