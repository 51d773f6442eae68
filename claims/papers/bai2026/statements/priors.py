"""Sections 3 and 4 and Appendix A: large classes of priors, which classes composition needs, and
noiseless queries.

A sparse prior is a dictionary from tables to probabilities.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any

from pufferproof.claims.general.statements.classes import (
    is_private,
    records,
    under_any,
)
from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    Table,
    distance,
    held,
    keeps,
    rows,
    side_by_side,
)
from pufferproof.claims.language.instances.laws import (
    ALMOST,
    HALF,
    ONE,
    ZERO,
    at_most,
    given,
    largest_quotient,
    largest_ratio,
    push,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.bai2026.statements.background import keeps_order, positive_rows

F = Fraction
Sparse = Mapping[Table, F]


def _neighbours(x: Table, y: Table) -> bool:
    return distance(x, y) == 1


ALL_KEPT = "M is epsilon-Pufferfish under all priors"
BRINGS_DP = Statement(
    family=records,
    given={ALL_KEPT: under_any},
    holds=lambda tables, M, R, margins, factor=ONE: is_private(tables, M, factor * R, _neighbours),
    too_strong={"99/100 of e^epsilon": {"factor": ALMOST}},
    too_weak=[ALL_KEPT],
)


def against_not(draws: Draws) -> Instance:
    """Two to four databases, a secret s and its complement, either perhaps empty, two mechanisms
    with two outputs and zeros at times, their largest ratios for x in s and y outside or 2, and a
    prior.
    """
    size = 2 + draws.below(3)
    s = frozenset(draws.several(range(size)))
    mechanisms = [positive_rows(draws, size, 2) for _ in range(2)]
    levels = [(_across(s, M) or F(2)) - F(draws.below(6) // 5, 8) for M in mechanisms]
    return {
        "s": s,
        "prior": draws.law(size),
        "mechanisms": mechanisms,
        "levels": [max(ONE, each) for each in levels],
    }


def _across(s: Secret, M: Rows) -> F | None:
    """The largest ratio for databases that differ in the secret."""
    both = product(enumerate(M), repeat=2)
    return largest_quotient((p, q) for (x, p), (y, q) in both if (x in s) != (y in s))


def _kept_across(s: Secret, prior: Prior, M: Rows, R: F, pairs: bool = True) -> bool:
    """Under the given prior, and those even on two databases."""
    size = len(M)
    even = [[HALF * (z in two) for z in range(size)] for two in combinations(range(size), 2)]
    rest = frozenset(range(size)) - s
    return keeps([prior, *(even if pairs else [])], [(s, rest)], M, R)


def _bounded_across(
    s: Secret, prior: Prior, mechanisms: list[list[list[F]]], levels: list[F], pairs: bool
) -> bool:
    for M, R in zip(mechanisms, levels):
        if _kept_across(s, prior, M, R, pairs) != at_most(_across(s, M), R):
            return False
    joint = side_by_side(*mechanisms)
    each = all(_kept_across(s, prior, M, R) for M, R in zip(mechanisms, levels))
    return not each or _kept_across(s, prior, joint, prod(levels, start=ONE))


SECRET_AGAINST_NOT = Statement(
    family=against_not,
    holds=lambda pairs=True, **each: _bounded_across(**each, pairs=pairs),
    too_strong={"under one prior": {"pairs": False}},
)


def one_pair(draws: Draws) -> Instance:
    """Two to four databases, two secrets, disjoint or not, one to three priors with zeros, often
    point masses, and R, 1 to 3.
    """
    size = 2 + draws.below(3)
    s = frozenset(draws.several(range(size))) or frozenset([0])
    t = frozenset(range(size)) - s
    if draws.below(4) == 3:
        t = t | frozenset(draws.several(range(size)))
    priors = [draws.law(size, 2) for _ in range(1 + draws.below(3))]
    R = draws.among([F(2), F(3, 2), F(3), F(5, 4), ONE])
    return {"priors": priors, "s": s, "t": t, "R": R}


def _allowing(priors: Sequence[Prior], s: Secret, t: Secret) -> list[Prior]:
    return [prior for prior in priors if held(prior, s) and held(prior, t)]


def _favouring(size: int, s: Secret, D: int, q: F, R: F) -> list[list[F]]:
    """The mechanism that favours D, q being the largest theta(D | s)."""
    c, h = (R - 1) / (2 * R**2), 1 - 1 / R**2
    on_s = {x: R * c * (1 + ((x == D) - q) * h) for x in s}
    return [[on_s.get(x, c), 1 - on_s.get(x, c)] for x in range(size)]


def _breaks(priors: Sequence[Prior], s: Secret, t: Secret, R: F, D: int) -> bool:
    """Whether that mechanism keeps R in both orders, and two runs of it break R^2 in one."""
    q = max(prior[D] / held(prior, s) for prior in _allowing(priors, s, t))
    M = _favouring(len(priors[0]), s, D, q, R)
    twice = side_by_side(M, M)
    return keeps(priors, [(s, t)], M, R) and not keeps_order(priors, s, t, twice, R * R)


def _needed(
    priors: Sequence[Prior], s: Secret, t: Secret, R: F, low: F = ONE, no_runs: bool = False
) -> bool:
    """Whether a mechanism that favours a database of s does not compose; or some prior gives each
    part of s that is neither empty nor all of it at least the probability `low` given s, and some
    at most 1 - low.
    """
    allowing = _allowing(priors, s, t)
    able = sorted(x for x in s if any(prior[x] for prior in allowing))
    if any(_breaks(priors, s, t, R, D) for D in able):
        return not no_runs
    parts = [part for n in range(1, len(able)) for part in combinations(able, n)]
    for part in parts:
        found = [sum((prior[x] for x in part), ZERO) / held(prior, s) for prior in allowing]
        if max(found) < low or min(found) > 1 - low:
            return False
    return True


DISJOINT, POSITIVE = "s and t are disjoint", "epsilon > 0"
PRIORS_NEEDED = Statement(
    family=one_pair,
    given={DISJOINT: lambda priors, s, t, R: not s & t, POSITIVE: lambda priors, s, t, R: R > 1},
    holds=_needed,
    too_strong={"mechanisms that favour a database compose": {"no_runs": True}},
    too_weak=[DISJOINT, POSITIVE],
)


def queries(draws: Draws) -> Instance:
    """Two or three bits of any law with zeros, fair ones often, the first one secret; two queries
    with up to three answers each; the records that are kept between them beside the secret one,
    mostly none.
    """
    count = 2 + draws.below(4) // 3
    tables = list(product(range(2), repeat=count))
    weights = draws.law(len(tables), 2) if draws.whether() else [F(1, len(tables))] * len(tables)
    law = {x: p for x, p in zip(tables, weights) if p}
    asked = [{x: draws.below(3) for x in tables} for _ in range(2)]
    kept = draws.several(range(1, count)) if draws.below(4) == 3 else []
    return {"law": law, "asked": asked, "kept": kept}


def fair_queries(draws: Draws) -> Instance:
    """Two or three fair bits, the first one secret; two queries with up to three answers each; the
    records that are kept between them beside the secret one, mostly none.
    """
    drawn = queries(draws)
    tables = drawn["asked"][0]
    return drawn | {"law": dict.fromkeys(tables, F(1, len(tables)))}


def _answers(law: Sparse, asked: Sequence[Mapping[Table, int]], kept: Sequence[int]) -> F | None:
    """The largest ratio of a list of answers given the two values of the first bit: all but the
    bits kept is drawn anew for each query; 1 if the bit is certain.
    """
    laws = []
    for value in range(2):
        inside = given(law, lambda x, v=value: x[0] == v)  # type: ignore[misc]
        if inside is None:
            continue
        found: dict[tuple[int, ...], F] = {}
        for shared, p in push(inside, lambda x: tuple(x[j] for j in kept)).items():
            alike = given(inside, lambda x, v=shared: tuple(x[j] for j in kept) == v) or {}  # type: ignore[misc]
            each = [push(alike, lambda x, query=query: query[x]) for query in asked]  # type: ignore[misc]
            for answers in product(*each):
                chance = p * prod((one[a] for one, a in zip(each, answers)), start=ONE)
                found[answers] = found.get(answers, ZERO) + chance
        laws.append(found)
    return largest_ratio(laws)


def _queries_compose(
    law: Sparse, asked: list[dict[Table, int]], kept: Any, factor: F = ONE
) -> bool:
    first, second = (_answers(law, [query], []) for query in asked)
    joint = _answers(law, asked, kept)
    if first is None or second is None:
        return True
    return joint is not None and joint <= max(ONE, factor * first * second)


ANEW = "all records but the secret one are drawn anew"
RESAMPLED = Statement(
    family=queries,
    given={ANEW: lambda law, asked, kept: not kept},
    holds=_queries_compose,
    too_strong={"99/100 of the level": {"factor": ALMOST}},
    too_weak=[ANEW],
)
RESAMPLED_FAIR = Statement(
    family=fair_queries,
    given={ANEW: lambda law, asked, kept: not kept},
    holds=_queries_compose,
    too_strong={"99/100 of the level": {"factor": ALMOST}},
    too_weak=[ANEW],
)


def kept_bit(draws: Draws) -> Instance:
    """Two to four fair bits, the first one secret, a second one that is asked for, and whether that
    is kept between the queries.
    """
    count = 2 + draws.below(3)
    return {"count": count, "j": 1 + draws.below(count - 1), "kept": draws.below(8) < 7}


def _tells(count: int, j: int, kept: bool) -> bool:
    """Whether x_j and x_1 + x_j tell nothing one by one, and x_1 together."""
    tables = list(product(range(2), repeat=count))
    law = dict.fromkeys(tables, F(1, len(tables)))
    asked = [{x: x[j] for x in tables}, {x: x[0] ^ x[j] for x in tables}]
    silent = all(_answers(law, [query], []) == 1 for query in asked)
    return silent and _answers(law, asked, [j] if kept else []) is None


KEPT = "the second bit is kept between the queries"
ONE_KEPT = Statement(
    family=kept_bit,
    given={KEPT: lambda count, j, kept: bool(kept)},
    holds=lambda count, j, kept, they_compose=False: (
        _tells(count, j, kept) and (not they_compose or (not _tells(count, j, kept)))
    ),
    too_strong={"they compose": {"they_compose": True}},
    too_weak=[KEPT],
)


PARTS = {"records": [[0], [1]], "blocks": [[0, 1], [2]]}


def _drawn_prior(draws: Draws, tables: Sequence[Table], parts: Sequence[Sequence[int]]) -> Sparse:
    """Draw a law of the tables whose parts are independent, or its law on some of the tables."""
    weights = [
        dict(zip(product(range(2), repeat=len(part)), draws.law(2 ** len(part)))) for part in parts
    ]
    drawn = {
        x: prod((law[tuple(x[j] for j in part)] for law, part in zip(weights, parts)), start=ONE)
        for x in tables
    }
    total = sum(drawn.values())
    return {x: p / total for x, p in drawn.items()} if total else {tables[0]: ONE}


def _classes(draws: Draws, row: str) -> Instance:
    """Draw tables, and the laws given the two values of a record under priors of a class: those
    even on two tables, and one.
    """
    tables = list(product(range(2), repeat=2 + (row == "blocks")))
    i = draws.below(len(tables[0]))
    parts = PARTS.get(row, [list(range(len(tables[0])))])
    block = next(part for part in parts if i in part)
    if row == "Q":
        tables = draws.several(tables) or tables
    prior = _drawn_prior(draws, tables, parts)
    sides = [given(prior, lambda x, v=value: x[i] == v) for value in range(2)]  # type: ignore[misc]
    laws = [tuple(sides)] if all(sides) else []
    whole = draws.below(8) < 7
    if whole:
        laws += [
            ({x: ONE}, {y: ONE})
            for x, y in product(tables, repeat=2)
            if x[i] < y[i] and all(a == b or j in block for j, (a, b) in enumerate(zip(x, y)))
        ]
    return {"tables": tables, "laws": laws, "whole": whole}


def _level_under(laws: Sequence[Sequence[Sparse]], M: Mapping[Table, Sequence[F]]) -> F | None:
    """The largest ratio of an output's probability under two laws, in both orders."""
    outputs = range(len(next(iter(M.values()))))
    both = [
        [[sum((p * M[x][w] for x, p in law.items()), ZERO) for w in outputs] for law in pair]
        for pair in laws
    ]
    return largest_quotient(
        (p, q) for left, right in both for p, q in ((left, right), (right, left))
    )


def _released(draws: Draws, row: str) -> Instance:
    drawn = _classes(draws, row)
    tables = drawn.pop("tables")
    mechanisms = []
    for _ in range(2):
        kind = rows if draws.below(16) == 15 else positive_rows
        mechanisms.append(dict(zip(tables, kind(draws, len(tables), 2))))
    levels = [_level_under(drawn["laws"], M) or F(2) for M in mechanisms]
    return drawn | {
        "mechanisms": mechanisms,
        "levels": [max(ONE, R - F(draws.below(16) // 15, 8)) for R in levels],
    }


def independent_records(draws: Draws) -> Instance:
    """Two bits, one of them secret; of all laws with independent records those even on two tables
    that differ in the secret one alone, and one with zeros; or only this one; two mechanisms with
    two outputs and their least levels, or less, or 2.
    """
    return _released(draws, "records")


def independent_blocks(draws: Draws) -> Instance:
    """Three bits, the first two in one block; of all laws with independent blocks those even on two
    tables that differ in one block alone, and one with zeros; or only this one; and two mechanisms
    as above.
    """
    return _released(draws, "blocks")


def all_priors(draws: Draws) -> Instance:
    """Two bits, one of them secret; of all priors those even on two tables that differ in this bit,
    and one with zeros; or only this one; and two mechanisms as above.
    """
    return _released(draws, "all")


def priors_on_tables(draws: Draws) -> Instance:
    """A set Q of tables of two bits, one bit secret; of all priors on Q those even on two tables
    that differ in this bit, and one with zeros; or only this one; and two mechanisms as above.
    """
    return _released(draws, "Q")


def _classes_keep(
    laws: list[tuple[dict[Table, F], dict[Table, F]]],
    whole: bool,
    mechanisms: list[dict[Table, list[F]]],
    levels: list[F],
) -> bool:
    return all(at_most(_level_under(laws, M), R) for M, R in zip(mechanisms, levels))


def _classes_compose(
    laws: list[tuple[dict[Table, F], dict[Table, F]]],
    whole: bool,
    mechanisms: list[dict[Table, list[F]]],
    levels: list[F],
    factor: F = ONE,
    last: int = 2,
) -> bool:
    first, second = mechanisms
    joint = {x: [p * q for p, q in product(first[x], second[x])] for x in first}
    bound = max(ONE, factor * prod(levels[:last], start=ONE))
    return at_most(_level_under(laws, joint), bound)


WHOLE = "the class has the priors even on two tables"
SINGLE_KEPT = "each mechanism keeps its level under the class"


def _row(family: Any) -> Statement:
    return Statement(
        family=family,
        given={SINGLE_KEPT: _classes_keep, WHOLE: lambda whole, **_: bool(whole)},
        holds=_classes_compose,
        too_strong={
            "99/100 of the level": {"factor": ALMOST},
            "the last level left out": {"last": 1},
        },
        too_weak=[SINGLE_KEPT, WHOLE],
    )


DP_ROW = _row(independent_records)
DEPENDENT_ROW = _row(independent_blocks)
BLOWFISH_ROW = _row(priors_on_tables)
ALL_COMPOSES = _row(all_priors)
