"""The report on audits: `examples` are read, `runs` audits them, `evidence` asks the kernel, `sections`
says what the page shows, and `site` writes it; `ledger` is the table of examples.
"""
