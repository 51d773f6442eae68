"""What a claim says, as something that runs: a family of instances, hypotheses, a conclusion, and
the stronger statements that the same family must find false.

A stronger statement is the same conclusion with other arguments, so that a conclusion that says
nothing has none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.models.errors import SolverError

Instance = dict[str, Any]
"""The entries of an instance by name, each of a kind of its own: tables, laws, numbers."""
Family = Callable[[Draws], Instance]
Predicate = Callable[..., bool]
Change = Mapping[str, Any] | Callable[..., Mapping[str, Any] | bool]
"""Arguments of a conclusion that are other than usual: by name, or computed of an instance."""
Said = dict[int, bool]
"""What predicates, by their identity, say of one instance."""


@dataclass(frozen=True)
class Statement:
    """A statement over finite instances.

    Args:
        family: draws an instance; its docstring says which, and how quantifiers that cannot be run
            (all mechanisms, all sizes) are sampled.
        holds: the conclusion, of the entries of an instance by name.
        given: the hypotheses, each with its words. An instance at which one is false is no instance
            of the statement.
        edges: instances that are always tried, beside those that are drawn.
        too_strong: slightly stronger statements, each with its words: arguments with which the
            conclusion is asked instead, parameters of its own (`{"factor": F(99, 100)}`) or
            entries that are others, then as a function of the entries that returns them. Such a
            function may also say True or False itself, which shows nothing of the conclusion.
        too_weak: hypotheses without which the conclusion is false somewhere.
        degenerate: the instances that are degenerate (empty, 0, one value): a statement that is
            false is then also tried on the others.
        broken: instances at which the conclusion is false, where breaking those that are drawn
            finds none.
        always: why the conclusion is false at no data whatever, where it is so.
        computed: entries that are numbers which the family computes from other entries, so that no
            other number may stand there.

    Every entry of `too_strong` and `too_weak` is a near miss: the family must have an instance at
    which it is false. Raises `SolverError` without a near miss, if `too_weak` names no
    hypothesis, if the conclusion has no such argument, or if the family does not say what it draws.
    """

    family: Family
    holds: Predicate
    given: Mapping[str, Predicate] = field(default_factory=dict)
    edges: Sequence[Instance] = ()
    too_strong: Mapping[str, Change] = field(default_factory=dict)
    too_weak: Sequence[str] = ()
    degenerate: Predicate | None = None
    broken: Sequence[Instance] = ()
    always: str = ""
    computed: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not self.drawn:
            raise SolverError("expected a family whose docstring says what it draws, found none")
        if not (self.too_strong or self.too_weak):
            raise SolverError("expected a near miss of the statement, found none")
        if unknown := [text for text in self.too_weak if text not in self.given]:
            raise SolverError(f'expected one of the hypotheses {list(self.given)}, found "{unknown[0]}"')
        if self.broken and self.always:
            raise SolverError("expected instances that are broken, or always, found both: keep one")
        known = _parameters(self.holds)
        for words, change in self.too_strong.items():
            other = known is not None and isinstance(change, Mapping) and {*change} - known
            if other:
                raise SolverError(
                    f'expected arguments of the conclusion in the near miss "{words}", found "{min(other)}"'
                )

    @property
    def drawn(self) -> str:
        """How instances are drawn, in words."""
        return " ".join((self.family.__doc__ or "").split())

    def meant(self, instance: Instance, said: Said | None = None) -> bool:
        """Whether every hypothesis holds at an instance; `said` has what predicates that are shared
        with another statement said of this instance, and gets what others say.
        """
        said = {} if said is None else said
        for each in self.given.values():  # noqa: SIM110 (asked a million times in a proof run)
            if not _asked(each, instance, said):
                return False
        return True

    def fails(self, instance: Instance, said: Said | None = None) -> bool:
        """Whether the hypotheses hold at an instance, and the conclusion does not."""
        said = {} if said is None else said
        return self.meant(instance, said) and not self.concludes(instance, said)

    def is_regular(self, instance: Instance) -> bool:
        """Whether the hypotheses hold at an instance that is not degenerate."""
        degenerate = self.degenerate is not None and _asked(self.degenerate, instance, {})
        return not degenerate and self.meant(instance)

    def concludes(self, instance: Instance, said: Said | None = None) -> bool:
        """Whether the conclusion holds at an instance."""
        return _asked(self.holds, instance, {} if said is None else said)

    def asked(self, hypothesis: Predicate, instance: Instance, said: Said) -> bool:
        """Whether a hypothesis holds at an instance."""
        return _asked(hypothesis, instance, said)

    def near_misses(self) -> dict[str, Callable[[Instance, Said], bool]]:
        """Return every near miss by its words, as what says whether it fails."""
        return {words: each.fails for words, each in self.stronger().items()}

    def survivors(self) -> dict[str, Callable[[Instance, Said], bool]]:
        """Return the near misses that no instance may show to be false, as what says whether one
        fails.
        """
        return {}

    @property
    def always_is_written(self) -> bool:
        """Whether an author says why the conclusion is false nowhere: that may be untrue."""
        return bool(self.always)

    @property
    def least(self) -> int:
        """How many instances are tried at least for each that is wanted."""
        return 1

    def stronger(self) -> dict[str, "Statement"]:
        """Return every near miss by its words, as a statement of its own."""
        stronger = {
            words: replace(self, holds=Instead(self.holds, change), too_weak=())
            for words, change in self.too_strong.items()
        }
        weaker = {
            f"without: {words}": replace(self, given=_without(self.given, words), too_weak=(), too_strong={"": {}})
            for words in self.too_weak
        }
        return stronger | weaker


@dataclass(frozen=True)
class Instead:
    """A conclusion, and beside it the same with other arguments: it implies the conclusion."""

    holds: Predicate
    change: Change

    def arguments(self, instance: Instance) -> Instance | bool:
        """Return what the conclusion is given instead of an instance; a near miss that is a
        predicate says True or False here, and the conclusion is not asked.
        """
        change = self.change
        if not isinstance(change, Mapping):
            change = _called(change, instance)
        return {**instance, **change} if isinstance(change, Mapping) else change

    def __call__(self, /, **instance: object) -> bool:
        """Ask the conclusion with the other arguments first: most often it is false with them."""
        arguments = self.arguments(instance)
        if not isinstance(arguments, dict):
            return arguments
        return self.holds(**arguments) and self.holds(**instance)


def _parameters(predicate: Predicate) -> set[str] | None:
    """The names of the arguments that a predicate takes; None if it takes any."""
    if isinstance(predicate, Instead):
        return None
    taken = signature(predicate).parameters
    if any(each.kind is Parameter.VAR_KEYWORD for each in taken.values()):
        return None
    return {*taken}


def _without(given: Mapping[str, Predicate], words: str) -> dict[str, Predicate]:
    return {text: each for text, each in given.items() if text != words}


def _asked(predicate: Predicate, instance: Instance, said: Said) -> bool:
    """Ask a predicate about an instance, once."""
    known = said.get(id(predicate))
    if known is None:
        known = said[id(predicate)] = _truth(predicate, instance)
    return known


def _truth(predicate: Predicate, instance: Instance) -> bool:
    value = _called(predicate, instance)
    if value is not True and value is not False:
        raise SolverError(
            f"expected True or False from the predicate of {_place(predicate)}, found {type(value).__name__}"
        )
    return value


def _called(predicate: Callable[..., object], instance: Instance) -> Any:
    try:
        return predicate(**instance)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
            raise  # from within the predicate: the error has its place
        raise SolverError(
            f"expected a predicate of the entries of an instance, found that of {_place(predicate)}: {error}"
        ) from None


def _place(predicate: Callable[..., object]) -> str:
    """The file and line in which a predicate begins."""
    if isinstance(predicate, Instead):
        change = predicate.change
        return _place(predicate.holds if isinstance(change, Mapping) else change)
    code = getattr(predicate, "__code__", None)
    return repr(predicate) if code is None else f"{code.co_filename}:{code.co_firstlineno}"
