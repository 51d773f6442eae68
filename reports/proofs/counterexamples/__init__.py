"""What the report shows of a counterexample.

`shown` first; `pictures` with what is drawn; and `again` with what Coq proves again.
"""
