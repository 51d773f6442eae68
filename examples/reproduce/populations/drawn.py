"""People that were drawn: of the sizes and shapes that are published, for those who have not the
files.

Everything here that the paper does not say is this project's: how chains are drawn, how many people
a country has, how many records a person. Draws are from NumPy's PCG64, so that a seed gives the
same people on every machine.

Source: bai2026, sections 7.1.1 and 7.1.4, appendix D.1, for what is published.
"""

from typing import TYPE_CHECKING, Any

from pufferproof.claims.papers.bai2026.experiments.setting.sizes import (
    ACTIVITIES,
    AGES,
    ASKED_DAYS,
    COUNTRIES,
    FIT_DAYS,
    HELD_OUT,
    PARTICIPANTS,
    PLACES,
    WINDOWS,
)
from pufferproof.examples.reproduce.populations.people import Population

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Paths = NDArray[np.int64]

# of every activity: its share of the moves into it, and how many windows it lasts in the mean
_MOVES = (0.02, 0.01, 0.09, 0.06, 0.30, 0.07, 0.01, 0.12, 0.09, 0.17, 0.06)
_LASTS = (4.0, 8.0, 5.0, 4.0, 8.0, 40.0, 8.0, 3.0, 5.0, 2.5, 4.0)
_FEWEST, _MOST = 20, 1000  # people of a country


def drawn_check_ins(seed: int) -> Population:
    """Return people of 77 countries, each with a place a day, out of 78, for 400 and for 100
    days.

    Places have popularities that fall like 1/rank, shifted country by country; a step repeats the
    place with probability 1/4, else goes to one of a dozen places that are near it, or anywhere.
    """
    import numpy as np

    draws = np.random.Generator(np.random.PCG64([seed, 1]))
    near, popular = _near(draws), 1 / (np.arange(PLACES) + 1.0)
    people = _FEWEST * (_MOST / _FEWEST) ** draws.random(COUNTRIES)
    steps, usual = np.zeros((PLACES, PLACES), dtype=np.int64), np.zeros(PLACES, dtype=np.int64)
    counts = np.zeros((COUNTRIES, PLACES), dtype=np.int64)
    for country in range(COUNTRIES):
        taste = _rows(popular * np.exp(3.5 * (draws.random(PLACES) - 0.5)))
        kernel = 0.75 * _rows(near * taste + 0.02 * taste) + 0.25 * np.eye(PLACES)
        paths = _walked(draws, kernel, _rows(taste), int(people[country]), FIT_DAYS + ASKED_DAYS)
        fit, asked = paths[:, :FIT_DAYS], paths[:, FIT_DAYS:]
        steps += _steps(fit, PLACES)
        usual += np.bincount(fit.ravel(), minlength=PLACES)
        counts[country] = np.bincount(asked.ravel(), minlength=PLACES)
    return Population(
        "foursquare",
        "drawn",
        tuple(f"place {place + 1:02}" for place in range(PLACES)),
        tuple(f"country {country + 1:02}" for country in range(COUNTRIES)),
        counts,
        steps,
        usual,
        ASKED_DAYS,
        (
            f"drawn: {COUNTRIES} countries of {_FEWEST} to {_MOST} people, one place of {PLACES} a "
            f"day, {FIT_DAYS} days to fit the chain to and {ASKED_DAYS} to ask about",
            "group privacy and the exact translation protect one person's records",
        ),
    )


def drawn_activities(seed: int) -> Population:
    """Return 151 participants in four age groups, each with one of 11 activities in every five
    minutes of a day; of every group 8 are asked about.

    An activity lasts a number of windows that is geometric, its mean drawn for every participant.
    """
    import numpy as np

    draws = np.random.Generator(np.random.PCG64([seed, 2]))
    size = len(ACTIVITIES)
    steps, usual = np.zeros((size, size), dtype=np.int64), np.zeros(size, dtype=np.int64)
    counts, queries = [], []
    for number in range(PARTICIPANTS):
        age, place = AGES[number % len(AGES)], number // len(AGES)
        moves = np.array(_MOVES) * np.exp(1.5 * (draws.random(size) - 0.5))
        lasts = np.array(_LASTS) * np.exp(0.8 * (draws.random(size) - 0.5))
        leave = (1 / lasts)[:, None]
        kernel = leave * _rows(np.tile(moves, (size, 1)) * (1 - np.eye(size)))
        kernel += np.diag(1 - leave[:, 0])
        path = _walked(draws, kernel, moves * lasts, 1, WINDOWS)
        if place < HELD_OUT:
            queries.append(f"{age}: participant {place + 1}")
            counts.append(np.bincount(path[0], minlength=size))
        else:
            steps += _steps(path, size)
            usual += np.bincount(path[0], minlength=size)
    return Population(
        "capture24",
        "drawn",
        ACTIVITIES,
        tuple(queries),
        np.array(counts, dtype=np.int64),
        steps,
        usual,
        WINDOWS,
        (
            f"drawn: {PARTICIPANTS} participants, {len(ACTIVITIES)} activities, one in each of "
            f"{WINDOWS} windows of five minutes; {HELD_OUT} of each age group are asked about, a "
            "query for each participant, as the caption of the printed table says",
        ),
    )


def _near(draws: "np.random.Generator") -> "Floats":
    """Draw which dozen places are near which."""
    import numpy as np

    order = np.argsort(draws.random((PLACES, PLACES)), axis=1)
    near = np.zeros((PLACES, PLACES))
    np.put_along_axis(near, order[:, :12], 1.0, axis=1)
    return near


def _rows(weights: "NDArray[np.floating[Any]]") -> "Floats":
    found: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return found


def _steps(paths: "Paths", size: int) -> "Paths":
    import numpy as np

    pairs = paths[:, :-1] * size + paths[:, 1:]
    return np.bincount(pairs.ravel(), minlength=size * size).reshape(size, size)


def _walked(draws: "np.random.Generator", kernel: "Floats", start: "Floats", people: int, length: int) -> "Paths":
    """Draw `people` paths of a chain, by the inverse of the distribution function of every
    row.

    Row x of the cumulative kernel is shifted by x, so that one sorted array serves all rows.
    """
    import numpy as np

    size = len(kernel)
    ladder = (np.minimum(np.cumsum(kernel, axis=1), 1.0) + np.arange(size)[:, None]).ravel()
    paths = np.empty((people, length), dtype=np.int64)
    first = np.cumsum(start) / np.sum(start)
    paths[:, 0] = np.minimum(np.searchsorted(first, draws.random(people), "right"), size - 1)
    for record in range(1, length):
        before = paths[:, record - 1]
        place = np.searchsorted(ladder, before + draws.random(people), "right") - before * size
        paths[:, record] = np.minimum(np.maximum(place, 0), size - 1)
    return paths
