"""`pufferproof influence`: `command` first; `answer` has what it computes, and where influence is attained."""
