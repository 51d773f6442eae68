"""`pufferproof influence`: `command` first; `answer` has the JSON, `place` where influence is
attained.
"""
