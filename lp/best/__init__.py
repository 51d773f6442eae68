"""The best mechanism for a loss within a level: `mechanism` first, of a `program`; `composable` asks for one that
composes.
"""
