"""The command `fit`: from recorded data to a framework. Read `command` first; `numbers` has normal
laws.
"""
