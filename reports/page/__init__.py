"""The report on audits: `site` writes its sections, `evidence` fills them, `ledger` is the table
of examples.
"""
