"""Probes of slopes, shifts and the region of two rows."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.streams import slopes
from pufferproof.claims.vocabulary.families import Rows, rarely, signed, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, member
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
M, N = letter("M", mechanism("D", "W")), letter("N", mechanism("E", "V"))
x, y = (letter(name, member("D")) for name in ("x", "y"))
u, v = (letter(name, member("E")) for name in ("u", "v"))
w = letter("w", member("W", "an output in W"))
a, b, ratio, delta = (letter(name, NUMBER) for name in ("a", "b", "ratio", "delta"))


def two_rows(draws: Draws) -> Rows:
    """Draw two laws on 1 to 3 outputs, equal at times, with zeros and ties; a row in eight has
    another sum, and entries are now and then negative.
    """
    size = 1 + draws.below(3)
    rows = [vector(draws, size) if rarely(draws) else [*draws.law(size, 4)] for _ in range(2)]
    rows = [rows[0], [*rows[0]]] if rarely(draws) else rows
    return signed(draws, rows) if rarely(draws) else rows


def lines(draws: Draws) -> Instance:
    """Two rows of a mechanism in one order or the other, an output, R a likelihood ratio or a
    number from -1/2 to 3, and delta, the shift at R in three draws of four, or a number from 0 to
    1.
    """
    rows = two_rows(draws)
    start = draws.below(2)
    P, Q = rows[start], rows[1 - start]
    ratios = [p / q for p, q in zip(P, Q) if q]
    ratio = draws.among([*ratios, *ratios, F(1), F(2), F(0), F(-1, 2), F(3)])
    least = slopes.largest(P, Q, ratio)
    return {
        "D": 2,
        "W": len(P),
        "M": rows,
        "x": start,
        "y": 1 - start,
        "w": draws.below(len(P)),
        "ratio": ratio,
        "delta": draws.among([least, least, least, F(0), F(1, 4), F(1)]),
    }


def points(draws: Draws) -> Instance:
    """Two rows of a mechanism in one order or the other, and a point: on a grid around the unit
    square, the middle of two corners of the region, or such a point moved a little.
    """
    found = lines(draws)
    rows = found["M"]
    some = slopes.generating(rows[found["x"]], rows[found["y"]])
    (a, b), (c, d) = draws.among(some), draws.among(some)
    moved = [F(each, 50) for each in (0, 0, 0, 1, -1)]
    if draws.below(4) == 0:
        return {**found, "a": F(draws.below(7) - 1, 4), "b": F(draws.below(7) - 1, 4)}
    return {**found, "a": (a + c) / 2 + draws.among(moved), "b": (b + d) / 2 + draws.among(moved)}


def two_points(draws: Draws) -> Instance:
    """Two rows of a mechanism, two points, mostly corners of the region or the middle of two, and
    weights s and t of sum 1, now and then below 0 or of another sum.
    """
    found = lines(draws)
    rows = found["M"]
    some = slopes.generating(rows[found["x"]], rows[found["y"]])
    for names in ("ab", "cd"):
        ends = [draws.among(some) for _ in range(1 + draws.below(2))]
        for name, place in zip(names, zip(*ends)):
            moved = F(1, 4) if rarely(draws) else F(0)
            found[name] = sum(place, F(0)) / len(place) + moved
    s = draws.among([F(1, 2), F(1, 4), F(0), F(1), F(1, 3), *[F(-1), F(2)] * rarely(draws)])
    return {**found, "s": s, "t": 1 - s + (draws.among([F(1), F(-1, 4)]) if rarely(draws) else 0)}


def on_a_line(draws: Draws) -> Instance:
    """As for lines; R' is 1/R in seven draws of eight, delta is the shift at R, or that at R' in
    the other order, or any number, and (a, b) is mostly on the line that touches from below.
    """
    found = lines(draws)
    P, Q = (found["M"][found[name]] for name in ("x", "y"))
    ratio = found["ratio"]
    inverse = 1 / ratio if ratio and not rarely(draws) else F(2)
    if draws.whether():
        found["delta"] = slopes.largest(Q, P, inverse)
    b = F(draws.below(5), 4)
    a = slopes.MINIMA.value([P, Q], 0, 1, ratio) - ratio * b
    a += draws.among([F(0), F(0), F(0), F(1, 4), F(-1, 100)])
    return {**found, "inverse": inverse, "a": a, "b": b}


def four_rows(draws: Draws) -> Instance:
    """As above, and two rows of another mechanism: the same with outputs in another order, one of
    them split in two, the two rows exchanged, or any others.
    """
    found = points(draws)
    P, Q = ([*row] for row in found["M"])
    change = draws.below(8)
    if change == 7:
        P, Q = two_rows(draws)
    elif change >= 2:
        place, share = draws.below(len(P)), F(draws.below(3), 2)
        P, Q = [*P, share * P[place]], [*Q, share * Q[place]]
        P[place] *= 1 - share
        Q[place] *= 1 - share
    rows = [P[::-1], Q[::-1]] if change % 2 else [P, Q]
    rows = rows[::-1] if rarely(draws) else rows
    return {**found, "E": 2, "V": len(P), "N": rows, "u": found["x"], "v": found["y"]}


def _probability(draws: Draws) -> Instance:
    """As above, with impossible outputs more often."""
    found = lines(draws)
    for row in found["M"]:
        row[draws.below(len(row))] *= draws.below(2)
    return found


USING = "Planes Polygons"
TWO = (M, x, y)
PROBES = [
    Probe(
        "shift",
        slopes.SHIFT(*TWO, ratio, delta),
        "D W",
        lines,
        {"shift": lambda M, x, y, r, d: slopes.SHIFT.value(M, y, x, r, d)},
        USING,
    ),
    Probe(
        "printed shift",
        slopes.PRINTED_SHIFT(*TWO, w, ratio, delta),
        "D W",
        lines,
        {"printed shift": lambda M, x, y, w, r, d: slopes.SHIFT.value(M, x, y, r, d)},
        USING,
    ),
    Probe(
        "touches from below",
        slopes.TOUCHES(*TWO, ratio, delta),
        "D W",
        lines,
        {"touches from below": lambda M, x, y, r, d: slopes.TOUCHES.value(M, y, x, r, d)},
        USING,
    ),
    Probe(
        "ratios at most",
        slopes.MOST(*TWO, ratio),
        "D W",
        lines,
        {"ratios at most": lambda M, x, y, r: ((p, r * q) for p, q in zip(M[x], M[y]))},
        USING,
    ),
    Probe(
        "probability where another is 0",
        slopes.LEFT(*TWO),
        "D W",
        _probability,
        {"probability where another is 0": lambda M, x, y: slopes.LEFT.value(M, y, x)},
        USING,
    ),
    Probe(
        "sum of minima",
        slopes.MINIMA(*TWO, ratio),
        "D W",
        lines,
        {"sum of minima": lambda M, x, y, r: slopes.MINIMA.value(M, y, x, r)},
        USING,
    ),
    Probe(
        "point of a region",
        slopes.IN_REGION(*TWO, a, b),
        "D W",
        points,
        {"point of a region": lambda M, x, y, a, b: iter(((a, b) in slopes.generating(M[x], M[y]),))},
        USING,
    ),
    Probe(
        "choice",
        slopes.CHOICE(*TWO, a, b),
        "D W",
        points,
        {"choice": lambda M, x, y, a, b: slopes.CHOICE.value(M, x, y, b, a)},
        USING,
    ),
    Probe(
        "unit square",
        slopes.IN_SQUARE(a, b),
        "",
        points,
        {"unit square": lambda a, b: slopes.IN_SQUARE.value(a, a)},
        USING,
    ),
    Probe(
        "between lines",
        slopes.BETWEEN(*TWO, a, b),
        "D W",
        points,
        {"between lines": lambda M, x, y, a, b: slopes.BETWEEN.value(M, y, x, b, a)},
        USING,
    ),
    Probe(
        "same slopes and shifts",
        slopes.SAME_LIST(*TWO, N, u, v),
        "D W E V",
        four_rows,
        {"same slopes and shifts": lambda M, x, y, N, u, v: iter((M[x] == N[u],))},
        USING,
    ),
]
