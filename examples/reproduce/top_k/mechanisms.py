"""The mechanisms of the experiment: which level per record each has, and which noise it adds.

A record that changes its label takes 1 from one count and adds 1 to another. Hence, at a level per
record L, with K ranks and m labels:

    peeling     K exponential draws of level L/K, in one shot: Gumbel noise of scale 2 K / L
    split       each of m counts is a query of level L/m that changes by 1: Laplace noise, m / L
    vector      all counts are one query that changes by 2 in L1: Laplace noise of scale 2 / L

Source: bai2026, section 7.1.3 (peeling; MQM and Group DP-Lap as split); song2017 and wang2016 for
the vector form.
"""

from dataclasses import dataclass
from typing import Literal

from pufferproof.examples.reproduce.simulation.rankings import Law
from pufferproof.examples.reproduce.top_k.budgets import Way

Form = Literal["peeling", "split", "vector"]


@dataclass(frozen=True)
class Mechanism:
    """A row of the experiment; `printed` is its name in the paper's tables, if it is there."""

    name: str
    way: Way
    form: Form
    printed: str | None = None

    @property
    def law(self) -> Law:
        """The law of its noise."""
        return "gumbel" if self.form == "peeling" else "laplace"

    def scale(self, level: float, ranks: int, labels: int) -> float:
        """Return the scale of its noise at a level per record."""
        return {"peeling": 2 * ranks, "split": labels, "vector": 2}[self.form] / level


MECHANISMS = (
    Mechanism("ours-exp", "published", "peeling", "Ours-Exp"),
    Mechanism("mqm", "quilt", "split", "MQM"),
    Mechanism("group-exp", "group", "peeling", "Group DP-Exp"),
    Mechanism("group-lap", "group", "split", "Group DP-Lap"),
    Mechanism("mqm-vector", "quilt", "vector"),
    Mechanism("exact-exp", "exact", "peeling"),
    Mechanism("exact-vector", "exact", "vector"),
)
