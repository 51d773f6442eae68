"""What releases spend, and what they leak together at most: `accountant` keeps the account.

`spending` has the levels of one mechanism per record and `total` their sum, `bounds` and `quilts`
what follows from it, `remaining` what a budget still allows, and `ledger` the file of an account.
"""
