"""What a trial does with instances: it asks the statement and its near misses about each, until
there were enough of both kinds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import ne
from random import Random
from typing import Any

from pufferproof.claims.language.statements import sources
from pufferproof.claims.language.statements.broken import broken, numbers
from pufferproof.claims.language.statements.draws import Draws, smallest
from pufferproof.claims.language.statements.reading import reads
from pufferproof.claims.language.statements.sources import DRAWS_EACH, HARD_EACH, Drawn
from pufferproof.claims.language.statements.statement import Instance, Said, Statement
from pufferproof.claims.language.statements.stretched import changed
from pufferproof.models.errors import SolverError
from pufferproof.verify.proof.smt import USUAL_NUMBER, OutOfTime

LOOKED_AT = 20
"""At how many instances predicates must read something of what they are given."""

AGAIN = 10
"""At how many instances the statement is asked again at the end, whether it says the same."""

ASKED_WITHOUT = 100
"""At how many instances at which one hypothesis alone is false the conclusion is asked."""

BROKEN_OF, BROKEN = 60, 3000
"""Of how many instances broken ones are made, and how many."""


@dataclass
class Side:
    """Instances of one kind: where they come from, and how many were tried and met the
    hypotheses.
    """

    source: Iterator[Drawn]
    tried: int = 0
    met: int = 0
    ended: bool = False


class Run:
    """A trial while it runs."""

    def __init__(self, statement: Statement, seed: str, wanted: int) -> None:
        self.statement, self.wanted, self.finished = statement, wanted, False
        most = max(wanted, USUAL_NUMBER)
        edges = (Drawn(each, Draws(None)) for each in statement.edges)
        drawn = islice(sources.usual(statement, seed), DRAWS_EACH * most)
        self.usual = Side(chain(edges, drawn))
        self.hard = Side(islice(sources.hard(statement, seed), HARD_EACH * wanted // 2))
        self._before: dict[tuple[int, ...], bool] = {}  # edges, without choices, are not there
        self.failed: Instance | None = None
        self.beyond: str | None = None
        self.idle: str | None = None
        self.contradicted: Instance | None = None
        self.fickle: str | None = None
        self.one: Instance | None = None  # the first that the family draws
        self.varied = False
        self.first: list[tuple[Drawn, Said]] = []  # drawn ones, with what was said of them
        self.untrue: str | None = None
        self.survivors = statement.survivors()
        self.denied: Instance | None = None
        self.says = False
        self.loose: str | None = None
        self.drawn: list[Instance] = []
        self.predicates = {
            f'the {kind} "{words}"': each
            for kind, some in (("hypothesis", statement.given), ("near miss", statement.too_strong))
            for words, each in some.items()
            if callable(each)
        }
        self.stronger: dict[str, Any] = statement.stronger()
        # the others ask the conclusion itself too, so that they are false where it is
        self.own = [w for w, each in statement.too_strong.items() if not isinstance(each, Mapping)]
        self.left = statement.near_misses()
        self.missed: dict[str, Instance | None] = dict.fromkeys(self.left)
        asked = {*self.left, *self.survivors}
        without = (words for words in statement.given if f"without: {words}" not in asked)
        self.unneeded = dict.fromkeys(without, ASKED_WITHOUT)

    def go(self) -> None:
        """Try instances of both kinds until one fails, or enough meet the hypotheses and no near
        miss is left.
        """
        while self.failed is None and (sides := self._open()):
            for side in sides:
                drawn = next(side.source, None)
                if drawn is None:
                    side.ended = True
                elif self.failed is None:
                    self._try(drawn, side)
        if self.statement.always_is_written:
            self.contradicted = self.denied
        if self.failed is None:
            self._ask_again()

    def _open(self) -> list[Side]:
        """Return the kinds of which more instances are needed, for their number or for near
        misses.
        """
        sides = [side for side in (self.usual, self.hard) if not side.ended]
        return [each for each in sides if each.met < self._share(each)] or ([] if self._seen else sides)

    def _share(self, side: Side) -> int:
        """Return how many instances of a kind are wanted: half of all, and usual ones where there
        are not as many hard ones.
        """
        half = self.wanted // 2
        if side is self.usual and self.hard.ended:
            return self.wanted - min(self.hard.met, half)
        return self.wanted - half if side is self.usual else half

    @property
    def _seen(self) -> bool:
        """Whether no near miss is left, and instances are enough for those that must not fail."""
        tried = self.usual.tried + self.hard.tried
        return not self.left and tried >= self.statement.least * self.wanted

    def _try(self, drawn: Drawn, side: Side) -> None:
        """Count an instance, and ask about it unless the same choices made it before: then no near
        miss that is left was false there.
        """
        side.tried += 1
        choices = (drawn.stretched, *drawn.draws.taken)
        met = self._before.get(choices)
        if met is None:
            ask = self._ask_stretched if drawn.stretched else self._asked
            met = ask(drawn.instance, drawn.draws)
            if len(choices) > 2:
                self._before[choices] = met
        side.met += met

    def _ask_stretched(self, instance: Instance, draws: Draws) -> bool:
        """Return whether the hypotheses hold at an instance that may be none of the family; if the
        conclusion fails there, note its numbers, or a usual instance that fails too.
        """
        said: Said = {}
        if _said(self.statement.meant, instance, said) is not True:
            if self.unneeded:
                self._without_one(instance, said)
            return False
        if self.beyond is None and _said(self.statement.concludes, instance, said) is False:
            choices = smallest(draws.taken, lambda each: self._false_at(each, True))
            if self._false_at(Draws(None, choices), False):
                self.failed = self.statement.family(Draws(None, choices))
                return True
            found = sources.remade(self.statement, Draws(None, choices), True)
            self.beyond = changed(found, self.statement.family(Draws(None, choices)))
        return True

    def _false_at(self, draws: Draws, stretching: bool) -> bool:
        """Whether the statement fails at the instance of choices."""
        instance = sources.remade(self.statement, draws, stretching)
        return _said(self.statement.fails, instance) is True

    def _asked(self, instance: Instance, draws: Draws) -> bool:
        """Return whether the hypotheses hold at an instance, after noting whether the statement
        fails there, and which near misses do.
        """
        said: Said = {}
        if self.usual.tried <= LOOKED_AT:
            self._look(self.predicates, instance)
        if len(self.drawn) < BROKEN_OF and not draws.hard:
            self.drawn.append(instance)
        for words in [each for each, fails in self.left.items() if fails(instance, said)]:
            self.missed[words] = instance
            del self.left[words]
            self._missed(words, instance)
        for words, fails in self.survivors.items():
            if self.untrue is None and fails(instance, said):
                self.untrue = words
        drawn = draws.hard or self.usual.tried > len(self.statement.edges)
        if drawn and not self.varied:
            self.one = instance if self.one is None else self.one
            self.varied = _said(ne, instance, self.one) is not False
        if not self.statement.meant(instance, said):
            self._beyond(instance, said)
            if self.unneeded:
                self._without_one(instance, said)
            return False
        if drawn and len(self.first) < AGAIN:
            self.first.append((Drawn(instance, draws), said))
        if self.usual.met < LOOKED_AT:
            self._look({"the conclusion": self.statement.holds}, instance)
        if not self.statement.concludes(instance, said):
            self.failed = self._smallest(instance, draws)
        return True

    def _ask_again(self) -> None:
        """Note what says another thing of an instance when it is asked again, or when the family
        makes the instance again.
        """
        asked = {f'the hypothesis "{words}"': each for words, each in self.statement.given.items()}
        for (instance, draws, _), said in self.first:
            for words, each in (*asked.items(), ("the conclusion", self.statement.holds)):
                before = said.get(id(each))
                if before is not None and _said(self.statement.asked, each, instance, {}) != before:
                    self.fickle = self.fickle or words
            made = self.statement.family(Draws(None, draws.taken))
            if [*numbers(made)] != [*numbers(instance)]:
                self.fickle = self.fickle or "the family"

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

    def _without_one(self, instance: Instance, said: Said) -> None:
        """Note a hypothesis that is needed: it alone is false at an instance, and the conclusion is
        false there, or makes no sense.
        """
        alone = None
        for words, each in self.statement.given.items():
            if _said(self.statement.asked, each, instance, said) is not True:
                if alone is not None or not self.unneeded.get(words):
                    return
                alone = words
        if alone is not None:
            self.unneeded[alone] -= 1
            if _said(self.statement.concludes, instance, said) is not True:
                del self.unneeded[alone]

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
        return simplest(self.statement, draws.taken) if len(draws.taken) > 1 else instance


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
