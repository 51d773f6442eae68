"""What `influence` prints: one quilt, a table of quilts by width beside published bounds, or the
influence curve, as leakages.

Chains are never listed; other priors are, where they are few enough. Every answer is the largest
over the priors, and over all chains of a class. Ratios are exact where they have at most 10,000
digits, else enclosed; over a class of chains they are also enclosed where the search ends before it
is exact. Which of the two is said with the answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import permutations
from math import prod

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import class_of, listed_of, pairs_of, records_of, secrets_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import ChainClass, GapChains, IntervalChain
from pufferproof.models.priors.laws import Prior, normalized_priors
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import BifNetwork, network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds, Name
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.decision import united
from pufferproof.verify.influence.bounds import RESTS_ON as PUBLISHED_RESTS_ON
from pufferproof.verify.influence.bounds import EigengapBound, estimated_bound, published_bound, song_bound, wang_bound
from pufferproof.verify.influence.box.contrast import several_stationary
from pufferproof.verify.influence.box.largest import EFFORT, class_influence, class_rests_on, larger, several
from pufferproof.verify.influence.chain import QUILTS_REST_ON, max_influence, short_enough
from pufferproof.verify.influence.curves.chains import published_curve
from pufferproof.verify.influence.curves.classes import MOST_SEARCHED, simple_priors
from pufferproof.verify.influence.curves.framework import influence_curve, points_along
from pufferproof.verify.influence.curves.point import ChainStart, CurvePoint, last_point, orders_between
from pufferproof.verify.influence.network import Conditionals, enumerated_influence
from pufferproof.verify.leakage.ratio import Leakage

# Where the influence of a quilt is attained: the prior, two values of the record, and what the quilt then shows.
#
#     P(X_Q = z | X_i = v) / P(X_Q = z | X_i = w)
#
# is largest there. Exact numbers only: on a chain, where X_(i-a) and X_(i+b) are independent given X_i, one outcome of
# either side; in a listed framework all outcomes are compared. Nothing is decided here: a place is only told if it
# reaches the influence that was found.

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
        # the records to look at: one where they are all alike, none where they are too many
        first, last = (quilt[0] or 0) + 1, laws.length - (quilt[1] or 0)
        if record is not None or laws.stationary:
            examined: Sequence[int] = [first if record is None else record]
        else:
            examined = range(first, last + 1) if laws.length <= _MOST_RECORDS else []
        for each in examined:
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
            left, right = quilt
            shown = shown_beside(record, left, right)
            laws = {v: conditionals.given_value(record, v, shown) for v in conditionals.records.alphabet}
            for v, w in permutations([value for value, law in laws.items() if law], 2):
                for outcome, p in laws[v].items():
                    q = laws[w].get(outcome, Fraction(0))
                    if (p / q if q else None) == influence.ratio:
                        return Place(influence.ratio, prior, record, v, w, tuple(zip(shown, outcome)))
    raise AssertionError("an influence that was found is attained")


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
            best, value = _largest_quotient(kernel[v], kernel[w])
            ratio = None if ratio is None or best is None else ratio * best
            outcome.append((other, letters[value]))
        yield Place(ratio, prior, record, letters[v], letters[w], tuple(outcome))


def _largest_quotient(above: Sequence[Fraction], below: Sequence[Fraction]) -> tuple[Fraction | None, int]:
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


_TABLE_EFFORT = 400
_MOST_LISTED = 500_000  # databases of a network, times records
_ROUNDING = Fraction(1, 10**9)
_TINY = Fraction(1, 1 << 64)  # an influence that is too near 0 for two ends to matter
PublishedBound = Callable[[Sequence[MarkovChain], Distance, Distance], Leakage | str]


def _wang(chains: Sequence[MarkovChain], left: Distance, right: Distance) -> Leakage | str:
    return _published(lambda: wang_bound([chain.transition for chain in chains]), left, right)


def _song(chains: Sequence[MarkovChain], left: Distance, right: Distance) -> Leakage | str:
    """Take the largest over the chains, each with a bound of its own."""
    bounds = [_published(partial(song_bound, chain.transition), left, right) for chain in chains]
    reasons = [bound for bound in bounds if isinstance(bound, str)]
    sizes = [bound for bound in bounds if isinstance(bound, Leakage)]
    return reasons[0] if reasons else max(sizes, key=lambda size: size.upper or Fraction(0))


def _published(make: Callable[[], EigengapBound], left: Distance, right: Distance) -> Leakage | str:
    bound = published_bound(make, left, right)
    return bound if isinstance(bound, str) else Leakage(bound.lower, bound.upper)


PUBLISHED: dict[str, PublishedBound] = {"wang2016 Lemma 4.7": _wang, "song2017 Lemma II.3": _song}
"""Bounds of e of {X_(i-a), X_(i+b)} that depend on the chains and distances only: a leakage, or
why there is none.
"""


@dataclass(frozen=True)
class Row:
    """The largest influences at one width: of {X_(i-w), X_(i+w)}, {X_(i-w)}, {X_(i+w)}, None
    where no record has it.
    """

    width: int
    both: Leakage | None
    left: Leakage | None
    right: Leakage | None
    bounds: dict[str, Leakage | str]


@dataclass(frozen=True)
class Subject:
    """A framework whose influences are asked for: chains and classes of chains that are not
    listed, or a listed framework.
    """

    records: Records
    chains: dict[str, MarkovChain]
    boxes: dict[str, ChainClass]
    loaded: Loaded[FrameworkFile]
    priors: dict[str, Prior | ChainClass]
    normalize: bool = False
    normalized: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: str, normalize: bool = False, listed: bool = True, option: str | None = None) -> "Subject":
        """Read a framework, and divide rows of priors that need it by their sums if asked to. With
        `listed`, priors other than chains have to be few enough to list; an `option` that asks for
        a distance is named if databases of a network are not.

        Raises `ModelError` unless databases are made of records, and priors a list of laws on them.
        """
        loaded = read_loaded(path, FrameworkFile)
        shape = loaded.value
        with in_file(path):
            records = _records(shape)
            priors = {name: class_of(name, prior, normalize) for name, prior in shape.priors.items()}
            divided = normalized_priors(priors)
            boxes = {name: box for name, box in priors.items() if isinstance(box, ChainClass)}
            chains = {name: chain for name, chain in priors.items() if isinstance(chain, MarkovChain)}
            for name, chain in chains.items():
                with _in_prior(name):
                    chain.parts(records)
                    _ = Along(chain, records.count).initial
            for name, box in boxes.items():
                with _in_prior(name):
                    box.expect(records)
            others = [name for name in priors if name not in chains and name not in boxes]
        networks = [
            name for name, prior in priors.items() if isinstance(prior, BayesianNetwork | BifNetwork) and not boxes
        ]
        if listed and networks and option is not None:
            _expect_few(option, records)
        with in_file(path):
            if listed and networks:
                _expect_few(f"priors.{networks[0]}", records)
            if listed and others:
                _expect_listed(others[0], bool(boxes), records)
        chains = {} if others else chains
        return cls(records, chains, boxes, loaded, priors, normalize, divided)

    @cached_property
    def listed(self) -> Framework:
        """The framework with its databases listed. Raises `ModelError` unless there are few
        enough.
        """
        with in_file(self.loaded.path):
            return listed_of(self.loaded.value, self.normalize)

    def quilt(self, record: int | None, left: Distance, right: Distance, effort: int = EFFORT) -> tuple[Leakage, Name]:
        """Return the influence of a quilt of one record, or of the record for which it is
        largest, and its arithmetic.
        """
        self.expect_quilt(record, left, right)
        if self.chains or self.boxes:
            name: Name = (
                "exact"
                if all(short_enough(chain, self.records.count, record, left, right) for chain in self.chains.values())
                else "enclosed"
            )
            count = self.records.count
            influences = [max_influence(chain, count, record, left, right, name) for chain in self.chains.values()]
            for prior, box in self.boxes.items():
                with in_file(self.loaded.path), _in_prior(prior):
                    influences.append(class_influence(box, count, record, left, right, effort))
            exact = all(influence.lower == influence.upper for influence in influences)
            return _largest(influences), name if exact else "enclosed"
        places = [record] if record is not None else range(1 + (left or 0), self.records.count - (right or 0) + 1)
        framework = self.listed
        ratios = [
            enumerated_influence(framework, place, shown_beside(place, left, right))
            for place in steps(places, "records")
        ]
        return _largest([Bounds(ratio, ratio) for ratio in ratios]), "exact"

    @property
    def quilts_rest_on(self) -> tuple[str, ...]:
        """The claims that influences of quilts rest on: none of laws that are listed."""
        chains = QUILTS_REST_ON if self.chains else ()
        return united(chains, *map(class_rests_on, self.boxes.values()))

    def table_rests_on(self, rows: Sequence[Row]) -> tuple[str, ...]:
        """Return the claims that a table rests on, those of published bounds in it included."""
        bounded = any(isinstance(bound, Leakage) for row in rows for bound in row.bounds.values())
        return united(self.quilts_rest_on, PUBLISHED_RESTS_ON if bounded else ())

    def place(self, record: int | None, left: Distance, right: Distance, influence: Leakage) -> Place | None:
        """Return where the influence of a quilt is attained, or None if that is not known."""
        if influence.ratio == 1 or self.boxes:
            return None
        if self.chains:
            return chain_place(self.chains, self.records, record, (left, right), influence)
        places = [record] if record is not None else range(1 + (left or 0), self.records.count - (right or 0) + 1)
        return listed_place(self.listed, places, (left, right), influence)

    def table(self, record: int | None, widest: int) -> tuple[list[Row], Name]:
        """Return a row per width w = 1 .. `widest` that some quilt of the record, or of any
        record, has.
        """
        rows, names = [], set()

        def at(left: Distance, right: Distance) -> Leakage | None:
            if self._missing(record, left, right) is not None or not self._comparable(record, left, right):
                return None
            influence, name = self.quilt(record, left, right, _TABLE_EFFORT)
            names.add(name)
            return influence

        for width in steps(range(1, min(widest, self.records.count - 1) + 1), "widths"):
            both, before, after = at(width, width), at(width, None), at(None, width)
            if before is None and after is None:
                break
            rows.append(Row(width, both, before, after, self._bounds(width)))
        return rows, "enclosed" if "enclosed" in names else "exact"

    def _bounds(self, width: int) -> dict[str, Leakage | str]:
        """Return the published bounds, which are for finitely many matrices."""
        boxes = self._intervals.values()
        by_gap = [box for box in self.boxes.values() if isinstance(box, GapChains)]
        if by_gap and len(by_gap) == len(self.priors):
            # take the bound of all chains of some classes: by the least pi and the least gap
            least = min(each.pi_min for each in by_gap), min(each.eigengap for each in by_gap)
            wang_of = _published(partial(estimated_bound, *least), width, width)
            return {"wang2016 Lemma 4.7": wang_of}
        if len(boxes) < len(self.boxes) or any(not box.single for box in boxes):
            return dict.fromkeys(PUBLISHED, "none for a box of matrices")
        chains = [*self.chains.values(), *(box.chain(box.lower) for box in boxes)]
        return {name: bound(chains, width, width) for name, bound in PUBLISHED.items()} if chains else {}

    @property
    def _intervals(self) -> dict[str, IntervalChain]:
        """The classes that are boxes."""
        return {name: box for name, box in self.boxes.items() if isinstance(box, IntervalChain)}

    def curve(self, most: int | None = None) -> list[CurvePoint]:
        """Return a*(b) for b = 0 .. `most`; if not given, for as many b as are quickly had, with a
        note.
        """
        for name in self.boxes.keys() - self._intervals.keys():
            raise ModelError(
                "a class by pi_min and eigengap has influences of quilts, and no curve: expected a "
                "table, or --left and --right",
                f"{self.loaded.path}: priors.{name}",
            )
        last = last_point(self.records.count, most, "--most")
        if most is None:
            if self.boxes:  # fewer where boxes are searched
                with in_file(self.loaded.path):
                    classes = {name: ChainStart(c) for name, c in self.chains.items()} | self._intervals
                    if simple_priors(classes)[1]:
                        last = min(last, MOST_SEARCHED)
            if last < self.records.count:
                self.notes.append(f"note: the curve ends at b = {last} of {self.records.count} records: --most goes on")
        points = self._points(last)
        # two ends that are no rounding of one number
        if any(
            point.lower is not None
            and (point.upper is None or (point.upper - 1 > _TINY and point.upper > point.lower * (1 + _ROUNDING)))
            for point in points
        ):
            self.notes.append(
                "note: some sets of records were not searched completely: where a point has two "
                "ends, a*(b) lies between them"
            )
        return points

    def published(self, points: Sequence[CurvePoint]) -> list[Leakage | str]:
        """Return the published value of every point, or why there is none."""
        if self.boxes:
            return ["none: for single chains"] * len(points)
        priors = [prior for prior in self.priors.values() if not isinstance(prior, ChainClass)]
        hidden, letters = [point.b for point in points], len(self.records.alphabet)
        curve = published_curve(priors, self.records.count, letters, hidden)
        return [each if isinstance(each, str) else Leakage.of(each) for each in curve]

    def _points(self, last: int) -> list[CurvePoint]:
        shape = self.loaded.value
        with in_file(self.loaded.path):
            if not any(isinstance(secret, list) for secret in shape.secrets.values()):
                orders = orders_between(self.records, secrets_of(shape), pairs_of(shape))
                points = points_along(self.priors, self.records, orders, last)
                if points is not None:
                    return points
            for name, prior in self.priors.items():
                if isinstance(prior, ChainClass):
                    raise ModelError(
                        "a curve over a class of chains needs secrets about single records, and "
                        'beside it "markov" and "product" priors',
                        f"priors.{name}",
                    )
        framework = self.listed
        with in_file(self.loaded.path):
            return influence_curve(framework, last)

    def expect_distances(self, left: Distance, right: Distance) -> None:
        """Raise `ModelError`, naming the option, if a distance is given and a prior is a Bayesian
        network that is no chain.
        """
        for option, distance in (("--left", left), ("--right", right)):
            if distance is not None and (name := self._network) is not None:
                raise ModelError(
                    f'a distance along a chain, which the Bayesian network "{name}" is not: give --curve instead',
                    option,
                )

    @property
    def _network(self) -> str | None:
        """The first prior that is a Bayesian network and no chain, None if there is none."""
        for name, prior in self.priors.items():
            is_network = isinstance(prior, BayesianNetwork | BifNetwork)
            network = network_of(prior, self.records) if is_network else None
            steps = enumerate(network.parents if network else (), 1)
            if any(parent != record - 1 for record, above in steps for parent in above):
                return name
        return None

    def numbered(self, record: str | None) -> int | None:
        """Return the number of the record that `--record` names, None if it is left out."""
        return None if record is None else self.records.typed(record, "--record")

    def expect_quilt(self, record: int | None, left: Distance, right: Distance) -> None:
        """Raise `ModelError`, naming the option, unless the quilt is on the chain and its record
        has two possible values.

        Without a record, some record that has such a quilt is to have them.
        """
        for option, distance in (("--left", left), ("--right", right)):
            if distance is not None and distance < 1:
                raise ModelError(f"expected a distance of at least 1, found {distance}", option)
        if (missing := self._missing(record, left, right)) is not None:
            raise ModelError(*missing)
        if record is not None:
            self._note_values(record)
        if not self._comparable(record, left, right):
            for name, box in self._intervals.items():
                if box.initial == "stationary" and several_stationary(box):
                    raise several().within(f"{self.loaded.path}: priors.{name}")
            which = "some record" if record is None else self.records.called(record)
            raise ModelError(
                f"nothing to compare: expected two values of positive probability of {which}, found one",
                f"{self.loaded.path}: priors",
            )

    def _missing(self, record: int | None, left: Distance, right: Distance) -> tuple[str, str] | None:
        """Return what is wrong with a quilt and its option, or None if it fits the chain."""
        count = self.records.count
        if record is None:
            reach = (left or 0) + (right or 0)
            beyond = f"expected distances that sum to at most {count - 1}, found {reach}"
            option = "--left" if left else "--right"
            return (beyond, option) if reach > count - 1 else None
        for option, distance, most in (("--left", left, record - 1), ("--right", right, count - record)):
            if distance is not None and distance > most:
                return (
                    f"expected a distance of at most {most} from {self.records.called(record)}, found {distance}",
                    option,
                )
        return None

    def _note_values(self, record: int) -> None:
        """Note values of probability 0."""
        called = self.records.called(record)
        for name, values in self._possible(record).items():
            for value in self.records.alphabet:
                note = f'note: {called} has value "{value}" with probability 0 under prior "{name}", left out'
                if value not in values and note not in self.notes:
                    self.notes.append(note)

    def _comparable(self, record: int | None, left: Distance, right: Distance) -> bool:
        """Whether some prior leaves two values of the record, or of some record with this quilt.

        Along a chain on which each value is followed by one value, no other comes after as many
        records as there are values.
        """
        if record is not None:
            places = range(record, record + 1)
        else:
            places = range(1 + (left or 0), self.records.count - (right or 0) + 1)
            places = places[: len(self.records.alphabet) + 1] if self.chains or self.boxes else places
        return any(len(values) > 1 for place in places for values in self._possible(place).values())

    def _possible(self, record: int) -> dict[str, list[str]]:
        letters = self.records.alphabet
        if self.chains or self.boxes:
            possible = {name: each.possible(record) for name, each in (self._laws | self.boxes).items()}
            return {name: [letters[v] for v in values] for name, values in possible.items()}
        listed = self._conditionals
        return {name: [v for v in letters if each.given_value(record, v, ())] for name, each in listed.items()}

    @cached_property
    def _laws(self) -> dict[str, Along]:
        return {name: Along(chain, self.records.count) for name, chain in self.chains.items()}

    @cached_property
    def _conditionals(self) -> dict[str, Conditionals]:
        framework = self.listed
        return {name: Conditionals(framework, name) for name in framework.priors}


def _records(shape: FrameworkFile) -> Records:
    """Return the records of a framework file with a list of priors, or raise `ModelError`."""
    if shape.records is None:
        raise ModelError('influence needs databases made of records ("records")', "databases")
    if shape.neighbours is not None:
        raise ModelError(
            "influences are between the values of one record: expected secrets and pairs instead of neighbours",
            "neighbours",
        )
    if shape.closure != "list":
        raise ModelError('influences are computed for listed priors: expected "list"', "closure")
    if not shape.priors:
        raise ModelError("expected at least one prior, found none", "priors")
    return records_of(shape)


def shown_beside(record: int, left: Distance, right: Distance) -> list[int]:
    """Return the records that a quilt shows, at distances before and after one."""
    return [*([] if left is None else [record - left]), *([] if right is None else [record + right])]


@contextmanager
def _in_prior(name: str) -> Iterator[None]:
    """Put the key of a prior in front of every error raised inside."""
    try:
        yield
    except ModelError as error:
        raise error.within(f"priors.{name}") from None


def _expect_listed(name: str, beside_class: bool, records: Records) -> None:
    """Raise `ModelError` unless databases can be listed, for a prior that is no Markov chain."""
    if beside_class:
        raise ModelError('beside a class of chains, expected a "markov" prior', f"priors.{name}")
    if not records.enumerable:
        size = f"{len(records.alphabet)}^{records.count} databases"
        if not records.common:
            size += ", with every value of the alphabet for every record,"
        raise ModelError(f'{size} are too many to list: expected a "markov" prior', f"priors.{name}")


def _expect_few(where: str, records: Records) -> None:
    """Raise `ModelError` unless a network has few enough databases to search all quilts."""
    if records.values is None:
        size, few = f"{len(records.alphabet)}^{records.count}", min(records.count, 64)
        databases = len(records.alphabet) ** few
    else:
        databases = prod(map(len, records.values))
        size = shown(databases)
    if databases * records.count > _MOST_LISTED:
        raise ModelError(
            f"a table, --left and --right go by distance along records, which is found among all "
            f"databases of a Bayesian network, {size} times {records.count} records: expected at "
            f"most {_MOST_LISTED}; give --curve instead, or find quilts of any records with "
            f"calibrate --mechanism markov-quilt",
            where,
        )


def _largest(influences: Sequence[Bounds]) -> Leakage:
    largest = reduce(larger, influences, Bounds.none())
    return Leakage(largest.lower, largest.upper)
