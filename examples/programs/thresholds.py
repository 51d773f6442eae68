"""Releases that are exact where they are stable: propose-test-release of Dwork and Lei (STOC 2009),
and the histogram of Korolova and others (WWW 2009). Both claim (epsilon, delta).

A database is the records of some people, each 0 or 1.
"""

from typing import Any


def propose_test_release(database: str, rng: Any, epsilon: float = 1, limit: float = 2) -> str:
    """Release the majority if many records must change, by a noisy count, before one more change
    could make it another. The delta that it claims is P(noise > limit).
    """
    ones, half = database.count("1"), len(database) // 2
    changes = ones - half if ones > half else half + 1 - ones  # until the majority is another
    if changes - 1 + rng.laplace(scale=1 / epsilon) < limit:
        return "unstable"
    return "1" if ones > half else "0"


def histogram(database: str, rng: Any, epsilon: float = 1, limit: float = 2) -> tuple[str, ...]:
    """Release the values that occur, and whose noisy count is above a limit. The delta that it
    claims is P(1 + noise > limit): of a value that one person has.
    """
    return tuple(
        value for value in sorted(set(database)) if database.count(value) + rng.laplace(scale=2 / epsilon) > limit
    )
