"""What an argument is made of: its steps, and the verdicts that they add up to."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class ClaimVerdict(Enum):
    """What was found about a published claim.

    PROVED: the whole statement was checked by a kernel or a proof assistant. DERIVED: engines
    discharged a linked argument, whose statement is made of the same formulas. CHECKED: true of
    every member of a stated finite family. TRIED: the statement, as a program, held at every
    instance on which it was tried; the argument is prose. REFUTED: false at one exact instance.
    DEPENDS: the first reading holds, and others are false. OPEN: none of these. DEFINITION: nothing
    to decide.
    """

    PROVED = "PROVED"
    DERIVED = "DERIVED"
    CHECKED = "CHECKED"
    TRIED = "TRIED"
    REFUTED = "REFUTED"
    DEPENDS = "DEPENDS"
    OPEN = "OPEN"
    DEFINITION = "DEFINITION"


HOLDS = (ClaimVerdict.PROVED, ClaimVerdict.DERIVED, ClaimVerdict.CHECKED, ClaimVerdict.TRIED)
"""The verdicts that say that a reading is true, from the strongest to the weakest."""


@dataclass(frozen=True)
class Step:
    """One step of an argument.

    `formula` is what was decided, as sympy (typeset in reports) or text; `ok` whether it was
    discharged; `detail` what the engine said; `query` the SMT-LIB text where there is one;
    `evidence` a counterexample, or the model of the assumptions; `certificate` what the kernel
    accepted; `refuted` whether the engine found the formula false, which a near miss needs;
    `members` how many members a family has, with its first and its last; `judge` what says that a
    counterexample refutes the statement, `audited` what an audit says of it and of which level.
    """

    name: str
    kind: str
    sentence: str
    formula: Any
    ok: bool
    trust: tuple[str, ...]
    seconds: float
    detail: str = ""
    checked: int = 0
    query: str | None = None
    evidence: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    refuted: bool = False
    members: str = ""
    judge: str = ""
    audited: str = ""
