"""The shapes of JSON answers, one file per subject and one class per object; `names` lists them.

Read first: `values`, which several commands print.
"""
