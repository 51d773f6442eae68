"""What ties an entry: a term, how its letters are drawn, and drifts that must be noticed."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EQUAL
from pufferproof.claims.vocabulary.render import letters_of
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import PROP, Term, evaluated, letter
from pufferproof.models.errors import SolverError

INSTANCES, SEED = 1000, "vocabulary"
"""At how many instances an entry is tied, and how they are drawn."""
NUMBERED = letter("q", NUMBER)


@dataclass(frozen=True)
class Probe:
    """A term that ties entries: how its letters are drawn, and for every entry that it ties another
    value, which must be noticed. A term that is a number is compared with a number that is right in
    three of five draws. `using` names the files of `formal/tie` that decide it, beside Decide and
    Entries.
    """

    name: str
    term: Term
    sets: str
    family: Callable[[Draws], Instance]
    drifts: Mapping[str, Callable[..., Any]]
    using: str = ""

    @property
    def stated(self) -> Term:
        """The proposition that is decided. Raises `SolverError` where a number has a letter of the
        name of the number that it is compared with.
        """
        if self.term.kind != PROP and NUMBERED.name in letters_of(self.term):
            raise SolverError(f"the probe {self.name!r} has a letter {NUMBERED.name!r}: rename it")
        return self.term if self.term.kind == PROP else EQUAL(self.term, NUMBERED)

    def instances(self) -> list[tuple[Instance, bool]]:
        """Draw the instances, with the truth at each; always the same ones."""
        random = Random(hashlib.sha256(f"{SEED}: {self.name}".encode()).digest())
        number = None if self.term.kind == PROP else evaluated(self.term)
        stated, drawn = evaluated(self.stated), []
        for _ in range(INSTANCES):
            draws = Draws(random)
            at = dict(self.family(draws))
            if number is not None:
                found = number(at)
                at[NUMBERED.name] = found + draws.among([0, 0, 0, 1, Fraction(-1, 7)])
            drawn.append((at, bool(stated(at))))
        return drawn

    def noticed(self, entry: str, drawn: Sequence[tuple[Instance, bool]]) -> int:
        """Return at how many of its instances the drift of an entry changes the truth."""
        asked = evaluated(drifted(self.stated, entry, self.drifts[entry]))
        return sum(_truth(asked, at) != truth for at, truth in drawn)


def _truth(asked: Callable[[Instance], Any], at: Instance) -> bool | None:
    """Return the truth of a drifted term, or None if it cannot be evaluated."""
    try:
        return bool(asked(at))
    except (LookupError, TypeError, ArithmeticError):
        return None


def drifted(term: Term, entry: str, other: Callable[..., Any]) -> Term:
    """Return a term in which an entry has another value."""
    below = tuple(drifted(each, entry, other) for each in term.arguments)
    found = replace(term, arguments=below)
    if term.entry is not None and term.entry.name == entry:
        return replace(found, entry=replace(term.entry, value=other))
    return found
