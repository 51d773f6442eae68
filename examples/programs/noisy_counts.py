"""Counts with noise, as most releases have them: a histogram with Laplace noise, and a count with
Gaussian noise calibrated as in Dwork and Roth 2014, Theorem A.1, which they prove for epsilon < 1.
For larger levels Balle and Wang (ICML 2018) show that it is too little.

A database is the records of some people, each 0 or 1.
"""

import math
from typing import Any

import numpy as np


def histogram(database: str, rng: Any, epsilon: float = 1) -> Any:
    """Release how many have each value: a change of one record moves two counts by 1."""
    counts = np.array([database.count(value) for value in "01"])
    return counts + rng.laplace(scale=2 / epsilon, size=2)


def gaussian(database: str, rng: Any, epsilon: float = 1, delta: float = 1e-5) -> Any:
    """Release a count, with the deviation sqrt(2 log(1.25 / delta)) / epsilon."""
    deviation = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return database.count("1") + rng.normal(scale=deviation)


def gaussian_above_one(database: str, rng: Any) -> Any:
    """Release the count at level 10, where the calibration is too little."""
    return gaussian(database, rng, epsilon=10)


def majority(database: str, rng: Any, epsilon: float = 1, delta: float = 1e-5) -> bool:
    """Release only whether the noisy count is above one half."""
    return bool(gaussian(database, rng, epsilon, delta) > len(database) / 2)
