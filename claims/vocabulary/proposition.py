"""One object for a theorem: letters, hypotheses and a conclusion over the vocabulary.

Its words, its formula, the proposition that Coq proves, the program that is tried and its near
misses are made from it, so that none of them can say something else.
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pufferproof.claims.language import wording
from pufferproof.claims.language.statements import Statement
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance, Said
from pufferproof.claims.vocabulary import mutants, render
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.sorts import TYPE, plural
from pufferproof.claims.vocabulary.terms import PROP, Term, evaluated, letter
from pufferproof.models.errors import SolverError

Family = Callable[[Draws], Instance]
REASONS = ("superfluous", "equivalent", "true and weaker", "not seen")
NOT_SEEN = REASONS[-1]
ANY_SET = "a set"
BETWEEN_SENTENCES = re.compile(r"(?<=[^.]\.) ")
"""What a set is that need not be finite."""


@dataclass(frozen=True)
class Proposition:
    """A theorem as one object.

    Args:
        name: of the constant in Coq, with its area: `foundations.Laws.post_processing` is
            `formal/statements/foundations/Laws.v` and `formal/claims/foundations/Laws.v`.
        types: the finite sets, in order; one with `~` need not be finite in Coq.
        letters: the letters in order; every letter of the terms is one of them, or bound.
        given: the hypotheses.
        then: the conclusion.
        family: draws an instance: a size for each set, a value for each letter.
        edges: instances that are always tried.
        decidable: the sets whose equality Coq must decide.
        survivors: the near misses that no instance shows to be false, by their words, each with its
            reason: "superfluous: ..", "equivalent: ..", "true and weaker: ..", "not seen: ..".
        unrun: why no finite instance decides it, or "": then it is said and proved, not tried.
        always: why the conclusion of a theorem without hypotheses is false at no data, or "".

    Raises `SolverError` for a term that is no proposition, a letter that is none of its own, or a
    reason of another kind.
    """

    name: str
    types: str
    letters: Sequence[Term]
    given: Sequence[Term]
    then: Term
    family: Family | None
    edges: Sequence[Instance] = ()
    decidable: str = ""
    survivors: Mapping[str, str] = field(default_factory=dict)
    unrun: str = ""
    always: str = ""

    def __post_init__(self) -> None:
        known = {each.name for each in self.letters} | {*self.sets}
        for term in (*self.given, self.then):
            if not isinstance(term, Term) or term.kind != PROP:
                found = f"a {term.kind}" if isinstance(term, Term) else f"{term!r:.40}"
                raise SolverError(f"{self.name}: expected a proposition, found {found}")
            if strange := sorted(render.letters_of(term).keys() - known):
                raise SolverError(f'{self.name}: "{strange[0]}" is no letter of the statement')
        shown = [*self.sets, *(each.shown for each in self.letters)]
        for kind, names in (("shown as", shown), ("called", [each.name for each in self.letters])):
            if twice := sorted({each for each in names if names.count(each) > 1}):
                raise SolverError(f'{self.name}: two letters are {kind} "{twice[0]}"')
        for reason in self.survivors.values():
            if reason.partition(":")[0] not in REASONS or not reason.partition(":")[2].strip():
                raise SolverError(
                    f"{self.name}: expected a reason that begins with one of {', '.join(REASONS)} "
                    f'and a colon, found "{reason}"'
                )
        if (self.family is None) == (not self.unrun):
            raise SolverError(f"{self.name}: expected a family, or a reason why none decides it")
        if self.always and self.given:
            raise SolverError(f"{self.name}: its conclusion is false where a hypothesis is broken")

    @property
    def area(self) -> str:
        """The file of `formal/statements` that has it."""
        return self.name.rpartition(".")[0]

    @property
    def constant(self) -> str:
        """Its name in that file."""
        return self.name.rpartition(".")[2]

    @property
    def sets(self) -> list[str]:
        """The names of its finite sets."""
        return self.types.replace("~", "").split()

    @property
    def lets(self) -> str:
        """What its letters are, in words that follow "Let"; those of one sort stand together."""
        any_set = [each[:-1] for each in self.types.split() if each.endswith("~")]
        finite = [each for each in self.sets if each not in any_set]
        said = [(any_set, ANY_SET)] if any_set else []
        said += [(finite, TYPE.words)] if finite else []
        for each in self.letters:
            if each.sort:
                words, several = each.sort.words, plural(each.sort.words)
                alike = next((names for names, has in said if several and has == words), None)
                if alike is None:
                    said.append(([each.shown], words))
                else:
                    alike.append(each.shown)
        return "; let ".join(itertools.starmap(_be, said))

    @property
    def meanings(self) -> list[str]:
        """Sentences that explain words of the statement, each once."""
        sorts = [each.sort.meaning for each in self.letters if each.sort]
        terms = [each for term in (*self.given, self.then) for each in render.meanings(term)]
        said = [each for text in (*terms, *sorts) for each in BETWEEN_SENTENCES.split(text)]
        return [*dict.fromkeys(filter(None, said))]

    @property
    def words(self) -> str:
        """The statement in words."""
        given = [*map(render.words, self.given)]
        return wording.theorem(self.lets, given, render.words(self.then), self.meanings)

    @property
    def tex(self) -> str:
        """The statement as a formula."""
        given = r" \wedge ".join(rf"\left({render.tex(each)}\right)" for each in self.given)
        then = render.tex(self.then)
        return rf"{given} \Rightarrow {then}" if given else then

    @property
    def coq(self) -> str:
        """The statement for Coq: the definition of its constant."""
        finite = [each for each in self.types.split() if not each.endswith("~")]
        binders = [
            " ".join(
                [f"({' '.join(self.sets)} : Type)"] * bool(self.sets) + [f"`{{Sums.Finite {each}}}" for each in finite]
            )
        ]
        binders += [f"(d{each} : forall x_ y_ : {each}, {{x_ = y_}} + {{x_ <> y_}})" for each in self.decidable.split()]
        binders += [f"({each.name} : {each.sort.in_coq})" for each in self.letters if each.sort]
        lines = [*(render.coq(each, 98) for each in self.given), render.coq(self.then)]
        return (
            f"Definition {self.constant} : Prop :=\n  forall "
            + "\n      ".join(filter(None, binders))
            + ",\n    "
            + " ->\n    ".join(lines)
            + "."
        )

    @property
    def entries(self) -> set[str]:
        """The names of the entries of the vocabulary that it uses."""
        return set[str]().union(*(each.entries for each in (*self.given, self.then)))

    def near_misses(self) -> dict[str, "mutants.Miss"]:
        """Return its near misses by their words: hypotheses and conclusion of each."""
        return mutants.near_misses(self.letters, self.given, self.then)

    def program(self) -> "Program":
        """Return it as what is tried on instances. Raises `SolverError` if none decides it."""
        if self.family is None:
            raise SolverError(f"{self.name} cannot be run: {self.unrun}")
        return Program(
            family=self.family,
            holds=_asked(self.then),
            given={render.words(each): _asked(each) for each in self.given},
            edges=self.edges,
            always=self.always,
            proposition=self,
        )


def _be(names: Sequence[str], words: str) -> str:
    """Say what letters of one sort be."""
    several = "sets" if words == ANY_SET else plural(words)
    return f"{wording.series(names)} be {words if len(names) == 1 else several}"


def _asked(term: Term) -> Callable[..., bool]:
    asked = evaluated(term)
    return lambda **at: bool(asked(at))


@dataclass(frozen=True)
class Program(Statement):
    """A proposition as a statement over instances: what is tried, and how it is made smaller."""

    proposition: Proposition | None = None

    def __post_init__(self) -> None:
        """Its near misses are made from the terms."""

    @property
    def drawn(self) -> str:
        """How instances are drawn, in words."""
        return " ".join((self.family.__doc__ or "").split())

    def near_misses(self) -> dict[str, Callable[[Instance, Said], bool]]:
        """Return every near miss that an instance must show to be false."""
        known = self.said.survivors
        return {words: each for words, each in self._all().items() if words not in known}

    def survivors(self) -> dict[str, Callable[[Instance, Said], bool]]:
        """Return the near misses that no instance may show to be false, as each has a reason."""
        every, known = self._all(), self.said.survivors
        if unknown := known.keys() - every.keys():
            raise SolverError(f'{self.said.name} has no near miss "{min(unknown)}"')
        return {words: each for words, each in every.items() if words in known}

    @property
    def least(self) -> int:
        """How many instances are tried at least for each that is wanted."""
        return 2

    @property
    def said(self) -> Proposition:
        """The proposition."""
        if self.proposition is None:
            raise SolverError("expected the program of a proposition")
        return self.proposition

    def _all(self) -> dict[str, Callable[[Instance, Said], bool]]:
        return {words: _fails(miss) for words, miss in self.said.near_misses().items()}


def _fails(miss: "mutants.Miss") -> Callable[[Instance, Said], bool]:
    """Return whether a near miss is false at an instance; terms that are shared are asked once."""
    given, then = miss
    asked = [(each, evaluated(each)) for each in given]
    last = then, evaluated(then)

    def fails(at: Instance, said: Said) -> bool:
        return all(_known(*each, at, said) for each in asked) and not _known(*last, at, said)

    return fails


def _known(term: Term, asked: Callable[[Instance], Any], at: Instance, said: Said) -> bool:
    known = said.get(id(term))
    if known is None:
        known = said[id(term)] = bool(asked(at))
    return known


def set_named(name: str) -> Term:
    """Return the letter of a finite set."""
    return letter(name, TYPE)


def tightened(family: Family, given: Sequence[Term], name: str, factors: Sequence[Any] = CLOSE) -> Family:
    """Return a family that sets a letter to the least value that hypotheses allow, in four draws
    of five, times one of the factors. Their right sides must be multiples of the letter.
    """

    def drawn(draws: Draws) -> Instance:
        found = dict(family(draws))
        if draws.below(5):
            compared = mutants.compared(given, {**found, name: Fraction(1)}, name)
            if all(right > 0 or left <= 0 for left, right in compared):
                least = max([a / b for a, b in compared if b > 0], default=Fraction(1))
                found[name] = least * draws.among([*factors])
        return found

    drawn.__doc__ = (
        f"{' '.join((family.__doc__ or '').split())} {name} is often the least that the hypotheses "
        f"allow, or close to it."
    )
    return drawn
