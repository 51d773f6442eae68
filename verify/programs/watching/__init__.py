"""A program while it runs: `calls` first, `elsewhere` for draws that are not from its generator,
`state` for what a program keeps between calls.
"""
