"""Optimisation: what linear and convex programs decide about composition and about the best mechanisms.

Read `cones.columns` first. The rooms: `exact` (programs solved exactly), `cones` (what a budget allows), `worst` (the
worst joint leakage), `rates` (one mechanism run many times, and the necessary condition for composition),
`translation` (what levels per record allow), `accounts` (what guarantees per record with a delta allow), `accounting`
(what releases add up to), `conditions` that compose, `best` mechanisms, and designs of `redaction`. Above them
`assertions` for test suites, and many audits in one call.
"""

if __name__ != "pufferproof.lp":
    raise ImportError('import it as "pufferproof.lp": a bare "lp" would make a second copy of every class')
