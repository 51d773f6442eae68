"""Which of some counts is the largest: noisy maxima of Dwork and Roth's textbook, the exponential
mechanism of McSherry and Talwar (FOCS 2007) and its one-shot form for several places of Durfee and
Rogers (NeurIPS 2019), and permute-and-flip of McKenna and Sheldon (NeurIPS 2020).

A database is the counts, each 0 or 1; `epsilon` is claimed for counts that may all change by 1.
"""

from fractions import Fraction
from typing import Any

import numpy as np

CLAMPED = (  # the law of each count from 0 to 2 with 1/2-geometric noise, clamped to this range
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)),
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)),
)


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


def top_k(database: str, rng: Any, epsilon: float = 1, k: int = 2) -> list[int]:
    """Release the places of the k largest counts with Gumbel noise, in their order: the exponential
    mechanism k times without replacement, in one shot.
    """
    counts = np.array([int(each) for each in database])
    noisy = counts + rng.gumbel(scale=2 * k / epsilon, size=len(counts))
    return [int(place) for place in np.argsort(-noisy)[:k]]


def top_k_at_scale_of_one(database: str, rng: Any, epsilon: float = 1) -> list[int]:
    """Release the places of the two largest counts with the noise that is enough for one."""
    return top_k(database, rng, 2 * epsilon)


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


def flip_coins(database: str, rng: Any, ratio: Fraction = Fraction(2)) -> int:
    """Release the place, from 1, by permute-and-flip with coins of probability ratio^-gap, where
    the ratio is e^(epsilon / 2).
    """
    counts = [int(each) for each in database]
    for place in rng.permutation(len(counts)):
        if rng.random() < ratio ** (counts[place] - max(counts)):
            return int(place) + 1
    raise AssertionError("the largest count has no gap")


def with_clamped_noise(database: str, rng: Any) -> int:
    """Release the first place, from 1, of the largest of counts from 0 to 2 with geometric noise,
    clamped to this range.
    """
    noisy = [_clamped(int(each), rng) for each in database]
    return 1 + noisy.index(max(noisy))


def value_with_clamped_noise(database: str, rng: Any) -> int:
    """Release the largest of counts from 0 to 2 with clamped geometric noise itself."""
    return max(_clamped(int(each), rng) for each in database)


def _clamped(count: int, rng: Any) -> int:
    return int(rng.choice(3, p=CLAMPED[count]))
