"""Frameworks on which published calibrations of noise are compared: `frameworks.toml` lists them,
and `python -m pufferproof.examples.calibrations` prints the table of
`docs/concepts/calibrations.md`.
"""
