"""What releases spend, and what they leak together at most: `accountant` keeps the account with the bounds that follow,
and says what a budget still allows; `ledger` has the levels of one mechanism per record, their sum, and the file of an
account. `releases` has plans of releases over time.
"""
