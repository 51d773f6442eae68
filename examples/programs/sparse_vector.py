"""The six variants of the sparse vector technique in Figure 1 of Lyu, Su and Li (PVLDB 2017): which
queries are above a threshold, `epsilon` in all.

A database is the answers to the queries, each 0 or 1. The published variants release the cutoff-th
answer above the threshold and stop; here the threshold is 1.
"""

from typing import Any

THRESHOLD = 1


def variant_1(database: str, rng: Any, epsilon: float = 1, cutoff: int = 1) -> str:
    """Algorithm 1, as Lyu, Su and Li propose it."""
    rho = rng.laplace(scale=2 / epsilon)
    said = ""
    for answer in map(int, database):
        above = answer + rng.laplace(scale=4 * cutoff / epsilon) >= THRESHOLD + rho
        said += "+" if above else "-"
        if said.count("+") == cutoff:
            break
    return said


def variant_2(database: str, rng: Any, epsilon: float = 1, cutoff: int = 1) -> str:
    """Algorithm 2, of Dwork and Roth's textbook: a new threshold after every answer above it."""
    rho = rng.laplace(scale=2 * cutoff / epsilon)
    said = ""
    for answer in map(int, database):
        if answer + rng.laplace(scale=4 * cutoff / epsilon) >= THRESHOLD + rho:
            said += "+"
            rho = rng.laplace(scale=2 * cutoff / epsilon)
        else:
            said += "-"
        if said.count("+") == cutoff:
            break
    return said


def variant_3(database: str, rng: Any, epsilon: float = 1, cutoff: int = 1) -> tuple[Any, ...]:
    """Algorithm 3, of Roth's lecture notes: the noisy answer itself is released."""
    rho = rng.laplace(scale=2 / epsilon)
    said: list[Any] = []
    for answer in map(int, database):
        noisy = answer + rng.laplace(scale=2 * cutoff / epsilon)
        if noisy >= THRESHOLD + rho:
            said.append(noisy)
            if sum(each != "-" for each in said) == cutoff:
                break
        else:
            said.append("-")
    return tuple(said)


def variant_4(database: str, rng: Any, epsilon: float = 1, cutoff: int = 1) -> str:
    """Algorithm 4, of Lee and Clifton: the noise does not grow with the cutoff."""
    rho = rng.laplace(scale=4 / epsilon)
    said = ""
    for answer in map(int, database):
        above = answer + rng.laplace(scale=4 / (3 * epsilon)) >= THRESHOLD + rho
        said += "+" if above else "-"
        if said.count("+") == cutoff:
            break
    return said


def variant_5(database: str, rng: Any, epsilon: float = 1) -> str:
    """Algorithm 5, of Stoddard, Chen and Machanavajjhala: no noise on the answers."""
    rho = rng.laplace(scale=2 / epsilon)
    return "".join("+" if answer >= THRESHOLD + rho else "-" for answer in map(int, database))


def variant_6(database: str, rng: Any, epsilon: float = 1) -> str:
    """Algorithm 6, of Chen, Xiao, Zhang and Xu: no cutoff."""
    rho = rng.laplace(scale=2 / epsilon)
    said = ""
    for answer in map(int, database):
        above = answer + rng.laplace(scale=2 / epsilon) >= THRESHOLD + rho
        said += "+" if above else "-"
    return said


def with_gap(database: str, rng: Any, epsilon: float = 1) -> str:
    """The technique with a free gap, of Ding, Wang, Zhang and Kifer (PVLDB 2019): of the query
    above the threshold also whether it is far above.
    """
    rho = rng.laplace(scale=2 / epsilon)
    said = ""
    for answer in map(int, database):
        gap = answer + rng.laplace(scale=4 / epsilon) - THRESHOLD - rho
        if gap >= 0:
            return f"{said}{'far' if gap >= 2 else 'near'}"
        said += "-"
    return said
