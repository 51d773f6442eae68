"""The two footnotes and the remarks on definitions as programs: several private records, the order
of influences, other definitions of privacy, utility.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.frameworks import keeps
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, subsets
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    LEVELS,
    any_chain,
    place,
    redaction,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    Mechanism,
    Redaction,
    given,
    largest_ratio,
    leakage,
    local,
)

F = Fraction


def several_private(draws: Draws) -> Instance:
    """A chain with a <= b of one to three records, a set A of records, for each p in A a mechanism
    that redacts X_p, and its least level R_p, or 2 where that is infinite.
    """
    of, (n, first) = any_chain(draws), place(draws, 3)
    A = sorted({first, *draws.several(range(1, n + 1))})
    mechanisms = {p: redaction(draws, n, p) for p in A}
    levels = {p: leakage(of, n, p, local(r)) or F(2) for p, r in mechanisms.items()}
    return {"of": of, "n": n, "mechanisms": mechanisms, "levels": levels}


def _combined(mechanisms: Mapping[int, Redaction], largest: bool = True) -> Redaction:
    pick = max if largest else min
    return [
        (pick(zero for zero, _ in column), pick(one for _, one in column))
        for column in zip(*mechanisms.values())
    ]


def _kept(of: Chain, n: int, r: Redaction, levels: Mapping[int, F], factor: F = ONE) -> bool:
    return all(at_most(leakage(of, n, p, local(r)), factor * R) for p, R in levels.items())


SEPARATELY = Statement(
    family=several_private,
    holds=lambda of, n, mechanisms, levels, least_conservative_redaction=False, factor=ONE: _kept(
        of,
        n,
        (
            _combined(mechanisms, largest=False)
            if least_conservative_redaction
            else _combined(mechanisms)
        ),
        levels,
        factor=factor,
    ),
    too_strong={
        "the least conservative redaction": {"least_conservative_redaction": True},
        "99/100 of the level": {"factor": ALMOST},
    },
)


def tables(draws: Draws) -> Instance:
    """A chain of one to three records and a table of output probabilities for every database: a
    local redaction mechanism, or rows of their own over two outputs, half of which repeat the one
    before; a level R.
    """
    of, (n, p) = any_chain(draws, ordered=False), place(draws, 3)
    databases = ["".join(bits) for bits in product("01", repeat=n)]
    is_local = draws.whether()
    if is_local:
        mechanism = local(redaction(draws, n, p, hidden=draws.below(4) > 0))
        rows = {x: dict(mechanism(x)) for x in databases}
    else:
        rows, row = {}, draws.law(2)
        for x in databases:
            row = draws.law(2) if draws.whether() else row
            rows[x] = dict(zip(("u" * n, "v" * n), row))
    R = draws.among([leakage(of, n, p, rows.__getitem__) or F(2), *LEVELS[:4]])
    return {"of": of, "n": n, "p": p, "rows": rows, "is_local": is_local, "R": R}


Rows = Mapping[str, Mapping[str, F]]


def _private(of: Chain, n: int, p: int, rows: Rows, R: F, factor: F = ONE, **_: object) -> bool:
    return at_most(leakage(of, n, p, rows.__getitem__), max(ONE, factor * R))


def _pufferfish(
    of: Chain, n: int, p: int, rows: Rows, R: F, both: bool = True, **_: object
) -> bool:
    """By the definition of Pufferfish privacy; in one order of the pair only unless `both`."""
    databases, outputs = sorted(rows), sorted({y for row in rows.values() for y in row})
    prior = [of.weight(x) for x in databases]
    table = [[rows[x].get(y, ZERO) for y in outputs] for x in databases]
    s, t = (frozenset(i for i, x in enumerate(databases) if x[p - 1] == value) for value in "01")
    if both:
        return keeps([prior], [(s, t)], table, R)
    laws = [
        [
            sum((prior[i] * table[i][w] for i in each), ZERO) / sum(prior[i] for i in each)
            for w in range(len(outputs))
        ]
        for each in (s, t)
    ]
    return all(above <= R * below for above, below in zip(*laws))


def _differing(rows: Rows, records: Sequence[int], others_too: bool = False) -> list[F | None]:
    """The largest ratios of databases that differ in one of the records, and in no other one
    unless `others_too`.
    """
    ratios = []
    for x, z in product(rows, repeat=2):
        places = {t for t, (v, w) in enumerate(zip(x, z), 1) if v != w}
        if places & {*records} and (others_too or len(places) == 1):
            ratios.append(largest_ratio(rows[x], rows[z]))
    return ratios


def _dp(rows: Rows, records: Sequence[int], R: F, others_too: bool = False) -> bool:
    return all(at_most(ratio, R) for ratio in _differing(rows, records, others_too))


def _bayesian(of: Chain, n: int, p: int, rows: Rows, R: F, **_: object) -> bool:
    """The ratio of outputs given X_p = v and X_K = x_K, for all sets K without p."""
    for K in subsets(t for t in range(1, n + 1) if t != p):
        for known in product("01", repeat=len(K)):
            laws = [_informed(of, n, p, rows, value, dict(zip(K, known))) for value in (0, 1)]
            if not at_most(largest_ratio(*laws), R):
                return False
    return True


def _informed(
    of: Chain, n: int, p: int, rows: Rows, value: int, known: Mapping[int, str]
) -> dict[str, F]:
    law = given(of, n, p, value)
    possible = {x: w for x, w in law.items() if all(x[t - 1] == v for t, v in known.items())}
    total, outputs = sum(possible.values(), ZERO), dict[str, F]()
    for x, weight in possible.items():
        for y, chance in rows[x].items():
            outputs[y] = outputs.get(y, ZERO) + weight / total * chance
    return outputs


LOCAL, PRIVATE = "the mechanism is a local redaction mechanism", "Lk <= eps"
BAYES, DEPENDENT = "Bayesian DP for record p", "dependent DP for record p"
RELATIONS = {
    "a pufferfish measure": Statement(
        family=tables,
        holds=lambda one_order_pair=False, **at: (
            _private(**at)
            == (_pufferfish(**at, both=False) if one_order_pair else _pufferfish(**at))
        ),
        too_strong={"one order of the pair": {"one_order_pair": True}},
    ),
    "Lk <= eps implies the DP ratio <= e^eps of Y as a function of record p": Statement(
        family=tables,
        given={LOCAL: lambda is_local, **_: is_local, PRIVATE: _private},
        holds=lambda p, rows, R, every_record=False, **_: (
            (_dp(rows, [p], R)) and (not every_record or (_dp(rows, range(1, _["n"] + 1), R)))
        ),
        too_strong={"for every record": {"every_record": True}},
        too_weak=[LOCAL, PRIVATE],
    ),
    "Bayesian DP for record p implies Lk <= eps": Statement(
        family=tables,
        given={BAYES: _bayesian},
        holds=_private,
        too_strong={"99/100 of e^eps": {"factor": ALMOST}},
        too_weak=[BAYES],
    ),
    "dependent DP for record p, all other records dependent, implies Lk <= eps": Statement(
        family=tables,
        given={DEPENDENT: lambda p, rows, R, **_: _dp(rows, [p], R, others_too=True)},
        holds=_private,
        too_strong={"99/100 of e^eps": {"factor": ALMOST}},
        too_weak=[DEPENDENT],
    ),
}


def redactions(draws: Draws) -> Instance:
    """A chain, with a > b half of the time, of one to three records and r_1..r_n."""
    of, (n, p) = any_chain(draws, ordered=False), place(draws, 3)
    return {"of": of, "n": n, "r": redaction(draws, n, p, hidden=draws.whether())}


def _joint(of: Chain, n: int, mechanism: Mechanism) -> dict[tuple[str, str], F]:
    """The law of databases and outputs."""
    databases = ("".join(bits) for bits in product("01", repeat=n))
    return {(x, y): of.weight(x) * p for x in databases for y, p in mechanism(x).items()}


def _agree(x: str, y: str) -> int:
    return sum(v == w for v, w in zip(x, y))


def _distances(x: str, y: str, star: F = ONE) -> list[F]:
    """The sizes |x_t - y_t|, with |x - *| = star."""
    return [star if w == "*" else F(abs(int(v) - int(w))) for v, w in zip(x, y)]


def _utility(of: Chain, n: int, r: Redaction, star: F = ONE) -> bool:
    joint, law = _joint(of, n, local(r)), (of.b / (of.a + of.b), of.a / (of.a + of.b))
    nu = sum((p * _agree(x, y) for (x, y), p in joint.items()), ZERO) / n
    formula = sum((p * (1 - each) for pair in r for p, each in zip(law, pair)), ZERO) / n
    hamming, first, square = ZERO, ZERO, ZERO
    for (x, y), p in joint.items():
        sizes = _distances(x, y, star)
        hamming += p * (n - _agree(x, y))
        first, square = first + p * sum(sizes), square + p * sum(d * d for d in sizes)
    return nu == formula and all(nu == 1 - mean / n for mean in (hamming, first, square))


UTILITY = Statement(
    family=redactions, holds=_utility, too_strong={"* counted as half a record": {"star": F(1, 2)}}
)
