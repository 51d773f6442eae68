"""Classes of Bayesian networks: rows of the tables between bounds.

    Theta = { (P_i) : l_i(x | y) <= P_i(X_i = x | parents = y) <= u_i(x | y), rows summing to 1 },

every row on its own. Bounds are tightened, so that each is attained.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.box import inner, tight, vertices
from pufferproof.models.priors.chains.gap import unlisted
from pufferproof.models.priors.laws import Law, numbers_of
from pufferproof.models.priors.records import Records

BOUNDED = "audit, compose, translate and calibrate"  # what takes classes of networks
Row = tuple[Fraction, ...]
Rows = Mapping[str, tuple[Row, Row]]  # bounds of a row by the values of the parents


@dataclass(frozen=True, init=False)
class IntervalNetwork:
    """Bayesian networks of one graph, rows of their tables between bounds.

    Args: parents: record -> its parents, as for `BayesianNetwork`. lower, upper: record -> bounds
    of rows, keyed by the values of the parents. by_history: rows may depend on all records before,
    in the order of their numbers, besides.

    >>> coin = {"": ["1/2", "1/2"]}
    >>> contacts = IntervalNetwork(
    ...     {"1": [], "2": ["1"]},
    ...     {"1": coin, "2": {"0": [1, 0], "1": ["1/2", 0]}},
    ...     {"1": coin, "2": {"0": [1, 0], "1": [1, "1/2"]}},
    ... )
    >>> contacts.middle()["middle"].cpt[1][1]
    ('1', (Fraction(3, 4), Fraction(1, 4)))

    Raises `ModelError` unless bounds are of the same rows, ordered, within [0, 1], every row holds
    a law, and the graph has no cycle.
    """

    network: BayesianNetwork
    rows: tuple[Rows, ...]
    by_history: bool

    def __init__(
        self,
        parents: Mapping[Any, Sequence[Any]],
        lower: Mapping[Any, Mapping[str, Any]],
        upper: Mapping[Any, Mapping[str, Any]],
        by_history: bool = False,
    ) -> None:
        parents = check_type(parents, Mapping[Any, Sequence[Any]], "parents")
        lower = check_type(lower, Mapping[Any, Mapping[str, Any]], "lower")
        upper = check_type(upper, Mapping[Any, Mapping[str, Any]], "upper")
        by_history = check_type(by_history, bool, "by_history")
        if (missing := {*map(str, lower)} ^ {*map(str, upper)}) and missing:
            raise ModelError(
                f"expected bounds of the same records, found record {min(missing)} in one only", "cpt_upper"
            )
        above = {str(record): rows for record, rows in upper.items()}
        bounds = {str(i): _bounded(str(i), rows, above[str(i)]) for i, rows in lower.items()}
        middle = {i: {key: inner(*ends) for key, ends in rows.items()} for i, rows in bounds.items()}
        network = BayesianNetwork(parents, middle)
        tables = tuple(bounds[str(i)] for i in range(1, network.length + 1))
        hold(self, network=network, rows=tables, by_history=by_history)

    @property
    def initial(self) -> str:
        """How records start: each by its table."""
        return "tables"

    @property
    def single(self) -> bool:
        """Whether the class is one network."""
        return all(low == high for rows in self.rows for low, high in rows.values())

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of networks is no single law."""
        raise unlisted("a network whose rows lie between bounds", BOUNDED)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there is a node for every record, and every table fits."""
        self.network.expect(records)

    def possible(self, record: int) -> list[int]:
        """Return the values that a row of the record can give."""
        rows = self.rows[record - 1].values()
        size = len(next(iter(rows))[1])
        return [x for x in range(size) if any(high[x] for _, high in rows)]

    def middle(self) -> dict[str, BayesianNetwork]:
        """Return the network in the middle: every entry is positive that can be."""
        return {"middle": self.network}

    def supports(self) -> dict[str, BayesianNetwork]:
        """Return the network in the middle."""
        return self.middle()

    def members(self, most: int) -> dict[str, BayesianNetwork]:
        """Return some networks of the class by what they are: all corners if they are few, else
        those in which all rows have as much as they can of the first value or of the last, and
        records follow their parents or do the opposite.
        """
        corners = [
            [(i, key, vertex) for vertex in vertices(*ends)]
            for i, rows in enumerate(self.rows, 1)
            for key, ends in rows.items()
        ]
        count = 1
        for corner in corners:
            count *= len(corner)
            if count > most:
                return {name: self._by(choose) for name, choose in _WAYS.items()}
        return {f"corner {k}": self._of(chosen) for k, chosen in enumerate(product(*corners), 1)}

    def _of(self, chosen: Sequence[tuple[int, str, Row]]) -> BayesianNetwork:
        cpt: dict[int, dict[str, Row]] = {i: {} for i in range(1, self.network.length + 1)}
        for record, key, row in chosen:
            cpt[record][key] = row
        parents = dict(enumerate(self.network.parents, 1))
        return BayesianNetwork(parents, cpt)

    def _by(self, choose: "Callable[[str, str], bool | None]") -> BayesianNetwork:
        """Return a member whose rows have as much as can be of one end of the alphabet: of the
        last value where `choose` says so of the values of the parents, and the least of these; None
        is the middle.
        """
        keys = sorted({key for rows in self.rows for key in rows})
        least = min((key[0] for key in keys if key), default="")
        rows = [
            (i, key, _extreme(*ends, choose(key, least)))
            for i, row in enumerate(self.rows, 1)
            for key, ends in row.items()
        ]
        return self._of(rows)


_WAYS: "dict[str, Callable[[str, str], bool | None]]" = {
    "least": lambda key, least: False,
    "greatest": lambda key, least: True,
    "following": lambda key, least: 2 * key.count(least) < len(key) if key else None,
    "opposed": lambda key, least: 2 * key.count(least) >= len(key) if key else None,
}


def _bounded(record: str, lower: Mapping[str, Any], upper: Mapping[str, Any]) -> Rows:
    """Read the bounds of a table. Raises `ModelError` unless every row holds a law."""
    if {*lower} != {*upper}:
        key = min({*lower} ^ {*upper})
        raise ModelError(f'expected bounds of the same rows, found row "{key}" in one only', f"cpt_upper.{record}")
    return {key: _row(record, key, lower[key], upper[key]) for key in lower}


def _row(record: str, key: str, low: object, high: object) -> tuple[Row, Row]:
    where = f'{record}["{key}"]'
    below, above = numbers_of(low, f"cpt_lower.{where}"), numbers_of(high, f"cpt_upper.{where}")
    if len(below) != len(above):
        raise ModelError(f"expected {len(below)} bounds as in cpt_lower, found {len(above)}", f"cpt_upper.{where}")
    for least, most in zip(below, above):
        if not 0 <= least <= most <= 1:
            raise ModelError(
                f"expected bounds from 0 to 1 in order, found {brief(least)} and {brief(most)}", f"cpt_lower.{where}"
            )
    if sum(below) > 1 or sum(above) < 1:
        ends = brief(sum(below, Fraction(0))), brief(sum(above, Fraction(0)))
        raise ModelError(
            f"no row within the bounds sums to 1: lower bounds sum to {ends[0]}, upper ones to {ends[1]}",
            f"cpt_lower.{where}",
        )
    return tight(below, above)


def _extreme(lower: Row, upper: Row, last: bool | None) -> Row:
    """Return the row with most weight on the last or first values, or one in the middle."""
    if last is None:
        return inner(lower, upper)
    rest, row = 1 - sum(lower), list(lower)
    for x in range(len(row) - 1, -1, -1) if last else range(len(row)):
        added = min(rest, upper[x] - lower[x])
        row[x], rest = row[x] + added, rest - added
    return tuple(row)
