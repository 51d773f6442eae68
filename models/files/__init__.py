"""Reading and writing what people name on a command line: `question` first; `inputs` reads each
file once, `outputs` writes it whole or not at all.
"""
