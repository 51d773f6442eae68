"""Cells of a law, fixed before the draws, and the questions that are asked of them.

Cells of noise lie between points near its quantiles, and at single integers around 0. A question
joins cells: sixteenths of the law, its sign, its distance from the middle, its tails, single
outputs, even against odd ones.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.text import text_of

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# The probabilities of cells of noise, enclosed: P(Z >= x) of every kind of noise that is read.

BITS = 128
_COMPARED = ("discrete_gaussian", "discrete_laplace", "gaussian", "geometric", "laplace")  # kinds of noise
_STEPS = 60
_FARTHEST = Fraction(1 << 200)


@lru_cache(maxsize=4096)
def at_least(noise: Noise, x: Fraction) -> "arb":
    """Enclose P(Z >= x) to 128 bits.

    >>> round(float(at_least(Noise.geometric("1/2"), Fraction(1)).mid()), 6)
    0.333333

    Raises `ModelError` unless the kind of noise is one that is compared.
    """
    from flint import ctx

    if noise.kind not in _COMPARED:
        raise ModelError(
            f"draws of {noise.kind} noise are not compared with their law: expected one of {', '.join(_COMPARED)}",
            "mechanism",
        )
    with ctx.workprec(BITS):
        if noise.sigma2 is not None:
            return LatticeGaussian(noise.sigma2).tail(x.__ceil__())
        if noise.variance is not None:
            return (ball(x) / (2 * ball(noise.variance)).sqrt()).erfc() / 2
        assert noise.decay is not None
        if noise.kind == "laplace":
            outer = noise.decay.to(abs(x)).ball() / 2
            return outer if x >= 0 else 1 - outer
        # P(Z >= k) = q^k / (1 + q) for k >= 1, and 1 - P(Z >= 1 - k) below
        k = x.__ceil__()
        outer = noise.decay.to(Fraction(max(k, 1 - k))).ball() / (1 + noise.decay.ball())
        return outer if k >= 1 else 1 - outer


def quantile(noise: Noise, chance: float) -> Fraction:
    """Return an x with P(Z >= x) near a probability, an integer if noise lives on integers."""
    if noise.sigma2 is not None:
        return Fraction(math.ceil((-NormalDist().inv_cdf(chance)) * math.sqrt(noise.sigma2)))
    low, high = Fraction(-1), Fraction(1)
    while at_least(noise, low) < chance and low > -_FARTHEST:
        low *= 2
    while at_least(noise, high) > chance and high < _FARTHEST:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if noise.on_integers:
            middle = Fraction(middle.__floor__())
            if middle in (low, high):
                break
        if at_least(noise, middle) > chance:
            low = middle
        else:
            high = middle
    return high if noise.on_integers else Fraction(float(high))


def scaled_approx(noise: Noise, factor: Fraction, edges: Sequence[Fraction]) -> list[float]:
    """Return the probabilities of the cells between edges for noise of another scale, in floats."""
    if noise.sigma2 is not None:
        sigma = math.sqrt(noise.sigma2) * float(factor)
        above = [math.erfc((float(edge) - 0.5) / sigma / math.sqrt(2)) / 2 for edge in edges]
    else:
        other = noise.times(factor)
        above = [float(at_least(other, edge).mid()) for edge in edges]
    return [max(one - then, 0.0) for one, then in pairwise([1.0, *above, 0.0])]


def largest_density(noise: Noise) -> float:
    """Return the density at 0, the largest, of noise on real numbers."""
    if noise.variance is not None:
        return 0.4 / math.sqrt(noise.variance)
    assert noise.decay is not None
    return -float(noise.decay.ball().log().mid()) / 2


# Bets that draws do not follow a law, on cells whose probabilities the law gives.
#
# If draws have law p, and q is a law that may depend on the draws before, the product of q(cell) / p(cell) over all
# draws has mean at most 1 whenever it is looked at: it ever reaches 1 / error with probability at most `error` (Ville
# 1939). Here q is a mixture of fixed alternatives, and of Dirichlet laws with parameters a_1 .. a_k, whose product
# after n_1 .. n_k draws is
#
#     Gamma(A) / Gamma(A + n) prod Gamma(a_i + n_i) / Gamma(a_i) / prod p_i^(n_i),  A = sum a_i.
#
# A mean of several such products is one as well. Source: Ramdas, Grünwald, Vovk and Shafer (2023).

_HALF = 0.5  # the parameter of every cell in the mixture of Krichevsky and Trofimov (1981)
_NEAR = (30.0, 1000.0)  # sums of parameters in proportion to the law: small deviations
_TINY = 1e-12
_RULED_OUT = 1e9
_BITS = 128


class Question:
    """One way to sort outputs into cells, for laws whose draws are pooled.

    Args:
        text: what a cell says, for people.
        cells: the names of the cells.
        laws: database -> the probability of every cell, enclosed; all of one length.
        alternatives: other laws on the cells, in floats that sum to at most 1.
        mixed: whether Dirichlet laws are bet on too.
        named: what the alternatives are, for people.
    """

    def __init__(
        self,
        text: str,
        cells: Sequence[str],
        laws: "Mapping[Hashable, Sequence[arb]]",
        alternatives: Sequence[object] = (),
        mixed: bool = True,
        named: Sequence[str] = (),
    ) -> None:
        import numpy as np

        self.text, self.cells, self.laws = text, tuple(cells), laws
        self._named = tuple(named)
        self._floats = {label: np.array([max(float(each.mid()), 0.0) for each in law]) for label, law in laws.items()}
        with np.errstate(divide="ignore"):
            self._logs = {label: np.log(law) for label, law in self._floats.items()}
            self._alternatives = [np.array(each) for each in alternatives]
            self._chosen = [np.log(each) for each in self._alternatives]
        self.counts = {label: np.zeros(len(cells), dtype=np.int64) for label in laws}
        first = next(iter(self._floats.values()))
        flat = np.full(len(cells), _HALF)
        near = [np.maximum(total * first, _TINY) for total in _NEAR]
        self._priors = [flat, *near] if mixed else []

    def add(self, label: Hashable, counts: "NDArray[np.int64]") -> None:
        """Count draws of a database by cells."""
        self.counts[label] += counts

    @property
    def total(self) -> "NDArray[np.int64]":
        """How many draws fell into every cell."""
        import numpy as np

        whole: NDArray[np.int64] = np.sum(list(self.counts.values()), axis=0)
        return whole

    def log_wealth_approx(self) -> float:
        """Return the logarithm of the mixture in floats, of which nothing is proved."""
        import numpy as np

        gammaln = np.vectorize(math.lgamma, otypes=[float])
        total = self.total
        seen = total > 0
        spent = sum(float(counts[counts > 0] @ self._logs[label][counts > 0]) for label, counts in self.counts.items())
        logs = [float(total[seen] @ chosen[seen]) for chosen in self._chosen]
        for prior in self._priors:
            whole = gammaln(prior.sum()) - gammaln(prior.sum() + total.sum())
            logs.append(float(whole + (gammaln(prior + total) - gammaln(prior))[seen].sum()))
        top = max(logs)
        return top - spent + math.log(sum(math.exp(each - top) for each in logs) / len(logs))

    def log_wealth(self) -> "arb":
        """Enclose the logarithm of the mixture."""
        from flint import arb, ctx

        with ctx.workprec(_BITS):
            total = [int(each) for each in self.total]
            spent = arb(0)
            for label, counts in self.counts.items():
                for count, chance in zip(counts.tolist(), self.laws[label]):
                    if count:
                        spent += count * chance.log()
            mixture = arb(0)
            for chosen in self._alternatives:
                kept = [(count, float(q)) for count, q in zip(total, chosen) if count]
                if all(q > 0 for _, q in kept):
                    mixture += (sum((n * arb(q).log() for n, q in kept), arb(0)) - spent).exp()
            for prior in self._priors:
                each = [ball(Fraction(float(a))) for a in prior]
                whole = sum(each, arb(0))
                log = whole.lgamma() - (whole + sum(total)).lgamma() - spent
                for a, count in zip(each, total):
                    if count:
                        log += (a + count).lgamma() - a.lgamma()
                mixture += log.exp()
            return (mixture / (len(self._priors) + len(self._alternatives))).log()

    def finding(self) -> str:
        """Say which alternative won most, or which cell is farthest from what was expected, in
        standard deviations.
        """
        import numpy as np

        total = self.total
        if self._named:
            won = [float(total @ np.maximum(chosen, -_RULED_OUT)) for chosen in self._chosen]
            best = won.index(max(won))
            return f"{self.text}: more like {self._named[best]} ({int(total.sum())} draws)"
        expected = sum(counts.sum() * self._floats[label] for label, counts in self.counts.items())
        room = np.sqrt(np.maximum(expected * (1 - expected / max(total.sum(), 1)), _TINY))
        worst = int(np.argmax(np.abs(total - expected) / room))
        return (
            f"{self.text}, {self.cells[worst]}: {int(total[worst])} of {int(total.sum())}, "
            f"expected {expected[worst]:.6g}"
        )


_PARTS = 16
_SINGLES = 10  # outputs that have a question of their own
_OUTER = (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 64)  # shares outside, of the distance from the middle
_TAILS = (1 / 8, 1 / 64, 1 / 1024)
Grouping = list[int]


@dataclass(frozen=True)
class Cells:
    """The cells of one law, from the least to the largest output.

    `chances` are their probabilities, enclosed; `names` what is in them; `singles` the number that
    is alone in a cell, or None.
    """

    chances: "Sequence[arb]"
    names: Sequence[str]
    singles: Sequence[int | None]

    def middles(self) -> list[float]:
        """Return for every cell the probability of less, and half its own."""
        middles, below = [], 0.0
        for chance in self.chances:
            share = float(chance.mid())
            middles.append(below + share / 2)
            below += share
        return middles


@dataclass(frozen=True)
class Asked:
    """A question, and which of its cells a cell of the law is part of."""

    question: Question
    grouping: Grouping


def groupings(cells: Cells) -> dict[str, tuple[list[str], Grouping]]:
    """Return the questions for a law: text -> names of the joined cells, and the cell of each."""
    middles, found = cells.middles(), {}
    found["sixteenth of the law"] = _by(middles, lambda m: min(int(_PARTS * m), _PARTS - 1))
    found["distance from the middle"] = _by(middles, lambda m: sum(2 * min(m, 1 - m) < outer for outer in _OUTER))
    for tail in _TAILS:
        found[f"tails of {tail:g}"] = _by(middles, partial(_tail, tail))
    found["half"] = _by(middles, lambda m: int(m > 1 / 2))
    numbers = [each for each in cells.singles if each is not None]
    if len(numbers) > 2:
        parities = [2 if each is None else each % 2 for each in cells.singles]
        found["even or odd"] = ["even", "odd", "elsewhere"], parities
        if 0 in numbers:
            at = list(cells.singles).index(0)
            signs = [(place >= at) + (place > at) for place in range(len(middles))]
            found["sign"] = ["below 0", "0", "above 0"], signs
    likely = sorted(range(len(middles)), key=lambda place: -float(cells.chances[place].mid()))
    for place in likely[:_SINGLES]:
        name = cells.names[place]
        found[f"output {name}"] = ([f"not {name}", name], [int(x == place) for x in range(len(middles))])
    if len(middles) <= 2 * _PARTS:
        found["output"] = list(cells.names), list(range(len(middles)))
    return {text: (names, cell_of) for text, (names, cell_of) in found.items() if len(set(cell_of)) > 1}


def _tail(share: float, middle: float) -> int:
    return (middle > share) + (middle > 1 - share)


def _by(middles: list[float], part: Callable[[float], int]) -> tuple[list[str], Grouping]:
    """Join the cells by a number that the probability of less gives, and name the joined cells."""
    parts = [part(middle) for middle in middles]
    numbers = sorted(set(parts))
    grouping = [numbers.index(each) for each in parts]
    names = []
    for group in range(len(numbers)):
        inside = [place for place, each in enumerate(grouping) if each == group]
        names.append(f"{group + 1} of {len(numbers)}" if len(inside) > 1 else f"cell {inside[0]}")
    return names, grouping


def asked(
    laws: Mapping[Hashable, Cells],
    where: str,
    wanted: Sequence[str] | None = None,
    scaled: Mapping[str, object] | None = None,
) -> list[Asked]:
    """Return the questions for pooled laws that have the same cells, grouped as the first one is.

    Args:
        where: which draws are pooled, for people.
        wanted: beginnings of the texts of the questions; all if None.
        scaled: other laws on the cells by name, asked as a question of their own.
    """
    first = next(iter(laws.values()))
    found = []
    for text, (names, grouping) in groupings(first).items():
        if wanted is None or any(text.startswith(each) for each in wanted):
            grouped = {key: joined_chances(cells.chances, grouping, len(names)) for key, cells in laws.items()}
            found.append(Asked(Question(f"{text} {where}", names, grouped), grouping))
    if scaled:
        whole = list(range(len(first.chances)))
        chances = {key: cells.chances for key, cells in laws.items()}
        question = Question(f"scale {where}", first.names, chances, list(scaled.values()), named=list(scaled))
        found.append(Asked(question, whole))
    return found


def joined_chances(chances: "Sequence[arb]", grouping: Grouping, count: int) -> "list[arb]":
    """Return the probabilities of joined cells."""
    from flint import arb, ctx

    with ctx.workprec(BITS):
        joined = [arb(0) for _ in range(count)]
        for chance, group in zip(chances, grouping):
            joined[group] += chance
        return joined


def between(edges: Sequence[Fraction], at_least: "Callable[[Fraction], arb]", whole: bool) -> Cells:
    """Return the cells between edges, of a law given by P(X >= x), on integers if `whole`."""
    from flint import arb, ctx

    with ctx.workprec(BITS):
        above = [arb(1), *map(at_least, edges), arb(0)]
        chances = [max_zero(one - other) for one, other in pairwise(above)]
    texts = [f"{float(edge):.6g}" for edge in edges]
    names = [f"below {texts[0]}", *(f"{a} to {b}" for a, b in pairwise(texts)), f"{texts[-1]} or more"]
    singles: list[int | None] = [None] * (len(edges) + 1)
    if whole:
        for place, (one, other) in enumerate(pairwise(edges), start=1):
            if other == one + 1:
                singles[place], names[place] = int(one), text_of(one)
    return Cells(chances, names, singles)


def max_zero(chance: "arb") -> "arb":
    """Return a probability, exactly 0 if it is only known to be below the precision."""
    from flint import arb

    return arb(0) if not chance > 0 else chance
