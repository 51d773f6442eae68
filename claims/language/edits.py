"""Near misses of a family as edits: what is changed at one named step, which must then fail there.

An edit that names no step of the proof, or changes nothing there, is an error: the near miss would
be the proof itself.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pufferproof.models.errors import SolverError


@dataclass(frozen=True)
class Edit:
    """A change at the step `at`: another `family`, or another property that every member
    `holds`.
    """

    at: str
    family: Iterable[Any] | None = None
    holds: Callable[[Any], bool] | None = None


class Edits:
    """The edits of one near miss while its proof runs, with the steps that were run."""

    def __init__(self, edits: Sequence[Edit] = ()) -> None:
        for edit in edits:
            if edit.family is None and edit.holds is None:
                raise SolverError(f'expected a change at the step "{edit.at}", found none')
        self.edits = list(edits)
        self._run: set[str] = set()

    def family(
        self, step: str, family: Iterable[Any], holds: Callable[[Any], bool]
    ) -> tuple[Iterable[Any], Callable[[Any], bool]]:
        """Return the family and the predicate of a step."""
        self._run.add(step)
        for edit in self.edits:
            if edit.at == step:
                family = family if edit.family is None else edit.family
                holds = edit.holds or holds
        return family, holds

    def concern(self, step: str) -> bool:
        """Say whether some edit is at this step."""
        return any(edit.at == step for edit in self.edits)

    def check(self) -> None:
        """Raise `SolverError` unless every edit met its step."""
        for edit in self.edits:
            if edit.at not in self._run:
                raise SolverError(f'no step "{edit.at}" was run that could be edited')
