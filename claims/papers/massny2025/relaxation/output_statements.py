"""Outputs of 3R mechanisms as programs: conditions (5) and (6), what the nearest released record
says, and the bounds by products of q. Sides are evaluated by enumeration of all databases and
outputs.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import any_chain, budget, three_regions
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    leakage,
    local,
    marginal,
    output_law,
    pointwise,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    delta,
    events,
    medium,
    nearer,
    profile,
    redacted_before,
    regions,
)

F = Fraction
SIZES = [F(1), F(3, 4), F(9, 10), F(1, 2), F(1, 4)]


def first_records(draws: Draws) -> Instance:
    """A chain with a <= b of two to four records, p = 1, a budget E = e^eps_r, often an influence,
    the regions that it gives, and q_t in (0, 1] for M, often near 1 or the least constant of (4).
    """
    of, n = any_chain(draws), 2 + draws.below(3)
    E = budget(draws, of)
    split = regions(of, n, 1, E, E)
    q = {t: draws.among(SIZES) for t in medium(split)}
    if len(q) == 1 and draws.whether():
        (t,) = q
        q = {t: delta(of, 1, split, t) / E}
    return {"of": of, "E": E, "split": split, "q": q}


def leak(of: Chain, split: str, q: Mapping[int, F], p: int = 1) -> F | None:
    return leakage(of, len(split), p, local(profile(split, q)))


def keeps(of: Chain, E: F, split: str, q: Mapping[int, F], factor: F = ONE) -> bool:
    return at_most(leak(of, split, q), max(ONE, factor * E))


HAS_MEDIUM = "M is not empty"
IS_MEDIUM: dict[str, Callable[..., bool]] = {HAS_MEDIUM: lambda split, **_: "M" in split}


def _shown_first(split: str, p: int, y: str, step: int) -> int | None:
    """The nearest released record of an output on the side of this step, or None."""
    t = p + step
    while 1 <= t <= len(split):
        if y[t - 1] != "*":
            return t
        t += step
    return None


def sides(of: Chain, p: int, split: str, q: Any) -> list[tuple[int, list[dict[str, F]]]]:
    """Both sides of p, and the laws of their outputs given both values of X_p; others are *."""
    n, mechanism = len(split), local(profile(split, q))
    laws = [output_law(of, n, p, v, mechanism) for v in (0, 1)]
    both = []
    for step in (-1, 1):
        kept = [t for t in range(1, n + 1) if (t - p) * step > 0]
        if kept:
            padded = [
                {
                    "*" * (kept[0] - 1) + y + "*" * (n - kept[-1]): w
                    for y, w in marginal(law, kept).items()
                }
                for law in laws
            ]
            both.append((step, padded))
    return both


def ratio(law: Sequence[Mapping[str, F]], y: str) -> F:
    chances = [each.get(y, ZERO) for each in law]
    return max(chances) / min(chances)


def first_outside(split: str, p: int, step: int) -> int | None:
    t = p + step
    while 1 <= t <= len(split):
        if split[t - 1] != "L":
            return t
        t += step
    return None


def mechanisms(draws: Draws) -> Instance:
    """A 3R mechanism with a <= b on one to four records, without regard to whether its q_t in
    (0, 1] keep the budgets left and right.
    """
    drawn: Instance = three_regions(draws)
    return drawn


def _first_is_bounded(
    of: Chain,
    p: int,
    left: F,
    right: F,
    split: str,
    q: object,
    factor: F = ONE,
    all_of: bool = False,
) -> bool:
    """The ratio of outputs that show the first record outside L is at most e^i, at most the
    budget.
    """
    for step, laws in sides(of, p, split, q):
        first, E = first_outside(split, p, step), left if step < 0 else right
        for y in laws[0]:
            t = _shown_first(split, p, y, step)
            if t is not None and (t == first or all_of):
                influence = pointwise(of, abs(t - p), int(y[t - 1]))
                if not ratio(laws, y) <= factor * influence <= E:
                    return False
    return True


LAST_L = Statement(
    family=mechanisms,
    holds=_first_is_bounded,
    too_strong={
        "99/100 of e^i": {"factor": ALMOST},
        "of every output that shows a record": {"all_of": True},
    },
)


def _first_release(
    of: Chain, p: int, split: str, q: Mapping[int, F], with_G: bool = True, **_: object
) -> bool:
    """Pr(Y_side=y|X_p=x) = k Pr(X_{t+}=z|X_p=x) G(x), k > 0 the same for both x."""
    for step, laws in sides(of, p, split, q):
        for y in laws[0]:
            chances = [law.get(y, ZERO) for law in laws]
            first = _shown_first(split, p, y, step)
            shown = None if first is None else (first, int(y[first - 1]))
            end = len(split) if step > 0 else 1
            t = end if first is None else first - step
            if first is not None and nearer(split, p, t) and split[t - 1] != "M":
                return False
            used = q if with_G else dict.fromkeys(q, ONE)
            terms = [redacted_before(of, p, split, used, t, shown, x) for x in (0, 1)]
            if not all(chances) or chances[0] * terms[1] != chances[1] * terms[0]:
                return False
    return True


FIRST_RELEASE = Statement(
    family=mechanisms, holds=_first_release, too_strong={"G left out": {"with_G": False}}
)


def outputs(draws: Draws) -> Instance:
    """A chain with a <= b of two to four records, p = 1, a budget E = e^eps_r, often an influence,
    the regions that it gives, and q_t in (0, 1] for M, often near 1 or the least constant of (4); t
    in M, and the record t+ and its value z, or no record where t is the last one; x of X_p.
    """
    drawn = first_records(draws)
    cases = [*events(1, drawn["split"], drawn["q"])] or [(0, None)]
    t, shown = draws.among(cases)
    return drawn | {"t": t, "shown": shown, "x": draws.below(2)}


def _least(split: str, q: Mapping[int, F], t: int) -> F:
    """The least product of q over subsets of M_t; the largest is 1, of the empty one."""
    return min(
        prod((q[i] for i, kept in zip(near, each) if kept), start=ONE)
        for near in [nearer(split, 1, t)]
        for each in product((False, True), repeat=len(near))
    )


def _influence(of: Chain, shown: tuple[int, int] | None) -> tuple[F, F]:
    """e^i(X_{t+}=z) and its maximum over z; 1 without t+."""
    if shown is None:
        return ONE, ONE
    record, z = shown
    return pointwise(of, record - 1, z), max(pointwise(of, record - 1, v) for v in (0, 1))


def _second(
    of: Chain, E: F, split: str, q: Any, t: int, shown: Any, x: int, strictly: bool = False
) -> bool:
    """e^i min/max, as printed, is at most the last term."""
    least, (at_z, most) = _least(split, q, t), _influence(of, shown)
    middle, last = at_z * least, most / least
    return middle < last if strictly else middle <= last


SHOWS: dict[str, Callable[..., bool]] = {
    "t is in M and t+ is a record": lambda t, shown, **_: t > 0 and shown is not None
}
SHOWS_NOTHING: dict[str, Callable[..., bool]] = {
    "t is in M and the last record": lambda t, shown, **_: t > 0 and shown is None
}
MINMAX = {
    name: Statement(
        family=outputs, given=given_case, holds=_second, too_strong={"strictly": {"strictly": True}}
    )
    for name, given_case in (
        ("(5): the second inequality", SHOWS),
        ("(6): the second inequality", SHOWS_NOTHING),
    )
}
