"""The class of all reversible Markov chains whose stationary law and eigengap have known bounds.

    Theta = { P reversible, k values : pi(x) >= pi_min for all x, |lambda| <= 1 - eigengap }

for every eigenvalue lambda of P but one that is 1; chains start from their stationary law pi. Every
chain of two values is reversible, and is known by p = pi(1) and its other eigenvalue c:

    P(0, 1) = p (1 - c),   P(1, 0) = (1 - p) (1 - c).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.laws import Law
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records


@dataclass(frozen=True, init=False)
class GapChains:
    """All reversible chains of `states` values with pi(x) >= pi_min and eigenvalues of size at most
    1 - eigengap, from their stationary laws.

    >>> chains = GapChains(2, "1/20", "1/10")
    >>> chains.memory, chains.of_law(["1/4", "3/4"]).transition[0]
    (Fraction(9, 10), (Fraction(37, 40), Fraction(3, 40)))

    Raises `ModelError` unless some chain is like that: 0 < pi_min <= 1/k and 0 < eigengap <= 1.
    """

    states: int
    pi_min: Fraction
    eigengap: Fraction

    def __init__(self, states: int, pi_min: str | int | Fraction, eigengap: str | int | Fraction) -> None:
        states = check_type(states, int, "states")
        pi_min = check_type(pi_min, str | int | Fraction, "pi_min")
        eigengap = check_type(eigengap, str | int | Fraction, "eigengap")
        least, gap = exact(pi_min), exact(eigengap)
        if states < 2:
            raise ModelError(f"expected at least 2 values, found {states}", "alphabet")
        if not 0 < least <= Fraction(1, states):
            raise ModelError(
                f"expected a number above 0 and at most 1/{states}, as probabilities of {states} "
                f"values sum to 1, found {brief(least)}",
                "markov.pi_min",
            )
        if not 0 < gap <= 1:
            raise ModelError(
                f"expected a number above 0 and at most 1, found {brief(gap)}: no eigenvalue is larger than 1",
                "markov.eigengap",
            )
        hold(self, states=states, pi_min=least, eigengap=gap)

    @property
    def initial(self) -> str:
        """How chains start."""
        return "stationary"

    @property
    def single(self) -> bool:
        """Whether the class is one matrix: never."""
        return False

    @property
    def memory(self) -> Fraction:
        """The size of an eigenvalue at most."""
        return 1 - self.eigengap

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of chains is no single law."""
        raise unlisted("a class by pi_min and eigengap")

    def of_law(self, law: Sequence[str | Fraction]) -> MarkovChain:
        """Return the chain c I + (1 - c) 1 pi', whose eigenvalues are 1 and c, the largest."""
        c, row = self.memory, [exact(p) for p in law]
        rows = [[(1 - c) * p + c * (x == y) for y, p in enumerate(row)] for x in range(len(row))]
        return MarkovChain("stationary", rows)

    def members(self, most: int = 0) -> dict[str, MarkovChain]:
        """Return some chains of the class by what they are: of the largest memory, with one value
        that is as likely as can be, or all alike.
        """
        rest = 1 - (self.states - 1) * self.pi_min
        laws = [[rest if x == y else self.pi_min for y in range(self.states)] for x in range(self.states)]
        laws.append([Fraction(1, self.states)] * self.states)
        return {" ".join(map(text_of, law)): self.of_law(law) for law in laws}

    def middle(self) -> dict[str, MarkovChain]:
        """Return no chain: there is none with all that the others have."""
        return {}

    def supports(self) -> dict[str, MarkovChain]:
        """Return no chain: all stationary laws are positive."""
        return {}

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there are as many values."""
        if self.states != len(records.alphabet):
            raise ModelError(f"expected {len(records.alphabet)} values, found {self.states}")

    def possible(self, record: int) -> list[int]:
        """Return the values that X_t has with positive probability: all."""
        return list(range(self.states))

    def holds(self, chain: MarkovChain) -> bool:
        """Whether a chain of two values is in the class.

        >>> GapChains(2, "1/4", "1/2").holds(MarkovChain("stationary", [["1/2", "1/2"]] * 2))
        True
        """
        (_, a), (b, _) = chain.transition
        bounds = self.pi_min * (a + b) <= min(a, b)
        return bool(a + b) and bounds and abs(1 - a - b) <= self.memory


ChainClass = IntervalChain | GapChains


def unlisted(what: str, doors: str = "audit and compose") -> ModelError:
    """Return the error of what takes boxes of chains, and no class like this."""
    return ModelError(
        f"not supported here: {what} works with {doors}, which bound it; a framework of some "
        "of its members works with every command"
    )
