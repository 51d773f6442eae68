"""Sweeps: many pieces of work that depend on nothing but their arguments, carried out here, by
processes of this machine, or by workers of a scheduler, and kept so that a killed sweep goes on
where it stopped.

Read first `units`, then `running` and `opening`. `versions` says which code a unit rests on,
`limits` ends what takes too long, `store` keeps answers, `executors` and `cluster` are where units
are carried out. `unchanged` keeps a whole result for as long as nothing changes.
"""
