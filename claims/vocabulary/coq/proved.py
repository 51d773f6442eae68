"""When a reading is PROVED: what is missing for it, of a statement object and of its trial.

Coq is not needed: `formal/CHECKED.json` says what Coq found, and is believed only of the sources
and of the vocabulary as they are now.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from pufferproof.claims.language.statements import USUAL, Effort, Statement, Trial
from pufferproof.claims.language.theorems import FORMAL, checked
from pufferproof.claims.vocabulary.coq import tie, written
from pufferproof.claims.vocabulary.proposition import NOT_SEEN, Program, Proposition
from pufferproof.claims.vocabulary.terms import NAMED
from pufferproof.verify.certificates.formal import NotChecked
from pufferproof.verify.certificates.formal.record import AcceptedTheorem, Tie

PROVED, SAID = "Proved", "Said"
"""The root of the theorems, and that of the constants of the same name that are their types."""
FEWEST = 200
"""At how many instances the hypotheses of what Coq proved hold at least; twice as many are tried.
The same of what engines derived.
That it holds at all of them is known: they show that its near misses do not.
"""


def theorem_of(proposition: Proposition, folder: Path = FORMAL) -> AcceptedTheorem | None:
    """Return the theorem of Coq whose type is the proposition; None if there is none."""
    return _theorems(folder).get(f"{PROVED}.{proposition.name}")


def is_ours(proposition: Proposition) -> bool:
    """Whether it is a statement object of this package, and none that only has the name of one."""
    return written.propositions(proposition.area).get(proposition.name) is proposition


def needed(statement: Statement, effort: Effort, folder: Path = FORMAL) -> Effort:
    """Return on how many instances to try a statement: on `FEWEST` where Coq proved it and every
    entry in it is tied, unless more than the usual number are asked for.
    """
    proved = isinstance(statement, Program) and unproved(statement.said, folder) is None
    return fewer(effort) if proved else effort


def fewer(effort: Effort) -> Effort:
    """Return on how many instances to try what Coq or the engines of a linked argument showed of
    all: on `FEWEST`, unless more than the usual number are asked for.
    """
    if FEWEST < effort.instances <= USUAL.instances:
        return replace(effort, instances=FEWEST)
    return effort


def missing(proposition: Proposition, trial: Trial | None, folder: Path = FORMAL) -> str | None:
    """Return what keeps a reading with this statement from PROVED, or None."""
    return unproved(proposition, folder) or _weak(proposition, trial)


def unproved(proposition: Proposition, folder: Path = FORMAL) -> str | None:
    """Return what Coq lacks of a statement, as it is said and run now, or None."""
    if proposition.unrun:
        return f"no finite instance decides it: {proposition.unrun}"
    try:
        theorem, ties = theorem_of(proposition, folder), _ties(folder)
    except (NotChecked, OSError) as error:
        return f"what Coq checked cannot be believed: {error}"
    if theorem is None:
        return f"Coq has no theorem {PROVED}.{proposition.name}"
    if theorem.statement != f"{SAID}.{proposition.name}":
        return f"the theorem {theorem.name} is not of the type {SAID}.{proposition.name}"
    if not _is_said(proposition, folder):
        return "what Coq proved is not what the statement says now: run `make formal`"
    if untied := sorted(entry for entry in proposition.entries if not _holds(entry, ties)):
        return f'the entry "{untied[0]}" of the vocabulary is not tied to Coq: run `make formal`'
    return None


def digests(statements: Iterable[Statement], folder: Path = FORMAL) -> dict[str, str]:
    """Return the digests of the ties of all entries in statements, by the names of the ties. What
    goes wrong is left to the trials of the statements, which say it.
    """
    found = dict[str, str]()
    with suppress(Exception):
        for said in (each.said for each in statements if isinstance(each, Program)):
            names = {each.name for entry, each in _ties(folder).items() if entry in said.entries}
            found |= {name: tie.digest(name) for name in names}
    return found


def _weak(proposition: Proposition, trial: Trial | None) -> str | None:
    """Return why a trial is not enough for PROVED, or None."""
    if trial is None:
        return "its statement was not tried"
    if trial.failed is not None:
        return "it is false at an instance"
    if trial.weakness is not None:
        return trial.weakness
    tried, met = trial.counts
    if met < FEWEST:
        return f"the hypotheses hold at {met} of {tried} instances"
    unseen = [words for words, why in proposition.survivors.items() if why.startswith(NOT_SEEN)]
    return f'no instance shows that the near miss "{unseen[0]}" is false' if unseen else None


def _holds(entry: str, ties: dict[str, Tie]) -> bool:
    """Whether an entry is tied, by instances of which Python says now what it said then."""
    found = ties.get(entry)
    return entry in NAMED and found is not None and tie.digest(found.name) == found.digest


@cache
def _theorems(folder: Path) -> dict[str, AcceptedTheorem]:
    return {each.name: each for each in checked(folder).theorems}


@cache
def _ties(folder: Path) -> dict[str, Tie]:
    return tie.entries_tied(checked(folder).ties)


def _is_said(proposition: Proposition, folder: Path) -> bool:
    """Whether the file of its area is, as a whole, what the objects say, and has it."""
    area = proposition.area
    if not is_ours(proposition):
        return False
    return _said(folder, area) == _text(area)


@cache
def _text(area: str) -> str:
    return written.text(area, written.propositions(area).values())


@cache
def _said(folder: Path, area: str) -> str:
    path = folder / written.place(area)
    return path.read_text(encoding="utf-8") if path.exists() else ""
