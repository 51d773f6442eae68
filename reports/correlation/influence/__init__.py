"""`pufferproof influence`: `command` first; `answer` has what it computes, `points` how a
curve is told, `place` where influence is attained.
"""
