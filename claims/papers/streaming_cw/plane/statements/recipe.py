"""The recipe of slopes and shifts: what a shift is, what two lists determine, and the curve."""

from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Pmf,
    generating_points,
    hockey_stick,
    hull,
    slopes,
)
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import two_rows

F = Fraction
ONE, ZERO = F(1), F(0)


def rows_alone(draws: Draws) -> Instance:
    """Two rows of one to three outcomes, with zeros and ties, equal or disjoint at times."""
    return {**two_rows(draws)}


def _touches(P: Pmf, Q: Pmf, up: F = ZERO, own: bool = True) -> bool:
    for R, delta in slopes(P, Q):
        points = generating_points(P, Q)
        least = min(a + R * b if own else R * a + b for a, b in points)
        if least != 1 - delta + up:
            return False
    return True


SHIFT_TOUCHES = Statement(
    family=rows_alone,
    holds=lambda P, Q, up=ZERO, own=True: _touches(P, Q, up=up, own=own),
    too_strong={
        "the line moved up by 1/100": {"up": F(1, 100)},
        "the line R_i a + b = 1 - delta_i": {"own": False},
    },
)


def _impossible(P: Pmf, Q: Pmf) -> F:
    return sum((p for p, q in zip(P, Q) if not q), F(0))


LISTED = "there is a finite slope of at least 1"
LAST_SHIFT = Statement(
    family=rows_alone,
    given={LISTED: lambda P, Q: bool(slopes(P, Q))},
    holds=lambda P, Q, level=max, other=False: (
        level(slopes(P, Q))[1] == (0 if other else _impossible(P, Q))
    ),
    too_strong={"at the smallest slope": {"level": min}, "0": {"other": True}},
)


def four_rows(draws: Draws) -> Instance:
    """Two rows P and Q, and two further rows: P and Q with outcomes in another order, one of them
    split in two with the same ratio, or with an impossible one added; or any two rows.
    """
    pair = two_rows(draws, 2)
    P, Q = list(pair["P"]), list(pair["Q"])
    change = draws.below(8)
    if change == 7:
        other = two_rows(draws, 2)
        return {**pair, "P_other": other["P"], "Q_other": other["Q"]}
    if change >= 2:
        y, share = draws.below(len(P)), F(draws.below(3), 2)
        P, Q = [*P, share * P[y]], [*Q, share * Q[y]]
        P[y] *= 1 - share
        Q[y] *= 1 - share
    if change % 2:
        P, Q = P[::-1], Q[::-1]
    return {**pair, "P_other": tuple(P), "Q_other": tuple(Q)}


OWN_LIST = "equal lists of slopes and shifts in the order (x, x')"
OTHER_LIST = "equal lists of slopes and shifts in the order (x', x)"
_EQUAL_LISTS = {
    OWN_LIST: lambda P, Q, P_other, Q_other: slopes(P, Q) == slopes(P_other, Q_other),
    OTHER_LIST: lambda P, Q, P_other, Q_other: slopes(Q, P) == slopes(Q_other, P_other),
}
_NOTHING_LISTED: Instance = {
    "P": (F(1, 2), F(1, 2)),
    "Q": (ONE, F(0)),
    "P_other": (F(0), ONE),
    "Q_other": (ONE, F(0)),
}
_EXCHANGED = {
    "P": _NOTHING_LISTED["Q"],
    "Q": _NOTHING_LISTED["P"],
    "P_other": _NOTHING_LISTED["Q_other"],
    "Q_other": _NOTHING_LISTED["P_other"],
}
EQUAL_REGIONS = Statement(
    family=four_rows,
    edges=[_NOTHING_LISTED, _EXCHANGED],
    given=_EQUAL_LISTS,
    holds=lambda P, Q, P_other, Q_other, equal_rows=False: (
        (hull(generating_points(P, Q)) == hull(generating_points(P_other, Q_other)))
        and (not equal_rows or ((P, Q) == (P_other, Q_other)))
    ),
    too_strong={"equal rows": {"equal_rows": True}},
    too_weak=[OWN_LIST, OTHER_LIST],
)


def _equal_curves(P: Pmf, Q: Pmf, P_other: Pmf, Q_other: Pmf) -> bool:
    ratios = [ONE, F(3, 2), F(3)]
    return all(
        hockey_stick(P, Q, R) == hockey_stick(P_other, Q_other, R)
        and hockey_stick(Q, P, R) == hockey_stick(Q_other, P_other, R)
        for R in ratios
    )


EQUAL_CURVES = Statement(
    family=four_rows,
    edges=[_NOTHING_LISTED, _EXCHANGED],
    given=_EQUAL_LISTS,
    holds=lambda P, Q, P_other, Q_other, equal_probabilities_single=False: (
        _equal_curves(P, Q, P_other, Q_other)
        and (not equal_probabilities_single or (sorted(P) == sorted(P_other)))
    ),
    too_strong={"equal probabilities of single outcomes": {"equal_probabilities_single": True}},
    too_weak=[OWN_LIST, OTHER_LIST],
)
