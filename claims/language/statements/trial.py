"""Running a statement: at least a thousand instances, and its near misses on the same ones.

A conclusion that is never false says nothing. So the trial asks for an instance at which it is,
with a hypothesis or anything else broken, and for one at which the hypotheses hold and the
conclusion, given other arguments or data that is not drawn, is false.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, islice

from pufferproof.claims.language.statements import sources
from pufferproof.claims.language.statements.run import Run
from pufferproof.claims.language.statements.statement import Instance, Statement
from pufferproof.verify.proof.smt import USUAL, USUAL_NUMBER, Effort, OutOfTime, limited

BREAKING = 30
"""For how many seconds broken instances are made at most."""


@dataclass(frozen=True)
class Trial:
    """What came of trying a statement.

    `tried` counts usual instances and `met` those at which the hypotheses hold; `hard_tried` and
    `hard_met` count the hard ones. `beyond` has numbers that the family never draws, with which the
    statement is false. `failed` is an instance at which the statement is false, made as small as
    could be; `missed` has for every near miss an instance at which that is false, or None if there
    was none; `finished` is whether there was time for all. `idle` names a predicate that reads
    nothing of an instance, `untrue` a near miss that is false though a reason is given why it is
    not. `drawn` says how instances were drawn, `seed` names the generator. `regular` counts the
    instances that are not degenerate at which a statement that failed holds; it is None if it fails
    at one of these too. `denied` is an instance at which the conclusion itself is false, `always`
    the reason why there is none; `says` is whether it is false somewhere, with some arguments,
    though the hypotheses hold; `loose` names a near miss that is true where the conclusion is
    false; `unneeded` has the hypotheses that no instance needs: the conclusion is true wherever one
    of them alone is false. `fickle` names what says another thing when it is asked again, `single`
    says that all instances that were drawn are one; `contradicted` is a drawn instance at which the
    conclusion is false though `always` says that there is none.
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
    hard_tried: int = 0
    hard_met: int = 0
    beyond: str | None = None
    unneeded: Sequence[str] = ()
    fickle: str | None = None
    single: bool = False
    contradicted: Mapping[str, object] | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """How many instances of both kinds were tried, and at how many the hypotheses hold."""
        return self.tried + self.hard_tried, self.met + self.hard_met

    @property
    def weakness(self) -> str | None:
        """Why that nothing failed says less than it should, or None."""
        tried, met = self.counts
        if not self.finished:
            return f"there was time for {met} of {self.wanted} instances only"
        if met < self.wanted:
            return f"the hypotheses hold at {met} of {tried} instances, of {self.wanted}"
        if self.fickle is not None:
            return f"{self.fickle} says another thing of an instance when it is asked again"
        if self.single:
            return (
                "the family draws one instance, again and again: it must draw others, or the "
                "reading goes through a finite family (every:)"
            )
        if self.beyond is not None:
            return (
                f"tried only within the family: the statement is false at {self.beyond}, which the "
                f"family does not draw; say in given= what that number is, or name it in computed= "
                f"if the family computes it from other entries"
            )
        if self.idle is not None:
            return f"{self.idle} reads nothing of an instance, so that it says nothing of it"
        if self.untrue is not None:
            return f'the near miss "{self.untrue}" is false at an instance, and a reason is given why it is not'
        return self._of_the_conclusion

    @property
    def _of_the_conclusion(self) -> str | None:
        """Why the conclusion, with its near misses, may say less than it should, or None."""
        blind = [words for words, instance in self.missed.items() if instance is None]
        if blind:
            return f'no instance shows that the near miss "{blind[0]}" is false'
        if self.denied is None and not self.always:
            return (
                "the conclusion was false at no instance: one at which it is false is needed, with "
                "a broken hypothesis or with data that the family never draws (broken), or the "
                "reason why there is none (always)"
            )
        if self.contradicted is not None:
            found = ", ".join(f"{name} = {value}" for name, value in self.contradicted.items())
            return f"always says that the conclusion is false at no data, and it is false at {found:.100}: leave it out"
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
    seed = f"{name}{effort.seed}"
    run = Run(statement, seed, effort.instances)
    with suppress(OutOfTime), limited(seconds), _without_collection():
        run.go()
        run.finished = True
    regular = None
    if run.failed is not None and statement.degenerate is not None:
        with suppress(OutOfTime), limited(seconds):
            regular = _regular(statement, seed, effort.instances)
    if run.finished and run.failed is None:
        with suppress(OutOfTime), limited(min(seconds, BREAKING)):
            run.deny(sources.generator(f"{seed}, broken"))
    return Trial(
        drawn=statement.drawn,
        seed=seed,
        wanted=effort.instances,
        tried=run.usual.tried,
        met=run.usual.met,
        hard_tried=run.hard.tried,
        hard_met=run.hard.met,
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
        beyond=run.beyond,
        unneeded=[*run.unneeded],
        fickle=run.fickle,
        single=run.failed is None and not run.varied,
        contradicted=run.contradicted,
    )


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keep Python from looking for circles of garbage: instances make none, and looking takes a
    tenth of the time, as all claims are loaded.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _regular(statement: Statement, seed: str, wanted: int) -> int | None:
    """Return at how many usual instances that are not degenerate a statement holds, up to the
    wanted number; None if it fails at one of these, or at a hard one.
    """
    usual = (each.instance for each in sources.usual(statement, seed))
    most = sources.DRAWS_EACH * max(wanted, USUAL_NUMBER)
    met = _holds_at(statement, chain(statement.edges, islice(usual, most)), wanted)
    library = sources.library(statement, seed)
    hard = (each.instance for each in islice(library, sources.HARD_EACH * wanted))
    return None if met is None or _holds_at(statement, hard, wanted) is None else met


def _holds_at(statement: Statement, instances: Iterable[Instance], wanted: int) -> int | None:
    """Return at how many instances, up to the wanted number, that are not degenerate a statement
    holds; None if it fails at one.
    """
    met = 0
    for instance in instances:
        if statement.is_regular(instance):
            if not statement.concludes(instance):
                return None
            met += 1
            if met == wanted:
                break
    return met
