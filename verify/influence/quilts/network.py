"""The Markov quilt mechanism on a Bayesian network, with exact influences.

    sigma = max over i, min over quilts Q of X_i in a search set, of
        L card(N) / (epsilon - e(X_Q | X_i))

Any search set that holds the empty quilt keeps the level; a larger one may need less noise. Here:
all quilts of networks of up to 8 records; else those of at most two records (up to 60 records) and
the boundaries of balls around X_i in the moral graph. Scores are at least L card(N) / epsilon, so
quilts are tried by how many records they leave nearby, and influences are computed as long as they
could help. Source: wang2016, Section 4.2; condition 2 of Definition 4.3 read for all laws over the
graph. Chains are in `pufferproof.verify.influence.quilts.exact`, which needs no joint tables.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, combinations

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.readable import Readable
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.network import RESTS_ON as INFLUENCES_REST_ON
from pufferproof.verify.influence.network import NetworkQuilts, Quilt

RESTS_ON = ("wang2016.thm-4.4",)
MOST_COMPLETE, MOST_PAIRS = (8, 60)  # records of networks of which all quilts, or those of two records, are tried
_MANY, _WIDEST = 1_000, 60  # records of networks, and how far the quilts of larger ones reach


@dataclass(frozen=True, repr=False)
class NetworkScale(Readable):
    """The scale of the noise, the quilt that asks for it, e^e of its influence, whether quilts of
    every set of records are in the search set, and how many of the search set were left out.
    """

    scale: Scale
    quilt: Quilt
    ratio: Fraction
    complete: bool
    left_out: int = 0
    claims: tuple[str, ...] = field(default=(*RESTS_ON, *INFLUENCES_REST_ON), kw_only=True, compare=False, repr=False)

    @property
    def trivial(self) -> bool:
        """Whether no quilt asks for less noise than the empty one."""
        return not self.quilt.quilt

    def __str__(self) -> str:
        quilt = f"records {', '.join(map(str, self.quilt.quilt))}" if self.quilt.quilt else "no records"
        return f"scale {self.scale}; quilt of record {self.quilt.record}: {quilt}, e^influence {brief(self.ratio)}"


def network_quilt(
    network: BayesianNetwork,
    records: Records,
    level: Level,
    places: Sequence[int] | None = None,
    lipschitz: Fraction | int = 1,
) -> NetworkScale:
    """Return the noise scale of the Markov quilt mechanism on a network, for some secret records or
    all.

    >>> coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork({"1": [], "2": ["1"], "3": ["2"]}, {"1": coin, "2": noisy, "3": noisy})
    >>> worst = network_quilt(network, Records(3, ("0", "1")), Level.log(36))
    >>> worst.scale.text, worst.quilt.record, worst.quilt.quilt
    ('1/log(4)', 2, (1, 3))

    Raises `ModelError` unless epsilon > 0, and every record has a node.
    """
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "epsilon")
    chosen = range(1, records.count + 1) if places is None else sorted(set(places))
    if not chosen:
        raise ModelError("expected at least one record, found none", "records")
    quilts = NetworkQuilts(network, records)
    scales = []
    for record in chosen:
        found = best_quilt(quilts, record, level, Fraction(lipschitz))
        if found is None:
            raise ModelError(f"expected a quilt of record {record} that keeps the level, found none", "records")
        scales.append(found)
    worst = max(scales, key=lambda found: size_of_scale(found.scale))
    return replace(worst, left_out=sum(scale.left_out for scale in scales))


def size_of_scale(scale: Scale) -> tuple[bool, Fraction]:
    """Return what scales are compared by: an infinite one is larger than all others."""
    return scale.infinite, scale.upper or Fraction(0)


def best_quilt(
    quilts: NetworkQuilts, record: int, level: Level, lipschitz: Fraction, below: Fraction | None = None
) -> NetworkScale | None:
    """Return the quilt of a record with the least score, among equals the one with the fewest
    nearby records; None unless one asks for less noise than `below`. Quilts whose joint law with
    the record is too large to tabulate are left out.
    """
    complete = quilts.records.count <= MOST_COMPLETE
    best: NetworkScale | None = None
    left_out = 0
    for quilt in sorted(
        _candidates(quilts, record),
        key=lambda candidate: (len(candidate.nearby), len(candidate.quilt), candidate.quilt),
    ):
        amount = lipschitz * len(quilt.nearby)
        least = quotient(amount, level).lower
        if least is not None and below is not None and least >= below:
            break
        try:
            ratio = quilts.influence(record, quilt.quilt)
        except TooLargeError:
            left_out += 1
            continue
        if ratio is None:
            continue
        scale = quotient(amount, level, Bounds(ratio, ratio))
        known = below if best is None else best.scale.lower
        if scale.upper is not None and (known is None or scale.upper < known):
            best, below = NetworkScale(scale, quilt, ratio, complete), scale.upper
    return None if best is None else replace(best, left_out=left_out)


def _candidates(quilts: NetworkQuilts, record: int) -> Iterator[Quilt]:
    """Yield quilts to try: each nearby set with its smallest quilts only."""
    count = quilts.records.count
    widest = None if count <= _MANY else _WIDEST
    pairs = 2 if count <= MOST_PAIRS else 0
    largest = count - 1 if count <= MOST_COMPLETE else pairs
    others = [other for other in range(1, count + 1) if other != record]
    subsets = chain.from_iterable(combinations(others, size) for size in range(largest + 1))
    seen: dict[tuple[int, ...], list[set[int]]] = {}
    for quilt in chain((quilts.of(record, subset) for subset in subsets), quilts.candidates(record, None, widest)):
        known = seen.setdefault(quilt.nearby, [])
        if not any(smaller <= set(quilt.quilt) for smaller in known):
            known.append(set(quilt.quilt))
            yield quilt
