"""What the records before another tell at most of its values, by the laws that it may have.

With A_t(x) the mean density of the noise so far, given X_t = x, and p the law of X_t,

    A_(t+1)(x) = sum_z p(z) P(z, x) h(z) / sum_z p(z) P(z, x),    h(z) = A_t(z) times the noise:

quotients of A_(t+1) are largest at an extreme ray h of their cone, at columns P(., x), P(., y) at
their ends, ordered by h, and on an edge of the polytope of p: if the quotient of the denominators
is fixed, what is left is a quotient of linear functions of p under one linear constraint. Along an
edge each mean is monotone, so that its ends bound it on a part of the edge.
"""

from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.verify.noise.classes.rows.rays import largest, rays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]

MOST_STEPS = 60  # after which a later law is bounded as this one
_PARTS = {2: 64, 3: 32, 4: 12}  # of an edge, by values
_FEW_PARTS = 6
_WIDER = 1e-12  # of laws and means: above the rounding of sums of numbers up to 1
_LEAST = 1e-3  # of denominators, that _WIDER is above the rounding of quotients
_UP = 1 + 1e-12


def laws(low: "Floats", high: "Floats", first: "Span | None") -> "list[Span]":
    """Return bounds of the laws of X_1, X_2, .. under rows between bounds; `first`: of X_1, any if
    None. Those of a stationary law are all of them, of any first law.
    """
    import numpy as np

    size = len(low)
    found = [first or (np.zeros(size), np.ones(size))]
    for _ in range(MOST_STEPS):
        least, most = -largest(*found[-1], -low.T), largest(*found[-1], high.T)
        found.append(((least - _WIDER).clip(0, 1), (most + _WIDER).clip(0, 1)))
    return found


def by_laws(low: "Floats", high: "Floats", apart: "Floats", law: "Span") -> "Floats":
    """Return bounds of quotients of A_(t+1) over h in {h : h(a) <= apart(a, b) h(b)}, rows between
    bounds and a law of X_t between bounds.
    """
    import numpy as np

    rows = rays(apart)
    points = _edges(*law)
    size = len(low)
    more = rows[:, None, :] >= rows[:, :, None]
    top = [_means(points, rows, np.where(more, high[:, x], low[:, x])) for x in range(size)]
    least = [_means(points, rows, np.where(more, low[:, x], high[:, x])) for x in range(size)]
    found = np.ones((size, size))
    for x, y in product(range(size), repeat=2):
        if x == y:
            continue
        most, few = top[x].max(axis=-1), least[y].min(axis=-1)
        most = np.maximum(most[..., 1:], most[..., :-1]) + _WIDER
        few = np.minimum(few[..., 1:], few[..., :-1]) - _WIDER
        with np.errstate(all="ignore"):
            told = np.where(few > _WIDER, most / few, np.inf)
        told = np.where(np.isnan(told), np.inf, told)
        found[x, y] = max(1.0, told.max(initial=1.0)) * _UP
    return found


def _means(points: "Floats", rows: "Floats", columns: "Floats") -> "Floats":
    """Return about the means of rays, of shape (rays, edges, points, columns), NaN if they are not
    safe.
    """
    import numpy as np

    whole = np.einsum("egz,rcz->regc", points, columns)
    part = np.einsum("egz,rcz->regc", points, columns * rows[:, None, :])
    found: Floats = np.where(whole > _LEAST, part / np.maximum(whole, _LEAST), np.nan)
    return found


def _edges(low: "Floats", high: "Floats") -> "Floats":
    """Return points that divide the edges of {low <= p <= high, sum(p) = 1}, of shape (edges,
    points, values): on an edge two entries move, and all others are at their ends.
    """
    import numpy as np

    size = len(low)
    found = []
    for a, b in combinations(range(size), 2):
        others = [z for z in range(size) if z not in (a, b)]
        for ends in product((False, True), repeat=size - 2):
            point = np.zeros(size)
            point[others] = np.where(ends, high[others], low[others])
            rest = 1 - point.sum()
            least, most = max(low[a], rest - high[b]), min(high[a], rest - low[b])
            if least > most + _WIDER:
                continue
            pair = np.stack([point, point])
            pair[:, a], pair[:, b] = (least, most), (rest - least, rest - most)
            found.append(pair.clip(0, 1))
    share = np.linspace(0, 1, _PARTS.get(size, _FEW_PARTS) + 1)[:, None]
    one, other = np.array(found).transpose(1, 0, 2)[:, :, None]
    points: Floats = one * (1 - share) + other * share
    return points
