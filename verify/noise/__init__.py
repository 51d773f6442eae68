"""What noise on queries leaks: `queries` first, which asks `largest` for the engine that tells it.
Engines stand by what they compute: `laws` of queries given secrets, the `ratio` at outputs,
`integrals` (delta and Renyi), `normal` records and Gaussian noise, bounds over `classes` of priors,
`accounts` record by record from levels alone, and `scale`, the least noise.
"""
