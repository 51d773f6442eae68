"""What we talk about: exact frameworks, priors, mechanisms and levels.

Nothing here decides a verdict; `pufferproof.verify` does. Read `framework` and `channel` first. The
rooms: `numbers`, `priors`, `sequences` (records in a row, too many to list), `noise`,
`mechanisms` (published ones), `files`, and `interface`, which meets Python callers.
"""

if __name__ != "pufferproof.models":
    raise ImportError('import it as "pufferproof.models": a bare "models" would make a second copy of every class')
