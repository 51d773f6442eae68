"""The best local redaction: `optimum` first; `curve` and `profile` for its shape, `pairs` and
`grid` for what bounds it.
"""
