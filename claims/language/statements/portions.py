"""More instances than the usual thousand: in portions of a thousand, each with a generator of its
own, so that none depends on another.

A portion may be tried anywhere and in any order. What it found is a few numbers; where the
statement failed, the choices that make the instance. All portions together say the same of a
statement wherever each was tried.
"""

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Said, Statement
from pufferproof.claims.language.statements.trial import (
    DRAWS_EACH,
    USUAL,
    Effort,
    Trial,
    simplest,
    tried,
)
from pufferproof.verify.proof.time_limit import OutOfTime, limited

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
    random, count, met = Random(hashlib.sha256(seed.encode()).digest()), 0, 0
    with suppress(OutOfTime), limited(seconds):
        while met < wanted and count < _MOST:
            draws, said = Draws(random), Said()
            instance = statement.family(draws)
            count += 1
            if statement.meant(instance, said):
                met += 1
                if not statement.concludes(instance, said):
                    return Portion(count, met, True, draws.taken)
        return Portion(count, met, True, None)
    return Portion(count, met, False, None)


def joined(portions: Iterable[Portion]) -> Portion:
    """Return what came of several portions together: none is asked for behind one that failed, or
    for which there was not enough time.

    >>> joined([Portion(9, 5, True, None), Portion(7, 5, True, [1]), Portion(8, 5, True, None)])
    Portion(tried=16, met=10, finished=True, failed=[1])
    """
    count, met = 0, 0
    for each in portions:
        count, met = count + each.tried, met + each.met
        if each.failed is not None or not each.finished:
            return replace(each, tried=count, met=met)
    return Portion(count, met, True, None)


def tried_in_portions(
    statement: Statement,
    name: str,
    effort: Effort,
    seconds: float,
    further: Callable[[], Portion],
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
        finished=more.finished,
        failed=None if more.failed is None else simplest(statement, more.failed),
    )
