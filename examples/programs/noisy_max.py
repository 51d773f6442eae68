"""Which of some counts is the largest: noisy maxima of Dwork and Roth's textbook, and
permute-and-flip of McKenna and Sheldon (NeurIPS 2020).

A database is the counts, each 0 or 1; `epsilon` is claimed for counts that may all change by 1.
"""

from typing import Any

import numpy as np


def with_laplace(database: str, rng: Any, epsilon: float = 1) -> int:
    """Release the place of the largest count with Laplace noise."""
    counts = np.array([int(each) for each in database])
    return int(np.argmax(counts + rng.laplace(scale=2 / epsilon, size=len(counts))))


def with_exponential(database: str, rng: Any, epsilon: float = 1) -> int:
    """Release the place of the largest count with exponential noise."""
    counts = np.array([int(each) for each in database])
    return int(np.argmax(counts + rng.exponential(scale=2 / epsilon, size=len(counts))))


def with_gumbel(database: str, rng: Any, epsilon: float = 1) -> int:
    """Release the place of the largest count with Gumbel noise: the exponential mechanism."""
    counts = np.array([int(each) for each in database])
    return int(np.argmax(counts + rng.gumbel(scale=2 / epsilon, size=len(counts))))


def value_with_laplace(database: str, rng: Any, epsilon: float = 1) -> Any:
    """Release the largest noisy count itself: no level holds for it as it does for the place."""
    counts = np.array([int(each) for each in database])
    return np.max(counts + rng.laplace(scale=2 / epsilon, size=len(counts)))


def value_with_exponential(database: str, rng: Any, epsilon: float = 1) -> Any:
    """Release the largest count with exponential noise itself."""
    counts = np.array([int(each) for each in database])
    return np.max(counts + rng.exponential(scale=2 / epsilon, size=len(counts)))


def permute_and_flip(database: str, rng: Any, epsilon: float = 1) -> int:
    """Ask in a random order, and take a count with probability e^(-epsilon gap / 2)."""
    counts = [int(each) for each in database]
    for place in rng.permutation(len(counts)):
        gap = max(counts) - counts[place]
        if rng.exponential(scale=2 / epsilon) > gap:
            return int(place)
    raise AssertionError("the largest count has no gap")
