"""Group privacy: what a bound for tables that differ in one entry gives for tables that differ in k
entries.

The bound multiplies along paths of tables of the domain U, each step changing one entry. Whether k
steps suffice depends on U, which printed versions often leave open. Source: dwork2014 (theorem
2.2), where U has all tables.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from pufferproof.claims.general import said
from pufferproof.claims.general.statements import linked
from pufferproof.claims.language import Proof
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

Rows = Mapping[str, Fraction]
"""P(u | table) of a mechanism with outputs u and v."""

PATH = ("00", "02", "12", "11")


@claim(
    "general.group-privacy",
    where="general laws",
    statement="If P(y | D) <= e^epsilon P(y | D') for all tables D, D' in U that differ in one "
    "entry, then P(y | D) <= e^(k epsilon) P(y | D') for all D, D' in U that differ in k "
    "entries.",
    repair="general.group-privacy-paths",
    says={"U all tables over a product of cell domains": said.GROUP},
)
def group_privacy(check: Check) -> None:
    """Prove it for all tables over a product of cell domains; refute it for other sets of
    tables.

    The cells of D' are copied into D one after the other. All tables on the way belong to U, since
    their cells come from D or D'.
    """
    with check.reading("U any set of tables", "one counterexample") as proof:
        _no_neighbours(proof)
    with check.reading("U connected by changes of one entry", "one counterexample") as proof:
        _detour(proof)
    check.stated("U all tables over a product of cell domains")


@claim(
    "general.group-privacy-paths",
    where="general laws",
    statement="If P(y | D) <= e^epsilon P(y | D') for all D, D' in U that differ in one entry, "
    "then P(y | D) <= e^(k epsilon) P(y | D') for all D, D' in U joined by a path of k changes "
    "of one entry inside U.",
    kind="repair of general.group-privacy",
    says={
        "k is the distance inside U": said.GROUP_ON_PATHS,
        "the exponent cannot be lowered": linked.ATTAINED,
    },
)
def group_privacy_paths(check: Check) -> None:
    """Multiply along a path inside U, for any U and any relation of neighbours.

    Every bit that is reported rightly with probability R/(R + 1) attains it.
    """


def _distance(left: str, right: str) -> int:
    return sum(first != second for first, second in zip(left, right))


def neighbour_ratio(rows: Rows) -> Fraction | None:
    """Return the largest ratio over tables that differ in one entry (1 if there are none), None
    for infinite.
    """
    return _largest(rows, [(x, z) for x in rows for z in rows if _distance(x, z) == 1])


def pair_ratio(rows: Rows, left: str, right: str) -> Fraction | None:
    """Return the largest ratio over outputs and both orders of two tables."""
    return _largest(rows, [(left, right), (right, left)])


def _largest(rows: Rows, pairs: list[tuple[str, str]]) -> Fraction | None:
    best = Fraction(1)
    for left, right in pairs:
        for above, below in [(rows[left], rows[right]), (1 - rows[left], 1 - rows[right])]:
            if above and not below:
                return None
            best = max(best, above / below if below else Fraction(0))
    return best


def _breaks(rows: Rows) -> bool:
    """Say whether some pair of tables at distance k exceeds the k-th power of the largest ratio
    of neighbours.
    """
    level = neighbour_ratio(rows)
    if level is None:
        return False
    found = [(pair_ratio(rows, x, z), _distance(x, z)) for x in rows for z in rows if x < z]
    return any(ratio is None or ratio > level**k for ratio, k in found)


def _evidence(rows: Rows, left: str, right: str, single: str, group: str) -> dict[str, object]:
    half = Fraction(1, 2)
    framework = Framework(
        tuple(rows),
        {f"D = {left}": [left], f"D = {right}": [right]},
        [(f"D = {left}", f"D = {right}")],
        {"either": Table({left: half, right: half})},
    )
    channel = Channel.of({x: [p, 1 - p] for x, p in rows.items()}, ["u", "v"])
    facts = {
        "tables of U": list(rows),
        "epsilon for one entry": single,
        "entries that differ": _distance(left, right),
    }
    return {
        **facts,
        "ratio": pair_ratio(rows, left, right) or "inf",
        "framework": framework,
        "mechanism": channel,
        "epsilon": group,
    }


def _no_neighbours(proof: Proof) -> None:
    rows = {"00": Fraction(1), "11": Fraction(0)}
    proof.counterexample(
        "two tables that are no neighbours",
        "In U = {00, 11} no two tables differ in one entry: every mechanism keeps epsilon = 0, the "
        "one that tells the table too. Fewer tables or outputs, or tables of one cell (k = 1), "
        "cannot fail; the probabilities are 0 and 1",
        _evidence(rows, "00", "11", "log(1)", "log(1)"),
        lambda: neighbour_ratio(rows) == 1 and pair_ratio(rows, "00", "11") is None,
    )


def _detour(proof: Proof) -> None:
    proof.exhaust(
        "four tables on a path whose ends differ in two entries",
        "Two outputs, probabilities of u in multiples of 1/N, N from 2 on: the first failure has "
        "the smallest denominator. Fewer than four tables do not fail when connected: three have "
        "distance at most 2 inside U, equal to the number of entries that differ, or are pairwise "
        "neighbours along the way; binary cells need a path of four changes",
        _paths(6),
        lambda rows: not _breaks(rows),
        "P(u | D) <= R P(u | D') for neighbours implies P(u | D) <= R^k P(u | D')",
    )
    rows = next((rows for rows in _paths(6) if _breaks(rows)), None)
    if rows is not None:
        proof.counterexample(
            "a detour of three changes",
            "00 and 11 differ in two entries, but neither 01 nor 10 is in U, and the way from 00 "
            "to 11 is 00, 02, 12, 11",
            _evidence(rows, "00", "11", "log(2)", "log(4)"),
            lambda: (
                neighbour_ratio(rows) == 2
                and (pair_ratio(rows, "00", "11") or 0) > 4
                and _breaks(rows)
            ),
        )


def _paths(largest: int) -> Iterator[Rows]:
    for denominator in range(2, largest + 1):
        for numerators in product(range(denominator, -1, -1), repeat=len(PATH)):
            yield {x: Fraction(number, denominator) for x, number in zip(PATH, numerators)}
