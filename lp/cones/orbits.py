"""Orbits of the ordered laws of a framework under its symmetries, with the symmetries that carry
one law to another.

A permutation of the databases that maps the laws T and the cones of columns to themselves maps
columns of mechanisms within a budget to such columns. So the ratio <mu, u o v> / <nu, u o v> has
the same maximum for all (mu, nu) of one orbit, and a certificate for one becomes one for the others
by renaming databases. Symmetries are those that `symmetry` finds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws
from pufferproof.lp.cones.symmetry import Permutation, Symmetries


@dataclass(frozen=True)
class Orbit:
    """Ordered laws that symmetries map to each other: `images` has, for each of them, the
    permutation from `laws` to it.

    A permutation p takes the database at position x to that at p[x].
    """

    laws: OrderedLaws
    images: tuple[tuple[OrderedLaws, Permutation], ...]


def orbits(columns: Columns, cones: Sequence[Cone]) -> tuple[Orbit, ...]:
    """Partition the ordered laws of a framework by the symmetries that keep the cones.

    >>> from fractions import Fraction
    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {f"x{i}={v}": (i, v) for i in (1, 2, 3) for v in "01"}
    >>> pairs = [(f"x{i}=0", f"x{i}=1") for i in (1, 2, 3)]
    >>> columns = Columns(
    ...     Framework.of_records(Records(3, ("0", "1")), secrets, pairs, {"theta": chain})
    ... )
    >>> [len(orbit.images) for orbit in orbits(columns, [columns.cone(Fraction(2))])]
    [4, 2]
    """
    orbit_list = Symmetries(columns.laws, cones).orbits()
    laws = columns.laws
    return tuple(
        Orbit(laws[min(part)], tuple((laws[k], part[k]) for k in sorted(part)))
        for part in orbit_list
    )
