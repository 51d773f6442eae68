"""Mechanisms that select: which of several answers is best, which exceed a threshold, in which
order they come.

Read `exponential` first; `utility` is what the exponential mechanism selects by when records are
dependent.
"""

if __name__ != "pufferproof.models.mechanisms.selection":
    raise ImportError(
        'import it as "pufferproof.models.mechanisms.selection": a bare "selection" would make a '
        "second copy"
    )
