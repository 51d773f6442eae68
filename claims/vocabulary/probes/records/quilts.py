"""Probes of sets of records of a stationary chain of bits."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records import quilts
from pufferproof.claims.vocabulary.entries.records.redaction import DIM
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.redaction import rho
from pufferproof.claims.vocabulary.probes.records.stationary import a, any_steps, b, least, n, p, ratio
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
Q, N = letter("Q", quilts.SET_OF_RECORDS), letter("N", quilts.SET_OF_RECORDS)
SOME = [F(1), F(0), F(1, 2)]


def sets(draws: Draws, longest: int = 4) -> Instance:
    """Steps, one to four records, seldom more than three, one of them private, a set N, half of the
    time the records between two others, a set Q, half of the time these two, and chances, most
    often 1 in N and below 1 in Q, for one record more. R is often the least.
    """
    length = 1 + draws.below(longest if draws.below(8) == 7 else min(longest, 3))
    private = draws.below(length)
    low, high = private - draws.below(private + 1), private + draws.below(length - private)
    near = frozenset(range(low, high + 1))
    ends = frozenset(k for k in (low - 1, high + 1) if 0 <= k < length)
    if draws.below(3) == 2:
        ends = frozenset(k for k in range(length) if draws.whether())
    if draws.below(3) == 2:
        near = frozenset(k for k in range(length) if draws.whether())
    if rarely(draws):
        ends |= {length}
    rho = [F(1) if k in near else draws.among(SOME) for k in range(length + 1)]
    if draws.below(4) == 3:
        rho[max(near | {0})] = draws.among(SOME)
    for k in ends:
        rho[k] = draws.among([F(0), F(1, 2), F(1, 2), F(1)])
    if rarely(draws):
        rho[draws.below(length)] = draws.among([F(-1, 2), F(3, 2), F(1)])
    found = {"n": length, "p": private, "rho": rho, "Q": ends, "N": near}
    at = {**any_steps(draws), **found}
    return {**at, "ratio": least(draws, {**at, "r": DIM.value(rho)})}


def small(draws: Draws) -> Instance:
    """As above, with one or two records, seldom three."""
    return sets(draws, 3 if draws.below(16) == 15 else 2)


USING = "Sequences Records Stationary QuiltsOfRecords"
PROBES = [
    Probe(
        "influence of a record at most",
        quilts.INFLUENCES(ratio, a, b, n, p, Q),
        "",
        small,
        {"influence of a record at most": lambda R, a, b, n, p, Q: quilts.INFLUENCES.value(R, a, b, n, p, Q | {0})},
        USING,
    ),
    Probe(
        "quilt among records",
        quilts.QUILT(a, b, n, p, Q, N),
        "",
        small,
        {"quilt among records": lambda a, b, n, p, Q, N: quilts.QUILT.value(a, b, n, p, Q, frozenset({p}))},
        USING,
    ),
    Probe(
        "records that are released",
        quilts.RELEASED(Q, rho),
        "",
        sets,
        {"records that are released": lambda Q, rho: quilts.RELEASED.value(Q - {0}, rho)},
        USING,
    ),
    Probe(
        "records that are replaced",
        quilts.REPLACED(N, rho),
        "",
        sets,
        {"records that are replaced": lambda N, rho: quilts.REPLACED.value(N - {0}, rho)},
        USING,
    ),
]
