"""A program while it runs: `calls` first, `elsewhere` for draws that are not from `rng`, `state`
for what a program keeps between calls.
"""
