"""Lower confidence bounds of the leakage of samplers: `running` first, which runs the others.

`samplers` calls a function or a command, `outputs` reads what it gives, `worlds` draws databases
given a secret, `selection` chooses a prior, a pair and `events` by `cells` on samples of its own,
`plan` and `tallies` turn counts into bounds that hold at every stop, `state` keeps them in a file.
"""
