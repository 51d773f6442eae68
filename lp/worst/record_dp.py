"""The worst Pufferfish ratio of mechanisms with per-record differential privacy alone.

Per-record level R allows the columns u > 0 with u_x <= R u_y for databases that differ in one
record. On a tree of bits the largest ratio of P(y | root bit = 1) and P(y | root bit = 0) obeys a
recursion along the tree: each bit passes up the largest ratios of E[u | bit = 1] and E[u | bit = 0]
in both orders, and a kernel P between a bit and its child changes a ratio t into g(t) = (P11 t +
P10) / (P01 t + P00). One pass is linear in the number of bits; a chain seen from an inner bit is a
tree with two branches. On any framework made of records one linear program for each pair of laws
gives the same number exactly.

Ratios of joint releases need nothing more: products and fractional powers of such columns are such
columns, so that the largest ratio of releases of levels R_1 .. R_K is that of one release of level
R_1 ... R_K.

A Pufferfish promise on top of the per-record level is not taken into account here.

Source: worst.moebius-tree, worst.chain-interior, worst.power-closed. Along a chain the recursion is
the backward and forward privacy leakage of cao2017 and cao2018, whose bound it makes exact over all
mechanisms.

Derived: worst.moebius-tree, worst.chain-interior, worst.moebius-upper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from pufferproof.lp.cones.columns import Columns, OrderedLaws
from pufferproof.lp.exact.linear import Program, Row, Status
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of

Kernel = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Messages:
    """Largest ratios at a bit: `up` of E[u | bit = 1] to E[u | bit = 0], `down` of the other
    order.
    """

    up: Fraction
    down: Fraction

    @property
    def ratio(self) -> Fraction:
        """The larger of both orders: e^leakage of the worst mechanism about this bit."""
        return max(self.up, self.down)


@dataclass(frozen=True)
class Worst:
    """The largest ratio over all columns, the laws at which it is reached, and a column over
    `databases` that reaches it.
    """

    ratio: Fraction
    laws: OrderedLaws
    databases: tuple[str, ...]
    column: tuple[Fraction, ...]


def tree_messages(
    parents: Sequence[int | None], kernels: Sequence[Any], ratio: Fraction | int | str
) -> Messages:
    """Return the largest ratios at the root of a tree of bits over all columns of per-bit level
    log(ratio).

    up = R prod_c max(g_c(up_c), g_c(1/down_c)) over the children c of a bit, down likewise with
    1/g_c; a leaf has R in both.

    Args: parents: one entry per bit, the index of its parent, smaller than its own; None for bit 0,
        the root. kernels: one entry per bit, rows P(bit | parent = 0) and P(bit | parent = 1), each
        the probabilities of 0 and 1; the
            entry of the root is not used.
        ratio: R = e^level >= 1.

    Raises `ModelError` unless parents come first, rows are laws and the ratio is at least 1.

    >>> tree_messages([None, 0], [None, [["3/4", "1/4"], ["1/4", "3/4"]]], 2)
    Messages(up=Fraction(14, 5), down=Fraction(14, 5))
    """
    level = _level(ratio)
    steps = _checked_tree(parents, kernels)
    up, down = [level] * len(parents), [level] * len(parents)
    for bit in range(len(parents) - 1, 0, -1):
        parent = parents[bit] or 0
        quotients = [_moebius(steps[bit], end) for end in (up[bit], 1 / down[bit])]
        up[parent] *= max(quotients)
        down[parent] *= max(1 / quotient for quotient in quotients)
    return Messages(up[0], down[0])


def chain_messages(
    initial: Sequence[Any],
    transitions: Sequence[Sequence[Any]],
    position: int,
    ratio: Fraction | int | str,
) -> Messages:
    """Return the largest ratios about bit `position` (from 1) of a chain of bits, per-bit level
    log(ratio).

    Args: initial: the law of the first bit. transitions: one 2 x 2 kernel per step, the bits being
        one more. position: the secret bit; seen from it, the bits before follow the reversed
        kernels P(X_(j-1) | X_j). ratio: R = e^level >= 1.

    Raises `ModelError` unless rows are laws, the position is one of the chain, and both its values
    are possible.

    >>> step = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> chain_messages(["1/2", "1/2"], [step, step], 2, 2).ratio
    Fraction(98, 25)
    """
    kernels = [_kernel(step, f"transitions[{index}]") for index, step in enumerate(transitions)]
    laws = [_law(initial, "initial")]
    for kernel in kernels:
        laws.append(_pushed(laws[-1], kernel))
    if not 1 <= position <= len(laws):
        raise ModelError(f"expected a position from 1 to {len(laws)}, found {position}", "position")
    if 0 in laws[position - 1]:
        raise ModelError(
            "expected a bit with two possible values, found one that is certain", "position"
        )
    parents: list[int | None] = [None]
    steps: list[Kernel | None] = [None]
    before = [_reversed(laws[j], kernels[j]) for j in range(position - 2, -1, -1)]
    for branch in (before, kernels[position - 1 :]):
        for place, kernel in enumerate(branch):
            parents.append(0 if place == 0 else len(parents) - 1)
            steps.append(kernel)
    return tree_messages(parents, steps, ratio)


def dp_worst_ratio(framework: Framework, ratio: Fraction | int | str) -> Worst:
    """Return the largest Pufferfish ratio over all mechanisms of per-record level log(ratio), by
    linear programming.

    For each (mu, nu): maximise <mu, u> subject to <nu, u> = 1 and u_x <= R u_y for databases that
    differ in one record. The program has a variable for every database and is solved exactly: for
    small frameworks.

    Raises `ModelError` unless databases are made of records, priors are a list, and the ratio is at
    least 1.

    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(
    ...     Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], {"theta": chain}
    ... )
    >>> dp_worst_ratio(framework, 2).ratio
    Fraction(14, 5)
    """
    level, columns = _level(ratio), Columns(framework)
    neighbours = list(_neighbours(framework))
    size = len(framework.databases)
    rows = [Row({x: 1, y: -level}, "<=") for x, y in neighbours]
    worst = None
    for laws in columns.laws:
        above = {x: Fraction(w, laws.mu_total) for x, w in zip(columns.databases, laws.mu) if w}
        below = {x: Fraction(w, laws.nu_total) for x, w in zip(columns.databases, laws.nu) if w}
        solution = solve_exact(Program(above, [*rows, Row(below, "=", 1)], size))
        if solution.status is not Status.OPTIMAL or solution.value is None:
            raise SolverError(
                f"expected an optimum, found a program that is {solution.status.value}"
            )
        if worst is None or solution.value > worst.ratio:
            worst = Worst(solution.value, laws, framework.databases, solution.x)
    if worst is None:
        raise SolverError("expected at least one pair of laws, found none")
    return worst


def power_closed_worst(framework: Framework, ratios: Sequence[Fraction | int | str]) -> Worst:
    """Return the largest ratio of a joint release of mechanisms of per-record levels log(R_1) ..
    log(R_K).

    It is that of a single release of level R_1 ... R_K: a column of that level is a product of
    powers with these levels.

    Raises `ModelError` unless there is at least one level, and as `dp_worst_ratio`.
    """
    if not ratios:
        raise ModelError("expected at least one level, found none", "levels")
    return dp_worst_ratio(framework, prod((_level(ratio) for ratio in ratios), start=_ONE))


def _level(ratio: Fraction | int | str) -> Fraction:
    level = exact(ratio)
    if level < 1:
        raise ModelError(f"expected a ratio of at least 1, found {text_of(level)}", "level")
    return level


def _moebius(kernel: Kernel, t: Fraction) -> Fraction:
    """Return g(t) = (P11 t + P10) / (P01 t + P00), t > 0; both are positive, as rows sum to 1."""
    (p00, p01), (p10, p11) = kernel
    return (p11 * t + p10) / (p01 * t + p00)


def _checked_tree(parents: Sequence[int | None], kernels: Sequence[Any]) -> list[Kernel]:
    if not parents or parents[0] is not None or len(kernels) != len(parents):
        raise ModelError(
            "expected the root first, without a parent, and one kernel per bit", "parents"
        )
    unused: Kernel = ((_ONE, _ZERO), (_ZERO, _ONE))
    steps = [unused]
    for bit, parent in enumerate(parents[1:], start=1):
        if parent is None or not 0 <= parent < bit:
            raise ModelError(
                f"expected a parent from 0 to {bit - 1}, found {parent}", f"parents[{bit}]"
            )
        steps.append(_kernel(kernels[bit], f"kernels[{bit}]"))
    return steps


def _kernel(rows: Sequence[Any], where: str) -> Kernel:
    if len(rows) != 2:
        raise ModelError(f"expected 2 rows, found {len(rows)}", where)
    return _law(rows[0], where), _law(rows[1], where)


def _law(values: Sequence[Any], where: str) -> tuple[Fraction, Fraction]:
    entries = [exact(value) for value in values]
    if len(entries) != 2 or min(entries) < 0 or sum(entries) != 1:
        raise ModelError(
            f"expected two probabilities that sum to 1, found "
            f"{', '.join(text_of(entry) for entry in entries)}",
            where,
        )
    return entries[0], entries[1]


def _pushed(law: tuple[Fraction, Fraction], kernel: Kernel) -> tuple[Fraction, Fraction]:
    one = law[0] * kernel[0][1] + law[1] * kernel[1][1]
    return 1 - one, one


def _reversed(law: tuple[Fraction, Fraction], kernel: Kernel) -> Kernel:
    """Return P(before | after); a value of `after` that is impossible gets any row, as nothing
    leads to it.
    """
    after = _pushed(law, kernel)
    rows = [
        tuple(law[a] * kernel[a][b] / after[b] for a in (0, 1)) if after[b] else (_ONE, _ZERO)
        for b in (0, 1)
    ]
    return (rows[0][0], rows[0][1]), (rows[1][0], rows[1][1])


def _neighbours(framework: Framework) -> Iterator[tuple[int, int]]:
    """List the ordered pairs of databases that differ in exactly one record."""
    records = framework.records
    if records is None:
        raise ModelError(
            "expected databases made of records for a per-record level, found databases without",
            "records",
        )
    base = len(records.alphabet)
    for place in range(records.count):
        weight = base**place
        for x in range(len(framework.databases)):
            digit = x // weight % base
            yield from (
                (x, x + (other - digit) * weight) for other in range(base) if other != digit
            )
