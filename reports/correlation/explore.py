"""The command `explore`: how far the account and the published bound lie above the exact worst
case, over a family of frameworks; with `--formula`, a closed form of its exact values (`formula`).
"""

import io
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain, count
from math import inf, isclose
from pathlib import Path
from pprint import pformat
from typing import Annotated, Any

import typer

from pufferproof.counterexamples.exploration.conjectures.fitting import (
    MOST_TERMS,
    Attempt,
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
from pufferproof.counterexamples.exploration.instances import (
    BOUNDS,
    FARTHEST,
    FRONTS,
    BoundName,
    Gap,
    MemberRow,
    by_value,
    found_at,
    found_of,
    front_of,
    gap_of,
    is_broken,
    missing_of,
    point_of,
    quotient_approx,
    shrunk,
    widest_of,
    worst_of,
)
from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.reading import in_file
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.portions import in_portions
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, fraction_of, text_of, three
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, Axis, Curve, Panel, Plot, Rule
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted, csv_text
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.correlation import Conjecture, Explored

# What `explore --formula` answers: a closed form fitted to exact values of a family, or a relation that somebody
# guessed, tried on fresh members, and written as a claim to work on.

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
    lines = _formula_lines(answer, quantity, found.attempts)
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
        first = f", the first error: {errors[0]}" if errors else ""
        raise ModelError(f"no member has a finite value{many}{first}")
    if said is not None:
        came = tried(said, ground, [*places, *fresh], asked)
        return _Found(quantity, ground, listed, said, None, came)
    # one form that all members satisfy; else, where two are allowed, two
    degree, algebraic, pieces = degrees
    form: Pieces | None = None
    if (one := fitted(finite, quantity.name, degree, algebraic)) is not None:
        form = Pieces(Relation.of(str(one), quantity.name), one.unknowns)
    elif pieces > 1:
        form = in_two_pieces(finite, quantity.name, degree, algebraic)
    if form is None:
        return _Found(quantity, ground, listed, None, None, None, attempts(finite, *degrees[:2]))
    came = tried(form.relation, ground, fresh, asked)
    return _Found(quantity, ground, listed, form.relation, form.unknowns, came)


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


def _formula_lines(answer: JsonObject, asked: Quantity, forms: Sequence[Attempt]) -> list[str]:
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
    where = f" where {' and '.join(stated.where)}" if stated.where else ""
    sentence = f"{stated.says} for {stated.asked} of the family{where}, where finite."
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
        statement=sentence,
    )
    return text + (_OPEN.format(file=name) if wrong is None else _refuted(stated, wrong))


def _refuted(stated: Stated, wrong: Counterexample) -> str:
    left, right = stated.relation.sides(wrong.place, wrong.value)
    one, other = (_other_name(side, wrong.place) for side in ("left", "right"))
    entries = (f'"{name}": Fraction("{text_of(each)}")' for name, each in wrong.place.items())
    written = f"{{{', '.join(entries)}}}"
    return _REFUTED.format(
        one=one,
        other=other,
        place=written,
        left=f'Fraction("{text_of(left)}")',
        right=f'Fraction("{text_of(right)}")',
        sentence=f"exactly, the value is {wrong.value}",
        sign=_CONTRARY[stated.relation.sign],
    )


def _other_name(name: str, place: Parameters) -> str:
    """Return a name that no parameter has."""
    numbered = (f"{name}{k}" for k in count(2))
    return next(each for each in chain([name], numbered) if each not in place)


_WORDS = {"worst": "worst case", "quilt": "quilt account", "published": "published bound"}


def explore(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="family file, JSON or TOML")],
    draw: Annotated[
        int | None,
        typer.Option("--draw", metavar="N", min=1, help="number of members to draw at random [default: all]"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="seed for the random draw")] = 1,
    formula: Annotated[
        str | None,
        typer.Option(
            "--formula", metavar="FILE", help="file that asks for a closed form to fit or to test (JSON or TOML)"
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for the table, a plot and the farthest members; with --formula: FILE.py for a file of claims",
        ),
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="with --out: also write the table as Parquet")] = False,
    shrink: Annotated[
        int, typer.Option("--shrink", metavar="N", min=0, help="largest number of simpler members to try per bound")
    ] = 0,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Compare bounds with the exact worst case over a family of frameworks, or find a formula for
    an exact value.
    """
    sharing = share.sharing
    if formula is not None:
        if parquet or shrink:
            raise ModelError("cannot be combined with --formula", "--parquet" if parquet else "--shrink")
        tried, told, code = try_formula(family, formula, (draw, seed), out, sharing)
        tell(tried, told, [], as_json, code=code)
    if parquet and out is None:
        raise ModelError("needs --out", "--parquet")
    family_file = read_family(family)
    if family_file.budgets:
        raise ModelError(f"{family}: expected per_record_dp, found budgets, which need --formula")
    numbers = family_file.numbers(draw, seed)
    with sweeping("exploring", "members", sharing) as sweep:
        rows = found_of(sweep, family_file, numbers)
        answer = _answer(family_file, rows)
        farthest = {bound: worst_of(rows, bound) for bound in answer["by"]}
        answer["farthest"] = _shrunk(family_file, farthest, shrink, sweep)
        written = {} if out is None else files(family_file, rows, answer["farthest"], out)
        if parquet and out is not None:
            written |= parquet_file(family_file, rows, out)
        write_outputs(written, inputs=[family], folder=out)
    answer |= {"seed": None if draw is None else seed, "files": sorted(written)}
    lines = [*_lines(answer, rows), *(f"written   {path}" for path in sorted(written))]
    tell(Explored.model_validate(answer), lines, [], as_json, code=1 if answer["broken"] else 0)


def _answer(family: Family, rows: Sequence[MemberRow]) -> JsonObject:
    """Return what is found. Raises `ModelError` where no member has an answer."""
    errors = [row["error"] for row in rows if row["error"] is not None]
    if len(errors) == len(rows):
        raise ModelError(f"no member has an answer, the first: {errors[0]}")
    gaps = {bound: gap for bound in BOUNDS if (gap := gap_of(rows, bound)) is not None}
    return {
        "members": len(family),
        "explored": len(rows),
        "exact": sum(row["exact"] for row in rows),
        "widest": widest_of(rows),
        "missing": {name: each for name in _WORDS if (each := missing_of(rows, name))},
        "errors": len(errors),
        "first_error": errors[0] if errors else None,
        "gaps": [gap.as_json() for gap in gaps.values()],
        "by": {bound: _by(rows, bound) for bound in gaps},
        "fronts": {name: [each.as_json() for each in front_of(rows, name)] for name in FRONTS},
        "broken": [row for row in rows if any(is_broken(row, bound) for bound in BOUNDS)],
    }


def _shrunk(
    family: Family, farthest: dict[BoundName, list[MemberRow]], most: int, sweep: Sweep
) -> dict[BoundName, list[MemberRow]]:
    """Return the farthest members with a simpler one in the last place, where it is found."""

    def ask(points: list[list[object]]) -> list[MemberRow]:
        return found_at(sweep, family, points)

    for bound, rows in farthest.items():
        simpler = shrunk(family, rows, bound, most, ask) if most else None
        if simpler is not None:
            farthest[bound] = [*rows[:FARTHEST], simpler]
    return farthest


def _by(rows: Sequence[MemberRow], bound: BoundName) -> dict[str, JsonObject]:
    return {name: {value: gap.as_json() for value, gap in gaps.items()} for name, gaps in by_value(rows, bound).items()}


def _lines(answer: JsonObject, rows: Sequence[MemberRow]) -> list[str]:
    explored, exact = counted(answer["explored"], "member"), answer["exact"]
    lines = [f"{explored} of {answer['members']}, with an exact worst case {exact}"]
    if answer["errors"]:
        lines.append(f"without an answer {answer['errors']}, the first: {answer['first_error']}")
    if answer["widest"] is not None:
        lines.append(
            "worst case enclosed where it is not exact: its bound is at most "
            f"{answer['widest']:.4g} times what a mechanism leaks"
        )
    for name, each in answer["missing"].items():
        lines.append(f"no {_WORDS[name]} {each['members']}, the first: {each['first']}")
    for gap in answer["gaps"]:
        lines += _gap_lines(Gap(**gap), answer)
    if answer["broken"]:
        first = answer["broken"][0]
        lines.append(f"BELOW what a mechanism leaks: {len(answer['broken'])}, {_named(first)}")
    return lines


def _gap_lines(gap: Gap, answer: JsonObject) -> list[str]:
    lines = [
        f"{_WORDS[gap.bound]} over the exact worst case, in nats: least {gap.least:.4g}, "
        f"median {gap.median:.4g}, mean {gap.mean:.4g}, largest {gap.largest:.4g}"
    ]
    for name, gaps in answer["by"][gap.bound].items():
        means = [f"{value}: {each['mean']:.4g}" for value, each in gaps.items()]
        if 1 < len(means) <= 12:
            lines.append(f"  mean by {name}   {', '.join(means)}")
    farthest = answer["farthest"][gap.bound]
    lines.append(f"  farthest   {_compared(farthest[0], gap.bound)}")
    if len(farthest) > FARTHEST:
        lines.append(f"  simplest of those nearly as far   {_compared(farthest[-1], gap.bound)}")
    return lines


def _compared(row: MemberRow, bound: BoundName) -> str:
    gap = quotient_approx(row, bound) or 0.0
    both = [float(row[each]["epsilon"]["upper"]) for each in (bound, "worst")]
    return f"{_named(row)}: {both[0]:.7g} nats for {both[1]:.7g}, {gap:.4g} times"


def _named(row: MemberRow) -> str:
    values = [f"{name} = {value}" for name, value in row["parameters"].items()]
    return ", ".join([*values, f"level {row['level']}"])


# Outputs ------------------------------------------------------------------------------------------
#
# What `explore` writes: the table of all members, a plot of the gaps against every parameter, one
# of noise against what it promises, and the frameworks at which bounds are farthest from the
# truth.

_NAMES = ("worst", *BOUNDS)
_ALIKE = 0.02  # quotients of both bounds that are closer are drawn as one line
_LOOKS = {"worst": ("o-", 1.5, 3.5), "quilt": ("s-", 4.0, 7.0), "published": ("o-", 1.5, 3.5)}
# so that one is seen below an equal one


def files(
    family: Family, rows: Sequence[MemberRow], farthest: Mapping[BoundName, Sequence[MemberRow]], folder: str
) -> dict[str, bytes]:
    """Return what is written into a folder."""
    place, header, cells = Path(folder), *_table(family, rows)
    # a panel for every parameter and the level: mean and largest quotient at its values
    gaps = {bound: by_value(rows, bound) for bound in BOUNDS}
    names = list(gaps["published"]) or ["level"]
    panels = [_panel({bound: gap.get(name, {}) for bound, gap in gaps.items()}, name) for name in names]
    panels[0] = replace(panels[0], y=Axis("bound / exact worst case, in nats"))
    columns = 2 if len(names) < 3 else 4
    gaps_plot = Plot(gaps_finding(rows), panels, 3.4, columns, beside=True)
    # the noise of every level that no other one beats, against what bounds promise then
    curves = []
    for name, colour in zip(FRONTS, (INK, FOR, AGAINST)):
        choices = front_of(rows, name)
        promises = [float(choice.promise) for choice in choices]
        curves.append(Curve(name, promises, [choice.noise for choice in choices], colour, *_LOOKS[name]))
    along = Axis("leakage of every member at most, in nats")
    panel = Panel(curves, along, Axis("scale of Laplace noise"))
    tables = {
        "members.csv": csv_text(header, [row.values() for row in cells]).encode(),
        "gaps.svg": gaps_plot.file("gaps.svg"),
        "front.svg": Plot(front_finding(rows), [panel], 3.4, columns=3).file("front.svg"),
    }
    for bound, some in farthest.items():
        for rank, row in enumerate(some, 1):
            document = family.framework_file(point_of(row["parameters"], row["level"]))
            tables[f"{bound}-{rank}.json"] = (json.dumps(document, indent=1) + "\n").encode()
    return {str(place / name): data for name, data in tables.items()}


def gaps_finding(rows: Sequence[MemberRow]) -> str:
    """Say how far bounds are from the exact worst case at most."""
    quotients = {bound: [quotient_approx(row, bound) for row in rows] for bound in BOUNDS}
    finite = {bound: [q for q in quotient if q is not None] for bound, quotient in quotients.items()}
    most = {bound: at_most(max(each)) for bound, each in finite.items() if each}
    if not most:
        return "No member has a finite bound and an exact worst case above 0."
    (first, times), *others = most.items()
    more = "".join(f", the {bound} bound {each} times" for bound, each in others)
    return f"The {first} bound is at most {times} times the exact worst case{more}."


def front_finding(rows: Sequence[MemberRow]) -> str:
    """Say what is promised with the least noise at which all bounds are known."""
    fronts = [{each.noise: float(each.promise) for each in front_of(rows, name)} for name in FRONTS]
    shared = set.intersection(*map(set, fronts))
    if not shared:
        return "No level of noise has an exact worst case and both bounds."
    noise = min(shared)
    exact, *bounds = (f"{at_most(front[noise])} nats" for front in fronts)
    said = ", ".join(f"{nats} by the {name} bound" for nats, name in zip(bounds, FRONTS[1:]))
    return f"With noise of scale {three(noise)} members leak at most {exact}; {said}."


def parquet_file(family: Family, rows: Sequence[MemberRow], folder: str) -> dict[str, bytes]:
    """Return the table as Parquet. Raises `ModelError` where that cannot be written."""
    return {str(Path(folder) / "members.parquet"): _parquet(*_table(family, rows))}


def _table(family: Family, rows: Sequence[MemberRow]) -> tuple[list[str], list[dict[str, str]]]:
    parameters = list(family.axes)
    ends = [f"{name}_{end}" for name in _NAMES for end in ("lower", "upper")]
    quotients = [f"{bound}_over_worst" for bound in BOUNDS]
    header = ["number", *parameters, "per_record_dp", "exact", *ends, *quotients, "error"]
    return list(header), [_cells(row) for row in rows]


def _cells(row: MemberRow) -> dict[str, str]:
    """Return a member as texts, in the order of the header; nothing is an empty one."""
    values = {name: row[name] and row[name]["epsilon"] for name in _NAMES}
    ends = {
        f"{name}_{end}": "" if value is None else value[end]
        for name, value in values.items()
        for end in ("lower", "upper")
    }
    quotients = {f"{bound}_over_worst": quotient_approx(row, bound) for bound in BOUNDS}
    parameters: dict[str, str] = row["parameters"]
    return (
        {"number": str(row["number"])}
        | parameters
        | {"per_record_dp": row["level"], "exact": "yes" if row["exact"] else "no"}
        | ends
        | {name: "" if value is None else repr(value) for name, value in quotients.items()}
        | {"error": row["error"] or ""}
    )


def _parquet(header: Sequence[str], cells: Sequence[dict[str, str]]) -> bytes:
    """Return the table with exact numbers as texts; quotients are floats."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(of_extra("pyarrow", "parquet"), "--parquet") from None
    columns: dict[str, list[Any]] = {name: [row[name] for row in cells] for name in header}
    for name in header:
        if name.endswith("_over_worst"):
            columns[name] = [float(text) if text else None for text in columns[name]]
    columns["number"] = [int(text) for text in columns["number"]]
    written = io.BytesIO()
    pq.write_table(pa.table(columns), written)
    return written.getvalue()


def _panel(gaps: dict[BoundName, dict[str, Gap]], name: str) -> Panel:
    lines = {bound: sorted((_place(name, value), gap) for value, gap in gaps[bound].items()) for bound in BOUNDS}
    equal = _alike(*lines.values())
    colours = {BOUNDS[-1]: INK} if equal else dict(zip(BOUNDS, (FOR, AGAINST)))
    parts: list[Curve | Rule] = [Rule("", 1, FAINT, "-", level=True)]
    for bound, colour in colours.items():
        said = f"both, within {_ALIKE:.0%}" if equal else bound
        places = [place for place, _ in lines[bound]]
        form, width, size = _LOOKS[bound]
        means, most = ([getattr(gap, kind) for _, gap in lines[bound]] for kind in ("mean", "largest"))
        parts.append(Curve(f"{said}, mean", places, means, colour, form, width, size))
        parts.append(Curve(f"{said}, largest", places, most, colour, ":", width))
    whole = all(place.is_integer() for bound in colours for place, _ in lines[bound])
    along = "level per record, in nats" if name == "level" else name
    return Panel(parts, Axis(along, ticks="whole" if whole else ""))


def _alike(one: Sequence[tuple[float, Gap]], other: Sequence[tuple[float, Gap]]) -> bool:
    """Whether two lines look like one: the same places, and quotients that hardly differ."""
    return [place for place, _ in one] == [place for place, _ in other] and all(
        isclose(getattr(gap, name), getattr(gap_of_other, name), rel_tol=_ALIKE)
        for (_, gap), (_, gap_of_other) in zip(one, other)
        for name in ("mean", "largest")
    )


def _place(name: str, value: str) -> float:
    if name == "level":
        return float(Level.parse(value).enclosure().upper)
    number = fraction_of(value)
    try:
        return float(number)
    except OverflowError:  # it has no place in a plot
        return inf if number > 0 else -inf
