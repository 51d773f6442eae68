"""The exact law of a program that draws random numbers: an output's probability is the sum over the
paths that end with it.

    P(y | x) = sum over paths with output y of (weights of discrete draws) P(half-spaces)

The probabilities are rational, or sums of rational multiples of powers of e; with Gumbel draws
quotients of such sums. When no path is left, they must sum to exactly 1; else `left` is what the
paths that were not run have together. A program that draws until something happens has infinitely
many paths. The law rests on three assumptions: the
program draws from its generator alone, it ends, and it is a function of its draws. The first paths
of each database are run twice, and every replayed choice is compared.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop
from time import thread_time
from typing import Any, NamedTuple

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Quotient
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, Segment, summed
from pufferproof.verify.programs.drawing.arrays import Operand, Symbol
from pufferproof.verify.programs.drawing.draws import ControlError
from pufferproof.verify.programs.drawing.generator import Generator
from pufferproof.verify.programs.noise import MIXED, Forms, Labels, Number, UnkeptError, queries_of
from pufferproof.verify.programs.paths import (
    AtOnceError,
    Choice,
    Frontier,
    LateError,
    RefusedError,
    Run,
    Step,
    choices,
    place_of,
    words_of,
)
from pufferproof.verify.programs.regions.integrals import Integrals
from pufferproof.verify.programs.regions.normal import NormalPolynomial
from pufferproof.verify.programs.regions.region import Denominator, Quotients, TooManyError
from pufferproof.verify.programs.repeating import Value
from pufferproof.verify.programs.watching.calls import Watch
from pufferproof.verify.programs.watching.orders import asks_identity
from pufferproof.verify.programs.watching.reach import Reach

# Reading ------------------------------------------------------------------------------------------
#
# What a program reads of a database: a program that asks for a count alone has one law for all
# databases of this count.
#
# A `Reading` stands for the text of a database and remembers every question about it and the
# answer. Two databases on which the questions of all paths have the same answers are likely to
# have the same paths. It is no proof, because a program can tell a `Reading` from text: `law` runs
# every path on the text of each database. A program that reads the text as a whole (goes through
# its characters, or hands it to a function written in C) has a search for each database.

_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))


class Reading:
    """The text of a database, behind the questions that a program asks.

    >>> reading = Reading("0110")
    >>> reading.count("1"), reading[0], reading.whole
    (2, '0', False)
    >>> reading.agrees("0101"), reading.agrees("1010"), reading.agrees("0111")
    (True, False, False)
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.whole = False  # whether the text itself was read
        self._answers: dict[tuple[str, tuple[Operand, ...]], object] = {}

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return str

    def agrees(self, text: str) -> bool:
        """Whether all questions have the same answers about another text."""
        for (name, given), answer in self._answers.items():
            try:
                plain = (slice(*each[1:]) if type(each) is tuple and each[:1] == (slice,) else each for each in given)
                other = getattr(text, name)(*plain)
            except Exception:
                return False
            if type(other) is not type(answer) or other != answer:
                return False
        return True

    def _ask(self, name: str, *given: object) -> Operand:
        plain = tuple(each.resolved() if isinstance(each, Symbol) else each for each in given)
        # a slice in a form that has a hash
        form = ((slice, x.start, x.stop, x.step) if isinstance(x, slice) else x for x in plain)
        question = name, tuple(form)
        answer = getattr(self.label, name)(*plain)
        try:
            self._answers[question] = answer
        except TypeError:  # an argument that has no hash
            self.whole = True
        return answer

    def _text(self) -> str:
        self.whole = True
        return self.label

    def __len__(self) -> int:
        return int(self._ask("__len__"))

    def __getitem__(self, place: object) -> Operand:
        return self._ask("__getitem__", place)

    def __contains__(self, part: object) -> bool:
        return bool(self._ask("__contains__", part))

    def __eq__(self, other: object) -> bool:
        same = other.label if type(other) is Reading else other
        return self is other or self._ask("__eq__", same) is True

    def __hash__(self) -> int:
        return hash(self._text())

    def __add__(self, other: Operand) -> Operand:
        return self._text() + other

    def __radd__(self, other: Operand) -> Operand:
        return other + self._text()

    def __getattr__(self, name: str) -> Operand:
        if name not in _METHODS:
            raise AttributeError(f"'str' object has no attribute '{name}'")

        def method(*given: object, **named: object) -> Operand:
            if named:
                return getattr(self._text(), name)(*given, **named)
            return self._ask(name, *given)

        return method


def _of_text(function: Callable[..., object]) -> Callable[..., object]:
    return lambda reading, *given: function(reading._text(), *given)


for _function in (iter, str, repr, format):
    setattr(Reading, f"__{_function.__name__}__", _of_text(_function))


# Law ----------------------------------------------------------------------------------------------

MOST_PATHS = 20_000  # runs for one database
_TWICE = 8  # paths of each database that are run a second time
_LITTLE = 2.0**-30  # left to other paths: they are run for a while only
_MORE = 4_000  # choices
_BARREN = 5_000  # choices without a path that ends, or as many as there may be runs
_CHOICES = 50  # of one run on average, replayed ones as well, if there is one database
_RUN = 10  # choices that take as long as to begin a run
_CALLS = 20  # calls of the program's own that take as long as a choice
_WAITING = 1_000  # branches that are run after others have nearly all of the probability
_SECONDS = 300.0  # of the processor, for all databases and `MOST_PATHS`: what is not counted ends
_DIGITS = 10**12  # squared bits of all probabilities, whose fractions take long
_EACH = 0.2  # of them, that each database has at least
_ESTIMATE = "estimate bounds its leakage from samples"
_FEW = 2  # databases that are all run
_NOTHING = Quotients({})
_ONE = ExponentialSum([(1, ONE)])
Mass = ExponentialSum | Quotient
Call = Callable[[Any, Any], object]  # of (database, rng), or what stands for these


class ProgramError(ModelError):
    """A program has no exact law here, is not a function of its draws, or raises."""


@dataclass(frozen=True)
class ProgramPath:
    """A path of a program: its output, its exact probability, and its choices in words."""

    output: str
    last: Step | None = field(repr=False)
    above: ExponentialPolynomial = field(repr=False)
    below: ExponentialSum = field(repr=False)

    @cached_property
    def probability(self) -> Mass:
        return _mass(self.above, self.below)

    @property
    def choices(self) -> list[Choice]:
        return choices(self.last)


@dataclass(frozen=True)
class Law:
    """The laws of a program on some databases: `masses[database][output]`, the `paths` behind
    them, and what is `left` to the paths that were not run. An output that is a number, or has one
    in it that is drawn, is one label, and `densities` has the density of the number; `noise` is the
    query with noise that the program is, if it is one, and `numbers` are then those that it puts
    out, in their order. `values` are the outputs, with their labels. Of outputs that are `unread`
    only the form is known, such as "a list of two numbers", and `never` has the databases without
    an output.
    """

    databases: tuple[str, ...]
    outputs: tuple[str, ...]
    masses: Mapping[str, Mapping[str, Mass]] = field(repr=False)
    paths: Mapping[str, tuple[ProgramPath, ...]] = field(repr=False)
    left: Mapping[str, Mass] = field(repr=False)
    densities: Mapping[str, Mapping[str, Piecewise]] = field(repr=False)  # over the denominator
    noise: AdditiveNoise | NoisyQueries | None = None
    stopped: str | None = None  # what ended a search, if it is "work", "digits" or "a clock"
    unread: frozenset[str] = frozenset()
    never: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    remarks: tuple[str, ...] = ()  # what to know of the program, with file and line
    values: Mapping[Value, str] = field(default_factory=dict, repr=False)  # the label of each
    numbers: Mapping[str, tuple[Number, ...]] = field(default_factory=dict, repr=False)

    @property
    def whole(self) -> bool:
        return not any(map(self.remains, self.databases))

    def remains(self, database: str) -> bool:
        return bool(_above(self.left[database]).terms)

    def below(self, database: str) -> ExponentialSum:
        return _below(self.left[database])

    def table(self) -> Channel | PowerTable | PartialTable | AdditiveNoise | NoisyQueries:
        """Return the law as a mechanism: a channel if all probabilities are rational, noise on a
        query if it is that, and a `PartialTable` if paths are left, or outputs have numbers that
        are drawn. What has an `unread` output is left as well: the law within it is any.
        """
        if self.noise is not None:
            return self.noise
        nothing = ExponentialSum([])
        entries = tuple(
            tuple(_above(self.masses[x].get(output, nothing)) for output in self.outputs) for x in self.databases
        )
        totals = tuple(_below(self.left[x]) for x in self.databases)
        drawn = {output for row in self.densities.values() for output in row}
        if self.whole and not drawn and not self.unread:
            return PowerTable(self.databases, self.outputs, entries, totals).simplified()
        inside = [self.outputs.index(output) for output in self.unread]
        left = tuple(
            sum((row[place] for place in inside), start=_above(self.left[x])) for x, row in zip(self.databases, entries)
        )
        numbers = {
            output: tuple(self.densities[x].get(output, Piecewise(())) for x in self.databases)
            for output in self.outputs
            if output in drawn
        }
        return PartialTable(self.databases, self.outputs, entries, left, numbers, totals=totals, impossible=self.never)


def _mass(above: ExponentialPolynomial, below: ExponentialSum) -> Mass:
    return above.sum() if below == _ONE else Quotient(above.sum(), below)


def _above(mass: Mass) -> ExponentialSum:
    return mass.above if isinstance(mass, Quotient) else mass


def _below(mass: Mass) -> ExponentialSum:
    return mass.below if isinstance(mass, Quotient) else _ONE


def law_of(call: Call, databases: Sequence[str], *, paths: int = MOST_PATHS, name: str = "program") -> Law:
    """Compute the exact law of `call(database, rng)` for every database.

    `rng` stands in for a `numpy.random.Generator`. `paths` is how many runs there may be for each
    database, most probable paths first, with 60 choices each on average, replayed ones too. All
    databases share as many (of 20,000 runs, if these are more), what is integrated counted as well;
    each has at least a fifth of that. No answer depends on how fast
    a machine is, unless the program itself computes for 300 seconds of the processor (with 20,000
    paths): `stopped` then says "a clock". What is left is counted. Outputs are labels by value:
    numbers that are equal are the same output, lists are tuples, and a text that reads like another
    output is quoted.

    >>> def answer(database, rng):
    ...     return database if rng.random() < 0.75 else "01"[rng.integers(2)]
    >>> law_of(answer, ["0", "1"]).table().probability("0", "0")
    Fraction(7, 8)
    >>> def ahead(database, rng):
    ...     return int(database) + rng.laplace() > 0
    >>> law_of(ahead, ["0", "1"]).table()  # P(1 + Z > 0) = 1 - e^-1 / 2
    PowerTable(2 databases, 2 outputs)

    Raises `ProgramError` unless the program is a function of draws whose comparisons are decided
    here, and does not raise an error itself: it names the line.

    Trust: the program draws from `rng` alone and ends.
    """
    databases = check_type(databases, Sequence[str], "databases")
    paths = check_type(paths, int, "paths")
    at_once = call.at_once if isinstance(call, Watch) else asks_identity(Reach(call))
    keeps, forms = True, None
    for _ in range(2):
        try:
            return _found(call, databases, paths, name, at_once, keeps, forms)
        except UnkeptError as unkept:
            keeps, forms = False, unkept.forms
        except AtOnceError:
            at_once = True
    return _found(call, databases, paths, name, at_once, keeps, forms)


def _found(
    call: Call, databases: Sequence[str], paths: int, name: str, at_once: bool, keeps: bool, forms: Forms | None
) -> Law:
    """Find a law; with `keeps` integers in outputs stay unknown, as noise does, and without it
    `forms` are what was found of them. Raises `UnkeptError` if they have to be listed,
    `AtOnceError` if truths have to be known at once.
    """
    known, labels = Integrals(), Labels()
    searches: dict[str, _Search] = {}
    readings: list[tuple[Reading, _Search]] | None = [] if len(databases) > _FEW else None
    work, done = (_CHOICES + _RUN) * max(paths, MOST_PATHS), 0
    seconds, begin = _SECONDS * max(1.0, paths / MOST_PATHS), thread_time()
    for i, x in enumerate(databases):
        share = (i + 1) / len(databases)
        until = max(begin + seconds * share, thread_time() + seconds * _EACH)
        limits = _Limits(paths, int(max(work * share - done, work * _EACH)), until)
        search = _Search(call, x, known, labels, limits, name, at_once, keeps)
        like = next((s for reading, s in readings or () if search.follows(reading, s)), None)
        searches[x] = like or search
        if like is None:
            search.find()
            done += search.work
            reading = search.read() if readings is not None else None
            readings = None if reading is None or readings is None else [*readings, reading]
    return _law(searches, labels, name, forms)


class _Output(NamedTuple):
    """An output: its value, and the numbers in it that are drawn."""

    value: Value
    numbers: tuple[Number, ...]


@dataclass(eq=False)
class _Leaf:
    output: "_Output"
    plain: ExponentialPolynomial
    race: Quotients
    density: Piecewise | str  # why the numbers are not read, if there is no density
    last: Step | None
    noted: list[Hashable]

    @cached_property
    def mass(self) -> Quotients:
        """The probability: the race is that of Gumbel draws."""
        return Quotients.of(self.plain) * self.race

    @property
    def unread(self) -> bool:
        """Whether it has numbers that are drawn, and no density."""
        return bool(self.output.numbers) and not isinstance(self.density, Piecewise)

    def bits(self) -> int:
        """Return how long the longest denominator is, of probabilities without normal laws."""
        if isinstance(self.plain, NormalPolynomial):
            return 0
        return max((int(q.q).bit_length() for q in self.plain.terms.values()), default=0)


class _Limits(NamedTuple):
    """How many runs there may be, how many choices, and until what time of the processor."""

    runs: int
    work: int
    until: float


@dataclass(eq=False)
class _Search:
    """The runs of a program on one database."""

    call: Call
    database: str
    known: Integrals
    labels: Labels
    limits: _Limits
    name: str
    at_once: bool
    keeps: bool
    leaves: list[_Leaf] = field(default_factory=list)
    listed: float = 0.0
    ended: bool = False  # whether every path was run
    stopped: str | None = None  # "work", "digits" or "a clock", if one of them ended the search
    digits: int = 0  # of the probabilities in bits, squared: how long fractions of them take
    choices: int = 0  # those that were replayed as well
    beside: int = 0  # what else was computed, in the time of as many choices
    work: int = 0  # both, and runs
    remarks: dict[str, None] = field(default_factory=dict)
    calls: int = 0  # most that the program made itself in a run in which they were counted

    @cached_property
    def over(self) -> Denominator:
        try:
            return Denominator(leaf.race for leaf in self.leaves)
        except TooManyError:
            what = (
                "its probabilities are quotients of sums that are too long: those of scores that "
                "are multiples of one number, as counts are, are short"
            )
            raise self._refused(RefusedError(what, "")) from None

    @cached_property
    def below(self) -> ExponentialSum:
        return self.over.value.sum()

    @cached_property
    def left(self) -> ExponentialPolynomial:
        """What is left to paths that were not run, times the denominator."""
        mass = self.over.above(sum((leaf.mass for leaf in self.leaves), _NOTHING))
        rest = self.over.value - mass
        enclosed = self.ended and isinstance(rest, NormalPolynomial) and rest.vanishes
        return ExponentialPolynomial(0, {}) if enclosed else rest

    def find(self) -> None:
        frontier = Frontier()
        frontier.add(None, 1.0)
        enough: int | None = None
        last = 0  # the choices up to the last path that ended
        for runs in range(self.limits.runs):
            work = self.choices + _RUN * runs
            barren = self.choices - last > max(_BARREN, self.limits.runs, last)
            self.work = work + self.beside
            self.stopped = self._over() if frontier.waiting else None
            done = enough is not None and work > enough
            if not frontier.waiting or barren or done or self.stopped:
                break
            leaf = self._leaf(heappop(frontier.waiting)[2], frontier)
            if leaf is not None:
                self.leaves.append(leaf)
                self.listed += leaf.mass.approx()
                self.digits += leaf.bits() ** 2
                last = self.choices
            if enough is None and 1 - self.listed < _LITTLE:  # it may end, or go on for ever
                enough = work + work // 4 + _MORE + _RUN * min(len(frontier.waiting), _WAITING)
        if not self.leaves:
            what = f"no path of it ends on database {self.database!r}: does a loop of it end"
            last_step = frontier.waiting[0][2]
            raise ProgramError(what, self._where(last_step.fork.where if last_step else ""))
        self.ended = not frontier.waiting
        if self.left.terms and self.ended:
            raise AssertionError(f"{self.name}: the paths of {self.database!r} do not sum to 1")

    def _over(self) -> str | None:
        """Return what ends the search: a count, or a clock, for which one path is awaited."""
        of_runs = (_CHOICES + _RUN) * self.limits.runs
        if self.work > self.limits.work or self.work - self.beside > of_runs:
            return "work"
        if self.digits > _DIGITS:
            return "digits"
        return "a clock" if self.leaves and thread_time() > self.limits.until else None

    def read(self) -> tuple[Reading, "_Search"] | None:
        """Return what all paths read of the database, or None if it is the whole of it: which other
        databases are worth a try.
        """
        reading = Reading(self.database)
        for leaf in self.leaves:
            if reading.whole or not self._replays(leaf, reading):
                return None
        return None if reading.whole else (reading, self)

    def follows(self, reading: Reading, other: "_Search") -> bool:
        """Whether the paths of another database are those of this one: each of them is run on this
        database, and has the same draws, choices and output.
        """
        if not reading.agrees(self.database):
            return False
        return all(self._replays(leaf, self.database) for leaf in other.leaves)

    def _made(self, last: Step | None, frontier: Frontier | None = None) -> Run:
        return Run(last, self.known, frontier, self.at_once, self.keeps)

    def _replays(self, leaf: _Leaf, database: str | Reading) -> bool:
        """Whether a path is one of a database, too."""
        run = self._made(leaf.last)
        try:
            value = self._run(run, database)
        except ProgramError:
            return False
        return value == leaf.output and run.step is leaf.last and run.noted == leaf.noted

    def _leaf(self, last: Step | None, frontier: Frontier) -> _Leaf | None:
        run, before = self._made(last, frontier), self.known.work
        value = self._run(run)
        self.calls = max(self.calls, run.calls)
        self.choices += run.made
        self.remarks |= run.remarks
        self.beside += self.calls // _CALLS + self.known.work - before
        if value is None:
            return None
        if len(self.leaves) < _TWICE:
            second = self._made(run.step)
            other = self._run(second)
            if (other, second.made, second.noted) != (value, run.made, run.noted):
                why = "it is not a function of its draws: the same draws gave two outputs"
                raise self._refused(RefusedError(why, ""))
        try:
            before = self.known.work
            masses = run.mass(), run.race()
            leaf = _Leaf(value, *masses, run.density(), run.step, run.noted)
            self.beside += self.known.work - before
        except RefusedError as refusal:
            raise self._refused(refusal) from None
        density = leaf.density
        if isinstance(density, Piecewise) and (density.mass() - leaf.plain).sum().terms:
            raise AssertionError(f"{self.name}: a density does not have the mass of its path")
        return leaf

    def _run(self, run: Run, database: str | Reading | None = None) -> _Output | None:
        """Run the program, and return its output; None if the run was stopped for others."""
        value = None
        try:
            output = self.call(self.database if database is None else database, Generator(run))
            run.ended = True
            if run.dead is None:
                labels = Labels() if run.again else self.labels  # what is tried is no output
                value = _Output(labels.value(output, run), tuple(run.numbers))
        except ControlError as ended:
            run.dead = run.dead or ended
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if run.dead is None:
                what = f"raises {words_of(error)}{self._when(run)}"
                raise ProgramError(what, self._where(place_of(error))) from error
        if isinstance(run.dead, AtOnceError):
            raise run.dead
        if isinstance(run.dead, LateError):
            raise self._refused(run.dead, self._when(run)) from None
        if isinstance(run.dead, RefusedError):  # the program may have caught it
            raise self._refused(run.dead) from None
        if run.dead is None and run.made < len(run.replayed):
            why = "it is not a function of its draws: a run makes fewer choices than one before"
            raise self._refused(RefusedError(why, ""))
        return None if run.dead else value

    def _refused(self, refusal: RefusedError, when: str = "") -> ProgramError:
        return ProgramError(f"{refusal.why}{when} ({_ESTIMATE})", self._where(refusal.where))

    def _where(self, place: str) -> str:
        return f"{self.name}, {place}" if place else self.name

    def _when(self, run: Run) -> str:
        """Return in words on which database a run is, and after which draws."""
        made = choices(run.step)[-4:]
        after = f" after {', '.join(each.question for each in made)}" if made else ""
        return f" on database {self.database!r}{after}"


def _law(searches: Mapping[str, _Search], labels: Labels, name: str, forms: Forms | None) -> Law:
    rows = [search.leaves for search in searches.values()]
    noise = _noise(rows, list(searches))
    every = [leaf for leaves in rows for leaf in leaves]
    unread = [] if not isinstance(noise, str) else [leaf for leaf in every if leaf.unread]
    if unread:
        forms = _forms(searches)
        apart = any(forms.without(leaf.output.value) for leaf in every)
        single = all(len(leaf.output.numbers) == 1 for leaf in unread)
        if forms.whole and (single or not apart):
            raise UnkeptError(forms)
        if not apart:
            raise ProgramError(f"{unread[0].density or noise} ({_ESTIMATE})", name)
    texts = labels.texts()
    masses, paths, left, densities = {}, {}, {}, {}
    for database, search in searches.items():
        row: dict[str, ExponentialPolynomial] = {}
        pieces: dict[str, list[Segment]] = {}
        listed = []
        for leaf in search.leaves:
            text, mass = texts[leaf.output.value], search.over.above(leaf.mass)
            if isinstance(leaf.density, Piecewise):
                density = leaf.density.scaled(search.over.above(leaf.race))
                pieces.setdefault(text, []).extend(density.segments)
            row[text] = row[text] + mass if text in row else mass
            listed.append(ProgramPath(text, leaf.last, mass, search.below))
        masses[database] = {text: _mass(mass, search.below) for text, mass in row.items()}
        paths[database] = tuple(listed)
        left[database] = _mass(search.left, search.below)
        densities[database] = {text: summed(each) for text, each in pieces.items()}
    stopped = next((each.stopped for each in searches.values() if each.stopped), None)
    never = {text: forms.without(value) for value, text in texts.items()} if forms else {}
    remarks = tuple({remark: None for each in searches.values() for remark in each.remarks})
    return Law(
        tuple(searches),
        tuple(texts.values()),
        masses,
        paths,
        left,
        densities,
        None if isinstance(noise, str) else noise,
        stopped,
        frozenset(texts[leaf.output.value] for leaf in unread),
        {text: nowhere for text, nowhere in never.items() if nowhere},
        remarks,
        texts,
        {} if isinstance(noise, str) else {x: row[0].output.numbers for x, row in zip(searches, rows)},
    )


def _forms(searches: Mapping[str, _Search]) -> Forms:
    values = {
        x: frozenset(leaf.output.value for leaf in search.leaves) if search.ended else None
        for x, search in searches.items()
    }
    numbers = (n for search in searches.values() for leaf in search.leaves for n in leaf.output.numbers)
    return Forms(values, any(number.whole for number in numbers))


def _noise(rows: Sequence[Sequence[_Leaf]], databases: Sequence[str]) -> AdditiveNoise | NoisyQueries | str:
    alone = all(len(leaves) == 1 and leaves[0].plain.value() == 1 for leaves in rows)
    first = rows[0][0].output
    if not alone or any(leaves[0].output.value != first.value for leaves in rows):
        return MIXED
    if not first.numbers:
        return ""
    return queries_of({x: leaves[0].output.numbers for x, leaves in zip(databases, rows)})
