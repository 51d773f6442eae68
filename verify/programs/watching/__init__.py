"""A program while it runs. `calls` first, which refuses files and processes; `reach` finds what the
program can call and keep, `state` sees what changes between calls, `elsewhere` has draws that are
not from its generator. `translated` is about functions that would tell a draw from a number, `orders`
about what code tells before it runs.
"""
