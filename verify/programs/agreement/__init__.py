"""The draws of another library's object against the law that was read: `agrees` first.

`laws` calls the object and says what every database's outputs should look like, in `cells` that are fixed before the
draws, with their probabilities and the bets against the law.
"""
