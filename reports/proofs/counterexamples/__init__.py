"""What the report shows of a counterexample: `shown` first; `pictures`, and `again` with what Coq
proves again.
"""
