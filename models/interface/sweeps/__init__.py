"""Sweeps: many pieces of work that depend on nothing but their arguments, carried out here, by processes of this
machine, or by workers of a scheduler, and kept so that a killed sweep goes on where it stopped.

Read first `units`, which also says which code a unit rests on and ends what takes too long, then `running` and
`opening`. `store` keeps answers, `executors` and `cluster` are where units are carried out. `portions` keeps a whole
result for as long as nothing changes.
"""
