"""Releases that are exact where they are stable: propose-test-release of Dwork and Lei (STOC 2009),
and the histogram of Korolova and others (WWW 2009). Both claim (epsilon, delta).

A database is the records of some people, each 0 or 1.
"""

from typing import Any


def propose_test_release(database: str, rng: Any, epsilon: float = 1, limit: float = 2) -> str:
    """Release the majority if it takes many changes, by a noisy count, to make it another."""
    ones = database.count("1")
    changes = abs(2 * ones - len(database)) // 2
    if changes + rng.laplace(scale=1 / epsilon) < limit:
        return "unstable"
    return "1" if 2 * ones > len(database) else "0"


def histogram(database: str, rng: Any, epsilon: float = 1, limit: float = 2) -> tuple[str, ...]:
    """Release the values that occur, and whose noisy count is above a limit."""
    return tuple(
        value
        for value in sorted(set(database))
        if database.count(value) + rng.laplace(scale=2 / epsilon) > limit
    )
