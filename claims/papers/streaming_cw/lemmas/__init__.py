"""Lemmas 1 and 2: `first`, with its steps in `first_steps`, then `second`; `figure2` shows which
outputs are independent.
"""
