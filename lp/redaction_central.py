"""The unrestricted redaction optimum for one private record of a short binary chain: an exact linear program.

A central redaction mechanism sees the whole sequence x and chooses the set A of released records with probability w(A | x); the
output shows x on A. Maximise the expected fraction of released records over w >= 0 with sum_A w(A | x) = 1 subject to

    P(Y = y | X_p = z) <= E P(Y = y | X_p = 1 - z)   for every output y and z in {0, 1}.

For a rational E = e^epsilon the optimum is exact, with the certificate of `pufferproof.lp.exact_lp`. For others the programs at
rational bounds of E enclose it, as it increases in E, and the mechanism of the lower one is feasible.
Source of the question: Massny, Bitar, Ye and El Rouayheb 2025 (massny2025), which treats local mechanisms only.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from pufferproof.lp.exact_lp import Program, Row, Solution, solve_exact
from pufferproof.models.binary_chain import BinaryChain
from pufferproof.models.errors import SolverError
from pufferproof.models.level import Level
from pufferproof.verify.leakage import Leakage

MOST_RECORDS = 4
_ACCURACY = 48  # bits of rational bounds of e^epsilon


@dataclass(frozen=True)
class CentralOptimum:
    """Bounds of the optimal utility, and the leakage of a mechanism that reaches the lower one."""

    lower: Fraction
    upper: Fraction
    leakage: Leakage


def central_optimum(chain: BinaryChain, private: int, level: Level) -> CentralOptimum:
    """Return the largest utility of any central redaction mechanism within a level, for at most 4 records.

    Raises `NotConfirmedError` where the exact solver confirms no optimum, `ModelError` beyond 100,000 nats.
    """
    low, high = level.bounds(_ACCURACY)
    program = _Central(chain, private)
    below = program.solve(low)
    above = below if low == high else program.solve(high)
    if below.value is None or above.value is None:
        raise SolverError("a program with a feasible point and bounded variables has an optimum")
    return CentralOptimum(below.value, above.value, program.leakage(below))


class _Central:
    """The variables w(A | x), as pairs (x, y) of a sequence and an output that agrees with it."""

    def __init__(self, chain: BinaryChain, private: int) -> None:
        self.sequences = list(product((0, 1), repeat=chain.length))
        self.law = {x: _probability(chain, x) for x in self.sequences}
        self.side = {x: x[private - 1] for x in self.sequences}
        self.mass = chain.law(private)
        self.columns: list[tuple[tuple[int, ...], str]] = []
        for x in self.sequences:
            for kept in product((True, False), repeat=chain.length):
                output = "".join(str(value) if keep else "*" for value, keep in zip(x, kept))
                self.columns.append((x, output))
        self.length = chain.length

    def likelihoods(self) -> dict[str, tuple[dict[int, Fraction], dict[int, Fraction]]]:
        """Return P(Y = y | X_p = 0) and P(Y = y | X_p = 1) as linear forms in the variables."""
        found: dict[str, tuple[dict[int, Fraction], dict[int, Fraction]]] = {}
        for j, (x, output) in enumerate(self.columns):
            found.setdefault(output, ({}, {}))[self.side[x]][j] = self.law[x] / self.mass[self.side[x]]
        return found

    def solve(self, ratio: Fraction) -> Solution:
        """Solve the program for a rational e^epsilon."""
        rows = [
            Row({j: 1 for j, (sequence, _) in enumerate(self.columns) if sequence == x}, "=", 1) for x in self.sequences
        ]
        for zero, one in self.likelihoods().values():
            for over, under in ((zero, one), (one, zero)):
                if over:
                    rows.append(Row({**over, **{j: -ratio * value for j, value in under.items()}}, "<=", 0))
        gains = {
            j: self.law[x] * Fraction(self.length - output.count("*"), self.length)
            for j, (x, output) in enumerate(self.columns)
        }
        return solve_exact(Program(gains, rows, len(self.columns)), seconds=20, patient=False)

    def leakage(self, solution: Solution) -> Leakage:
        """Return the exact leakage of a solution."""
        largest: Fraction = Fraction(1)
        for zero, one in self.likelihoods().values():
            above, below = (sum((c * solution.x[j] for j, c in form.items()), Fraction(0)) for form in (zero, one))
            if above or below:
                if not (above and below):
                    return Leakage.of(None)
                largest = max(largest, above / below, below / above)
        return Leakage.of(largest)


def _probability(chain: BinaryChain, x: tuple[int, ...]) -> Fraction:
    weight = chain.law(1)[x[0]]
    for now, then in pairwise(x):
        weight *= chain.transition[now][then]
    return weight
