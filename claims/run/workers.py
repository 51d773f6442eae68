"""Examining claims as the units of a sweep, those that are cited first: what is known of a claim
goes along to those that cite it, so that each is examined once.
"""

import gc
import json
import sysconfig
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.registry import Claim, examine, load_claims, load_extra, remember
from pufferproof.claims.run.order import Order
from pufferproof.claims.run.results import Result, as_result, described, failed
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.running import Failure
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.verify.proof.argument import Assumption, Cited, ClaimVerdict

_ROOT = Path(__file__).resolve().parents[2]
_ALONE = Lock()  # solvers of one process have one context
Known = Mapping[str, Cited]
Answer = tuple[Result, Cited | None]


@dataclass(frozen=True)
class How:
    """How claims are examined: how long an engine may take, on how many instances statements are
    tried, and which files have claims that are not of this package.
    """

    timeout: float
    effort: Effort = USUAL
    extra: tuple[str, ...] = ()


def examined(claims: Sequence[Claim], known: Known, how: How, sharing: Sharing) -> Iterator[Result]:
    """Yield results as workers finish: fresh processes that load what they need of the claims.

    `known` is what is known of claims that are not examined here and may be cited. Raises
    `SweepError` where a scheduler goes away.
    """
    if not claims:
        return
    waiting = _Waiting(Order(claims), dict(known), how)
    with opened(sharing, apart=True) as sweep:
        sweep.unkept = ""
        for place, outcome in sweep.outcomes(waiting.units(), len(claims)):
            yield waiting.ended(place, outcome)


@dataclass
class _Waiting:
    """Claims that are handed out one after another, and what is known of those that are done."""

    order: Order
    known: dict[str, Cited]
    how: How
    drawn: list[Claim | None] = field(default_factory=list)
    running: int = 0

    def units(self) -> Iterator[Unit | None]:
        """Yield the claims that can be examined, None while there is none."""
        while self.order:
            claim = self.order.following(idle=not self.running)
            self.drawn.append(claim)
            self.running += claim is not None
            yield None if claim is None else self._unit(claim)

    def _unit(self, claim: Claim) -> Unit:
        cited = {
            each: _plain(self.known[each])
            for each in sorted(self.order.cites[claim.id] & self.known.keys())
        }
        how, effort = self.how, [self.how.effort.instances, self.how.effort.seed]
        return Unit.of(examined_apart, claim.id, cited, how.timeout, effort, [*how.extra])

    def ended(self, place: int, outcome: Any) -> Result:
        """Take what became of a claim, and return its result."""
        claim = self.drawn[place]
        if claim is None:
            raise IndexError(place)
        self.running -= 1
        self.order.finished(claim)
        if isinstance(outcome, Failure):
            return failed(claim.id, f"it {outcome.kind}: {outcome.said}")
        result, cited = outcome
        if cited is not None:
            self.known[claim.id] = _cited(cited)
        # a worker knows some families only, and not whose repair a claim is
        return {**result, **described(claim)}


def examined_apart(
    identifier: str,
    known: dict[str, Any],
    timeout: float,
    effort: list[Any],
    extra: list[str],
) -> list[Any]:
    """Examine a claim in a worker; return its result, and what claims that cite it may know."""
    with _ALONE:
        _load(tuple(extra))
        cited = {name: _cited(each) for name, each in known.items()}
        result, own = examine_one(identifier, cited, timeout, Effort(*effort))
    plain: list[Any] = json.loads(json.dumps([result, None if own is None else _plain(own)]))
    return plain


@cache
def _load(extra: tuple[str, ...]) -> None:
    """Load what a worker needs; it seldom looks for garbage, of which formulas make little."""
    load_extra(extra)
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _plain(cited: Cited) -> list[Any]:
    """Return what is known of a claim as JSON has it."""
    hypotheses = [[each.claim, each.text] for each in cited.hypotheses]
    return [cited.verdict.value, [*cited.assumed], hypotheses]


def _cited(plain: Sequence[Any]) -> Cited:
    verdict, assumed, hypotheses = plain
    stated = tuple(Assumption(*each) for each in hypotheses)
    return Cited(ClaimVerdict(verdict), tuple(assumed), stated)


def examine_one(identifier: str, known: Known, timeout: float, effort: Effort = USUAL) -> Answer:
    """Examine a claim in this process; return its result, and what claims that cite it may know.

    A claim that raises is OPEN, and nothing is known of it: whoever cites it raises as well.
    """
    start = time.perf_counter()
    remember(known)
    try:
        check = examine(identifier, timeout, effort)
    except Exception as error:  # it is shown, the claim stays open and the run goes on
        text = f"{type(error).__name__}: {error}{_place(identifier, error)}"
        return failed(identifier, text), None
    return as_result(check, time.perf_counter() - start), check.as_cited


def _place(identifier: str, error: Exception) -> str:
    """Say where an error was raised: in the claim's own file, and where that called something,
    there too.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = load_claims()[identifier].function.__code__.co_filename
    inside = [frame for frame in frames if frame.filename == own]
    places = dict.fromkeys(
        f"{_shown(frame.filename)}:{frame.lineno}" for frame in [*inside[-1:], *frames[-1:]]
    )
    return f" (at {', raised at '.join(places)})" if places else ""


def _shown(file: str) -> str:
    """Return the name of a source file: within this package, within a package that is
    installed, or as it was given.
    """
    for home in (_ROOT, *map(Path, (sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")))):
        if Path(file).resolve().is_relative_to(home):
            return str(Path(file).resolve().relative_to(home))
    return file
