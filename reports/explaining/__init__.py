"""What somebody new asks first: files to start from (`init`), what a certificate says in words
(`explain`, whose sentences stand in `kinds`), and where in a folder of reports to begin (`start`).
Read `explain` first.
"""
