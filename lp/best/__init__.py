"""The best mechanism for a loss within a level: `mechanism` first; `composable` asks for one that
composes, `losses` says what is lost. `certificates` writes those of optima and worst cases,
without a search where none is needed.
"""
