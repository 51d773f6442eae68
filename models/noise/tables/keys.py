"""Noisy numbers of keys that are shown from a threshold on: a table for every key whose number
differs between databases. Others tell nothing.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pufferproof.models.channel import Channel, joined
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.normal import HIDDEN
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.noise.tables.shaped import Shape, shaped

_SEVERAL = re.compile(r">=(-?\d+)|(-?\d+)\.\.(-?\d+)")
Tables = Mapping[object, Channel | PowerTable | PartialTable]


def tables_of_keys(counts: Mapping[str, Mapping[Any, Fraction]], noise: Noise, threshold: Fraction) -> Tables:
    """Return what every key shows, in the order of their texts.

    Args:
        counts: database -> key -> number; a key that is missing is hidden.
        noise: on every number.
        threshold: the least noisy number that is shown.

    >>> counts = {"a": {"u": Fraction(2), "v": Fraction(3)}, "b": {"u": Fraction(2)}}
    >>> tables_of_keys(counts, Noise.geometric("1/2"), Fraction(3))["v"].outputs
    ('-', '3', '>=4')
    """
    found = {}
    for key in sorted({key for row in counts.values() for key in row}, key=str):
        values = {label: row.get(key) for label, row in counts.items()}
        if len(set(values.values())) > 1:
            found[key] = shaped(values, dict.fromkeys(values, noise), Shape(threshold=threshold))
    return found


def output_of(tables: Tables, drawn: Mapping[Any, Any]) -> Any:
    """Return the output that a draw is part of, key -> noisy number: of several tables the joint
    one, of one table with numbers the number.

    >>> counts = {"a": {"u": Fraction(2), "v": Fraction(3)}, "b": {"u": Fraction(1)}}
    >>> tables = tables_of_keys(counts, Noise.geometric("1/2"), Fraction(3))
    >>> output_of(tables, {"v": 9}), output_of({}, {"v": 9})
    ('-,>=4', '-')
    """
    shown = [(table, drawn.get(key)) for key, table in tables.items()]
    if not shown:
        return HIDDEN
    if len(shown) == 1 and isinstance(shown[0][0], PartialTable):
        return HIDDEN if shown[0][1] is None else shown[0][1]
    names = (HIDDEN if number is None else cell_of(table.outputs, number) for table, number in shown)
    return joined([tuple(names)])[0]


def cell_of(outputs: Iterable[str], number: int) -> str:
    """Return the output that an integer is in: itself, or such as "4..7" or ">=8".

    >>> [cell_of(["-", "3", "4..7", ">=8"], number) for number in (3, 5, 9, 1)]
    ['3', '4..7', '>=8', '1']
    """
    for output in outputs:
        if found := _SEVERAL.fullmatch(output):
            least, first, last = (None if each is None else int(each) for each in found.groups())
            if least is not None and number >= least:
                return output
            if first is not None and last is not None and first <= number <= last:
                return output
    return str(number)
