"""`pufferproof influence`: `command` first; `answer` has what it computes, `place` where influence
is attained.
"""
