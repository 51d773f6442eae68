"""What releases spend, and what they leak together at most: `accountant` keeps the account, and
says what a budget still allows.

`spending` has the levels of one mechanism per record and their sum, `bounds` what follows from it,
and `ledger` the releases and the file of an account. `releases` has plans of releases over time.
"""
