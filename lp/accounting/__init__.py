"""What releases spend, and what they leak together at most: `accountant` keeps the account.

`spending` has the levels of one mechanism per record and their sum, `bounds` what follows from it,
`remaining` what a budget still allows, and `ledger` the releases and the file of an account.
`releases` has plans of releases over time.
"""
