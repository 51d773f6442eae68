"""A linked argument: one object for a statement and the facts from which it follows.

Its letters may have indices, so that p[t] is a family of numbers, one for each value of t; an index
has finitely many values, at least one. A fact holds for every value of its indices. A fact is a
hypothesis, the definition of a letter that is new, what engines find to follow from facts that it
names, or a lemma put in. The last fact is the conclusion, and every fact is used. So nothing comes
from outside, and nothing is beside the point.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from pufferproof.claims.language.letters import Letter, domains, look_alike
from pufferproof.claims.language.linked.begging import begging
from pufferproof.claims.language.linked.made import Copy, Extreme, Fact, Fold, Letters, Made
from pufferproof.verify.proof.formulas import Step, denominators, nothing_decided
from pufferproof.verify.proof.implication import decide_implication

LIMIT = 20.0
"""Seconds for one step."""
TRUE = sympy.true
exp = sympy.Function("exp")
"""The exponential function, of which engines know nothing: lemmas say what is used of it."""


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
    def known(self) -> set[Letter]:
        """The letters for which something may be put: these, and all of the argument behind it."""
        if not isinstance(self.source, Linked):
            return {*self.letters}
        return {*self.source.letters, *self.source.definitions}

    @property
    def speaks_of(self) -> list[Letter]:
        """These letters, and those of which they are made: nothing else may be any number."""
        if not isinstance(self.source, Linked):
            return self.letters
        formulas = [*self.given.values(), self.then]
        made = self.source.made_in(formulas)
        parts = set().union(*(each.free_symbols for each in formulas), *map(self.source.parts, made))
        return [each for each in (*self.source.letters, *made) if each in parts or each in made]


class Linked(Letters):
    """A statement with its argument, built by its methods in order.

    Args:
        about: what the statement is about, in a few words.
        indices: what each index runs through, or another index, for a second value of it.
        letters: the letters that are given, each with its indices as text, such as "t s".
        near: for letters, an expression of others at which instances are often drawn, so that
            hypotheses hold often and ties occur; its largest value over indices that the letter
            does not have.
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
        super().__init__(about, indices, letters)
        self.near, self.spare = dict(near or {}), dict(spare or {})
        self.facts: dict[str, Fact] = {}

    def given(self, name: str, formula: Any) -> None:
        """Add a hypothesis of the statement."""
        if any(each.rule not in ("given", "let") for each in self.facts.values()):
            self._refuse(f'the hypothesis "{name}" comes after what follows from hypotheses')
        self._add(Fact(name, "given", formula))

    def let(self, letter: Letter, expression: Any, *uses: str) -> Letter:
        """Define a new letter; what it is defined to be is the fact "let LETTER". Facts say that
        nothing is divided by 0, if hypotheses do not.
        """
        expression = self._expression(letter, expression)
        self._fresh(letter, expression)
        self._named(f"let {letter}", uses)
        self.definitions[letter] = expression
        if not expression.has(AppliedUndef):
            equation = sympy.Eq(letter, expression, evaluate=False)
            self._add(Fact(f"let {letter}", "let", equation, uses))
        elif expression.func != exp or not isinstance(expression.args[0], Letter):
            self._refuse(f'"{letter}" must be exp of one letter')
        return letter

    def step(self, name: str, conclusion: Any, *uses: str) -> None:
        """Conclude from facts, at the same values of indices; engines decide it."""
        self._named(name, uses)
        self._add(Fact(name, "step", conclusion, uses))

    def moving(self, along: Letter, before: Letter, letters: Mapping[Any, Any]) -> None:
        """Say which letters move (`Letters.moving`), before an `along` takes them for fixed."""
        fold = self.folds.get(along)
        if fold is not None and (late := self._gone_through(fold.over)):
            self._refuse(f'letters move along {fold.over}: say so before "{late}"')
        super().moving(along, before, letters)

    def _gone_through(self, over: str) -> str:
        """The first fact that goes along an index, or the last of all facts; else nothing."""
        along = [x.name for x in self.facts.values() if (x.rule, x.over) == ("along", over)]
        return next(iter(along), "" if self.then is None else [*self.facts][-1])

    def along(self, name: str, over: str, conclusion: Any, *uses: str) -> None:
        """Conclude of letters made along an index, by induction on how much of it has been gone
        through, from facts that hold at each value.
        """
        made = self._running(self._formula(name, conclusion), over)
        if not made:
            self._refuse(f'"{name}" speaks of nothing that is made along {over}')
        if over in self.indices_of(conclusion):
            self._refuse(f'"{name}" has {over} free: {conclusion}')
        made |= {x for each in self.movings if each.along in made for x in each.letters}
        for each in self._named(name, uses):
            if each.formula.free_symbols & made:
                self._refuse(
                    f'"{name}" uses "{each.name}", which speaks of all of {over}, and not of the '
                    f"part that has been gone through"
                )
        for x in made & self.folds.keys():
            if self.folds[x].over == over and (others := (self.parts(x) - {x}) & made):
                self._refuse(f'"{name}": {x} is made of {min(map(str, others))}')
        self._add(Fact(name, "along", conclusion, uses, over))

    def term(self, name: str, letter: Letter, *uses: str) -> None:
        """Conclude that each term is at most its sum or the largest, or at least the least. The
        terms of a sum must be at least 0 by domains and the facts that are named.
        """
        made = self.definitions.get(letter)
        if not (isinstance(made, Extreme) or (isinstance(made, Fold) and made.kind == "sum")):
            self._refuse(f'"{name}": {letter} is no sum, and no largest or least term')
        self._named(name, uses)
        if isinstance(made, Extreme) and uses:
            self._refuse(f'"{name}" needs no fact: {letter} is the {made.kind} of these terms')
        sides = (letter, made.term) if made.kind == "least" else (made.term, letter)
        formula = sympy.Le(*sides, evaluate=False)
        self._add(Fact(name, "term", formula, uses, made.over, letter))

    def attained(self, name: str, letter: Letter, conclusion: Any, *uses: str) -> None:
        """Conclude what follows from facts at the value at which a largest or least letter is the
        term; the conclusion speaks of no value of that index.
        """
        made = self.definitions.get(letter)
        if not isinstance(made, Extreme):
            self._refuse(f'"{name}": {letter} is no largest and no least term')
        if made.over in self.indices_of(self._formula(name, conclusion)):
            self._refuse(f'"{name}" has {made.over} free: {conclusion}')
        self._named(name, uses)
        self._add(Fact(name, "attained", conclusion, uses, made.over, letter))

    def again(self, name: str, fact: str, index: str) -> None:
        """Conclude a fact at the second value of an index, of the letters that `at` defined."""
        (used,) = self._named(name, [fact])
        first = self._first(name, index)
        its = self.indices_of(used.formula)
        if first not in its or index in its:
            self._refuse(f'"{name}": "{fact}" must depend on {first}, and not on {index}')
        copies = {made.of: x for x, made in self.definitions.items() if isinstance(made, Copy) and made.to == index}
        moved = [x for x in used.formula.free_symbols if first in self._its(x)]
        if missing := sorted(str(x) for x in moved if x not in copies):
            self._refuse(f'"{name}": no letter is {missing[0]} at {index}')
        formula = used.formula.xreplace({x: copies[x] for x in moved})
        self._add(Fact(name, "again", formula, (fact,), index))

    def swap(self, name: str, one: Letter, other: Letter) -> None:
        """Conclude that two double sums are equal: the same terms in another order."""
        outer, inner = self.folds.get(one), self.folds.get(other)
        first, second = self._within(outer), self._within(inner)
        if first is None or second is None or first != (second[1], second[0], second[2]):
            self._refuse(f'"{name}": {one} and {other} are not one double sum in two orders')
        self._add(Fact(name, "swap", sympy.Eq(one, other, evaluate=False)))

    def exponentials(self, name: str, power: Letter, product: Letter) -> None:
        """Conclude that exp of a sum is the product of exp of its terms."""
        made, terms = self.lets.get(power), self.folds.get(product)
        whole = self.folds.get(made.args[0]) if made is not None and made.func == exp else None
        each = None if terms is None else self.lets.get(terms.term)
        if (
            (whole is None or whole.kind != "sum")
            or (terms is None or (terms.kind, terms.over) != ("product", whole.over))
            or each != exp(whole.term)
        ):
            self._refuse(f'"{name}": {power} is not exp of a sum, or {product} no such product')
        self._add(Fact(name, "exponentials", sympy.Eq(power, product, evaluate=False)))

    def by(self, name: str, lemma: Lemma, put: Mapping[Any, Any], *uses: str) -> None:
        """Conclude what a lemma says of these expressions: that its hypotheses imply it, or, where
        facts are named from which they follow, its conclusion.
        """
        self._named(name, uses)
        indexed = _indexed(lemma)
        if indexed and not uses and lemma.given:
            self._refuse(f'"{name}" must name the facts from which the hypotheses follow')
        if unknown := [each for each in lemma.speaks_of if each not in put]:
            self._refuse(f'"{name}": nothing is put for "{unknown[0]}" of {lemma.name}')
        if foreign := [str(each) for each in put if each not in lemma.known]:
            self._refuse(f'"{name}": "{foreign[0]}" is no letter of {lemma.name}')
        put = {x: sympy.sympify(each, strict=True) for x, each in put.items()}
        self._finite(name, put.values())
        if isinstance(lemma.source, Linked):
            source = lemma.source
            if (dict(lemma.given), lemma.then) != (source.hypotheses, source.then):
                self._refuse(f'"{name}" does not say what {lemma.name} does')
            self._same_makings(name, source, put)
        formula = self._written(lemma.then, put)
        needed = self.needed(lemma, put)
        if not uses and needed and not indexed:
            formula = sympy.Implies(sympy.And(*needed, evaluate=False), formula, evaluate=False)
        self._add(Fact(name, "lemma", formula, uses, lemma=lemma, put=dict(put)))

    def conclude(self, name: str, conclusion: Any, *uses: str) -> "Linked":
        """Conclude what the statement says, as its last fact; return the whole."""
        self.step(name, conclusion, *uses)
        self.then = conclusion
        given = [each.formula for each in self.facts.values() if each.rule in ("given", "let")]
        if nothing_decided(conclusion, [*given, *domains([conclusion, *given])]):
            self._refuse("the conclusion is one of its hypotheses or definitions")
        if letter := begging(conclusion, self.letters, self.lets):
            said = f'the definition of "{letter}" says the conclusion in other letters'
            self._refuse(f'{said}: put what "{letter}" is there, as "then:" of a claim')
        self._closed()
        shown = {str(x): self.shown(x) for x in (*self.letters, *self.definitions)}
        if alike := look_alike(shown):
            self._refuse(alike)
        return self

    def needed(self, lemma: Lemma, put: Mapping[Any, Any]) -> list[Any]:
        """What must hold of expressions that are put into a lemma: hypotheses and domains."""
        assumed = [*lemma.given.values(), *domains(lemma.speaks_of)]
        return [each for each in (self._written(one, put) for one in assumed) if each is not TRUE]

    def assumed(self, fact: Fact, *more: Any) -> list[Any]:
        """What a fact follows from: the facts that it uses, and the domains of letters."""
        used = [self.facts[each].formula for each in fact.uses]
        domain = domains([*used, fact.formula, *more])
        return [*used, *(each for each in domain if each not in used)]

    @cached_property
    def queries(self) -> list[tuple[str, Any, list[Any]]]:
        """Every implication that engines must decide: its name, conclusion and assumptions."""
        found: list[tuple[str, Any, list[Any]]] = []
        for fact in self.facts.values():
            if fact.rule == "let" and (divisors := denominators(fact.formula)):
                nonzero = sympy.And(*(sympy.Ne(each, 0) for each in divisors))
                known = [self.facts[each].formula for each in fact.uses]
                known = known or [*self.hypotheses.values()]
                known += domains([*divisors, *known])
                found.append((f"{fact.name}: no divisor is 0", nonzero, known))
            elif fact.rule == "step":
                found.append((fact.name, fact.formula, self.assumed(fact)))
            elif fact.rule == "along":
                start, longer = self.base_and_step(fact)
                found.append((f"{fact.name}: nothing yet", start, self.assumed(fact, start)))
                more = [self.so_far(fact, each) for each in self.assumed(fact, longer)]
                found.append((f"{fact.name}: one more", longer, [fact.formula, *more]))
            elif fact.rule == "term" and self.definitions[fact.of].kind == "sum":
                term = self.definitions[fact.of].term
                found.append((f"{fact.name}: its terms", term >= 0, self.assumed(fact, term)))
            elif fact.rule == "attained":
                term = self.definitions[fact.of].term
                there = sympy.Eq(fact.of, term, evaluate=False)
                found.append((fact.name, fact.formula, [there, *self.assumed(fact, there)]))
            elif fact.lemma is not None and (fact.uses or _indexed(fact.lemma)):
                applies = sympy.And(*self.needed(fact.lemma, fact.put))
                found.append((f"{fact.name}: it applies", applies, self.assumed(fact, applies)))
        return [each for each in found if each[1] is not TRUE]

    def base_and_step(self, fact: Fact) -> tuple[Any, Any]:
        """What an induction along an index asks for: at the start, and with one value more."""
        made = {x: fold for x, fold in self.folds.items() if fold.over == fact.over}
        start = {x: fold.start for x, fold in made.items()}
        following = {x: fold.following for x, fold in made.items()}
        for each in self.movings:
            if each.along in made:
                start |= each.images(0)
                following |= each.images(2)
        so_far = {x: self.so_far(fact, each) for x, each in following.items()}
        return fact.formula.xreplace(start), fact.formula.xreplace(so_far)

    def so_far(self, fact: Fact, formula: Any) -> Any:
        """A formula at the value that an induction goes on to: letters that say what there is
        before it are what has been made so far.
        """
        if fact.rule != "along":
            return formula
        made = self._running(fact.formula, fact.over)
        put = {x: each.of for x, each in self.befores.items() if each.of in made}
        for each in self.movings:
            if each.along in made:
                put |= {there: x for x, there in each.images(1).items()}
        return formula.xreplace(put)

    def _running(self, formula: Any, over: str) -> set[Any]:
        """What is made along an index of which a formula speaks, or of which letters in it are
        functions.
        """
        here: set[Any] = formula.free_symbols
        made = {x for x, fold in self.folds.items() if fold.over == over}
        moved = {each.along for each in self.movings if here & each.letters.keys()}
        return made & (here | moved)

    def steps(self, limit: float = LIMIT) -> list[Step]:
        """Decide every implication; return what engines say of each."""
        return [
            decide_implication(name, "linked", "", conclusion, assumed, limit)
            for name, conclusion, assumed in self.queries
        ]

    def lemmas(self) -> list[Lemma]:
        """The lemmas that are put in."""
        found = (each.lemma for each in self.facts.values())
        return list({id(each): each for each in found if each is not None}.values())

    def as_lemma(self, name: str) -> Lemma:
        """Return the statement for other arguments, which put expressions for its letters."""
        return Lemma(name, self.hypotheses, self.then, self)

    @property
    def hypotheses(self) -> dict[str, Any]:
        """The hypotheses of the statement, by name."""
        return {each.name: each.formula for each in self.facts.values() if each.rule == "given"}

    @property
    def stated(self) -> list[Any]:
        """The formulas of the statement: its hypotheses and its conclusion."""
        return [*self.hypotheses.values(), self.then]

    def _put_alike(self, fact: Fact) -> list[Any]:
        """The letters that are put for those that a lemma defines: how they are defined is used."""
        source = None if fact.lemma is None else fact.lemma.source
        if not isinstance(source, Linked):
            return []
        return [fact.put[x] for x in source.made_in(source.stated)]

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
        if self._formula(fact.name, fact.formula).has(AppliedUndef):
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

    def _finite(self, name: str, put: Iterable[Any]) -> None:
        """Refuse to put what may be no real number: sympy may simplify it in a lemma."""
        if quotient := [each for each in put if denominators(each)]:
            self._refuse(f'"{name}" puts the quotient {quotient[0]}: give the quotient a letter')
        known = sympy.Symbol | sympy.Rational | sympy.Float
        for each in put:
            if other := [x for x in each.atoms() if not isinstance(x, known)]:
                self._refuse(f'"{name}" puts {other[0]}, which is no letter and no fraction')

    def _same_makings(self, name: str, other: "Linked", put: Mapping[Any, Any]) -> None:
        """Refuse a lemma about sums and definitions unless what is put is made alike."""
        for x in other.made_in(other.stated):
            made, mine = other.definitions[x], self.definitions.get(put[x])
            put_in = made.put if isinstance(made, Made) else made.xreplace
            if put_in(dict(put)) != mine:
                self._refuse(f'"{name}": {put[x]} is not made as {x} is')
            others = other.parts(x) - {x}
            if x in other.folds and any(put[x] in put[y].free_symbols for y in others if y in put):
                self._refuse(f'"{name}": what is put beside {x} speaks of {put[x]} as a whole')
        for x, its in other.letters.items():
            if x in put and not self.indices_of(put[x]) <= set(its):
                self._refuse(f'"{name}": {put[x]} depends on more indices than {x}')

    def _closed(self) -> None:
        """Refuse facts, definitions and letters that nothing uses."""
        used, left = set[str](), [next(reversed(self.facts))]
        moved = {x for each in self.movings for x in each.letters}
        moved |= {y for each in self.movings for some in each.letters.values() for y in some}
        while left:
            name = left.pop()
            if name not in used:
                used.add(name)
                left += self.facts[name].uses
                made_alike = [f"let {x}" for x in self._put_alike(self.facts[name])]
                if self.facts[name].rule == "along":
                    made_alike += [f"let {x}" for x in moved]
                left += [each for each in made_alike if each in self.facts]
        if idle := [name for name in self.facts if name not in used]:
            self._refuse(f'nothing uses "{idle[0]}"')
        formulas = [each.formula for each in self.facts.values()]
        formulas += [x for each in self.facts.values() for x in each.put.values()] + [*moved]
        known = set().union(*(each.free_symbols for each in formulas)) | {*self.made_in(formulas)}
        known = known.union(*map(self.parts, self.made_in(formulas)))
        if idle := [str(x) for x in (*self.letters, *self.definitions) if x not in known]:
            self._refuse(f'nothing uses the letter "{idle[0]}"')
        hypotheses = {name for name, each in self.facts.items() if each.rule == "given"}
        if unknown := [each for each in self.spare if each not in hypotheses]:
            self._refuse(f'there is no hypothesis "{unknown[0]}"')


def _indexed(lemma: Lemma) -> bool:
    """Whether a lemma has indices: what it needs must then hold at every value of them, so that
    "if" before its conclusion would say too much.
    """
    return isinstance(lemma.source, Linked) and bool(lemma.source.indices)
