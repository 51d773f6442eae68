"""The best mechanism for a loss within a level: `mechanism` first; `composable` asks for one that
composes, `losses` says what is lost. `certificates` of optima and worst cases are written here, those that
need no search with `direct`.
"""
