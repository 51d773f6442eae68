"""The report on audits: `site` writes it, `sections` and `evidence` fill it, `ledger` is the table
of examples.
"""
