"""The cone of columns that a privacy budget allows: what one output of a mechanism may look like.

A framework gives a list T of ordered pairs of laws (mu, nu) = (law of X given s and theta, law of X
given s' and theta). With R = e^epsilon a mechanism is epsilon-Pufferfish iff each of its columns u
= (P(w | x))_x lies in

    C_R = {u >= 0 : <mu, u> <= R <nu, u> for all (mu, nu) in T},

and, with per-record differential privacy at level log S on top, u_x <= S u_y for databases that
differ in one record. Independent composition multiplies columns entry by entry. Under a convex
closure of the priors the columns are a polyhedral cone where it is free, and refused else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.laws import RESTS_ON as CLOSURE_RESTS_ON
from pufferproof.verify.leakage.laws import expect_free, ordered_pairs

RESTS_ON = ("worst.columns", "worst.lemma0", "worst.zero-databases", "worst.zero-databases-dp-repaired")
Vector = tuple[int, ...]
_LARGEST = Fraction(3) ** 820  # more than e^900: what leaks that much is no longer private


@dataclass(frozen=True)
class OrderedLaws:
    """One (mu, nu) of T as integer weights over `Columns.databases`: mu / mu_total and nu /
    nu_total are the laws.

    `places` are the (prior, ordered pair)s that give it, in file order.
    """

    mu: Vector
    nu: Vector
    mu_total: int
    nu_total: int
    places: tuple[tuple[str, Pair], ...]

    def ratio(self, u: Sequence[Fraction | int]) -> Fraction | None:
        """Return <mu, u> / <nu, u>, 0 if both are 0, or None if it is infinite."""
        above = sum(m * c for m, c in zip(self.mu, u) if m) * self.nu_total
        below = sum(n * c for n, c in zip(self.nu, u) if n) * self.mu_total
        if below:
            return Fraction(above) / below
        return None if above else Fraction(0)


@dataclass(frozen=True)
class Cone:
    """{u >= 0 : <row, u> >= 0 for `inequalities`, = 0 for `equations`}, in coprime integers."""

    dimension: int
    inequalities: tuple[Vector, ...]
    equations: tuple[Vector, ...] = ()

    def holds(self, u: Sequence[Fraction | int]) -> bool:
        """Say whether `u` lies in the cone, exactly."""
        if any(c < 0 for c in u):
            return False
        return all(dot(row, u) >= 0 for row in self.inequalities) and all(dot(row, u) == 0 for row in self.equations)


def columns_rest_on(framework: Framework) -> tuple[str, ...]:
    """Return the claims that cones rest on: about columns, and about mixtures if they count."""
    return united(RESTS_ON, CLOSURE_RESTS_ON if framework.closure == "convex" else ())


class Columns:
    """The cones of one framework: its laws T, and C_R for any budget.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> columns = Columns(framework)
    >>> columns.cone(Fraction(2)).inequalities
    ((-1, 1, 1), (4, -1, -1))

    Args:
        framework: without convex closure, or with one that is free: then a mechanism keeps a level
            for all mixtures of priors if it does for the priors (general.mixture-dichotomy).

    `databases` are the framework's databases that carry weight under some law of T, in file order:
    no other is constrained. Raises `ModelError` if mixtures count, or every pair has a
    secret of probability 0.
    """

    def __init__(self, framework: Framework) -> None:
        expect_free(framework, "the columns allowed under all mixtures of priors are no polyhedral cone")
        if framework.too_many is not None:
            raise framework.too_many
        self.framework = framework
        positive: dict[tuple[Vector, Vector], list[tuple[str, Pair]]] = {}
        for prior in framework.priors:
            weights = framework.laws[prior].weights
            for pair in ordered_pairs(framework, prior):
                mu, nu = (_restricted(weights, framework.secrets[secret]) for secret in pair)
                positive.setdefault((mu, nu), []).append((prior, pair))
        if not positive:
            raise ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")
        size = len(framework.databases)
        used = [x for x in range(size) if any(mu[x] or nu[x] for mu, nu in positive)]
        self.databases = tuple(used)
        self.laws = tuple(
            OrderedLaws(tuple(mu[x] for x in used), tuple(nu[x] for x in used), sum(mu), sum(nu), tuple(places))
            for (mu, nu), places in positive.items()
        )

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that these cones rest on."""
        return columns_rest_on(self.framework)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of `databases`."""
        return tuple(self.framework.databases[x] for x in self.databases)

    def cone(self, ratio: Fraction, per_record: Fraction | None = None) -> Cone:
        """Return the columns of epsilon-Pufferfish mechanisms, e^epsilon = `ratio` >= 1.

        Args:
            per_record: e^level of per-record differential privacy on top, none if left out.

        Raises `ModelError` unless ratios are at least 1 and, for `per_record`, databases are made
        of records.
        """
        if ratio < 1 or (per_record is not None and per_record < 1):
            raise ModelError(
                f"expected ratios of at least 1, found {text_of(min(ratio, per_record or ratio))}", "budget"
            )
        rows = [_pufferfish_row(laws, ratio) for laws in self.laws]
        inequalities, equations = ([], rows) if ratio == 1 else (rows, [])
        if per_record is not None:
            extra = self._record_rows(per_record)
            (equations if per_record == 1 else inequalities).extend(extra)
        return Cone(len(self.databases), _distinct(inequalities), _distinct(equations))

    def record_cone(self, per_record: Fraction) -> Cone:
        """Return the columns of mechanisms that are private per record, e^level = `per_record`,
        whatever else they leak.

        Raises `ModelError` unless databases are made of records.
        """
        rows = _distinct(self._record_rows(per_record))
        return Cone(len(self.databases), (), rows) if per_record == 1 else Cone(len(self.databases), rows)

    def _record_rows(self, ratio: Fraction) -> list[Vector]:
        """Return S^d u_y - u_x >= 0 for databases at distance d, leaving out what a database in
        between implies.

        Every database counts for the neighbour relation, also one of probability zero: a column on
        `databases` extends to all of them iff u_x <= S^d u_y for each two at distance d (the
        smallest such extension is min_y S^d(z, y) u_y).
        """
        rows, count = [], len(self.databases)
        apart = [[self.distance(x, y) for y in self.databases] for x in self.databases]
        for i, j in combinations(range(count), 2):
            distance = apart[i][j]
            between = any(apart[i][k] + apart[k][j] == distance for k in range(count) if k not in (i, j))
            if not between:
                power = ratio**distance
                for a, b in ((i, j), (j, i)):
                    row = [0] * count
                    row[a], row[b] = -power.denominator, power.numerator
                    rows.append(tuple(row))
        return rows

    def column(self, channel: Channel, output: str) -> tuple[Fraction, ...]:
        """Return (P(output | x)) over `databases`."""
        return tuple(channel.probability(label, output) for label in self.labels)

    def two_output_mechanism(
        self, cone: Cone, u: Sequence[Fraction | int], per_record: Fraction | None = None
    ) -> Channel:
        """Return a mechanism whose output "w" has a column proportional to `u`: columns [t u, 1 - t
        u] in the cone.

        Which vectors of C_R are, up to scale, columns of some mechanism (worst.lemma0): those for
        which 1 - t u stays in the cone for some t > 0. An inequality that is tight at the vector of
        ones must then be tight at u as well; so for R = 1 (or S = 1) inequalities become equations,
        and for larger levels nothing is added.

        t is the largest that keeps both in the cone. Databases that no law speaks of get the row of
        the first one, or, for a per-record level, the smallest column that keeps the level.

        Raises `ModelError` unless u is non-zero and lies in the cone, and some t > 0 works.
        """
        return self.mechanism_with(cone, [u], per_record)

    def mechanism_with(
        self, cone: Cone, wanted: Sequence[Sequence[Fraction | int]], per_record: Fraction | None = None
    ) -> Channel:
        """Return a mechanism that has columns t u for all u in `wanted`, and 1 - t (their sum) for
        what is left, t largest.

        Outputs are "w" (or "w1", "w2", ..) and "v"; the latter is left out if it never occurs
        beside several others.
        """
        if not all(any(u) and cone.holds(u) for u in wanted):
            raise ModelError("expected a non-zero column of the cone")
        each = [self.extended(u, per_record) for u in wanted]
        full = [sum(entries, Fraction(0)) for entries in zip(*each)]
        step = self._largest_step(cone, full, per_record)
        if step <= 0:
            raise ModelError(
                "expected a column of some mechanism: no positive multiple leaves room for the other output"
            )
        columns = [[step * c for c in column] for column in each]
        names = ["w"] if len(each) == 1 else [f"w{i + 1}" for i in range(len(each))]
        rest = [1 - step * c for c in full]
        if len(each) == 1 or any(rest):
            columns, names = [*columns, rest], [*names, "v"]
        rows = {label: dict(zip(names, row)) for label, row in zip(self.framework.databases, zip(*columns))}
        return Channel.of(rows, names)

    def _largest_step(self, cone: Cone, full: Sequence[Fraction], per_record: Fraction | None) -> Fraction:
        """Return the largest t for which 1 - t `full` is a column of the cone."""
        u = [full[x] for x in self.databases]
        limits = [1 / Fraction(c) for c in full if c]
        limits += [Fraction(sum(row)) / value for row in cone.inequalities if (value := dot(row, u)) > 0]
        if any(value != 0 for row in cone.equations if (value := sum(row))):
            raise ModelError("expected equations that the vector of ones satisfies")
        if per_record is not None:
            size = range(len(full))
            near = [(x, y) for x in size for y in size if self.distance(x, y) == 1]
            steps = [per_record * full[y] - full[x] for x, y in near]
            limits += [(per_record - 1) / step for step in steps if step > 0]
        return min(limits)

    def extended(self, u: Sequence[Fraction | int], per_record: Fraction | None) -> list[Fraction]:
        """Return a column on all databases from one on `databases`, within the same level."""
        entries = {x: Fraction(c) for x, c in zip(self.databases, u)}
        full = []
        for z in range(len(self.framework.databases)):
            if z in entries:
                full.append(entries[z])
            elif per_record is None:
                full.append(entries[self.databases[0]])
            else:
                full.append(min(per_record ** self.distance(z, y) * c for y, c in entries.items()))
        return full

    def distance(self, x: int, y: int) -> int:
        """Return the number of records in which two databases of the framework differ."""
        if self.framework.sized is not None:
            self.framework.expect_records()
        records = self.framework.records
        if records is None:
            raise ModelError(
                "expected databases made of records for a per-record level, found databases without", "records"
            )
        base, count = len(records.alphabet), 0
        while x != y:
            count += x % base != y % base
            x, y = x // base, y // base
        return count


def require_private(levels: Sequence[Level | None], where: str) -> None:
    """Raise `ModelError` unless levels, whose e^level is computed, are at most 900 nats."""
    if any(level is not None and level.compare(_LARGEST) < 0 for level in levels):
        raise ModelError("expected levels of at most 900 nats", where)


def dot(row: Sequence[int], u: Sequence[Fraction | int]) -> Fraction | int:
    """Return sum_x row_x u_x."""
    return sum(a * c for a, c in zip(row, u) if a)


def primitive(values: Sequence[Fraction | int]) -> Vector:
    """Return the multiple of a rational vector with coprime integers; zero stays zero."""
    common = lcm(*(Fraction(value).denominator for value in values))
    return coprime([int(value * common) for value in values])


def coprime(integers: Sequence[int]) -> Vector:
    """Return the multiple of an integer vector with coprime entries; zero stays zero."""
    divisor = gcd(*integers) or 1
    return tuple(value // divisor for value in integers)


def _pufferfish_row(laws: OrderedLaws, ratio: Fraction) -> Vector:
    """Return the row of R <nu, u> - <mu, u> >= 0 in coprime integers."""
    forward, backward = ratio.numerator * laws.mu_total, ratio.denominator * laws.nu_total
    return primitive([forward * n - backward * m for m, n in zip(laws.mu, laws.nu)])


def _restricted(weights: Sequence[int], held: Sequence[int]) -> Vector:
    """Return the weights of a law given a secret over all databases, in coprime integers."""
    row = [0] * len(weights)
    for x in held:
        row[x] = weights[x]
    return primitive(row)


def _distinct(rows: Sequence[Vector]) -> tuple[Vector, ...]:
    """Drop repetitions, keeping the order."""
    return tuple(dict.fromkeys(rows))


# Symmetries of a framework, and the orbits of its ordered laws, with the symmetries that carry one law to another.
#
# A permutation of the databases that maps the laws T and the cones of columns to themselves maps columns of mechanisms
# within a budget to such columns. So the ratio <mu, u o v> / <nu, u o v> has the same maximum for all (mu, nu) of one
# orbit, and a certificate for one becomes one for the others by renaming databases.

_MAX_SIZE = 128
_MAX_STEPS = 100_000  # of all searches together
Permutation = tuple[int, ...]  # the image of every database, by position


class Symmetries:
    """The permutations of positions that carry laws to laws and rows of cones to rows."""

    def __init__(self, laws: Sequence[OrderedLaws], cones: Sequence[Cone]) -> None:
        self.size = len(laws[0].mu)
        self.laws = [(law.mu, law.nu) for law in laws]
        self._place = {law: k for k, law in enumerate(self.laws)}
        self._shapes = [sorted(zip(*law)) for law in self.laws]
        self._steps = _MAX_STEPS
        self._rows = [
            frozenset(rows)
            for cone in dict.fromkeys(cones)
            for rows in (
                cone.inequalities,
                [*cone.equations, *(tuple(-entry for entry in row) for row in cone.equations)],
            )
        ]
        self._invariants = self._pair_invariants() if self.size <= _MAX_SIZE else {}

    def _pair_invariants(self) -> dict[tuple[int, int], Counter[object]]:
        """Return, for any two databases, how often each pair of entries occurs at them."""
        counts: dict[tuple[int, int], Counter[object]] = {}
        lists: list[tuple[int, Sequence[object]]] = [(-1, list(zip(*law))) for law in self.laws]
        lists += [(kind, row) for kind, rows in enumerate(self._rows) for row in rows]
        for kind, entries in lists:
            support = [x for x, entry in enumerate(entries) if entry not in (0, (0, 0))]
            for x in support:
                for y in support:
                    counts.setdefault((x, y), Counter())[kind, entries[x], entries[y]] += 1
        return counts

    def orbits(self) -> list[dict[int, Permutation]]:
        """Partition the laws: each part maps its laws, the first one first, to a symmetry that
        carries the first one there.

        Symmetries that were found act on all laws, so that a search is only made for laws that none
        of them reaches.
        """
        orbits: list[dict[int, Permutation]] = []
        owner: dict[int, int] = {}
        generators: list[tuple[Permutation, list[int]]] = []
        for k in range(len(self.laws)):
            if k in owner:
                continue
            carried = next(filter(None, (self.carrying(next(iter(part)), k) for part in orbits)), None)
            if carried is None:
                owner[k] = len(orbits)
                orbits.append({k: tuple(range(self.size))})
            else:
                generators.append(
                    (carried, [self._place[moved(mu, carried), moved(nu, carried)] for mu, nu in self.laws])
                )
            for index, part in enumerate(orbits):
                # add to an orbit what the generators reach from it and no orbit has
                queue = list(part)
                for reached in queue:
                    for images, action in generators:
                        image = action[reached]
                        if image not in owner:
                            owner[image] = index
                            part[image] = tuple(images[x] for x in part[reached])
                            queue.append(image)
        return orbits

    def carrying(self, first: int, second: int) -> Permutation | None:
        """Return a symmetry that carries one law to another, or None."""
        if self.size > _MAX_SIZE or self._shapes[first] != self._shapes[second]:
            return None
        source, target = (list(zip(*self.laws[k])) for k in (first, second))
        allowed = [[y for y in range(self.size) if source[x] == target[y]] for x in range(self.size)]
        stack: list[tuple[list[int], Iterator[int]]] = [([], iter(allowed[0]))]
        while stack and self._steps > 0:
            images, choices = stack[-1]
            image = next(choices, None)
            self._steps -= 1
            if image is None:
                stack.pop()
            elif self._fits(images, image):
                extended = [*images, image]
                if len(extended) < self.size:
                    stack.append((extended, iter(allowed[len(extended)])))
                elif self._preserves(tuple(extended)):
                    return tuple(extended)
        return None

    def _fits(self, images: list[int], image: int) -> bool:
        """Say whether the next database may go to `image` after earlier ones went to `images`."""
        x, invariants = len(images), self._invariants
        if image in images or invariants.get((x, x)) != invariants.get((image, image)):
            return False
        return all(invariants.get((x, y)) == invariants.get((image, z)) for y, z in enumerate(images))

    def _preserves(self, images: Permutation) -> bool:
        """Check that laws go to laws and rows to rows, exactly."""
        if any((moved(mu, images), moved(nu, images)) not in self._place for mu, nu in self.laws):
            return False
        return all(moved(row, images) in rows for rows in self._rows for row in rows)


def moved(vector: Sequence[int], images: Permutation) -> Vector:
    """Return the vector with its entry at x moved to images[x]."""
    result = [0] * len(vector)
    for x, entry in enumerate(vector):
        result[images[x]] = entry
    return tuple(result)


@dataclass(frozen=True)
class Orbit:
    """Ordered laws that symmetries map to each other: `images` has, for each of them, the
    permutation from `laws` to it.

    A permutation p takes the database at position x to that at p[x].
    """

    laws: OrderedLaws
    images: tuple[tuple[OrderedLaws, Permutation], ...]


def orbits(columns: Columns, cones: Sequence[Cone]) -> tuple[Orbit, ...]:
    """Partition the ordered laws of a framework by the symmetries that keep the cones.

    >>> from fractions import Fraction
    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {f"x{i}={v}": (i, v) for i in (1, 2, 3) for v in "01"}
    >>> pairs = [(f"x{i}=0", f"x{i}=1") for i in (1, 2, 3)]
    >>> columns = Columns(Framework.of_records(Records(3, ("0", "1")), secrets, pairs, {"theta": chain}))
    >>> [len(orbit.images) for orbit in orbits(columns, [columns.cone(Fraction(2))])]
    [4, 2]
    """
    orbit_list = Symmetries(columns.laws, cones).orbits()
    laws = columns.laws
    return tuple(Orbit(laws[min(part)], tuple((laws[k], part[k]) for k in sorted(part))) for part in orbit_list)
