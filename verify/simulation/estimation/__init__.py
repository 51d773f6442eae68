"""Lower confidence bounds of the leakage of samplers: `running` first, which runs the others.

`samplers` calls a function or a command, `calls` mixes the databases of both secrets, `outputs`
reads what comes back, `worlds` draws databases given a secret, `selection` chooses a prior, a pair
and `events` by `cells` on samples of its own, `betting` turns counts into a bound that holds at any
time, `state` keeps counts in a file.
"""
