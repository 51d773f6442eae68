"""What the report shows of a counterexample.

`shown` first; `refuting` with the counterexamples of a claim; `pictures` and `records` with what is
drawn; and `again` with what Coq proves again.
"""
