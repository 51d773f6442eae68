"""A linked argument: one object for a statement and the facts from which it follows.

Its letters may have indices, so that p[t] is a family of numbers, one for each value of t; an index
has finitely many values, at least one. A fact holds for every value of its indices. A fact is a
hypothesis, the definition of a letter that is new, what engines find to follow from facts that it
names, or a lemma put in. The last fact is the conclusion, and every fact is used. So nothing comes
from outside, and nothing is beside the point.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from pufferproof.claims.language.letters import Letter, domains
from pufferproof.models.errors import ModelError
from pufferproof.verify.proof.formulas import denominators
from pufferproof.verify.proof.implication import decide_implication
from pufferproof.verify.proof.steps import Step
from pufferproof.verify.proof.triviality import nothing_decided

LIMIT = 20.0
"""Seconds for one step."""
TRUE = sympy.true
exp = sympy.Function("exp")
"""The exponential function, of which engines know nothing: lemmas say what is used of it."""


@dataclass(frozen=True)
class Fold:
    """A letter that is made along an index: it starts at `start`, and each value of the index
    makes `following` of it, in which the letter itself is what there is so far.
    """

    kind: str
    over: str
    start: Any
    following: Any
    term: Any = None


@dataclass(frozen=True)
class Before:
    """A letter that says, at each value of the index along which `of` is made, what there is of it
    before that value.
    """

    of: Letter


@dataclass(frozen=True)
class Lemma:
    """What is known of all numbers: letters with their domains, hypotheses, a conclusion.

    `source` is the theorem of Coq that says it, or the argument that shows it.
    """

    name: str
    given: Mapping[str, Any]
    then: Any
    source: "str | Linked"

    @property
    def letters(self) -> list[Letter]:
        """The letters that it speaks of."""
        found = set().union(*(each.free_symbols for each in (*self.given.values(), self.then)))
        return sorted(found, key=lambda each: each.name)

    @property
    def speaks_of(self) -> list[Letter]:
        """These letters, and those of which they are made: nothing else may be any number."""
        if not isinstance(self.source, Linked):
            return self.letters
        formulas = [*self.given.values(), self.then]
        made = self.source.made_in(formulas)
        parts = set().union(
            *(each.free_symbols for each in formulas), *map(self.source.parts, made)
        )
        return [each for each in (*self.source.letters, *made) if each in parts or each in made]


@dataclass(frozen=True)
class Fact:
    """One fact: its formula, the rule by which it is known, and the facts that it uses."""

    name: str
    rule: str
    formula: Any
    uses: tuple[str, ...] = ()
    over: str = ""
    lemma: Lemma | None = None
    put: Mapping[Any, Any] = field(default_factory=dict)


class Linked:
    """A statement with its argument, built by its methods in order.

    Args:
        about: what the statement is about, in a few words.
        indices: what each index runs through.
        letters: the letters that are given, each with its indices as text, such as "t s".
        near: for letters, an expression of others at which instances are often drawn, so that
            hypotheses hold often and ties occur.
        spare: hypotheses that no instance needs, by name, each with the reason why it stands.

    Every method that adds a fact takes its name first. Raises `ModelError` where a fact is not
    linked: it names what no fact before it says, a letter is not new, an index is not there.
    """

    def __init__(
        self,
        about: str,
        indices: Mapping[str, str],
        letters: Mapping[Letter, str],
        near: Mapping[Letter, Any] | None = None,
        spare: Mapping[str, str] | None = None,
    ) -> None:
        self.about, self.indices = about, dict(indices)
        self.letters = {each: tuple(text.split()) for each, text in letters.items()}
        self.near, self.spare = dict(near or {}), dict(spare or {})
        self.definitions: dict[Letter, Any] = {}  # each a `Fold`, `Before` or an expression
        self.facts: dict[str, Fact] = {}
        self.then: Any = None
        for each, its in self.letters.items():
            if unknown := set(its) - set(self.indices):
                self._refuse(f'"{each}" has the index "{min(unknown)}", which is not one')
        names = [each.name for each in self.letters]
        if twice := [name for name in names if names.count(name) > 1]:
            self._refuse(f'two letters are called "{twice[0]}"')

    def given(self, name: str, formula: Any) -> None:
        """Add a hypothesis of the statement."""
        if any(each.rule not in ("given", "let") for each in self.facts.values()):
            self._refuse(f'the hypothesis "{name}" comes after what follows from hypotheses')
        self._add(Fact(name, "given", formula))

    def let(self, letter: Letter, expression: Any) -> Letter:
        """Define a new letter; what it is defined to be is the fact "let LETTER"."""
        self._fresh(letter, expression)
        self.definitions[letter] = expression
        if not expression.has(AppliedUndef):
            equation = sympy.Eq(letter, expression, evaluate=False)
            self._add(Fact(f"let {letter}", "let", equation))
        elif expression.func != exp or not isinstance(expression.args[0], Letter):
            self._refuse(f'"{letter}" must be exp of one letter')
        return letter

    def sum(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as a sum over an index."""
        return self._fold(letter, Fold("sum", over, sympy.S.Zero, letter + term, term))

    def product(self, letter: Letter, over: str, term: Any) -> Letter:
        """Define a new letter as a product over an index."""
        return self._fold(letter, Fold("product", over, sympy.S.One, letter * term, term))

    def chain(self, letter: Letter, over: str, start: Any, following: Any) -> Letter:
        """Define a new letter by steps along an index: from `start` on, each step makes
        `following` of it, in which the letter is what there is so far.
        """
        return self._fold(letter, Fold("chain", over, start, following))

    def before(self, letter: Letter, of: Letter) -> Letter:
        """Define a new letter as what there is of a sum, product or recursion before each value of
        its index, so that facts may speak of neighbours: an `along` over this index knows it.
        """
        if of not in self.folds:
            self._refuse(f'"{letter}" comes before "{of}", which is not made along an index')
        self._fresh(letter, of)
        self.definitions[letter] = Before(of)
        return letter

    def step(self, name: str, conclusion: Any, *uses: str) -> None:
        """Conclude from facts, at the same values of indices; engines decide it."""
        self._named(name, uses)
        self._add(Fact(name, "step", conclusion, uses))

    def along(self, name: str, over: str, conclusion: Any, *uses: str) -> None:
        """Conclude of letters made along an index, by induction on how much of it has been gone
        through, from facts that hold at each value.
        """
        made = {x for x, fold in self.folds.items() if fold.over == over}
        made &= conclusion.free_symbols
        if not made:
            self._refuse(f'"{name}" speaks of nothing that is made along {over}')
        if over in self.indices_of(conclusion):
            self._refuse(f'"{name}" has {over} free: {conclusion}')
        for each in self._named(name, uses):
            if each.formula.free_symbols & made:
                self._refuse(
                    f'"{name}" uses "{each.name}", which speaks of all of {over}, and not of the '
                    f"part that has been gone through"
                )
        for x in made:
            if others := (self.parts(x) - {x}) & made:
                self._refuse(f'"{name}": {x} is made of {min(map(str, others))}')
        self._add(Fact(name, "along", conclusion, uses, over))

    def swap(self, name: str, one: Letter, other: Letter) -> None:
        """Conclude that two double sums are equal: the same terms in another order."""
        outer, inner = self.folds.get(one), self.folds.get(other)
        first, second = self._within(outer), self._within(inner)
        if first is None or second is None or first != (second[1], second[0], second[2]):
            self._refuse(f'"{name}": {one} and {other} are not one double sum in two orders')
        self._add(Fact(name, "swap", sympy.Eq(one, other, evaluate=False)))

    def by(self, name: str, lemma: Lemma, put: Mapping[Any, Any], *uses: str) -> None:
        """Conclude what a lemma says of these expressions: that its hypotheses imply it, or, where
        facts are named from which they follow, its conclusion.
        """
        self._named(name, uses)
        indexed = isinstance(lemma.source, Linked) and lemma.source.indices
        if indexed and not uses and lemma.given:
            self._refuse(f'"{name}" must name the facts from which the hypotheses follow')
        if unknown := [each for each in lemma.speaks_of if each not in put]:
            self._refuse(f'"{name}": nothing is put for "{unknown[0]}" of {lemma.name}')
        if isinstance(lemma.source, Linked):
            self._same_makings(name, lemma.source, put)
        formula = self._written(lemma.then, put)
        needed = self.needed(lemma, put)
        if not uses and needed:
            formula = sympy.Implies(sympy.And(*needed, evaluate=False), formula, evaluate=False)
        self._add(Fact(name, "lemma", formula, uses, "", lemma, dict(put)))

    def conclude(self, name: str, conclusion: Any, *uses: str) -> "Linked":
        """Conclude what the statement says, as its last fact; return the whole."""
        self.step(name, conclusion, *uses)
        self.then = conclusion
        given = [each.formula for each in self.facts.values() if each.rule in ("given", "let")]
        if nothing_decided(conclusion, [*given, *domains([conclusion, *given])]):
            self._refuse("the conclusion is one of its hypotheses or definitions")
        self._closed()
        return self

    def needed(self, lemma: Lemma, put: Mapping[Any, Any]) -> list[Any]:
        """What must hold of expressions that are put into a lemma: hypotheses and domains."""
        assumed = [*lemma.given.values(), *domains(lemma.speaks_of)]
        return [each for each in (self._written(one, put) for one in assumed) if each is not TRUE]

    def indices_of(self, expression: Any) -> set[str]:
        """The indices on which an expression depends."""
        return set().union(*map(self._its, expression.free_symbols))

    def order_of(self, letter: Letter) -> tuple[str, ...]:
        """The indices of a letter, in order."""
        its = self.letters.get(letter)
        return tuple(sorted(self._its(letter))) if its is None else its

    def assumed(self, fact: Fact, *more: Any) -> list[Any]:
        """What a fact follows from: the facts that it uses, and the domains of letters."""
        used = [self.facts[each].formula for each in fact.uses]
        domain = domains([*used, fact.formula, *more])
        return [*used, *(each for each in domain if each not in used)]

    @cached_property
    def queries(self) -> list[tuple[str, Any, list[Any]]]:
        """Every implication that engines must decide: its name, conclusion and assumptions."""
        found: list[tuple[str, Any, list[Any]]] = []
        assumed = [*self.hypotheses.values()]
        for x, made in self.lets.items():
            if divisors := denominators(made):
                whole = sympy.And(*(sympy.Ne(each, 0) for each in divisors))
                found.append((f"{x} is defined", whole, [*assumed, *domains(divisors)]))
        for fact in self.facts.values():
            if fact.rule == "step":
                found.append((fact.name, fact.formula, self.assumed(fact)))
            elif fact.rule == "along":
                start, longer = self.base_and_step(fact)
                found.append((f"{fact.name}: nothing yet", start, self.assumed(fact, start)))
                more = [self.so_far(fact, each) for each in self.assumed(fact, longer)]
                found.append((f"{fact.name}: one more", longer, [fact.formula, *more]))
            elif fact.rule == "lemma" and fact.uses and fact.lemma is not None:
                hypotheses = sympy.And(*self.needed(fact.lemma, fact.put))
                found.append((f"{fact.name}: it applies", hypotheses, self.assumed(fact)))
        return [each for each in found if each[1] is not TRUE]

    def base_and_step(self, fact: Fact) -> tuple[Any, Any]:
        """What an induction along an index asks for: at the start, and with one value more."""
        made = {x: fold for x, fold in self.folds.items() if fold.over == fact.over}
        start = fact.formula.xreplace({x: fold.start for x, fold in made.items()})
        following = {x: self.so_far(fact, fold.following) for x, fold in made.items()}
        return start, fact.formula.xreplace(following)

    def so_far(self, fact: Fact, formula: Any) -> Any:
        """A formula at the value that an induction goes on to: letters that say what there is
        before it are what has been made so far.
        """
        if fact.rule != "along":
            return formula
        here = fact.formula.free_symbols
        made = {x for x, fold in self.folds.items() if x in here and fold.over == fact.over}
        return formula.xreplace({x: each.of for x, each in self.befores.items() if each.of in made})

    def steps(self, limit: float = LIMIT) -> list[Step]:
        """Decide every implication; return what engines say of each."""
        return [
            decide_implication(name, "linked", "", conclusion, assumed, limit)
            for name, conclusion, assumed in self.queries
        ]

    def lemmas(self) -> list[Lemma]:
        """The lemmas that are put in."""
        found = (each.lemma for each in self.facts.values())
        return list({each.name: each for each in found if each is not None}.values())

    def as_lemma(self, name: str) -> Lemma:
        """Return the statement for other arguments, which put expressions for its letters."""
        return Lemma(name, self.hypotheses, self.then, self)

    def made_in(self, formulas: Sequence[Any]) -> list[Letter]:
        """The defined letters on which formulas depend, those first of which others are made."""
        wanted = set().union(*(each.free_symbols for each in formulas))
        for x in reversed([*self.letters, *self.definitions]):
            if x in wanted:
                wanted |= self.parts(x)
        return [each for each in self.definitions if each in wanted]

    @property
    def lets(self) -> dict[Letter, Any]:
        """The letters that are defined by expressions."""
        other = (Fold, Before)
        return {x: each for x, each in self.definitions.items() if not isinstance(each, other)}

    @property
    def befores(self) -> dict[Letter, Before]:
        """The letters that say what there is of others before each value of an index."""
        return {x: each for x, each in self.definitions.items() if isinstance(each, Before)}

    @property
    def folds(self) -> dict[Letter, Fold]:
        """The letters that are made along an index."""
        return {x: each for x, each in self.definitions.items() if isinstance(each, Fold)}

    @property
    def hypotheses(self) -> dict[str, Any]:
        """The hypotheses of the statement, by name."""
        return {each.name: each.formula for each in self.facts.values() if each.rule == "given"}

    def _refuse(self, text: str) -> None:
        raise ModelError(f"linked argument ({self.about}): {text}")

    def _its(self, letter: Any) -> set[str]:
        if letter in self.letters:
            return set(self.letters[letter])
        if letter not in self.definitions:
            raise ModelError(f'linked argument ({self.about}): "{letter}" is no letter of it')
        its = set[str]().union(*map(self._its, self.parts(letter) - {letter}))
        made = self.definitions[letter]
        if isinstance(made, Before):
            return its | {self.folds[made.of].over}
        return its - {made.over} if isinstance(made, Fold) else its

    def parts(self, letter: Letter) -> set[Any]:
        """The letters of which a letter is made at once."""
        made = self.definitions.get(letter)
        if isinstance(made, Fold):
            return set(made.start.free_symbols | made.following.free_symbols)
        if isinstance(made, Before):
            return {made.of}
        return set() if made is None else set(made.free_symbols)

    def _fresh(self, letter: Letter, *made_of: Any) -> None:
        if self.then is not None:
            self._refuse(f'"{letter}" is defined after the conclusion')
        if letter in self.letters or letter in self.definitions:
            self._refuse(f'"{letter}" is not new')
        if letter.bounds:
            self._refuse(f'"{letter}" is defined, and has a domain: show it in a step')
        if letter.name in {each.name for each in (*self.letters, *self.definitions)}:
            self._refuse(f'two letters are called "{letter}"')
        for each in made_of:
            if letter in each.free_symbols:
                self._refuse(f'"{letter}" is defined by itself')
            self.indices_of(each)

    def _fold(self, letter: Letter, fold: Fold) -> Letter:
        if fold.over not in self.indices:
            self._refuse(f'"{letter}" is made along "{fold.over}", which is no index')
        self._fresh(letter, fold.start, fold.following.xreplace({letter: sympy.S.Zero}))
        if fold.over in self.indices_of(fold.start):
            self._refuse(f'"{letter}" starts at {fold.start}, which depends on {fold.over}')
        if denominators(fold.start, fold.following):
            self._refuse(f'"{letter}" is made of a quotient: give the quotient a letter')
        self.definitions[letter] = fold
        return letter

    def _named(self, name: str, uses: Sequence[str]) -> list[Fact]:
        for each in uses:
            if each not in self.facts:
                self._refuse(f'"{name}" uses "{each}", which nothing before it says')
        return [self.facts[each] for each in uses]

    def _add(self, fact: Fact) -> None:
        if fact.name in self.facts:
            self._refuse(f'"{fact.name}" is said twice')
        if self.then is not None:
            self._refuse(f'"{fact.name}" comes after the conclusion')
        if fact.formula.has(AppliedUndef):
            self._refuse(f'"{fact.name}" has exp: give each exponential a letter')
        self.indices_of(fact.formula)
        self.facts[fact.name] = fact

    def _within(self, fold: Fold | None) -> tuple[Any, ...] | None:
        """The indices of a double sum and its term: outer, inner, term; None if it is none."""
        if fold is None or fold.kind != "sum":
            return None
        second = self.folds.get(fold.term)
        if second is None or second.kind != "sum":
            return None
        return fold.over, second.over, second.term

    def _written(self, formula: Any, put: Mapping[Any, Any]) -> Any:
        """Put expressions into a formula, and letters for exponentials of letters."""
        exponentials = {made: x for x, made in self.lets.items() if made.has(AppliedUndef)}
        return formula.xreplace(dict(put)).xreplace(exponentials)

    def _same_makings(self, name: str, other: "Linked", put: Mapping[Any, Any]) -> None:
        """Refuse a lemma about sums and definitions unless what is put is made alike."""
        for x in other.made_in([other.then, *other.hypotheses.values()]):
            made, mine = other.definitions[x], self.definitions.get(put[x])
            if isinstance(made, Fold):
                swapped = dict(put)
                made = Fold(
                    made.kind,
                    made.over,
                    made.start.xreplace(swapped),
                    made.following.xreplace(swapped),
                    None if made.term is None else made.term.xreplace(swapped),
                )
            elif isinstance(made, Before):
                made = Before(put[made.of])
            else:
                made = made.xreplace(dict(put))
            if made != mine:
                self._refuse(f'"{name}": {put[x]} is not made as {x} is')
        for x, its in other.letters.items():
            if x in put and not self.indices_of(put[x]) <= set(its):
                self._refuse(f'"{name}": {put[x]} depends on more indices than {x}')

    def _closed(self) -> None:
        """Refuse facts, definitions and letters that nothing uses."""
        used, left = set[str](), [next(reversed(self.facts))]
        while left:
            name = left.pop()
            if name not in used:
                used.add(name)
                left += self.facts[name].uses
        if idle := [name for name in self.facts if name not in used]:
            self._refuse(f'nothing uses "{idle[0]}"')
        formulas = [each.formula for each in self.facts.values()]
        formulas += [x for each in self.facts.values() for x in each.put.values()]
        known = set().union(*(each.free_symbols for each in formulas)) | {*self.made_in(formulas)}
        known = known.union(*map(self.parts, self.made_in(formulas)))
        if idle := [str(x) for x in (*self.letters, *self.definitions) if x not in known]:
            self._refuse(f'nothing uses the letter "{idle[0]}"')
        if unknown := [each for each in self.spare if each not in self.facts]:
            self._refuse(f'there is no hypothesis "{unknown[0]}"')
