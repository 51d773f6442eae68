"""Lower confidence bounds of the leakage of samplers: `running` first, which runs the others.

`samplers` calls a function or a command, with the databases of both secrets mixed, `outputs` reads what comes back, and
forms events, `worlds` draws databases given a secret, `choosing` chooses a prior, a pair and events on samples of its
own, `bets` turn counts into a bound that holds at any time, `state` keeps counts in a file.
"""
