"""The experiment: every mechanism on every population, over the published levels.

For each population a chain is fitted to one part of the records, levels per record follow from it
(`budgets`), and rankings of the other part are simulated. The printed values stand beside ours
where there are any; people that were drawn are not those of the paper, so that only files give
figures that may agree with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pufferproof.claims.papers.bai2026.experiments.setting.rules import TAU
from pufferproof.examples.reproduce.populations.fitting import fitted_chain
from pufferproof.examples.reproduce.populations.people import Population
from pufferproof.examples.reproduce.simulation.rankings import Quality, Query, guessed, unit_of
from pufferproof.examples.reproduce.top_k.budgets import Budgets, budgets
from pufferproof.examples.reproduce.top_k.mechanisms import MECHANISMS, Mechanism
from pufferproof.examples.reproduce.top_k.printed import Place, Printed, printed_tables
from pufferproof.models.interface.sweeps.opening import ALONE, Sharing
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.streams import working
from pufferproof.reports.correlation.sweeping import sweeping

NAME = "bai2026.topk"
GRID = ("0.5", "1", "2", "3", "4", "5")
REPETITIONS = 100
_RANKS = (3, 5)


@dataclass(frozen=True)
class Point:
    """One mechanism at one epsilon: the scale of its noise, what came out, what is printed."""

    epsilon: str
    scale: float
    quality: Quality
    printed: Printed | None

    def as_json(self) -> JsonObject:
        """Return the point of the file formats."""
        return {
            "epsilon": self.epsilon,
            "scale": self.scale,
            **_quality(self.quality),
            "standard_errors": list(self.quality.spread),
            "printed": None if self.printed is None else _quality(self.printed),
        }


@dataclass(frozen=True)
class Line:
    """A mechanism over the grid of levels."""

    mechanism: Mechanism
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Panel:
    """A population and a number of ranks: all mechanisms, and the guess of the usual labels."""

    ranks: int
    lines: tuple[Line, ...]
    majority: Quality


@dataclass(frozen=True)
class Part:
    """What was found for one population."""

    population: Population
    budgets: tuple[Budgets, ...]
    panels: tuple[Panel, ...]

    def as_json(self) -> JsonObject:
        """Return the part of the file formats."""
        people = self.population
        return {
            "data": people.name,
            "source": people.source,
            "said": list(people.said),
            "labels": list(people.labels),
            "queries": len(people.queries),
            "records": int(people.counts.sum()),
            "length": people.length,
            "steps": int(people.steps.sum()),
            "budgets": [each.as_json() for each in self.budgets],
            "panels": [_panel(panel) for panel in self.panels],
        }


@dataclass(frozen=True)
class Experiment:
    """Everything that one run found, and what it was run with."""

    seed: int
    repetitions: int
    parts: tuple[Part, ...]

    def as_json(self) -> JsonObject:
        """Return the experiment object of the file formats."""
        return {
            "experiment": NAME,
            "seed": self.seed,
            "repetitions": self.repetitions,
            "tau": str(TAU),
            "mechanisms": [
                {"name": each.name, "level": each.way, "form": each.form, "printed": each.printed}
                for each in MECHANISMS
            ],
            "parts": [part.as_json() for part in self.parts],
        }


def run_experiment(
    people: Sequence[Population], seed: int, repetitions: int, grid: Sequence[str] = GRID, sharing: Sharing = ALONE
) -> Experiment:
    """Fit a chain to every population, and simulate all mechanisms; every point has a stream of
    random numbers of its own.

    Raises `SweepError` unless all mechanisms can be simulated.
    """
    tables, levels, runs = printed_tables(), [], []
    for number, population in enumerate(people):
        with working(f"{population.name}: levels per record"):
            chain = fitted_chain(population.steps.tolist())
            levels.append(budgets(chain, population.length, grid))
        runs.append(
            [
                _Run(population, ranks, repetitions, (seed, number, ranks), tables)
                for ranks in _RANKS
                if ranks < len(population.labels)
            ]
        )
    units = [unit for known, some in zip(levels, runs) for each in some for unit in each.units(known)]
    with sweeping("simulating", "lines", sharing) as sweep:
        found = iter(sweep.answers(units))
    parts = [
        Part(population, tuple(known), tuple(each.panel(known, found) for each in some))
        for population, known, some in zip(people, levels, runs)
    ]
    return Experiment(seed, repetitions, tuple(parts))


@dataclass(frozen=True)
class _Run:
    """What all points of a panel share."""

    population: Population
    ranks: int
    repetitions: int
    seed: tuple[int, ...]
    tables: dict[Place, Printed]

    def units(self, levels: Sequence[Budgets]) -> list[Unit]:
        """Return a unit for each mechanism."""
        return [
            unit_of(
                Query(self.population.counts, self.ranks),
                mechanism.law,
                [self.scale(mechanism, level) for level in levels],
                self.repetitions,
                [[*self.seed, number, place] for place in range(len(levels))],
            )
            for number, mechanism in enumerate(MECHANISMS)
        ]

    def panel(self, levels: Sequence[Budgets], found: Iterator[Any]) -> Panel:
        """Make the panel of what the units answered, which comes in their order."""
        import numpy as np

        query = Query(self.population.counts, self.ranks)
        usual = np.argsort(-self.population.usual, kind="stable")[: self.ranks]
        lines = [
            Line(
                mechanism,
                tuple(self.point(mechanism, level, Quality.read(said)) for level, said in zip(levels, next(found))),
            )
            for mechanism in MECHANISMS
        ]
        return Panel(self.ranks, tuple(lines), guessed(query, usual.tolist()))

    def scale(self, mechanism: Mechanism, level: Budgets) -> float:
        """Return the scale of a mechanism's noise at a level."""
        labels = len(self.population.labels)
        return mechanism.scale(level.levels[mechanism.way], self.ranks, labels)

    def point(self, mechanism: Mechanism, level: Budgets, quality: Quality) -> Point:
        place = Place(self.population.name, self.ranks, mechanism.printed or "", level.epsilon)
        scale = self.scale(mechanism, level)
        return Point(level.epsilon, scale, quality, self.tables.get(place))


def _quality(found: Quality | Printed) -> dict[str, object]:
    return {
        "accuracy": None if found.right is None else list(found.right),
        "hit_rate": found.hits,
        "ndcg": found.gain,
        "l1": found.error,
    }


def _panel(panel: Panel) -> dict[str, object]:
    lines = [
        {"mechanism": line.mechanism.name, "points": [point.as_json() for point in line.points]} for line in panel.lines
    ]
    return {"k": panel.ranks, "lines": lines, "majority": _quality(panel.majority)}
