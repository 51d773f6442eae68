"""Bets that draws do not follow a law, on cells whose probabilities the law gives.

If draws have law p, and q is a law that may depend on the draws before, the product of q(cell) /
p(cell) over all draws has mean at most 1 whenever it is looked at: it ever reaches 1 / error with
probability at most `error` (Ville 1939). Here q is a mixture of fixed alternatives, and of
Dirichlet laws with parameters a_1 .. a_k, whose product after n_1 .. n_k draws is

    Gamma(A) / Gamma(A + n) prod Gamma(a_i + n_i) / Gamma(a_i) / prod p_i^(n_i),  A = sum a_i.

A mean of several such products is one as well. Source: Ramdas, Grünwald, Vovk and Shafer (2023).
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray

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
        alternatives: Sequence[Any] = (),
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

    def add(self, label: Hashable, counts: "NDArray[Any]") -> None:
        """Count draws of a database by cells."""
        self.counts[label] += counts

    @property
    def total(self) -> "NDArray[Any]":
        """How many draws fell into every cell."""
        import numpy as np

        whole: NDArray[Any] = np.sum(list(self.counts.values()), axis=0)
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
