"""The rows of files that people have: text with separators, spreadsheets, Parquet and `.ts`; and
how their cells become sequences of labels. Read `opening` first.
"""
