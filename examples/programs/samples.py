"""Samples and shuffles: subsample-and-aggregate of Nissim, Raskhodnikova and Smith (STOC 2007), and
randomised responses that a shuffler puts into a random order.

A database is the records of some people, each 0 or 1.
"""

from typing import Any


def subsample_and_aggregate(database: str, rng: Any, epsilon: float = 1, blocks: int = 2) -> bool:
    """Ask random blocks of people whether one of them has a 1, and release a noisy vote."""
    people = [database[place] for place in rng.permutation(len(database))]
    votes = sum("1" in people[block::blocks] for block in range(blocks))
    return bool(votes + rng.laplace(scale=1 / epsilon) > blocks / 2)


def shuffled_response(database: str, rng: Any, truth: float = 0.75) -> str:
    """Let every person answer with the truth at a probability, in a random order."""
    answers = [value if rng.random() < truth else str(1 - int(value)) for value in database]
    rng.shuffle(answers)
    return "".join(answers)
