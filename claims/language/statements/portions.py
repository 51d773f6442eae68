"""More instances than the usual thousand: in portions of a thousand, each with a generator of its
own, so that none depends on another.

A portion may be tried anywhere and in any order. What it found is a few numbers; where the
statement failed, the choices that make the instance. All portions together say the same of a
statement wherever each was tried.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from pufferproof.claims.language.statements import sources
from pufferproof.claims.language.statements.run import Side, simplest
from pufferproof.claims.language.statements.sources import DRAWS_EACH, HARD_EACH
from pufferproof.claims.language.statements.statement import Said, Statement
from pufferproof.claims.language.statements.trial import Trial, tried
from pufferproof.verify.proof.smt import USUAL, Effort, OutOfTime, limited

_MOST = 2 * DRAWS_EACH * USUAL.instances
"""How many instances are drawn for a portion at most: twice as many as for the usual number, as
chance must not leave a portion of many short.
"""


@dataclass(frozen=True)
class Portion:
    """What came of a portion: `failed` has the choices that make an instance at which the
    statement is false; the portion ends there.
    """

    tried: int
    met: int
    finished: bool
    failed: list[int] | None
    hard_tried: int = 0
    hard_met: int = 0


def places(effort: Effort) -> range:
    """Return the numbers of the portions behind the usual instances.

    >>> list(places(Effort(2500)))
    [1, 2]
    """
    return range(1, -(-effort.instances // USUAL.instances))


def portion(statement: Statement, name: str, effort: Effort, place: int, seconds: float) -> Portion:
    """Try a statement on the instances of one portion, until enough meet the hypotheses or it
    fails. The same name, seed and place draw the same instances.
    """
    wanted = min(USUAL.instances, effort.instances - place * USUAL.instances)
    seed = f"{name}{effort.seed}, portion {place}"
    usual = Side(islice(sources.usual(statement, seed), _MOST))
    drawn = sources.library(statement, seed)
    hard = Side(islice(drawn, HARD_EACH * wanted // 2))
    failed = None
    with suppress(OutOfTime), limited(seconds):
        failed = _first_failure(statement, hard, wanted // 2) or _first_failure(statement, usual, wanted - hard.met)
        return _portion(usual, hard, True, failed)
    return _portion(usual, hard, False, failed)


def _first_failure(statement: Statement, side: Side, wanted: int) -> list[int] | None:
    """Return the choices of the first instance at which a statement fails, or None; count."""
    for drawn in side.source:
        said: Said = {}
        side.tried += 1
        if statement.meant(drawn.instance, said):
            side.met += 1
            if not statement.concludes(drawn.instance, said):
                return drawn.draws.taken
        if side.met >= wanted:
            break
    return None


def _portion(usual: Side, hard: Side, finished: bool, failed: list[int] | None) -> Portion:
    return Portion(usual.tried, usual.met, finished, failed, hard.tried, hard.met)


def joined(portions: Iterable[Portion]) -> Portion:
    """Return what came of several portions together: none is asked for behind one that failed, or
    for which there was not enough time.

    >>> joined([Portion(9, 5, True, None), Portion(7, 5, True, [1]), Portion(8, 5, True, None)])
    Portion(tried=16, met=10, finished=True, failed=[1], hard_tried=0, hard_met=0)
    """
    total = Portion(0, 0, True, None)
    for each in portions:
        total = replace(
            each,
            tried=total.tried + each.tried,
            met=total.met + each.met,
            hard_tried=total.hard_tried + each.hard_tried,
            hard_met=total.hard_met + each.hard_met,
        )
        if each.failed is not None or not each.finished:
            break
    return total


def tried_in_portions(
    statement: Statement, name: str, effort: Effort, seconds: float, further: Callable[[], Portion]
) -> Trial:
    """Try a statement on the usual instances; if that leaves anything open, add all further
    portions joined. The instance that fails is made smaller.
    """
    first = replace(effort, instances=min(effort.instances, USUAL.instances))
    trial = replace(tried(statement, name, first, seconds), wanted=effort.instances)
    if trial.failed is not None or not trial.finished or not places(effort):
        return trial
    more = further()
    return replace(
        trial,
        tried=trial.tried + more.tried,
        met=trial.met + more.met,
        hard_tried=trial.hard_tried + more.hard_tried,
        hard_met=trial.hard_met + more.hard_met,
        finished=more.finished,
        failed=None if more.failed is None else simplest(statement, more.failed),
    )
