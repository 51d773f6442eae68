"""The smallest collapse: fewest outputs, fewest different rows, smallest denominators, within given
budgets.

The order is explicit. A collapse is smaller than another by (releases, outputs in total, different
rows, largest denominator, sum of all numerators and denominators, the entries themselves): the
first difference decides. The number of releases is settled by `search_collapse`; the rest is
minimised here, one component after the other, over mechanisms of one form: releases within one
budget share a mechanism, and each of them contributes an output of its own to what reveals
everything. Z3 and cvc5 decide whether a smaller one exists; every stage either proves its minimum
or, out of time, keeps the best so far and is not listed as proved.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

from pufferproof.counterexamples.collapse.search import Collapse, given_columns, ratio_near, verify_collapse
from pufferproof.counterexamples.collapse.threshold import in_cone, leaking_everything, model_of, sum_of
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.separation import Limit, Undecided, reached, targets
from pufferproof.models.channel import Channel
from pufferproof.models.errors import SolverError, extras
from pufferproof.models.numbers.proportions import solving

if TYPE_CHECKING:
    from z3 import ArithRef, RatNumRef

STAGES = ("outputs", "rows", "denominator", "sum", "entries")
_ACCURACY = 64
_LARGEST_DENOMINATOR = 24
# of all mechanisms side by side, one per database of `Columns.databases`
Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Shrunk:
    """A collapse and the stages of `STAGES` whose minimum is proved, given the ones before."""

    collapse: Collapse
    proved: tuple[str, ...]


def _simplicity(value: Fraction) -> int:
    """Return the sum of numerator and denominator: the less, the simpler."""
    return value.numerator + value.denominator


def shrink_collapse(collapse: Collapse, seconds: float | None = None) -> Shrunk:
    """Return the smallest collapse with the same budgets and releases, by the order of this module.

    >>> from pufferproof import Framework, Table
    >>> from pufferproof.counterexamples.collapse.search import search_collapse
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> small = shrink_collapse(search_collapse(framework, ["log(1)"]))
    >>> [[str(p) for p in small.collapse.mechanisms[0].numerators_of(x)] for x in range(3)]
    [['1', '1'], ['0', '1'], ['1', '0']]

    Args:
        seconds: when to stop; without it work is counted, not timed. At a limit the best so far is
            returned, with what was proved of it.
    """
    shrinker = _Shrinker(collapse, Limit(seconds))
    best, proved = shrinker.run()
    if best is None:
        return Shrunk(collapse, ())
    smaller = shrinker.collapse(best)
    verify_collapse(smaller)
    exact = all(level.ratio is not None for level in collapse.budgets)
    return Shrunk(smaller, proved if exact else ())


@dataclass(frozen=True)
class _Form:
    """How many outputs each mechanism has, and (mechanism, output) of every release built."""

    outputs: tuple[int, ...]
    releases: tuple[tuple[int, int], ...]

    def place(self, mechanism: int, output: int) -> int:
        return sum(self.outputs[:mechanism]) + output


class _Shrinker:
    def __init__(self, collapse: Collapse, limit: Limit) -> None:
        self.first, self.limit = collapse, limit
        self.columns = Columns(collapse.framework)
        self.levels = list(dict.fromkeys(collapse.budgets))
        record = None if collapse.per_record is None else ratio_near(collapse.per_record, _ACCURACY, 0)
        self.cones = [self.columns.cone(ratio_near(level, _ACCURACY, 0), record) for level in self.levels]
        given = None if collapse.given is None else given_columns(self.columns, collapse.given)
        self.targets = targets(self.columns, given)
        self.given = given
        self.best: tuple[_Form, Rows] | None = None
        self.proved: list[str] = []

    def run(self) -> tuple[tuple[_Form, Rows] | None, tuple[str, ...]]:
        """Minimise stage by stage; return the best mechanisms and the stages that are proved."""
        # whatever stops it, the best so far is an answer, with what is proved of it
        with suppress(Undecided), solving("Z3", Undecided):
            self._minimise()
        return self.best, tuple(self.proved)

    def _minimise(self) -> None:
        model = self._fewest_outputs()
        if model is None:
            return
        for stage in model.stages():
            for rows in stage():
                self.best = model.form, rows
            self.proved.append(STAGES[len(self.proved)])

    def _fewest_outputs(self) -> "_Model | None":
        """Return the mechanisms of the first form that has a model, None if none has."""
        for form in self._forms():
            model = _Model(self, form)
            rows = model.rows()
            if rows is not None:
                self.best = form, rows
                self.proved.append(STAGES[0])
                return model
        return None

    def _forms(self) -> Iterator[_Form]:
        """Yield forms by their number of outputs, from two to as many as releases use."""
        members = [[i for i, own in enumerate(self.first.budgets) if own == level] for level in self.levels]
        fewest = [max(2, len(group)) for group in members]
        releases: list[tuple[int, int]] = [(0, 0)] * len(self.first.budgets)
        for mechanism, group in enumerate(members):
            for output, release in enumerate(group):
                releases[release] = mechanism, output
        choices = product(*((least, max(2, len(group) + 1)) for least, group in zip(fewest, members)))
        for outputs in sorted(set(choices), key=lambda choice: (sum(choice), choice)):
            yield _Form(outputs, tuple(releases))

    def collapse(self, best: tuple[_Form, Rows]) -> Collapse:
        """Return the mechanisms of a model as a collapse, with its witness."""
        form, rows = best
        channels = [self._channel(form, rows, mechanism) for mechanism in range(len(form.outputs))]
        columns = [tuple(row[form.place(*release)] for row in rows) for release in form.releases]
        target = reached(self.targets, columns)
        if target is None:
            raise SolverError("the columns of a model reach no target")
        prior, pair = target.law.places[0]
        outputs = [channels[mechanism].outputs[output] for mechanism, output in form.releases]
        return replace(
            self.first,
            mechanisms=tuple(channels[mechanism] for mechanism, _ in form.releases),
            prior=prior,
            pair=pair,
            database=self.columns.labels[target.database],
            outputs=(*([] if target.output is None else [target.output]), *outputs),
        )

    def _channel(self, form: _Form, rows: Rows, mechanism: int) -> Channel:
        start, size = form.place(mechanism, 0), form.outputs[mechanism]
        names = ["uvw"[i] if size <= 3 else f"w{i + 1}" for i in range(size)]
        rows_of = dict(zip(self.columns.labels, rows))
        return Channel.of(
            {x: rows_of.get(x, rows[0])[start : start + size] for x in self.first.framework.databases}, names
        )


class _Model:
    """Mechanisms of one form as unknowns of linear arithmetic, with what is known possible."""

    def __init__(self, shrinker: _Shrinker, form: _Form) -> None:
        with extras:
            import z3

        self.limit = shrinker.limit
        self.solver = z3.Solver()
        size = len(shrinker.columns.databases)
        self.entries = [[z3.Real(f"p{x}_{o}") for o in range(sum(form.outputs))] for x in range(size)]
        for mechanism, cone in enumerate(shrinker.cones):
            outputs = range(form.outputs[mechanism])
            # state that the outputs at some places are a mechanism whose columns lie in a cone
            places = [form.place(mechanism, output) for output in outputs]
            with extras:
                import z3

            self.solver.add(*(z3.Sum([row[place] for place in places]) == 1 for row in self.entries))
            for place in places:
                self.solver.add(*in_cone(self._column(place), cone))
        columns = [self._column(form.place(*release)) for release in form.releases]
        self.solver.add(*leaking_everything(columns, shrinker.targets))
        self.form = form

    def _column(self, place: int) -> list[object]:
        return [row[place] for row in self.entries]

    def stages(self) -> tuple[Callable[[], Iterator[Rows]], ...]:
        """Return how to minimise in the order of `STAGES`, once there are the fewest outputs."""
        return (self.fewest_rows, self.smallest_denominator, self.smallest_sum, self.first_entries)

    def rows(self, *extra: object) -> Rows | None:
        """Return a model with what is stated so far and `extra`."""
        self.solver.push()
        self.solver.add(*extra)
        model = model_of(self.solver, self.limit)
        self.solver.pop()
        if model is None:
            return None
        return tuple(tuple(model.eval(e, model_completion=True).as_fraction() for e in row) for row in self.entries)

    def fewest_rows(self) -> Iterator[Rows]:
        with extras:
            import z3

        fresh = []  # whether a row differs from all before it, in a smallest model
        for x, row in enumerate(self.entries):
            fresh.append(z3.Bool(f"fresh{x}"))
            same = [z3.And([p == q for p, q in zip(row, other)]) for other in self.entries[:x]]
            self.solver.add(z3.Or([fresh[x], *same]))
        different = [z3.If(flag, _real(Fraction(1)), _real(Fraction(0))) for flag in fresh]
        for count in range(1, len(self.entries) + 1):
            few = sum_of(different) <= count
            simpler = self.rows(few)
            if simpler is not None:
                self.solver.add(few)
                yield simpler
                return

    def smallest_denominator(self) -> Iterator[Rows]:
        with extras:
            import z3

        for largest in range(1, _LARGEST_DENOMINATOR + 1):
            values = farey(largest)
            allowed = z3.And([z3.Or([entry == _real(f) for f in values]) for row in self.entries for entry in row])
            simpler = self.rows(allowed)
            if simpler is not None:
                self.largest = largest
                self.solver.add(allowed)
                yield simpler
                return
        raise Undecided(f"no mechanism has denominators of at most {_LARGEST_DENOMINATOR}")

    def smallest_sum(self) -> Iterator[Rows]:
        # numerator plus denominator of every entry, as unknowns
        with extras:
            import z3

        costs, choices = [], farey(self.largest)
        for x, row in enumerate(self.entries):
            for o, entry in enumerate(row):
                costs.append(z3.Real(f"cost{x}_{o}"))
                each = [z3.Implies(entry == _real(f), costs[-1] == _simplicity(f)) for f in choices]
                self.solver.add(*each)
        total = sum_of(costs)
        simpler = self.rows()
        while simpler is not None:
            best = sum(_simplicity(f) for row in simpler for f in row)
            yield simpler
            simpler = self.rows(total < best)
        self.solver.add(total == best)

    def first_entries(self) -> Iterator[Rows]:
        """Fix the entries one by one, each as simple as those before allow."""
        choices = sorted(farey(self.largest), key=lambda f: (_simplicity(f), f))
        for row in self.entries:
            for entry in row:
                fixed = self._fixed(entry, choices)
        if fixed is not None:
            yield fixed

    def _fixed(self, entry: "ArithRef", choices: Sequence[Fraction]) -> Rows | None:
        """Fix an entry at the first choice that has a model, and return that."""
        for value in choices:
            fixed = self.rows(entry == _real(value))
            if fixed is not None:
                self.solver.add(entry == _real(value))
                return fixed
        return None


def farey(largest: int) -> list[Fraction]:
    """Return the rationals from 0 to 1 with denominators of at most `largest`, in order."""
    return sorted({Fraction(n, d) for d in range(1, largest + 1) for n in range(d + 1) if gcd(n, d) == 1})


def _real(value: Fraction) -> "RatNumRef":
    with extras:
        import z3

    return z3.RealVal(str(value))
