"""Draws of one database, sorted into cells, and the questions to which they are counted."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.text import shown, text_of
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
from pufferproof.verify.programs.agreement.laws import Case, Coordinate, Sampling, asked_of, kept_within, label_of

if TYPE_CHECKING:
    from flint import arb
    from numpy.typing import NDArray

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


def _outputs(case: Case, sampling: Sampling) -> Any:
    """Return the function count -> outputs of a database."""
    if case.draws is not None:
        return case.draws
    parts: Any = case.argument if case.each else [case.argument]
    single = [sampling.draws_of(case.source, each) for each in parts]

    def draw(count: int) -> list[Any]:
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


def count_in(questions: Sequence[Asked], key: Hashable, counts: "NDArray[Any]") -> None:
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
        self.within = coordinate.within
        whole = self.noise.on_integers
        wanted = [self.value + edge for edge in _edges(self.noise)]
        if not whole:
            wanted = [Fraction(float(edge)) for edge in wanted]
        self.edges = sorted(set(kept_within(wanted, self.within)))
        self.standard = len(self.edges) == len(wanted)
        offsets = [edge - self.value for edge in self.edges]
        self.cells = between(offsets, lambda x: at_least(self.noise, x), whole)
        self.half = next((place for place, middle in enumerate(self.cells.middles()) if middle > 1 / 2), 0)
        self.questions: list[Asked] = []
        self.halves: list[Question] = []
        self.repeats: Question | None = None
        self.chance = 0.0

    @property
    def key(self) -> str:
        return text_of(self.value)

    def sort(self, numbers: Sequence[Any], label: str) -> "NDArray[Any]":
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
        cells: NDArray[Any] = np.searchsorted(edges, offsets, side="right")
        return cells


def _edges(noise: Noise) -> list[Fraction]:
    """Return points between which noise has cells, in order."""
    edges = {quantile(noise, 1 - share) for share in _QUANTILES}
    return sorted(edges | set(map(Fraction, _NEAR)) if noise.on_integers else edges)


def noisy_watches(cases: Sequence[Case], sampling: Sampling) -> Sequence[Watch]:
    values: dict[Coordinate, _Value] = {}
    for case in cases:
        for coordinate in case.coordinates:
            if coordinate not in values:
                values[coordinate] = _Value(coordinate)
    _ask(values)
    return [_NoisyWatch(case, [values[each] for each in case.coordinates], sampling) for case in cases]


def _ask(values: dict[Coordinate, "_Value"]) -> None:
    """Give values their questions: noise on all values with the same cells is pooled."""
    pools: dict[Noise, list[_Value]] = defaultdict(list)
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


def _ask_pool(pool: Sequence["_Value"], where: str, noise: Noise | None) -> None:
    laws: dict[Hashable, Cells] = {value.key: value.cells for value in pool}
    factors = _SCALES if noise is not None else ()
    scaled = {f"{text_of(factor)} times": _scaled(pool[0], factor) for factor in factors}
    questions = asked(laws, where, None, scaled)
    halves = [_halves(pool, f"half {where} after a draw {name}") for name in ("below", "above")]
    repeats = _repeats(pool, where)
    for value in pool:
        value.questions += questions
        value.halves, value.repeats = halves, repeats


def _scaled(value: "_Value", factor: Fraction) -> "NDArray[Any]":
    """Return the law on the cells of noise of another scale, in floats."""
    import numpy as np

    law = np.array(scaled_approx(value.noise, factor, [x - value.value for x in value.edges]))
    shares: NDArray[Any] = law / law.sum() * (1 - 1e-12)
    return shares


def _halves(pool: Sequence["_Value"], text: str) -> Question:
    """Return the question whether the half in which a draw lies depends on the draw before."""
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
            self._count_repeats(value, numbers)
        self._count_halves(halves)

    def _count_repeats(self, value: _Value, numbers: Sequence[Any]) -> None:
        import numpy as np

        if value.repeats is None:
            return
        for start in range(0, len(numbers), 500):
            part = numbers[start : start + 500]
            again = len(part) - len(set(part))
            value.repeats.add(value.key, np.array([again, len(part) - again]))

    def _count_halves(self, halves: "NDArray[Any]") -> None:
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


def _flat(output: object) -> list[Any]:
    """Return the numbers of an output, one after another."""
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, list | tuple):
        return [number for each in output for number in _flat(each)]
    return [output]
