"""Where the influence of a quilt is attained: the prior, two values of the record, and what the
quilt then shows.

    P(X_Q = z | X_i = v) / P(X_Q = z | X_i = w)

is largest there. Exact numbers only: on a chain, where X_(i-a) and X_(i+b) are independent given
X_i, one outcome of either side; in a listed framework all outcomes are compared. Nothing is decided
here: a place is only told if it reaches the influence that was found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.enumeration import Conditionals
from pufferproof.verify.leakage.ratio import Leakage

_MOST_STATES = 8
_MOST_RECORDS = 64  # of a chain that is not stationary, where every record is asked about
Distance = int | None


@dataclass(frozen=True)
class Place:
    """A ratio (None: infinite) and where it is: `outcome` has the value of every record shown."""

    ratio: Fraction | None
    prior: str
    record: int
    likelier: str
    other: str
    outcome: tuple[tuple[int, str], ...]

    def as_json(self) -> JsonObject:
        """Return the witness object of the file formats."""
        shown = {str(record): value for record, value in self.outcome}
        return {"prior": self.prior, "record": self.record, "values": [self.likelier, self.other], "outcome": shown}


def chain_place(
    chains: Mapping[str, MarkovChain],
    records: Records,
    record: int | None,
    quilt: tuple[Distance, Distance],
    influence: Leakage,
) -> Place | None:
    """Return where chains reach an influence that was found, or None if it is enclosed, or too
    much to look for.
    """
    if influence.ratio is None and not influence.infinite:
        return None
    for prior, chain in chains.items():
        laws = Along(chain, records.count)
        if laws.states > _MOST_STATES:
            return None
        for each in _records(laws, record, quilt):
            for place in _on_chain(prior, laws, records, each, quilt):
                if place.ratio == influence.ratio:
                    return place
    return None


def listed_place(
    framework: Framework, records: Sequence[int], quilt: tuple[Distance, Distance], influence: Leakage
) -> Place:
    """Return where a listed framework reaches an influence that was found."""
    for prior in framework.priors:
        conditionals = Conditionals(framework, prior)
        for record in records:
            shown = _shown(record, quilt)
            laws = {v: conditionals.given_value(record, v, shown) for v in conditionals.records.alphabet}
            for v, w in permutations([value for value, law in laws.items() if law], 2):
                for outcome, p in laws[v].items():
                    q = laws[w].get(outcome, Fraction(0))
                    if (p / q if q else None) == influence.ratio:
                        return Place(influence.ratio, prior, record, v, w, tuple(zip(shown, outcome)))
    raise AssertionError("an influence that was found is attained")


def _records(laws: Along, record: int | None, quilt: tuple[Distance, Distance]) -> Sequence[int]:
    """Return the records to look at: one where they are all alike, none where they are too many."""
    if record is not None:
        return [record]
    first, last = (quilt[0] or 0) + 1, laws.length - (quilt[1] or 0)
    if laws.stationary:
        return [first]
    return range(first, last + 1) if laws.length <= _MOST_RECORDS else []


def _on_chain(
    prior: str, laws: Along, records: Records, record: int, quilt: tuple[Distance, Distance]
) -> Iterator[Place]:
    """Yield the largest ratio of every ordered pair of values."""
    left, right = quilt
    sides = []
    if left is not None:
        sides.append((record - left, laws.backward(record, left)))
    if right is not None:
        sides.append((record + right, dict(enumerate(laws.power(right)))))
    letters = records.alphabet
    for v, w in permutations(laws.possible(record), 2):
        ratio: Fraction | None = Fraction(1)
        outcome = []
        for other, kernel in sides:
            best, value = _largest(kernel[v], kernel[w])
            ratio = None if ratio is None or best is None else ratio * best
            outcome.append((other, letters[value]))
        yield Place(ratio, prior, record, letters[v], letters[w], tuple(outcome))


def _largest(above: Sequence[Fraction], below: Sequence[Fraction]) -> tuple[Fraction | None, int]:
    """Return the largest p / q over the entries with p > 0, None for infinite, and which it is."""
    best: tuple[Fraction, int] | None = None
    for index, (p, q) in enumerate(zip(above, below)):
        if p and not q:
            return None, index
        if p and (best is None or p / q > best[0]):
            best = p / q, index
    if best is None:
        raise AssertionError("a law has an outcome of positive probability")
    return best


def _shown(record: int, quilt: tuple[Distance, Distance]) -> list[int]:
    left, right = quilt
    return ([] if left is None else [record - left]) + ([] if right is None else [record + right])
