"""The answer to a question of yes or no that may be left open: it holds, it fails, or it is
undecided; and the claims that it rests on, whose verdicts are looked up where it is printed.

One type for all of them: whether a level is kept, a condition met, a leakage finite, a sum not
exceeded. The words that are printed are derived from it: its own, HOLDS, FAILS and UNDECIDED; those
of an audit (`Verdict`); true, false and null in JSON. What is undecided is never taken
for a no: it has no truth value.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

_RECORD = Path(__file__).resolve().parents[1] / "claims" / "EXPECTED.json"
_WEAKEST_FIRST = ("TRIED", "CHECKED", "DERIVED", "PROVED")  # others, which do not hold, come before


class Decision(Enum):
    """What is known of a statement.

    A sign that may be unknown is a number, -1, 0, 1 or None, and `Decision.at_most` makes it one.
    What an SMT solver said (`verify.proof.smt`) is kept in the solver's words, as nothing is
    decided by one alone. A search whose time is over raises an error.

    `name` is the word that is printed, `value` the boolean of the file formats.

    >>> [(each.name, each.value) for each in Decision]
    [('HOLDS', True), ('FAILS', False), ('UNDECIDED', None)]
    >>> Decision(2 <= 3), Decision.at_most(None), bool(Decision.FAILS)
    (<Decision.HOLDS: True>, <Decision.UNDECIDED: None>, False)
    """

    HOLDS = True
    FAILS = False
    UNDECIDED = None

    @classmethod
    def at_most(cls, sign: int | None) -> "Decision":
        """Return whether a number is at most another, or None if the sign is not known."""
        if sign is None:
            return cls.UNDECIDED
        return cls.HOLDS if sign <= 0 else cls.FAILS

    @classmethod
    def every(cls, decisions: Iterable["Decision"]) -> "Decision":
        """Return whether all of several statements hold, looking no further than the first that
        fails.

        >>> Decision.every([Decision.HOLDS, Decision.UNDECIDED, Decision.FAILS]).name
        'FAILS'
        """
        answer = cls.HOLDS
        for decision in decisions:
            if decision is cls.FAILS:
                return decision
            if decision is cls.UNDECIDED:
                answer = decision
        return answer

    def __bool__(self) -> bool:
        """Return whether it holds. Raises `ValueError` if undecided."""
        if self is Decision.UNDECIDED:
            raise ValueError("expected what is decided, found UNDECIDED")
        return self is Decision.HOLDS


class Verdict(Enum):
    """The word in which an audit says whether a level is kept.

    >>> [Verdict.of(decision).value for decision in Decision]
    ['SATISFIES', 'VIOLATES', 'UNDECIDED']
    """

    SATISFIES = "SATISFIES"
    VIOLATES = "VIOLATES"
    UNDECIDED = "UNDECIDED"

    @classmethod
    def of(cls, kept: Decision) -> "Verdict":
        """Return the word for what is known of a level."""
        if kept is Decision.UNDECIDED:
            return cls.UNDECIDED
        return cls.SATISFIES if kept else cls.VIOLATES


def united(*claims: Iterable[str]) -> tuple[str, ...]:
    """Return the claims that several answers rest on together, each once.

    >>> united(("noise.attained", "noise.decided"), ("noise.decided", "noise.law"))
    ('noise.attained', 'noise.decided', 'noise.law')
    """
    return tuple(dict.fromkeys(chain(*claims)))


def cited(claims: Iterable[str]) -> tuple[str, ...]:
    """Return the words of trust for claims.

    >>> cited(["noise.window"])
    ('CITED(noise.window)',)
    """
    return tuple(f"CITED({claim})" for claim in claims)


@dataclass(frozen=True)
class Theorems:
    """What a bound rests on: claims, by their ids, and an argument in words or none.

    >>> Theorems(("noise.window",), in_words=True).trust
    ('CITED(noise.window)', 'PROSE')
    """

    claims: tuple[str, ...] = ()
    in_words: bool = False

    @property
    def trust(self) -> tuple[str, ...]:
        """The words of trust for them."""
        return (*cited(self.claims), *(("PROSE",) if self.in_words else ()))


class Basis(NamedTuple):
    """A claim that an answer rests on, with its recorded verdict."""

    claim: str
    verdict: str


def kernel_alone(answer: Mapping[str, Any]) -> bool:
    """Whether the kernel proved again all that an answer says, which then rests on no claim.

    >>> kernel_alone({"trust": ["KERNEL"]}), kernel_alone({"trust": ["KERNEL"], "leakage_trust": ["EXACT"]})
    (True, False)
    """
    trust = [word for word in answer.get("trust") or () if not word.startswith(("PROGRAM(", "UNREAD("))]
    return trust == ["KERNEL"] and not answer.get("leakage_trust")


def resting(answer: Mapping[str, Any]) -> list[Basis]:
    """Return the claims that a JSON answer rests on."""
    return [] if kernel_alone(answer) else [Basis(**basis) for basis in answer["rests_on"]]


def bases(claims: Iterable[str | Mapping[str, str]]) -> list[dict[str, str]]:
    """Return claims, ids or what this returns, once each with their recorded verdicts, the weakest
    basis first.

    >>> [each["claim"] for each in bases(["lemma.mediant", "lemma.mediant"])]
    ['lemma.mediant']
    """
    named = [claim if isinstance(claim, str) else claim["claim"] for claim in claims]
    known = [{"claim": fromkey, "verdict": recorded_verdict(fromkey)} for fromkey in dict.fromkeys(named)]
    strength = {verdict: place for place, verdict in enumerate(_WEAKEST_FIRST)}
    return sorted(known, key=lambda basis: strength.get(basis["verdict"], -1))


def recorded_verdict(claim: str) -> str:
    """Return the recorded verdict on a registered claim."""
    return str(_recorded()[claim]["verdict"])


def recorded_readings(claim: str) -> list[str]:
    """Return the recorded verdicts on the readings of a registered claim, in their order."""
    return list(_recorded()[claim]["readings"])


@cache
def _recorded() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(_RECORD.read_text(encoding="utf-8"))
    return known
