"""Examining claims as the units of a sweep, those that are cited first: what is known of a claim
goes along to those that cite it, so that each is examined once.
"""

import gc
import json
import sysconfig
import time
import traceback
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from pufferproof.claims.language.statements import USUAL, Effort
from pufferproof.claims.language.statements.portions import Portion, joined, places
from pufferproof.claims.registry import (
    Claim,
    claim_named,
    examine,
    load_claims,
    load_extra,
    portion_of,
    remember,
)
from pufferproof.claims.run.order import Order
from pufferproof.claims.run.results import Result, as_result, described, failed
from pufferproof.models.interface.sweeps.opening import Sharing, opened
from pufferproof.models.interface.sweeps.running import Failure
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.verify.proof.argument import Assumption, Cited, ClaimVerdict
from pufferproof.verify.proof.time_limit import OutOfTime

_ROOT = Path(__file__).resolve().parents[2]
_ALONE = Lock()  # solvers of one process have one context
Known = Mapping[str, Cited]
Answer = tuple[Result, Cited | None]


@dataclass(frozen=True)
class How:
    """How claims are examined: how long an engine may take, on how many instances statements are
    tried, which files have claims that are not of this package, and whether formulas are typeset.
    """

    timeout: float
    effort: Effort = USUAL
    extra: tuple[str, ...] = ()
    typeset: bool = True


def examined(claims: Sequence[Claim], known: Known, how: How, sharing: Sharing) -> Iterator[Result]:
    """Yield results as workers finish: fresh processes that load what they need of the claims.

    `known` is what is known of claims that are not examined here and may be cited. Only what
    portions of instances say is kept in a store. Raises `SweepError` where a scheduler goes away.
    """
    if not claims:
        return
    waiting = _Waiting(Order(claims), dict(known), how)
    with opened(sharing, apart=True) as sweep:
        sweep.unkept, sweep.kept = "", _is_portion
        sweep.most = 1  # what one claim says is not held back by another
        for place, outcome in sweep.outcomes(waiting.units(), waiting.total):
            if (result := waiting.ended(place, outcome)) is not None:
                yield result


@dataclass(frozen=True)
class _Asked:
    """A portion of the instances of one statement of a claim."""

    claim: Claim
    key: str
    place: int


@dataclass
class _Waiting:
    """Claims that are handed out one after another, each behind the portions of instances that its
    statements are tried on, and what is known of those that are done.
    """

    order: Order
    known: dict[str, Cited]
    how: How
    drawn: list[Claim | _Asked | None] = field(default_factory=list)
    asked: deque[_Asked] = field(default_factory=deque)
    found: dict[str, dict[tuple[str, int], Portion]] = field(default_factory=dict)
    ready: deque[Claim] = field(default_factory=deque)
    running: int = 0

    def __post_init__(self) -> None:
        self.left = len(self.order.cites)

    @property
    def total(self) -> int:
        """How many units there are."""
        claims = [load_claims()[name] for name in self.order.cites]
        return sum(1 + len(self._portions(each)) for each in claims)

    def units(self) -> Iterator[Unit | None]:
        """Yield what can be done, None while there is nothing."""
        while self.left:
            following = self._following()
            self.drawn.append(following)
            self.running += following is not None
            self.left -= isinstance(following, Claim)
            yield None if following is None else self._unit(following)

    def _following(self) -> Claim | _Asked | None:
        """Take a claim whose portions are done, else a portion, else begin with another claim."""
        if self.ready:
            return self.ready.popleft()
        if not self.asked:
            claim = self.order.following(idle=not self.running)
            if claim is None or not (portions := self._portions(claim)):
                return claim
            self.asked.extend(portions)
            self.found[claim.id] = {}
        return self.asked.popleft()

    def _portions(self, claim: Claim) -> list[_Asked]:
        numbers = places(self.how.effort)
        return [_Asked(claim, key, number) for key in claim.says for number in numbers]

    def _unit(self, following: Claim | _Asked) -> Unit:
        how, effort = self.how, [self.how.effort.instances, self.how.effort.seed]
        if isinstance(following, _Asked):
            name, key, number = following.claim.id, following.key, following.place
            return Unit.of(tried_apart, name, key, number, how.timeout, effort, [*how.extra])
        cited = {
            each: _plain(self.known[each])
            for each in sorted(self.order.cites[following.id] & self.known.keys())
        }
        found = self.found.pop(following.id, {})
        portions = {
            key: [*astuple(joined(found[key, number] for number in places(how.effort)))]
            for key in (following.says if found else ())
        }
        given = how.timeout, effort, [*how.extra], portions, how.typeset
        return Unit.of(examined_apart, following.id, cited, *given)

    def ended(self, place: int, outcome: Any) -> Result | None:
        """Take what became of a unit, and return the result of a claim."""
        ended = self.drawn[place]
        if ended is None:
            raise IndexError(place)
        self.running -= 1
        if isinstance(ended, _Asked):
            self._tried(ended, outcome)
            return None
        self.order.finished(ended)
        if isinstance(outcome, Failure):
            return failed(ended.id, f"it {outcome.kind}: {outcome.said}")
        result, cited = outcome
        if cited is not None:
            self.known[ended.id] = _cited(cited)
        # a worker knows some families only, and not whose repair a claim is
        return {**result, **described(ended)}

    def _tried(self, asked: _Asked, outcome: Any) -> None:
        """Take a portion; one without an answer was not finished."""
        lost = isinstance(outcome, Failure)
        found = self.found[asked.claim.id]
        found[asked.key, asked.place] = Portion(*([0, 0, False, None] if lost else outcome))
        if len(found) == len(self._portions(asked.claim)):
            self.ready.append(asked.claim)


def _is_portion(unit: Unit) -> bool:
    return unit.function.endswith(f":{tried_apart.__name__}")


def tried_apart(
    identifier: str, key: str, place: int, timeout: float, effort: list[Any], extra: list[str]
) -> list[object]:
    """Try a statement of a claim on a portion of its instances in a worker.

    Raises `OutOfTime` where it is not finished: that is no answer to keep, but tried again.
    """
    with _ALONE:
        _load(tuple(extra))
        found = portion_of(claim_named(identifier), key, place, Effort(*effort), timeout)
    if not found.finished:
        raise OutOfTime(f"{found.tried} instances tried")
    return [*astuple(found)]


def examined_apart(
    identifier: str,
    known: dict[str, Any],
    timeout: float,
    effort: list[Any],
    extra: list[str],
    portions: dict[str, list[Any]],
    typeset: bool,
) -> list[object]:
    """Examine a claim in a worker; return its result, and what claims that cite it may know."""
    with _ALONE:
        _load(tuple(extra))
        cited = {name: _cited(each) for name, each in known.items()}
        tried = {key: Portion(*each) for key, each in portions.items()}
        result, own = examine_one(identifier, cited, timeout, Effort(*effort), tried, typeset)
    plain: list[Any] = json.loads(json.dumps([result, None if own is None else _plain(own)]))
    return plain


@cache
def _load(extra: tuple[str, ...]) -> None:
    """Load what a worker needs; it seldom looks for garbage, of which formulas make little."""
    load_extra(extra)
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _plain(cited: Cited) -> list[object]:
    """Return what is known of a claim as JSON has it."""
    hypotheses = [[each.claim, each.text] for each in cited.hypotheses]
    return [cited.verdict.value, [*cited.assumed], hypotheses]


def _cited(plain: Sequence[Any]) -> Cited:
    verdict, assumed, hypotheses = plain
    stated = tuple(Assumption(*each) for each in hypotheses)
    return Cited(ClaimVerdict(verdict), tuple(assumed), stated)


def examine_one(
    identifier: str,
    known: Known,
    timeout: float,
    effort: Effort = USUAL,
    portions: Mapping[str, Portion] | None = None,
    typeset: bool = True,
) -> Answer:
    """Examine a claim in this process; return its result, and what claims that cite it may know.

    A claim that raises is OPEN, and nothing is known of it: whoever cites it raises as well.
    """
    start = time.perf_counter()
    remember(known)
    try:
        check = examine(identifier, timeout, effort, portions)
    except Exception as error:  # it is shown, the claim stays open and the run goes on
        text = f"{type(error).__name__}: {error}{_place(identifier, error)}"
        return failed(identifier, text), None
    return as_result(check, time.perf_counter() - start, typeset), check.as_cited


def _place(identifier: str, error: Exception) -> str:
    """Say where an error was raised: in the claim's own file, and where that called something,
    there too.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = claim_named(identifier).function.__code__.co_filename
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
