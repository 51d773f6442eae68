"""Does an object of another library draw by the law that was read? Its own draws, as an e-value.

The law is fixed first, and so are cells and bets (`questions`). If draws are independent and follow
the law, the mean of all bets has mean at most 1 at any time, and ever reaches 1 / error with
probability at most `error`: draws stop as soon as it does, or when time is over. What is found is
proved in enclosures. That nothing is found proves nothing.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.interface.kinds import check_type, value_of
from pufferproof.models.interface.readable import Readable
from pufferproof.models.mechanisms.library import LibraryMechanism, Named
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.enclosures import ball, log_approx
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.text import JsonObject, shown, text_of
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.programs.agreement import laws
from pufferproof.verify.programs.agreement.cells import (
    Asked,
    Cells,
    Question,
    asked,
    at_least,
    between,
    largest_density,
    quantile,
    scaled_approx,
)
from pufferproof.verify.programs.agreement.laws import (
    NOTHING,
    Case,
    Clamped,
    Coordinate,
    Draws,
    Sampling,
    Source,
    Table,
    asked_of,
    handed,
    label_of,
    takes_list,
)

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# Draws of one database, sorted into cells, and the questions to which they are counted.

_QUANTILES = sorted({k / 32 for k in range(1, 32)} | {x for k in (6, 8, 10) for x in (2.0**-k, 1 - 2.0**-k)})
_NEAR = range(-8, 10)  # integers that are cells of their own
_SCALES = [Fraction(k, 100) for k in (50, 80, 90, 95, 98, 102, 105, 110, 125, 200)]
_REPEATED = (1 / 2, 1 / 100)  # shares of repeated numbers that are bet on
_FLOAT = 2.0**-52
_MOST_REPEATED, _ROOM = 1e-3, 1e-9  # probability that a number repeats, of floats
_OWN = ("distance", "half", "tails of 0.125")  # questions for each value by itself


class ImpossibleError(Exception):
    """An output that the law rules out."""


class Watch:
    """One database that is drawn from."""

    asked: list[Asked]

    def draw(self, count: int) -> None:
        """Count so many draws. Raises `ImpossibleError` for an output that the law rules out."""
        raise NotImplementedError


def watches_of(cases: Sequence[Case]) -> Sequence[Watch]:
    """Return the databases with their questions."""
    sampling = Sampling()
    if cases[0].cells is not None:
        return [_ListedWatch(case, sampling) for case in cases]
    if any(case.drawn is not None for case in cases):
        known = asked_of([(case.label, case.drawn) for case in cases if case.drawn is not None])
        return [_DensityWatch(case, known[case.label], sampling) for case in cases]
    return noisy_watches(cases, sampling)


def _outputs(case: Case, sampling: Sampling) -> Draws:
    if case.draws is not None:
        return case.draws
    parts: Source = case.argument if case.each else [case.argument]
    single = [sampling.draws_of(case.source, each) for each in parts]

    def draw(count: int) -> Sequence[Source]:
        try:
            found = [each(count) for each in single]
        except Exception as error:  # of the library, of several kinds
            reason = str(error).strip().partition("\n")[0][:120]
            raise ModelError(f"cannot draw, {type(error).__name__}: {reason}", case.label) from None
        return list(zip(*found)) if case.each else found[0]

    return draw


class _ListedWatch(Watch):
    """Outputs that are listed."""

    def __init__(self, case: Case, sampling: Sampling) -> None:
        assert case.cells is not None
        self._case, self._draw = case, _outputs(case, sampling)
        self._place = {output: place for place, output in enumerate(case.outputs)}
        self._possible = [bool(chance > 0) for chance in case.cells.chances]
        self.asked = asked({case.label: case.cells}, f'of "{case.label}"')

    def draw(self, count: int) -> None:
        import numpy as np

        counts = np.zeros(len(self._place), dtype=np.int64)
        named = self._case.named
        for output in self._draw(count):
            name = named(output) if named else label_of(output, self._place)
            place = self._place.get(name, -1)
            if place < 0 or not self._possible[place]:
                raise ImpossibleError(f'{shown(output)} of "{self._case.label}", which has probability 0')
            counts[place] += 1
        count_in(self.asked, self._case.label, counts)


class _DensityWatch(Watch):
    """Numbers with a density, and other outputs by their labels."""

    def __init__(self, case: Case, questions: list[Asked], sampling: Sampling) -> None:
        self._case, self._draw, self.asked = case, _outputs(case, sampling), questions

    def draw(self, count: int) -> None:
        assert self._case.drawn is not None
        outputs, named = self._draw(count), self._case.named
        counts, outside = self._case.drawn.sort(list(map(named, outputs)) if named else outputs)
        if outside:
            raise ImpossibleError(f'{shown(outside[0])} of "{self._case.label}", which has probability 0')
        count_in(self.asked, self._case.label, counts)


def count_in(questions: Sequence[Asked], key: Hashable, counts: "NDArray[np.int64]") -> None:
    import numpy as np

    for each in questions:
        cells = len(each.question.cells)
        joined = np.bincount(each.grouping, weights=counts, minlength=cells)
        each.question.add(key, joined.astype(np.int64))


class _Value:
    """Noise on one value: cells between edges that are floats, so that outputs are compared
    exactly.
    """

    def __init__(self, coordinate: Coordinate) -> None:
        self.noise, self.value = coordinate.noise, coordinate.value
        self.key, self.within = text_of(self.value), coordinate.within
        whole = self.noise.on_integers
        edges = {quantile(self.noise, 1 - share) for share in _QUANTILES}
        wanted = [
            self.value + edge for edge in sorted(edges | set(map(Fraction, _NEAR)) if self.noise.on_integers else edges)
        ]
        if not whole:
            wanted = [Fraction(float(edge)) for edge in wanted]
        # clamped outputs lie on the same side of these as the unclamped ones
        low, high = self.within or (-math.inf, math.inf)
        self.edges = sorted({edge for edge in wanted if low < edge <= high})
        self.standard = len(self.edges) == len(wanted)
        offsets = [edge - self.value for edge in self.edges]
        self.cells = between(offsets, lambda x: at_least(self.noise, x), whole)
        self.half = next((place for place, middle in enumerate(self.cells.middles()) if middle > 1 / 2), 0)
        self.questions: list[Asked] = []
        self.halves: list[Question] = []
        self.repeats: Question | None = None
        self.chance = 0.0

    def sort(self, numbers: Sequence[Source], label: str) -> "NDArray[np.intp]":
        """Return the cell of every output. Raises `ImpossibleError` for what is no such number."""
        import numpy as np

        for number in numbers:
            whole = isinstance(number, int) or (isinstance(number, float) and number.is_integer())
            finite = isinstance(number, int | float) and abs(number) < float("inf")
            if not finite or (self.noise.on_integers and not whole):
                raise ImpossibleError(f'{shown(number)} of "{label}", which noise does not give')
            if self.within and not self.within[0] <= Fraction(number) <= self.within[1]:
                raise ImpossibleError(f'{shown(number)} of "{label}", outside the bounds')
        if self.noise.on_integers:
            start = int(self.value)
            offsets = np.array([float(int(number) - start) for number in numbers])
            edges = np.array([float(edge - self.value) for edge in self.edges])
        else:
            offsets, edges = np.array(numbers, dtype=float), np.array(list(map(float, self.edges)))
        cells: NDArray[np.intp] = np.searchsorted(edges, offsets, side="right")
        return cells


def noisy_watches(cases: Sequence[Case], sampling: Sampling) -> Sequence[Watch]:
    values: dict[Coordinate, _Value] = {}
    for case in cases:
        for coordinate in case.coordinates:
            if coordinate not in values:
                values[coordinate] = _Value(coordinate)
    pools: dict[Noise, list[_Value]] = defaultdict(list)  # noise on all values with the same cells
    for value in values.values():
        if value.standard:
            pools[value.noise].append(value)
        else:
            _ask_pool([value], f"on {value.key}", None)
    for noise, pool in pools.items():
        _ask_pool(pool, "of the noise", noise)
        for value in pool if len(pool) > 1 else ():
            own: dict[Hashable, Cells] = {value.key: value.cells}
            value.questions += asked(own, f"on {value.key}", _OWN)
    return [_NoisyWatch(case, [values[each] for each in case.coordinates], sampling) for case in cases]


def _ask_pool(pool: Sequence["_Value"], where: str, noise: Noise | None) -> None:
    import numpy as np

    laws: dict[Hashable, Cells] = {value.key: value.cells for value in pool}
    factors = _SCALES if noise is not None else ()
    scaled = {}  # the laws on the cells of noise of other scales, in floats
    for factor in factors:
        law = np.array(scaled_approx(pool[0].noise, factor, [x - pool[0].value for x in pool[0].edges]))
        scaled[f"{text_of(factor)} times"] = law / law.sum() * (1 - 1e-12)
    questions = asked(laws, where, None, scaled)
    halves = [_halves(pool, f"half {where} after a draw {name}") for name in ("below", "above")]
    repeats = _repeats(pool, where)
    for value in pool:
        value.questions += questions
        value.halves, value.repeats = halves, repeats


def _halves(pool: Sequence["_Value"], text: str) -> Question:
    from flint import arb

    laws: dict[Hashable, Sequence[arb]] = {}
    for value in pool:
        below = sum(value.cells.chances[: value.half], arb(0))
        laws[value.key] = [below, 1 - below]
    return Question(text, ("below", "above"), laws)


def _repeats(pool: Sequence["_Value"], where: str) -> Question | None:
    """Return the question whether numbers repeat, which real numbers never do, and floats seldom:
    two agree with a probability of at most the density times their distance.
    """
    if any(value.noise.on_integers or value.within for value in pool):
        return None
    laws: dict[Hashable, Sequence[arb]] = {}
    for value in pool:
        size = max(map(abs, [*map(float, value.edges), float(value.value)]))
        value.chance = largest_density(value.noise) * size * _FLOAT * 64
        chance = value.chance * 500 + _ROOM
        if chance > _MOST_REPEATED:
            return None
        laws[value.key] = [ball(Fraction(chance)), ball(1 - Fraction(chance))]
    shares = [(share, 1 - share) for share in _REPEATED]
    return Question(f"repeated numbers {where}", ("repeated", "new"), laws, shares, mixed=False)


class _NoisyWatch(Watch):
    """Noise on numbers."""

    def __init__(self, case: Case, values: Sequence[_Value], sampling: Sampling) -> None:
        self._case, self._values, self._draw = case, values, _outputs(case, sampling)
        self._before: int | None = None
        questions: dict[int, Asked] = {}
        for value in values:
            extra = [*value.halves, *([value.repeats] if value.repeats else [])]
            for each in [*value.questions, *(Asked(question, []) for question in extra)]:
                questions[id(each.question)] = each
        self.asked = list(questions.values())

    def draw(self, count: int) -> None:
        import numpy as np

        rows = [_flat(output) for output in self._draw(count)]
        width = len(self._values)
        wrong = next((row for row in rows if len(row) != width), None)
        if wrong is not None:
            found = f'{shown(wrong)} of "{self._case.label}"'
            raise ImpossibleError(f"{found}: expected {width} numbers")
        halves = np.zeros((count, width), dtype=np.int64)
        for place, value in enumerate(self._values):
            numbers = [row[place] for row in rows]
            cells = value.sort(numbers, self._case.label)
            counts = np.bincount(cells, minlength=len(value.cells.chances))
            count_in(value.questions, value.key, counts)
            halves[:, place] = cells >= value.half
            if value.repeats is not None:
                parts = [numbers[start : start + 500] for start in range(0, len(numbers), 500)]
                for part in parts:
                    again = len(part) - len(set(part))
                    value.repeats.add(value.key, np.array([again, len(part) - again]))
        self._count_halves(halves)

    def _count_halves(self, halves: "NDArray[np.int64]") -> None:
        """Count by the half of the draw before, coordinate after coordinate."""
        import numpy as np

        order = halves.ravel()
        before = np.concatenate([[-1 if self._before is None else self._before], order[:-1]])
        for place, value in enumerate(self._values):
            own, last = halves[:, place], before.reshape(halves.shape)[:, place]
            for context, question in enumerate(value.halves):
                above = int((own[last == context] == 1).sum())
                all_of = int((last == context).sum())
                question.add(value.key, np.array([all_of - above, above]))
        self._before = int(order[-1])


def _flat(output: object) -> list[object]:
    """Return the numbers of an output, one after another."""
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, list | tuple):
        return [number for each in output for number in _flat(each)]
    return [output]


ERROR = Fraction(1, 1_000_000)
_STEP = 0.03  # seconds of draws between two looks
_LARGEST = 20_000
_FIRST, _FIXED = 10, 500  # draws of steps whose numbers do not depend on time, which double
_SLACK = 1e-6  # nats, of floats
_TABLES = (Channel, PowerTable, PartialTable)


@dataclass(frozen=True, repr=False)
class Agreement(Readable):
    """What draws of an object say about a law.

    `log_e` is the logarithm of the e-value, a proved lower bound if the verdict is "disagrees", and
    `inf` after an output that the law rules out; `tells` says which outputs tell.
    """

    verdict: Literal["disagrees", "nothing found"]
    draws: int
    log_e: float
    error: Fraction
    tells: str
    seconds: float

    def beside(self, other: "Agreement") -> "Agreement":
        """Return what two comparisons say together, of draws that are independent: the product of
        e-values is one.
        """
        draws, seconds = self.draws + other.draws, self.seconds + other.seconds
        return replace(other, draws=draws, log_e=self.log_e + other.log_e, seconds=seconds)

    def as_json(self) -> JsonObject:
        """Return the object of the file formats; an infinite e-value is a text."""
        return {
            "verdict": self.verdict,
            "draws": self.draws,
            "log_e": "inf" if math.isinf(self.log_e) else self.log_e,
            "error": text_of(self.error),
            "tells": self.tells,
        }

    @property
    def e(self) -> str:
        """The e-value as people read it."""
        return "infinite" if math.isinf(self.log_e) else f"e^{self.log_e:.1f}"

    def __str__(self) -> str:
        goal = log_approx(1 / self.error)
        if self.verdict == "disagrees":
            return f"disagrees after {self.draws} draws: {self.tells}; e-value {self.e}"
        return f"nothing found in {self.draws} draws; e-value {self.e}, refused from e^{goal:.1f} on"


def agrees(
    source: object,
    reading: object,
    inputs: object = None,
    query: str | None = None,
    *,
    seconds: float = 1.0,
    draws: int | None = None,
    error: object = ERROR,
) -> Agreement:
    """Compare an object's own draws with the law that was read, by bets that hold at any time.

    Args:
        source: an OpenDP measurement, a diffprivlib mechanism, a frozen SciPy distribution, or a
            dict of database -> object, as `as_mechanism` takes it.
        reading: what `as_mechanism` returned; or a channel, table or noise that the object should
            follow, with `inputs` and `query`.
        inputs: what the object gets, as `as_mechanism` takes it; by default what `reading` says.
        query: of `Records`; by default what `reading` says.
        seconds: of wall clock that it may take; one call of the object is never cut off.
        draws: at most so many draws: with a seeded object, the answer is then always the same.
        error: the probability with which an object that is right is told to disagree, at most.

    An e-value is the factor that bets against the law have won. From 1 / error on the verdict is
    "disagrees"; before, it is "nothing found", which proves nothing. Up to 16 databases are drawn
    from. Draws of OpenDP cannot be seeded.

    >>> from scipy import stats
    >>> noise = stats.laplace(scale=2)
    >>> from pufferproof.models.noise.additive import AdditiveNoise, Noise
    >>> read = AdditiveNoise({"a": 0, "b": 1}, Noise.laplace("2.2"))
    >>> agrees(noise, read, {"a": 0, "b": 1}, draws=50_000).verdict
    'disagrees'

    Raises `ModelError` unless the object draws, and the law is one that draws are compared with.
    """
    seconds = check_type(seconds, float, "seconds")
    draws = check_type(draws, int | None, "draws")
    share = probability(error, "error")
    if not 0 < share < 1:
        raise ModelError("expected a probability between 0 and 1", "error")
    if seconds <= 0 or (draws is not None and draws < 1):
        raise ModelError("expected seconds above 0, and at least one draw", "draws")
    with extras:
        from pufferproof.models.mechanisms.adapters.opendp.measurements import resolved
    start = time.perf_counter()
    cases = cases_of(resolved(source), reading, inputs, query)
    return run(watches_of(cases), start, seconds, draws, share)


def checked(source: object, reading: LibraryMechanism) -> LibraryMechanism:
    """Return a reading with the number of draws that it was compared with among its notes.

    Raises `ModelError` if the draws disagree.
    """
    found = agrees(source, reading)
    if found.verdict == "disagrees":
        raise ModelError(
            f"{reading.source} does not draw by the law that its parameters give: {found}. Try "
            "another version of the library; estimate bounds the object from its own draws",
            "mechanism",
        )
    note = f"nothing found against it in {found.draws} draws"
    return replace(reading, notes=(*reading.notes, note))


def cases_of(source: object, reading: object, inputs: object = None, query: str | None = None) -> list[Case]:
    """Return what is drawn, with the law of each."""
    clamped: Clamped = ()
    named: Sequence[Named | None] = (None,)
    if isinstance(reading, LibraryMechanism):
        if reading.table or reading.given is None:
            raise ModelError("a table is its own law, and draws nothing to compare", "check")
        if "make_population_amplification" in reading.source:
            raise ModelError("OpenDP draws no sample itself: draws are not compared", "check")
        if "make_private_lazyframe" in reading.source:
            raise ModelError("draws of plans of Polars are frames, and are not compared", "check")
        inputs = reading.given.inputs if inputs is None else inputs
        query, clamped = query or reading.given.query, reading.given.within
        named = reading.given.named
        if len(named) > 1 and any(named):
            raise ModelError(
                "bit vectors, or keys from a threshold on, in a composition are not compared with "
                "their draws: check each alone",
                "check",
            )
    form, given = value_of(reading), value_of(inputs)
    if isinstance(form, PostProcessed):
        raise ModelError(
            "a function changes the outputs, so that draws are not compared with the law before "
            "it: check the measurement inside",
            "mechanism",
        )
    if isinstance(source, Mapping):
        return _of_own(source, form)
    if isinstance(given, Records):
        return _of_records(source, form, given, query, clamped, named[0])
    if not isinstance(given, Mapping) or not given:
        raise ModelError(
            f"expected what the object gets, a dict of database -> argument or Records, found {shown(inputs)}", "inputs"
        )
    return _of_arguments(source, form, given, clamped, named[0])


def _of_own(sources: Mapping[str, object], form: object) -> list[Case]:
    if not isinstance(form, _TABLES):
        raise ModelError(
            f"draws are not compared with a {type(form).__name__}: expected a table of "
            "probabilities for a dict of database -> object",
            "reading",
        )
    if not sources:
        raise ModelError("expected an object for every database, found none", "mechanism")
    chosen = laws.spread(list(sources), lambda label: _row_key(form, label))
    return [laws.listed(label, sources[label], NOTHING, form, label) for label in chosen]


def _of_arguments(
    source: object, form: object, given: Mapping[str, object], clamped: Clamped, named: Named | None
) -> list[Case]:
    if isinstance(form, _TABLES):
        chosen = laws.spread(list(given), lambda label: _row_key(form, label))
        return [laws.listed(x, source, given[x], form, x, named=named) for x in chosen]
    coordinates = {label: laws.coordinates_of(form, label, None, clamped) for label in given}
    return _noisy(source, coordinates, given)


def _noisy(source: object, coordinates: Mapping[str, Sequence[Coordinate]], given: Mapping[str, object]) -> list[Case]:
    ordered = sorted(coordinates, key=lambda label: [each.value for each in coordinates[label]])
    chosen = laws.spread(ordered, lambda label: tuple(coordinates[label]))
    return [Case(label, source, given[label], coordinates=coordinates[label]) for label in chosen]


def _of_records(
    source: object, form: Source, records: Records, query: str | None, clamped: Clamped, named: Named | None
) -> list[Case]:
    if isinstance(form, LocalMechanism):
        return laws.of_local(form, source, lambda value: handed(source, value))
    listed = isinstance(form, _TABLES)
    labels: Sequence[str] = form.databases if listed else laws.databases_of(records)
    each = query is None and not takes_list(source)
    given: dict[str, object] = {}
    for label in labels:
        if query is None:
            given[label] = [handed(source, value) for value in laws.split(label, records)]
        else:
            numbers = [handed(source, value) for value in laws.values_of(query, label, records)]
            given[label] = numbers if query == "histogram" else numbers[0]
    if listed:
        chosen = laws.spread(labels, lambda label: _row_key(form, label))
        return [laws.listed(x, source, given[x], form, x, each, named) for x in chosen]
    coordinates = {label: laws.coordinates_of(form, label, records, clamped) for label in labels}
    return _noisy(source, coordinates, given)


def _row_key(form: Table, label: str) -> object:
    if isinstance(form, Channel):
        return tuple(form.probability(label, each) for each in form.outputs)
    row = row_of(form, label)
    if isinstance(form, PartialTable):
        densities = tuple(each[row] for each in form.densities.values())
        return form.entries[row], form.left[row], form.total(row), densities
    return form.entries[row], form.totals[row]


def run(
    watches: Sequence[Watch],
    start: float,
    seconds: float,
    most: int | None,
    error: Fraction,
    clock: Callable[[], float] = time.perf_counter,
    stops: Sequence[int] = (),
) -> Agreement:
    """Draw until the bets have won enough, or time or draws are over; every other time from the
    database whose bets have won most. With `stops` the time is looked at after so many draws only:
    they go on if less than a fifth of it is over, so that few answers depend on the machine.
    """
    drawn, step = 0, 0
    size = 1 if most is None else _FIRST
    goal = log_approx(1 / error)
    book = _Book(watches)
    while most is None or drawn < most:
        watch = watches[step // 2 % len(watches)] if step % 2 == 0 else book.richest()
        before = clock()
        stop = next((each for each in stops if each > drawn), most)
        count = size if stop is None else min(size, stop - drawn)
        try:
            watch.draw(count)
        except ImpossibleError as outside:
            return _answer(clock() - start, drawn + count, math.inf, error, str(outside))
        drawn, step = drawn + count, step + 1
        if book.update(watch) > goal + _SLACK:
            log_e, tells = book.proved()
            if log_e >= goal:
                return _answer(clock() - start, drawn, log_e, error, tells)
        now = clock()
        limit = seconds
        if stops:
            limit = seconds / 5 if drawn in stops else math.inf
        if now - start >= limit:
            break
        if most is None:
            size = _next_size(size, count, now - before, seconds - (now - start))
        else:
            size = min(2 * size, _FIXED)
    return _answer(clock() - start, drawn, book.log_e, error, "", found=False)


def _answer(spent: float, draws: int, log_e: float, error: Fraction, tells: str, found: bool = True) -> Agreement:
    return Agreement("disagrees" if found else "nothing found", draws, log_e, error, tells, spent)


def _next_size(size: int, count: int, took: float, left: float) -> int:
    """Return how many draws fill a step, in hundreds if there are many."""
    fitting = int(min(_STEP, max(left, 0)) * count / max(took, 1e-6))
    fitting = max(1, min(fitting, 8 * size, _LARGEST))
    return fitting if fitting < 100 else fitting // 100 * 100


class _Book:
    """What all bets have won: the mean over all questions."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        import numpy as np

        self._watches = watches
        questions = {id(each.question): each.question for w in watches for each in w.asked}
        self._questions = list(questions.values())
        self._place = {key: place for place, key in enumerate(questions)}
        self._logs = np.zeros(max(len(questions), 1))  # a law of one output asks nothing
        self._of = [[self._place[id(each.question)] for each in w.asked] for w in watches]
        self.log_e = 0.0

    def richest(self) -> Watch:
        best = max(range(len(self._watches)), key=lambda at: max(self._logs[self._of[at]], default=0.0))
        return self._watches[best]

    def update(self, watch: Watch) -> float:
        """Look at the questions of a database again; return the logarithm of the mean in floats."""
        import numpy as np

        for place in self._of[self._watches.index(watch)]:
            self._logs[place] = self._questions[place].log_wealth_approx()
        top = float(self._logs.max())
        self.log_e = top + math.log(float(np.exp(self._logs - top).mean()))
        return self.log_e

    def proved(self) -> tuple[float, str]:
        """Return a lower bound of the logarithm of the mean, and what the best question shows."""
        from flint import arb

        best = self._questions[int(self._logs.argmax())]
        others = sum((q.log_wealth().exp() for q in self._questions), arb(0))
        log_e = float((others / len(self._questions)).log().lower())
        return log_e, best.finding()
