"""What the report shows of a counterexample: `shown` first, with what is drawn; and `again`, what Coq
proves again.
"""
