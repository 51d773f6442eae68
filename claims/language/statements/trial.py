"""Running a statement: at least a thousand instances, and its near misses on the same ones.

A conclusion that is never false says nothing. So the trial asks for an instance at which it is,
with a hypothesis or anything else broken, and for one at which the hypotheses hold and the
conclusion, given other arguments or data that is not drawn, is false.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any

from pufferproof.claims.language.statements.broken import broken
from pufferproof.claims.language.statements.draws import Draws, smallest
from pufferproof.claims.language.statements.reading import reads
from pufferproof.claims.language.statements.statement import (
    Instance,
    Said,
    Statement,
)
from pufferproof.models.errors import SolverError
from pufferproof.verify.proof.time_limit import OutOfTime, limited

DRAWS_EACH = 20
"""How many instances may be drawn for each that meets the hypotheses; as many as for the usual
number where fewer are asked for, so that near misses are seen.
"""

LOOKED_AT = 20
"""At how many instances predicates must read something of what they are given."""

BROKEN_OF, BROKEN, BREAKING = 60, 3000, 30
"""Of how many instances broken ones are made, how many, and for how many seconds at most."""


@dataclass(frozen=True)
class Effort:
    """On how many instances that meet the hypotheses statements are tried, and which: another
    seed draws others.
    """

    instances: int = 1000
    seed: str = ""


USUAL = Effort()


@dataclass(frozen=True)
class Trial:
    """What came of trying a statement.

    `tried` counts instances, `met` those at which the hypotheses hold. `failed` is an instance
    at which the statement is false, made as small as could be; `missed` has for every near miss an
    instance at which that is false, or None if there was none; `finished` is whether there was time
    for all. `idle` names a predicate that reads nothing of an instance, `untrue` a near miss that
    is false though a reason is given why it is not. `drawn` says how instances were drawn, `seed`
    names the generator. `regular` counts the instances that are not degenerate at which a statement
    that failed holds; it is None if it fails at one of these too. `denied` is an instance at which
    the conclusion itself is false, `always` the reason why there is none; `says` is whether it is
    false somewhere, with some arguments, though the hypotheses hold; `loose` names a near miss that
    is true where the conclusion is false.
    """

    drawn: str
    seed: str
    wanted: int
    tried: int
    met: int
    finished: bool
    failed: Mapping[str, object] | None
    missed: Mapping[str, Mapping[str, object] | None]
    idle: str | None = None
    regular: int | None = None
    untrue: str | None = None
    denied: Mapping[str, object] | None = None
    always: str = ""
    says: bool = False
    loose: str | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """How many instances were tried, and at how many the hypotheses hold."""
        return self.tried, self.met

    @property
    def weakness(self) -> str | None:
        """Why that nothing failed says less than it should, or None."""
        if not self.finished:
            return f"there was time for {self.met} of {self.wanted} instances only"
        if self.met < self.wanted:
            return f"the hypotheses hold at {self.met} of {self.tried} instances, of {self.wanted}"
        if self.idle is not None:
            return f"{self.idle} reads nothing of an instance, so that it says nothing of it"
        if self.untrue is not None:
            return (
                f'the near miss "{self.untrue}" is false at an instance, and a reason is given why '
                f"it is not"
            )
        blind = [words for words, instance in self.missed.items() if instance is None]
        if blind:
            return f'no instance shows that the near miss "{blind[0]}" is false'
        if self.denied is None and not self.always:
            return (
                "the conclusion was false at no instance: one at which it is false is needed, with "
                "a broken hypothesis or with data that the family never draws (broken=)"
            )
        if not self.says:
            return (
                "wherever the hypotheses hold the conclusion is true, whatever it is given: a near "
                'miss must be the conclusion with another argument (too_strong={"words": '
                '{"argument": value}})'
            )
        if self.loose is not None:
            return (
                f'the near miss "{self.loose}" is true at an instance at which the conclusion is '
                f"false, so it is not stronger"
            )
        return None


def tried(statement: Statement, name: str, effort: Effort = USUAL, seconds: float = 300) -> Trial:
    """Try a statement on its edges, then on instances drawn until enough meet the hypotheses.

    It ends at the first failure, which is made smaller. The same name and seed draw the same
    instances.
    """
    run, seed = _Run(statement, effort.instances), f"{name}{effort.seed}"
    with suppress(OutOfTime), limited(seconds):
        run.go(_instances(statement, seed, effort.instances))
        run.finished = True
    regular = None
    if run.failed is not None and statement.degenerate is not None:
        with suppress(OutOfTime), limited(seconds):
            regular = _regular(statement, seed, effort.instances)
    if run.finished and run.failed is None:
        with suppress(OutOfTime), limited(min(seconds, BREAKING)):
            run.deny(Random(hashlib.sha256(f"{seed}, broken".encode()).digest()))
    return Trial(
        drawn=statement.drawn,
        seed=seed,
        wanted=effort.instances,
        tried=run.tried,
        met=run.met,
        finished=run.finished,
        failed=run.failed,
        missed=run.missed,
        idle=run.idle,
        regular=regular,
        untrue=run.untrue,
        denied=run.denied,
        always=statement.always,
        says=run.says,
        loose=run.loose,
    )


def _regular(statement: Statement, seed: str, wanted: int) -> int | None:
    """Return at how many instances that are not degenerate a statement holds, up to the wanted
    number; None if it fails at one.
    """
    met = 0
    for instance, _ in _instances(statement, seed, wanted):
        if statement.is_regular(instance):
            if not statement.concludes(instance):
                return None
            met += 1
            if met == wanted:
                break
    return met


def _instances(statement: Statement, seed: str, wanted: int) -> Iterator[tuple[Instance, Draws]]:
    """Yield edges, with no choices to simplify, and drawn instances, one generator for all."""
    for edge in statement.edges:
        yield edge, Draws(None)
    random = Random(hashlib.sha256(seed.encode()).digest())
    for _ in range(DRAWS_EACH * max(wanted, USUAL.instances)):
        draws = Draws(random)
        yield statement.family(draws), draws


class _Run:
    def __init__(self, statement: Statement, wanted: int) -> None:
        self.statement, self.wanted = statement, wanted
        self.tried, self.met, self.finished = 0, 0, False
        self.failed: Instance | None = None
        self.idle: str | None = None
        self.untrue: str | None = None
        self.survivors = statement.survivors()
        self.denied: Instance | None = None
        self.says = False
        self.loose: str | None = None
        self.drawn: list[Instance] = []
        self.predicates = {
            f'the {kind} "{words}"': each
            for kind, some in (
                ("hypothesis", statement.given),
                ("near miss", statement.too_strong),
            )
            for words, each in some.items()
            if callable(each)
        }
        self.stronger: dict[str, Any] = statement.stronger()
        # the others ask the conclusion itself too, so that they are false where it is
        self.own = [w for w, each in statement.too_strong.items() if not isinstance(each, Mapping)]
        self.left = statement.near_misses()
        self.missed: dict[str, Instance | None] = dict.fromkeys(self.left)

    def go(self, instances: Iterator[tuple[Instance, Draws]]) -> None:
        """Try instances until one fails, or enough meet the hypotheses and no near miss is
        left.

        The same choices make the same instance: it counts again, and is not asked about again, as
        no near miss that is left was false there.
        """
        before: dict[tuple[int, ...], bool] = {}  # edges, which have no choices, are not there
        for instance, draws in instances:
            self.tried += 1
            choices = tuple(draws.taken)
            met = before.get(choices)
            if met is None:
                met = self._asked(instance, draws)
                if choices:
                    before[choices] = met
            self.met += met
            if self.failed is not None or (self.met >= self.wanted and self._seen):
                return

    @property
    def _seen(self) -> bool:
        """Whether no near miss is left, and instances are enough for those that must not fail."""
        return not self.left and self.tried >= self.statement.least * self.wanted

    def _asked(self, instance: Instance, draws: Draws) -> bool:
        """Return whether the hypotheses hold at an instance, after noting whether the statement
        fails there, and which near misses do.
        """
        said: Said = {}
        if self.tried <= LOOKED_AT:
            self._look(self.predicates, instance)
        if len(self.drawn) < BROKEN_OF:
            self.drawn.append(instance)
        for words in [each for each, fails in self.left.items() if fails(instance, said)]:
            self.missed[words] = instance
            del self.left[words]
            self._missed(words, instance)
        for words, fails in self.survivors.items():
            if self.untrue is None and fails(instance, said):
                self.untrue = words
        if not self.statement.meant(instance, said):
            self._beyond(instance, said)
            return False
        if self.met < LOOKED_AT:
            self._look({"the conclusion": self.statement.holds}, instance)
        if not self.statement.concludes(instance, said):
            self.failed = self._smallest(instance, draws)
        return True

    def _missed(self, words: str, instance: Instance) -> None:
        """Note what a near miss that is false at an instance shows of the conclusion: nothing, if
        it is a predicate of its own.
        """
        entries: Instance | None = instance
        if words in self.statement.too_strong:
            arguments = self.stronger[words].holds.arguments(instance)
            own = isinstance(arguments, dict)
            entries = {name: arguments[name] for name in instance} if own else None
            if entries is not None and entries == arguments:
                self.denied = self.denied or entries
        self.says = self.says or (entries is not None and self._meant(entries))

    def _meant(self, instance: Instance) -> bool:
        """Whether the hypotheses hold at an instance, which may be none that has a meaning."""
        return _said(self.statement.meant, instance) is True

    def _beyond(self, instance: Instance, said: Said) -> None:
        """Note an instance at which the hypotheses do not hold and the conclusion is false, and
        a near miss that is true there: only one that says so itself, and does not ask the
        conclusion, can be. A conclusion may make no sense there.
        """
        true = (w for w in self.own if _said(self.stronger[w].holds.arguments, instance) is True)
        loose = next(true, None) if self.loose is None else None
        if self.denied and loose is None:
            return
        if _said(self.statement.concludes, instance, said) is False:
            self.denied = self.denied or instance
            self.loose = self.loose or loose

    def deny(self, random: Random) -> None:
        """Look for an instance at which the conclusion is false, among those that are given and
        those that are made, until there is one at which the hypotheses hold.
        """
        for instance in chain(self.statement.broken, broken(self.drawn, random, BROKEN)):
            if self.says and (self.denied is not None or self.statement.always):
                return
            if _said(self.statement.concludes, instance) is False:
                self.denied = self.denied or instance
                self.says = self.says or self._meant(instance)

    def _look(self, asked: Mapping[str, Callable[..., object]], instance: Instance) -> None:
        """Note a predicate that reads nothing of an instance."""
        if self.idle is None:
            self.idle = next((w for w, each in asked.items() if not reads(each, instance)), None)

    def _smallest(self, instance: Instance, draws: Draws) -> Instance:
        """Return the simplest instance that fails, among those that drop or lower choices."""
        return simplest(self.statement, draws.taken) if draws.taken else instance


def _said(asked: Callable[..., bool], *instance: object) -> bool | None:
    """What is said of an instance that may have no meaning: then anything may come of it, None."""
    try:
        return asked(*instance)
    except OutOfTime:
        raise
    except Exception:  # what a program does with data that it does not expect
        return None


def simplest(statement: Statement, taken: Sequence[int]) -> Instance:
    """Return the simplest instance at which a statement fails, from choices at which it does.

    Raises `SolverError` where it does not: what another process or a file says is tried again.
    """
    family, fails = statement.family, statement.fails
    found = family(Draws(None, smallest(taken, lambda each: fails(family(each)))))
    if not fails(found):
        raise SolverError("a statement that failed at an instance does not when it is tried again")
    return found
