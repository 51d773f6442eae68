"""The draws of another library's object against the law that was read: `agrees` first.

`laws` says what every database's outputs should look like, in cells that are fixed before the
draws, `noise` has the probabilities of cells of noise, `drawing` calls the object, `questions` are
the bets against the law.
"""
