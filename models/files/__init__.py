"""Reading and writing what people name on a command line: `question` first, a framework and its mechanisms; `reading`
reads one document, each file once. `recorded` has data that a chain is fitted to, and people whose records an
experiment is about.
"""
