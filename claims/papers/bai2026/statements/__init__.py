"""The claims of Bai et al. as programs over small instances, written from definitions. Read
`background` first: privacy of tables and of frameworks, in one order or both.
"""
