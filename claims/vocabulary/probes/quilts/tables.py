"""Probes of quilts of tables of records."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import Law
from pufferproof.claims.vocabulary.entries.quilts import segments, tables
from pufferproof.claims.vocabulary.entries.quilts.chains import LAWS, Release, chains, law_of_chain, release, tables_of
from pufferproof.claims.vocabulary.entries.quilts.tables import AROUND, Roles, near, telling
from pufferproof.claims.vocabulary.families import CLOSE, rarely, signed
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.quilts.chains import RHO, chain, query
from pufferproof.claims.vocabulary.probes.quilts.segments import CHANCES, least
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, PRIORS_OF_TABLES
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
A, n, i, m = set_named("A"), *(letter(name, NATURAL) for name in "nim")
lo, hi = letter("lo", NATURAL, "l"), letter("hi", NATURAL, "h")
C = letter("class", chains("A"), "C")
Q, S = letter("roles", tables.ROLES, "Q"), letter("searched", tables.SEARCHED, "S")
run = letter("run", release("A", "n"), "r")
N = letter("N", segments.reader("A", "V"))
e = letter("e", LEVEL)


def roles_of(draws: Draws, number: int, place: int) -> list[int]:
    """Draw a choice of near, quilt and remote records: around a record, or any."""
    if draws.below(3):
        low = draws.below(place + 1)
        return [*AROUND.value(low, place + 1 + draws.below(max(number - place, 1)))]
    return [draws.below(3) for _ in range(number)]


def influence(roles: Roles, place: int, laws: Sequence[Law], number: int, size: int) -> Fraction:
    """Return e to the largest max-influence of a quilt, or 4 if it is infinite."""
    return least(pair for p in laws for pair in telling(roles, place, p, number, size))


def asked(draws: Draws, size: int, number: int, close: Fraction, nearby: int) -> Release:
    """Draw a query with noise whose level is often the least beside so many nearby records."""
    rho = draws.among([*RHO])
    level = close / rho**nearby * draws.among([*CLOSE])
    return Release(1, query(draws, size, number), level, rho)


def quilts(draws: Draws) -> Instance:
    """One or two chains of one to three records with two values, a record, a choice of what is
    near, in the quilt and remote, often around the record, one or two such choices for each record,
    a query with noise whose level is often the least, and a mechanism that depends on the records
    that are not near, but for one in four.
    """
    return _quilts(draws, draws.among([1, 1, 2, 2, 2, 2, 2, 3]))


def few(draws: Draws) -> Instance:
    """As above, with one or two records."""
    return _quilts(draws, draws.among([1, 2, 2]))


def _quilts(draws: Draws, number: int) -> Instance:
    size = 2
    of = [chain(draws, size) for _ in range(1 + draws.below(2))]
    laws = [law_of_chain(each, number) for each in of]
    place = draws.below(number)
    roles = roles_of(draws, number, place)
    told = influence(roles, place, laws, number, size)
    some = [(k, roles_of(draws, number, k)) for k in range(number) for _ in range(1 + draws.below(2))]
    needed = max(
        influence(each, k, laws, number, size) / F(1, 2) ** near(each, number)
        for k, each in some[: 1 + draws.below(len(some))]
    )
    own = asked(draws, size, number, told, near(roles, number))
    if draws.whether():
        own = own._replace(rho=F(1, 2), ratio=needed * draws.among([*CLOSE]))
    return {
        **{"A": size, "V": 2, "n": number, "class": of, "i": place, "roles": roles},
        **{"searched": some, "run": own, "m": max(near(roles, number) - draws.below(2), 0)},
        **{"e": Log(told * draws.among([*CLOSE])), "N": reading(draws, roles, size, number)},
        **{"lo": draws.below(number + 1), "hi": draws.below(number + 2)},
    }


def reading(draws: Draws, roles: Roles, size: int, number: int) -> list[list[Fraction]]:
    """Draw a mechanism that depends on the records that are not near, but for one in four."""
    rows: dict[object, list[Fraction]] = {}
    odd = rarely(draws) or rarely(draws)
    seen = [
        tuple(a for k, a in enumerate(table) if odd or tables.role(roles, k) != tables.NEAR)
        for table in tables_of(size, number)
    ]
    for each in seen:
        rows.setdefault(each, [draws.among(CHANCES), draws.among(CHANCES)])
    return [rows[each] for each in seen]


def any_laws(draws: Draws) -> Instance:
    """As above; a law in four is any, and one in eight has a negative weight."""
    at = dict(quilts(draws))
    size = len(tables_of(at["A"], at["n"]))
    laws = [law_of_chain(each, at["n"]) for each in at["class"]]
    if not draws.below(4):
        laws[0] = [*draws.law(size, 3)]
    at["theta"] = signed(draws, [[*each] for each in laws])
    at["N"] = signed(draws, [[*row] for row in at["N"]])
    return at


theta = letter("theta", PRIORS_OF_TABLES, "Theta")
PRIORS = LAWS(C, n, A)
USING = "Chains Segments Tables"
PROBES = [
    Probe(
        "quilt of a record",
        tables.QUILT_OF(Q, i, PRIORS, n, A),
        "A",
        quilts,
        {"quilt of a record": lambda Q, i, T, n, A: iter((tables.role(Q, i) == tables.NEAR,))},
        USING,
    ),
    Probe(
        "told by a quilt",
        tables.TOLD_BY(Q, i, PRIORS, e, n, A),
        "A",
        quilts,
        {"told by a quilt": lambda Q, i, T, e, n, A: tables.TOLD_BY.value(Q, i, T[:1], e, n, A)},
        USING,
    ),
    Probe(
        "moves by nearby records",
        tables.MOVES_NEAR(Q, run, m, A, n),
        "A",
        quilts,
        {"moves by nearby records": lambda Q, run, m, A, n: tables.MOVES_NEAR.value([0] * n, run, m, A, n)},
        USING,
    ),
    Probe(
        "reads no nearby record",
        tables.READS_AWAY(Q, N, A, n),
        "A V",
        quilts,
        {"reads no nearby record": lambda Q, N, A, n: tables.READS_AWAY.value([0] * n, N, A, n)},
        USING,
    ),
    Probe(
        "noise hides",
        tables.HIDES(run, m, e),
        "A",
        quilts,
        {"noise hides": lambda run, m, e: tables.HIDES.value(run, m + 1, e)},
        USING,
    ),
    Probe(
        "quilts that are searched",
        tables.QUILTS_OF(S, PRIORS, n, A),
        "A",
        few,
        {"quilts that are searched": lambda S, T, n, A: tables.QUILTS_OF.value(S[:1], T, n, A)},
        USING,
    ),
    Probe(
        "scores of quilts",
        tables.QUILTS_SCORE(S, run, PRIORS, n, A),
        "A",
        few,
        {"scores of quilts": lambda S, run, T, n, A: tables.QUILTS_SCORE.value(S, run, T[:1], n, A)},
        USING,
    ),
    Probe(
        "quilt on a chain",
        tables.ON_CHAIN(Q, i, C, n, A),
        "A",
        few,
        {"quilt on a chain": lambda Q, i, C, n, A: tables.ON_CHAIN.value(Q, i + 1, C, n, A)},
        USING,
    ),
    Probe(
        "around a record",
        tables.QUILT_OF(AROUND(lo, hi), i, PRIORS, n, A),
        "A",
        few,
        {"around a record": lambda low, high: AROUND.value(low, high + 1)},
        USING,
    ),
]
