"""Numbers of vectors that are learned on the first half of the samples, and their cells.

These are scores, the sum of the logarithms of likelihood ratios of linear forms, which is best if
the forms are independent; and half-spaces, by logistic regression and by the difference of means
over the covariance. Forms are the coordinates, or these less what the coordinates before tell of
them: so of sums that run on, the steps. Nothing here has to be right: a poor choice loses power.
Source: Friedman, Hastie and Tibshirani (2009), sections 4.3, 4.4 and 6.6.3.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pufferproof.verify.simulation.estimation.choosing.cells import (
    OutputCells,
    SecretUnderPrior,
    ShareTable,
    cuts_of,
)
from pufferproof.verify.simulation.estimation.events import Feature, Form, Score, feature_of
from pufferproof.verify.simulation.estimation.outputs import Outputs, Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_COORDINATES, _BINS = 64, 16
_SMALL = 1e-2  # of the largest factor of a form, after which it is left out
_ROUNDS, _RIDGE = 12, 1e-3
_CLIPPED = (0.001, 0.999)  # quantiles, beyond which numbers are moved to them when forms are fitted

_Pair = tuple[SecretUnderPrior, SecretUnderPrior]


def learned(pair: _Pair, half: Mapping[int, Outputs]) -> "Iterator[OutputCells]":
    """Yield the cells of numbers that are learned of vectors, none for other outputs."""
    first = [half[place] for each in pair for place in each.law]
    if not isinstance(first[0], Vectors) or first[0].values.shape[1] == 1:
        return
    size = min(first[0].values.shape[1], _COORDINATES)
    plain = [Form(((place, 1.0),)) for place in range(1, size + 1)]
    fitted = _Fitted.of(pair, half, size)
    for forms in (plain, fitted.steps()):
        if forms:
            score = Score(tuple(_weights(pair, half, first, form) for form in forms))
            yield _numbered(score, first, None)
    for form in fitted.directions():
        yield _numbered(form, first, None)


class _Fitted:
    """Standardised outputs of a pair of secrets: which have the first, and their weights."""

    def __init__(self, rows: "Floats", sides: "Floats", weights: "Floats") -> None:
        import numpy as np

        low, high = np.quantile(rows, _CLIPPED, axis=0)
        finite = np.isfinite(low) & np.isfinite(high) & (high > low)
        self.places = np.flatnonzero(finite)
        rows = np.clip(rows[:, finite], low[finite], high[finite])
        self.spread = rows.std(axis=0)
        self.spread[self.spread == 0] = 1.0
        self.rows = (rows - rows.mean(axis=0)) / self.spread
        self.sides, self.weights = sides, weights

    @classmethod
    def of(cls, pair: _Pair, half: Mapping[int, Outputs], size: int) -> "_Fitted":
        """Gather the outputs of databases of a pair, each by its probability."""
        import numpy as np

        rows, sides, weights = [], [], []
        for side, secret in ((1.0, pair[0]), (0.0, pair[1])):
            for place, chance in secret.law.items():
                values: Any = half[place]
                known = values.values[:, :size]
                rows.append(known)
                sides.append(np.full(len(known), side))
                weights.append(np.full(len(known), chance / max(len(known), 1)))
        return cls(np.concatenate(rows), np.concatenate(sides), np.concatenate(weights))

    def steps(self) -> list[Form]:
        """Return each coordinate less what those before it tell of it, by least squares."""
        import numpy as np

        within, _ = self._moments()
        forms = []
        for end in range(len(self.places)):
            factors = np.zeros(end + 1)
            factors[end] = 1.0
            if end:
                factors[:end] = -np.linalg.solve(within[:end, :end], within[:end, end])
            forms.append(self._form(factors))
        alone = all(len(form.terms) == 1 for form in forms)
        return [] if alone else forms

    def directions(self) -> list[Form]:
        """Return the normals of half-spaces: of logistic regression, and of normal laws."""
        import numpy as np

        if not len(self.places):
            return []
        within, apart = self._moments()
        found = [np.linalg.solve(within, apart), self._logistic()]
        return [self._form(each) for each in found if np.any(each) and np.all(np.isfinite(each))]

    def _moments(self) -> "tuple[Floats, Floats]":
        """Return the covariance given a secret, and how far apart the means are."""
        import numpy as np

        size = len(self.places)
        within, means = np.eye(size) * 1e-9, []
        for side in (1.0, 0.0):
            chosen = self.sides == side
            weights = self.weights[chosen] / self.weights[chosen].sum()
            means.append(weights @ self.rows[chosen])
            centred = self.rows[chosen] - means[-1]
            within += (centred * weights[:, None]).T @ centred / 2
        return within, means[0] - means[1]

    def _logistic(self) -> "Floats":
        """Return the factors of a logistic regression, by Newton's method."""
        import numpy as np

        rows = np.column_stack([self.rows, np.ones(len(self.rows))])
        weights = self.weights / self.weights.sum()
        factors = np.zeros(rows.shape[1])
        for _ in range(_ROUNDS):
            chances = 1 / (1 + np.exp(-np.clip(rows @ factors, -30, 30)))
            slope = rows.T @ (weights * (self.sides - chances)) - _RIDGE * factors
            bend = (rows * (weights * chances * (1 - chances))[:, None]).T @ rows
            factors = factors + np.linalg.solve(bend + _RIDGE * np.eye(len(factors)), slope)
        found: Floats = factors[:-1]
        return found

    def _form(self, factors: "NDArray[Any]") -> Form:
        """Return a form of what was standardised, in plain coordinates, without small factors."""
        import numpy as np

        kept = np.flatnonzero(np.abs(factors) > _SMALL * np.abs(factors).max())
        plain = factors[kept] / self.spread[kept]
        plain = plain / np.abs(plain).max()
        return Form(
            tuple(
                (int(self.places[place]) + 1, float(f"{factor:.3g}"))
                for place, factor in zip(kept, plain)
            )
        )


def _weights(
    pair: _Pair, half: Mapping[int, Outputs], outputs: Sequence[Outputs], form: Form
) -> tuple[Form, tuple[float, ...], tuple[float, ...]]:
    """Return the logarithms of the likelihood ratios of the cells of one form."""
    import numpy as np

    cells = _numbered(form, outputs, _BINS)
    table = ShareTable.of(cells, half, pair)
    left, right = (table.shares[each.prior, each.name] for each in pair)
    floor = 1 / min(table.worth.values())
    weights = np.round(np.log((left + floor) / (right + floor)), 3)
    ends = () if cells.cuts is None else tuple(map(float, cells.cuts))
    return form, ends, tuple(map(float, weights))


def _numbered(feature: Feature, outputs: Sequence[Outputs], bins: int | None) -> OutputCells:
    return OutputCells(
        feature, cuts_of([feature_of(output, feature) for output in outputs], bins), []
    )
