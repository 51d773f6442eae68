"""Noisy counts along a sequence too long to list: active minutes, of which one is the secret.

1,000 records along a Markov chain; a count of all of them with Laplace noise, and a count of the
seven around the private one with geometric noise. What they leak, alone and together, is exact, by
dynamic programming; no sequence is listed.
"""

from typing import Any

FOLDER = "chain-count"
LENGTH, PRIVATE = 1_000, 500
TRANSITION = [["9/10", "1/10"], ["1/5", "4/5"]]


def documents() -> dict[str, dict[str, Any]]:
    """Return the framework and the mechanisms as they are written in files, by name."""
    secrets = {f"x{PRIVATE}={value}": {"record": PRIVATE, "value": value} for value in "01"}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": LENGTH, "alphabet": ["0", "1"]},
        "secrets": secrets,
        "pairs": [list(secrets)],
        "priors": {"activity": {"markov": {"initial": "stationary", "transition": TRANSITION}}},
    }
    return {
        "framework.json": framework,
        "mechanism.json": _count(None, {"laplace": {"scale": "10"}}),
        "mechanism-near.json": _count([PRIVATE - 3, PRIVATE + 3], {"geometric": {"ratio": "4/5"}}),
    }


def _count(segment: list[int] | None, noise: dict[str, Any]) -> dict[str, Any]:
    part = {} if segment is None else {"segment": segment}
    return {"format": "pufferproof-mechanism/1", "query": "sum", **part, "noise": noise}
