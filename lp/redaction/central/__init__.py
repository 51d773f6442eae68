"""The best mechanism that sees all records at once: `optimum` first, a pairing of databases."""
