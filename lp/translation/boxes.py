"""The chains of a box among which the worst case over all of it is found: of two values, stationary
or seen at the first record, it is that of one of two corners. One has the least probabilities of
changing from either value, as far as the box goes; the other has the largest ones.

Derived: worst.box-of-bits.
"""

from collections.abc import Iterable
from fractions import Fraction

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.box import IntervalChain, Rows
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain

CLAIM = "worst.box-of-bits"
_KNOWN = "two values, with a stationary law or secrets of the first record alone"


def framework_of_corners(framework: Framework) -> Framework:
    """Return the framework with two chains of every box in its place.

    Raises `ModelError` for boxes of which these corners are not known to be the worst.
    """
    first = all(record == 1 for record, _ in framework.places.values())
    priors: dict[str, Prior] = {}
    for name, prior in framework.priors.items():
        if isinstance(prior, IntervalChain):
            known = _corners(name, prior, first)
            priors |= {framework.member(name, at): chain for at, chain in known.items()}
        else:
            priors[name] = prior
    records = framework.expect_records()
    secrets = {
        name: (record, records.alphabet[value])
        for name, (record, value) in framework.places.items()
    }
    return Framework.of_records(records, secrets, list(framework.pairs), priors)


def _corners(name: str, box: IntervalChain, first: bool) -> dict[str, MarkovChain]:
    """Return both corners by what they are. Raises `ModelError` where they do not decide."""
    if box.states != 2 or not (first or box.initial == "stationary"):
        raise ModelError(
            f"the worst case over a box is known for {_KNOWN}; expected that, or some of its "
            "chains as priors",
            f"priors.{name}",
        )
    matrices = [_changing(box, ends) for ends in (box.lower, box.upper)]
    if not all(_mixing(each) for each in matrices):
        raise ModelError(
            "the worst case over a box is known where both values are left and come back to: "
            "expected probabilities of change above 0 and below 1",
            f"priors.{name}",
        )
    return {", ".join(f"{p} {q}" for p, q in each): box.chain(each) for each in matrices}


def _changing(box: IntervalChain, ends: Rows) -> Rows:
    """Return the matrix whose probabilities of change are those of one end."""
    there, back = ends[0][1], ends[1][0]
    return (1 - there, there), (back, 1 - back)


def _mixing(rows: Iterable[Iterable[Fraction]]) -> bool:
    return all(0 < p < 1 for row in rows for p in row)
