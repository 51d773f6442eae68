"""Numbers near the ends instead of those that a family drew, where it draws nothing of which the
library of hard edges knows more: numbers alone.

The family says what its entries are, so that an instance with another number may be none of the
statement: the entry may be computed from others. A statement that is false at one is not refuted.
It is tried within the family only, until `given` says what the entry is, or `computed` names it.
"""

from collections.abc import Collection
from fractions import Fraction as Slow

from pufferproof.claims.language.statements import hard
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance


def stretchable(instance: Instance, computed: Collection[str] = ()) -> list[str]:
    """Return the entries that are numbers strictly between 0 and 1, without those computed.

    >>> stretchable({"p": Fraction(1, 3), "q": Fraction(1, 2), "n": 2, "R": Fraction(2)}, ["q"])
    ['p']
    """
    return [
        name
        for name, value in instance.items()
        if name not in computed and isinstance(value, Fraction | Slow) and 0 < value < 1
    ]


def stretched(instance: Instance, draws: Draws, computed: Collection[str] = ()) -> Instance:
    """Return an instance with some of these numbers near an end, chosen by draws."""
    names = stretchable(instance, computed)
    return instance | {name: draws.among((instance[name], *hard.RATES)) for name in names}


def changed(instance: Instance, usual: Instance) -> str:
    """Say which numbers of an instance are other than usual.

    >>> changed({"p": Fraction(1, 100), "q": 1}, {"p": Fraction(1, 3), "q": 1})
    'p = 1/100'
    """
    return ", ".join(f"{name} = {value}" for name, value in instance.items() if value != usual[name])
