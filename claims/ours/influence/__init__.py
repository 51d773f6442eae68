"""What records of a chain tell of one of them: which quotients of probabilities influences are, and
where they are largest. `quilts` first. Results of our own.
"""
