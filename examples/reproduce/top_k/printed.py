"""The tables that the paper prints, as numbers beside ours."""

import json
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import NamedTuple

COLUMNS = {"HR": "hits", "NDCG": "gain", "L1": "error"}


class Place(NamedTuple):
    """Where numbers are printed: by data set, number K of ranks, mechanism and epsilon."""

    data: str
    ranks: int
    mechanism: str
    epsilon: str


@dataclass(frozen=True)
class Printed:
    """What is printed for one mechanism, epsilon and K; a number that is not, is not there."""

    right: tuple[float, ...] | None = None
    hits: float | None = None
    gain: float | None = None
    error: float | None = None


def printed_tables() -> dict[Place, Printed]:
    """Return what is printed by data set, K, mechanism and epsilon.

    >>> printed_tables()[Place("foursquare", 3, "MQM", "1")].hits
    0.498
    """
    home = files("pufferproof.claims.papers.bai2026.experiments.setting")
    tables = json.loads((home / "tables.json").read_text(encoding="utf-8"))
    found: dict[Place, Printed] = {}
    for table in tables.values():
        for epsilon, row in table["rows"].items():
            for mechanism, cells in row.items():
                key = Place(table["data"], table["K"], mechanism, epsilon)
                known = found.get(key, Printed())
                found[key] = _with(known, table["columns"], cells)
    return found


def _with(known: Printed, columns: list[str], cells: list[str]) -> Printed:
    numbers = [_number(cell) for cell in cells]
    if columns[0].startswith("Acc"):
        return Printed(tuple(numbers), known.hits, known.gain, known.error)
    return Printed(known.right, *numbers)


def _number(cell: str) -> float:
    """Read a cell; the one that is printed as 0989 lacks its point."""
    if cell.endswith("%"):
        return float(Fraction(cell[:-1]) / 100)
    return float(f"0.{cell[1:]}" if cell == "0989" else cell)
