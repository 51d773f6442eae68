"""The file of claims that `explore --formula` writes: what is said as a statement that
runs, without a proof, so that its verdict is OPEN, or REFUTED by the simplest counterexample.
"""

import re
from itertools import chain, count
from pathlib import Path
from pprint import pformat

from pufferproof.counterexamples.exploration.conjectures.quantities import Parameters
from pufferproof.counterexamples.exploration.conjectures.stated import Stated
from pufferproof.counterexamples.exploration.conjectures.trying import Counterexample
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import text_of

_NAME = re.compile(r"[a-z][a-z0-9_]*\.py")

_HEAD = '''\
"""A conjecture about a family of frameworks, written by `pufferproof explore --formula`.

    pufferproof prove --claims {file} --trust-code

{ends}
"""

from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.registry import Check, claim
from pufferproof.counterexamples.exploration.conjectures.stated import Stated

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
