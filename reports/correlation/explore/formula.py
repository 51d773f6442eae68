"""What `explore --formula` answers: a closed form fitted to exact values of a family, or a relation
that somebody guessed, tried on fresh members, and written as a claim to work on.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, count
from pathlib import Path
from pprint import pformat

from pufferproof.counterexamples.exploration.conjectures.fitting import (
    MOST_TERMS,
    Attempt,
    Known,
    Pieces,
    attempts,
    fitted,
    in_two_pieces,
)
from pufferproof.counterexamples.exploration.conjectures.quantities import (
    Parameters,
    Quantity,
    Relation,
    Value,
    read_formula,
    values_of,
)
from pufferproof.counterexamples.exploration.conjectures.trying import Counterexample, Ground, Stated, Tried, tried
from pufferproof.counterexamples.exploration.family import Family, read_family
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.portions import in_portions
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.correlation import Conjecture

_LEAST_HELD = 10  # fresh members, of a conjecture that survives
_CODES = {"survived": 0, "refuted": 1, "no form": 3, "undecided": 3}


def try_formula(
    family: str, formula: str, drawn: tuple[int | None, int], out: str | None, sharing: Sharing
) -> tuple[Conjecture, list[str], int]:
    """Fit the formula that a file asks for, or take the one that it says, and try it on fresh
    members: the answer, its lines, and the exit code. Args: drawn: how many members, and the seed.
    """
    if out is not None:
        expect_module(out)
    with in_file(formula):
        asked = read_formula(formula)
        quantity, where, said = asked.quantity, asked.hypotheses, asked.relation
    family_file = read_family(family)
    with in_file(family):
        quantity.expect(family_file)
    ground, numbers = Ground(family_file, where), family_file.numbers(*drawn)
    with in_file(formula):
        ground.expect_names()
    with in_file(family):
        places = ground.listed(numbers)
    with sweeping("trying", "members", sharing) as sweep:
        ask = _AskedFormula(family_file, quantity, sweep)
        members = places, ground.fresh(asked.fresh, drawn[1], places)
        degrees = asked.degree, asked.algebraic, asked.pieces
        found = _found(ask, ground, members, said, degrees)
    made = None if out is None else _file(family_file, found, out)
    if out is not None and made is not None:
        write_outputs({out: made.encode()}, out, inputs=[family, formula])
    answer = found.as_json() | {"seed": drawn[1], "written": made and out}
    lines = _lines(answer, quantity, found.attempts)
    return Conjecture.model_validate(answer), lines, _CODES[answer["verdict"]]


@dataclass(frozen=True)
class _AskedFormula:
    """The exact values of members, by units of a sweep."""

    family: Family
    quantity: Quantity
    sweep: Sweep

    def __call__(self, places: Sequence[Parameters]) -> list[Value]:
        texts = [{name: text_of(each) for name, each in place.items()} for place in places]
        quantity = self.quantity
        asked = [quantity.name, quantity.runs, quantity.delta_at, list(quantity.budgets)]
        unit_of = partial(Unit.of, values_of, self.family.document, asked)
        return [Value.of(portion) for portion in in_portions(self.sweep, texts, unit_of)]


@dataclass(frozen=True)
class _Found:
    """What is said of which members, and what came of it; nothing is where no form fits, and
    `attempts` say which were tried.
    """

    quantity: Quantity
    ground: Ground
    listed: Sequence[tuple[Parameters, Value]]
    relation: Relation | None
    terms: int | None
    came: Tried | None
    attempts: Sequence[Attempt] = ()

    @property
    def verdict(self) -> str:
        """What came of it, in a word or two."""
        if self.came is None:
            return "no form"
        if self.came.counterexample is not None:
            return "refuted"
        return "survived" if self.came.held >= _LEAST_HELD else "undecided"

    def as_json(self) -> JsonObject:
        """Return the answer, but for seed and file."""
        errors = [value.error for _, value in self.listed if value.error is not None]
        finite = [each for each in self.listed if each[1].finite]
        came = self.came
        return {
            "quantity": self.quantity.name,
            "runs": self.quantity.runs,
            "delta_at": self.quantity.delta_at if self.quantity.of_delta else None,
            "budgets": list(self.quantity.budgets),
            "where": [str(each) for each in self.ground.where],
            "members": len(self.listed),
            "finite": len(finite),
            "errors": len(errors),
            "first_error": errors[0] if errors else None,
            "too_few_values": sorted({name for attempt in self.attempts for name in attempt.values}),
            "attempts": [asdict(attempt) for attempt in self.attempts],
            "relation": None if self.relation is None else str(self.relation),
            "terms": self.terms,
            "held": came and came.held,
            "infinite": came and came.infinite,
            "silent": came and came.silent,
            "verdict": self.verdict,
            "counterexample": self._counterexample(),
        }

    def _counterexample(self) -> JsonObject | None:
        counterexample = None if self.came is None else self.came.counterexample
        if counterexample is None or self.relation is None:
            return None
        left, right = self.relation.sides(counterexample.place, counterexample.value)
        return {
            "place": {name: text_of(each) for name, each in counterexample.place.items()},
            "value": str(counterexample.value),
            "left": text_of(left),
            "right": text_of(right),
            "simplest": counterexample.simplest,
        }


def _found(
    asked: _AskedFormula,
    ground: Ground,
    members: tuple[list[Parameters], list[Parameters]],
    said: Relation | None,
    degrees: tuple[int, int, int],
) -> _Found:
    """Fit what is not said, and try it. Raises `ModelError` where no member has a value."""
    quantity, (places, fresh) = asked.quantity, members
    listed = list(zip(places, asked(places)))
    finite = [(place, value) for place, value in listed if value.finite]
    errors = [value.error for _, value in listed if value.error is not None]
    if not finite and (said is None or len(errors) == len(listed) > 0):
        infinite = sum(value.infinite for _, value in listed)
        many = f": {infinite} of {len(listed)} are infinite" if infinite else ""
        raise ModelError(f"no member has a finite value{many}{_first(errors)}")
    if said is not None:
        came = tried(said, ground, [*places, *fresh], asked)
        return _Found(quantity, ground, listed, said, None, came)
    form = _fitted(finite, quantity.name, *degrees)
    if form is None:
        return _Found(quantity, ground, listed, None, None, None, attempts(finite, *degrees[:2]))
    came = tried(form.relation, ground, fresh, asked)
    return _Found(quantity, ground, listed, form.relation, form.unknowns, came)


def _fitted(finite: Known, quantity: str, degree: int, algebraic: int, pieces: int) -> Pieces | None:
    """Return one form that all members satisfy; else, where two are allowed, two."""
    form = fitted(finite, quantity, degree, algebraic)
    if form is not None:
        return Pieces(Relation.of(str(form), quantity), form.unknowns)
    return None if pieces == 1 else in_two_pieces(finite, quantity, degree, algebraic)


def _first(errors: Sequence[str]) -> str:
    return f", the first error: {errors[0]}" if errors else ""


def _file(family: Family, answer: _Found, out: str) -> str | None:
    """Return the file of claims, None if there is nothing to claim."""
    if answer.relation is None:
        return None
    quantity = answer.quantity
    where = [str(each) for each in answer.ground.where]
    stated = Stated(
        family.document, quantity.name, str(answer.relation), where, quantity.runs, quantity.delta_at, quantity.budgets
    )
    wrong: Counterexample | None = None if answer.came is None else answer.came.counterexample
    return claims_file(stated, out, wrong)


def _lines(answer: JsonObject, asked: Quantity, forms: Sequence[Attempt]) -> list[str]:
    lines = [f"listed      {counted(answer['members'], 'member')}, with a finite {asked} {answer['finite']}"]
    if answer["errors"]:
        lines.append(f"no value    {answer['errors']}, the first: {answer['first_error']}")
    if answer["relation"] is None:
        lines.append("form        none of those tried goes through all of them")
        lines += [f"tried       {_kind(form, asked)}: {_degrees(form)}" for form in forms]
        return lines + [f"not tried   {_kind(form, asked)}: {_rest(form)}" for form in forms if not form.complete]
    terms = "" if answer["terms"] is None else f"fitted, {counted(answer['terms'], 'term')}: "
    lines.append(f"conjecture  {terms}{answer['relation']}")
    lines += [f"where       {each}" for each in answer["where"]]
    lines.append(f"tried       held {answer['held']}, infinite {answer['infinite']}, not covered {answer['silent']}")
    wrong = answer["counterexample"]
    if wrong is not None:
        place = ", ".join(f"{name} = {value}" for name, value in wrong["place"].items())
        lines.append(f"false       at {place}: {wrong['left']} against {wrong['right']}")
        lines.append(f"simplest    {'yes' if wrong['simplest'] else 'not known'}")
    lines.append(f"verdict     {answer['verdict']}")
    if answer["written"] is None:
        return lines
    written = shlex.quote(answer["written"])
    following = f"next        pufferproof prove --claims {written} --trust-code"
    return [*lines, f"written     {answer['written']}", following]


def _kind(form: Attempt, asked: Quantity) -> str:
    """Say which forms these are."""
    if len(form.powers) > 2:
        return f"{asked.name} as a root of a quadratic equation"
    return f"{asked.name}{'_squared' * (2 in form.powers)} as a quotient"


def _degrees(form: Attempt) -> str:
    """Say which forms were tried."""
    if form.degree is None:
        return "none"
    own = [f"{degree} in {name}" for name, degree in form.degrees.items()]
    return f"degree at most {', '.join([str(form.degree), *own])}; up to {form.terms} terms"


def _rest(form: Attempt) -> str:
    """Say what all forms of the degree asked for take."""
    takes = [f"{many} values of {name}" for name, many in form.values.items()]
    takes += [] if form.members is None else [f"{form.members} members"]
    parts = [f"the rest needs {', '.join(takes)}"] if takes else []
    if form.every > MOST_TERMS:
        parts.append(f"forms of more than {MOST_TERMS} terms are never tried")
    return "; ".join(parts)


# Skeleton -----------------------------------------------------------------------------------------
#
# The file of claims that `explore --formula` writes: what is said as a statement that runs,
# without a proof, so that its verdict is OPEN, or REFUTED by the simplest counterexample.

_NAME = re.compile(r"[a-z][a-z0-9_]*\.py")

_HEAD = '''\
"""A conjecture about a family of frameworks, written by `pufferproof explore --formula`.

    pufferproof prove --claims {file} --trust-code

{ends}
"""

from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.registry import Check, claim
from pufferproof.counterexamples.exploration.conjectures.trying import Stated

FAMILY = {family}

STATED = Stated(
    FAMILY,
    {quantity!r},
    {says!r},
    where={where!r},
    runs={runs},
    delta_at={delta_at!r},
    budgets={budgets!r},
)


def member(draws: Draws) -> dict[str, Fraction]:
    """A member of the family: parameters between the least and the largest value that it lists,
    with small denominators, and R = e^level.
    """
    return {{name: draws.among(values) for name, values in STATED.choices.items()}}


SAYS = Statement(
    family=member,
    given={{"a member with a finite value": STATED.meant}},
    holds=STATED.holds,
    too_strong={{"by one percent more": {{"by more": True}}}},
)


@claim(
    "{name}.conjecture",
    where="explored",
    statement={statement!r},
    says=SAYS,
)
def conjecture(check: Check) -> None:
'''
_OPEN = '''\
    """A form that fits is not proved, so this claim is OPEN. From here to a proof:

    1. Let `holds` of SAYS compute both sides from definitions; so far STATED takes values from
       this package. Write check.tried("as found") instead of the reading below, and
       `pufferproof prove --claims {file} --trust-code` says TRIED.
    2. If the claim is one formula in its letters, write statement=formula(..) and
       check.formula(): an engine decides it, and the verdict is PROVED.
    3. Otherwise write a linked argument as SAYS and check.linked("as found"): letters, facts and
       the conclusion. If engines decide every fact, the verdict is DERIVED.

    `pufferproof prove --new NAME` writes examples of 2; docs/reference/claims.md has one of each.
    """
    with check.reading("as found", "the members of the family"):
        pass
'''
_REFUTED = '''\
    """False at the simplest member that was found."""
    place = {place}
    evidence = place | {{"{one}": {left}, "{other}": {right}}}

    def fails() -> bool:
        sides = STATED.relation.sides(place, STATED.value(place))
        return sides == (evidence["{one}"], evidence["{other}"]) and STATED.fails(**place)

    with check.reading("as found") as proof:
        proof.counterexample(
            "the simplest member", {sentence!r}, evidence, fails, "{one} {sign} {other}"
        )
'''
_ENDS = {
    False: "The conjecture holds for every member on which it was tried, which proves nothing. Its "
    "verdict is\nOPEN until you write an argument; the claim below says how.",
    True: "The conjecture is false. `prove` computes the counterexample again, exactly.",
}
_CONTRARY = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "="}


def expect_module(file: str) -> str:
    """Return the name of a file. Raises `ModelError` unless it is a module's."""
    name = Path(file).name
    if not _NAME.fullmatch(name):
        raise ModelError(f'expected a name such as "mine.py", found "{name}"', "--out")
    return name


def claims_file(stated: Stated, file: str, wrong: Counterexample | None) -> str:
    """Return the text of a file of claims. Raises `ModelError` unless its name is a module's."""
    name = expect_module(file)
    text = _HEAD.format(
        file=name,
        ends=_ENDS[wrong is not None],
        name=name.removesuffix(".py"),
        family=pformat(stated.family, width=96, sort_dicts=False),
        quantity=stated.quantity,
        says=stated.says,
        where=list(stated.where),
        runs=stated.runs,
        delta_at=stated.delta_at,
        budgets=list(stated.budgets),
        statement=_sentence(stated),
    )
    return text + (_OPEN.format(file=name) if wrong is None else _refuted(stated, wrong))


def _sentence(stated: Stated) -> str:
    where = f" where {' and '.join(stated.where)}" if stated.where else ""
    return f"{stated.says} for {stated.asked} of the family{where}, where finite."


def _refuted(stated: Stated, wrong: Counterexample) -> str:
    left, right = stated.relation.sides(wrong.place, wrong.value)
    one, other = (_other_name(side, wrong.place) for side in ("left", "right"))
    return _REFUTED.format(
        one=one,
        other=other,
        place=_written(wrong.place),
        left=f'Fraction("{text_of(left)}")',
        right=f'Fraction("{text_of(right)}")',
        sentence=f"exactly, the value is {wrong.value}",
        sign=_CONTRARY[stated.relation.sign],
    )


def _other_name(name: str, place: Parameters) -> str:
    """Return a name that no parameter has."""
    numbered = (f"{name}{k}" for k in count(2))
    return next(each for each in chain([name], numbered) if each not in place)


def _written(place: Parameters) -> str:
    entries = (f'"{name}": Fraction("{text_of(each)}")' for name, each in place.items())
    return f"{{{', '.join(entries)}}}"
