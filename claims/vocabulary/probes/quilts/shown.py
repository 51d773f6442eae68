"""Probes of what is shown of tables of records, and how sets of records are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts import segments, shown, tables
from pufferproof.claims.vocabulary.entries.quilts.chains import law_of_chain
from pufferproof.claims.vocabulary.entries.records.accounts import records
from pufferproof.claims.vocabulary.families import CLOSE, rarely, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.quilts.segments import least
from pufferproof.claims.vocabulary.probes.quilts.tables import (
    PRIORS,
    USING,
    A,
    Q,
    any_laws,
    e,
    few,
    i,
    influence,
    n,
    run,
)
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import Log, letter

R, S = letter("large", records(), "R"), letter("small", records(), "S")
ratio = letter("ratio", NUMBER, "K")


def _with_sets(draws: Draws, at: Instance) -> Instance:
    number = at["n"]
    large = subset(draws, number)
    small = subset(draws, number) if rarely(draws) else large & subset(draws, number)
    roles = shown.SET_AS_QUILT.value(large)
    told = influence(roles, at["i"], at["theta"], number, at["A"])
    return {**at, "large": large, "small": small, "e": Log(told * draws.among([*CLOSE]))}


def sets(draws: Draws) -> Instance:
    """Weights of tables of one to three records with two values, a record, a set of records, a
    second one that is inside the first but for one in eight or so, and e, which is often the
    max-influence of the first, or close to it.
    """
    return _with_sets(draws, any_laws(draws))


def sets_on_chains(draws: Draws) -> Instance:
    """As above, with chains of one or two records."""
    at = dict(few(draws))
    at["theta"] = [law_of_chain(each, at["n"]) for each in at["class"]]
    return _with_sets(draws, at)


def two_sets(draws: Draws) -> Instance:
    """Two sets of up to three records."""
    return {"large": subset(draws, 3), "small": subset(draws, 3)}


def joint(draws: Draws) -> Instance:
    """Quilts of chains of one or two records as above, and the least factor for what is away, or
    one that is close to it.
    """
    at = dict(few(draws))
    number, size = at["n"], at["A"]
    rows = shown.AWAY.value(at["roles"], number, size)
    secret = segments.VALUES_OF.value(at["i"], size, number)
    laws = [law_of_chain(each, number) for each in at["class"]]
    found = least(KEEPS.value(1, rows, secret, laws))
    return {**at, "ratio": found * draws.among([*CLOSE])}


PROBES = [
    Probe(
        "subset of records",
        shown.SUBSET(S, R),
        "",
        two_sets,
        {"subset of records": lambda S, R: iter((S == R,))},
        USING,
    ),
    Probe(
        "set of records",
        tables.TOLD_BY(shown.SET_AS_QUILT(R), i, PRIORS, e, n, A),
        "A",
        sets_on_chains,
        {"set of records": lambda R: shown.SET_AS_QUILT.value([k + 1 for k in R])},
        USING,
    ),
    Probe(
        "nearby records",
        tables.HIDES(run, shown.NEARBY(Q, n), e),
        "A",
        few,
        {"nearby records": lambda Q, n: tables.near(Q, n) + 1},
        USING,
    ),
    Probe(
        "records that are not near",
        KEEPS(ratio, shown.AWAY(Q, n, A), segments.VALUES_OF(i, A, n), PRIORS),
        "A",
        joint,
        {"records that are not near": lambda Q, n, A: shown.AWAY.value(Q[:1], n, A)},
        USING,
    ),
]
