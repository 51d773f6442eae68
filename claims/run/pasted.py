"""A counterexample as lines that are ready to paste into a file of claims.

In a document they are fields of the reading, below its line. In Python they use fractions and plain
functions; if the file opens the reading itself, they go there, else they open the reading, and
replace the call that opens it.
"""

import ast
import inspect
import keyword
import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from numbers import Rational

from pufferproof.claims.document.expressions.reading import entry
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.parts import Reading, Text
from pufferproof.claims.document.parts import Step as Field
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import reading_lines
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.registry import Check
from pufferproof.models.files.reading import MAX_BYTES, bytes_of
from pufferproof.verify.proof.argument import Step

_OURS = "pufferproof.claims."
_FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")


def lines_to_paste(check: Check, reading: Proof, text_of: Callable[[object], str]) -> list[str]:
    """Return the lines of a counterexample to a reading that has none among its steps; nothing for
    claims of this package, for near misses, and where nothing is known to be false or it cannot be
    written down. `text_of` writes a formula.
    """
    ours = check.claim.function.__module__.startswith(_OURS)
    missed = all(each is not reading for each in check.readings)
    if ours or missed or any(each.kind == "counterexample" and each.ok for each in reading.steps):
        return []
    place = check.claim.function.__code__.co_filename
    if place.endswith(SUFFIX):
        return _fields(check, reading, place, text_of)
    opened = _opened(check, reading)
    name = opened or "proof"
    if reading.trial is not None and reading.trial.failed is not None and reading.evidence:
        lines = _at_instance(check, reading, reading.trial.failed, name)
    else:
        found = (_at_values(each, text_of, name) for each in reading.steps)
        lines = next(filter(None, found), [])
    if lines and check.claim.function.__globals__.get("Fraction") is not Fraction:
        lines = ["from fractions import Fraction", *lines]
    if opened is not None or not lines:
        return lines
    head = f"with {_argument(check)}.reading({reading.name!r}) as proof:"
    return [head, *(f"    {line}" for line in lines)]


def _fields(check: Check, reading: Proof, place: str, text_of: Callable[[object], str]) -> list[str]:
    """Return the lines of a counterexample in a document."""
    document = read(bytes_of(place, MAX_BYTES).decode("utf-8"), place)
    (claim,) = (each for each in document.claims if each.id == check.claim.id)
    named = next((each for each in claim.readings if each.name == reading.name), None)
    made: Field | None = None
    if reading.trial is not None and reading.trial.failed is not None and reading.evidence:
        instance = dict(reading.trial.failed)
        written = python_text(instance)
        if written is not None and named is not None and named.says is not None:
            at = "; ".join(entry(name, str(python_text(x))) for name, x in instance.items())
            said = "an instance", "The hypotheses hold and the conclusion does not."
            made = _false(*said, at, f"{named.says.text}.fails({written})")
    else:
        found = (_false_at_values(each, text_of) for each in reading.steps)
        made = next(filter(None, found), None)
    if made is None:
        return []
    head = replace(named or Reading(reading.name, 1), steps=(made,))
    lines = list(reading_lines(head))
    return lines if named is None else lines[1:]


def _false(name: str, sentence: str, at: str, by: str) -> Field:
    """Return the step of a document that is a counterexample."""
    at, by = (_FRACTION.sub(_quotient, each) for each in (at, by))
    return Field("false", name, sentence, {"at": Text(at, 1), "by": Text(by, 1)}, 1)


def _quotient(found: re.Match[str]) -> str:
    return found[1] if found[2] == "1" else f"({found[1]}/{found[2]})"


def _opened(check: Check, reading: Proof) -> str | None:
    """Return the name that a claim's function gives a reading that it opens; None if it does not,
    or cannot be read.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(check.claim.function)))
    except (OSError, SyntaxError, TypeError):
        return None
    for each in ast.walk(tree):
        for item in each.items if isinstance(each, ast.With) else []:
            call, target = item.context_expr, item.optional_vars
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "reading"
                and [x.value for x in call.args[:1] if isinstance(x, ast.Constant)] == [reading.name]
                and isinstance(target, ast.Name)
            ):
                return target.id
    return None


def _argument(check: Check) -> str:
    """Return what a claim's function calls its argument."""
    return check.claim.function.__code__.co_varnames[0]


def _at_instance(check: Check, reading: Proof, instance: Mapping[str, object], name: str) -> list[str]:
    """Return the lines for an instance at which the statement of a reading is false."""
    written = python_text(dict(instance))
    if written is None:
        return []
    key = reading.name if reading.name in check.claim.says else ""
    return [
        f"instance = {written}",
        f"{name}.counterexample(",
        '    "an instance", "The hypotheses hold and the conclusion does not.", instance,',
        f"    lambda: {_argument(check)}.claim.says[{key!r}].fails(instance),",
        ")",
    ]


def _at_values(step: Step, text_of: Callable[[object], str], name: str) -> list[str]:
    """Return the lines for values at which the formula of a step is false."""
    known = _known(step)
    test = _test(text_of(step.formula), {*known}) if known else None
    if test is None:
        return []
    hypotheses, conclusion = test
    return [
        f"values = {{{', '.join(f'{letter!r}: {value}' for letter, value in known.items())}}}",
        f"def fails({', '.join(known)}):",
        f"    hypotheses = [{', '.join(hypotheses)}]",
        f"    return all(hypotheses) and not ({conclusion})",
        f"{name}.counterexample(",
        f'    {f"{step.name}, at values"!r}, "The formula is false at these values.", values,',
        "    lambda: fails(**values),",
        ")",
    ]


def _false_at_values(step: Step, text_of: Callable[[object], str]) -> Field | None:
    """Return the step of a document for values at which a formula is false."""
    known = _known(step)
    test = _test(text_of(step.formula), {*known}) if known else None
    if test is None:
        return None
    hypotheses, conclusion = test
    by = " and ".join([*(f"({each})" for each in hypotheses), f"not ({conclusion})"])
    at = "; ".join(f"{letter} = {value}" for letter, value in known.items())
    return _false(f"{step.name}, at values", "The formula is false at these values.", at, by)


def _known(step: Step) -> dict[str, str]:
    """Return the values at which a formula is false, in Python; none where one has none there."""
    if step.ok or not step.refuted or not step.evidence or isinstance(step.formula, str):
        return {}
    values = {str(letter): _number(each) for letter, each in sorted(step.evidence.items())}
    if None in values.values():
        return {}
    return {letter: str(python_text(value)) for letter, value in values.items()}


def _test(formula: str, letters: set[str]) -> tuple[list[str], str] | None:
    """Return the hypotheses and the conclusion of a formula in Python, in exact arithmetic of
    fractions; None if it has more than comparisons of rational expressions.

    >>> _test("Implies((a > 0) & Eq(b, 1/2), a**2 <= b/3)", {"a", "b"})
    (['a > 0', 'b == Fraction(1, 2)'], 'a ** 2 <= b / 3')
    >>> _test("sqrt(a) <= 1", {"a"}) is None
    True
    """
    try:
        tree = ast.parse(formula, mode="eval").body
        hypotheses: list[ast.expr] = []
        if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "Implies":
            (before, tree) = tree.args
            hypotheses = _parts(before)
        return [_python(each, letters) for each in hypotheses], _python(tree, letters)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return what "&" joins."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
        return [*_parts(node.left), *_parts(node.right)]
    return [node]


def _python(node: ast.expr, letters: set[str]) -> str:
    """Return a part of a formula in Python. Raises `ValueError` for what is not exact there."""
    return ast.unparse(ast.fix_missing_locations(_exact(node, letters)))


def _exact(node: ast.expr, letters: set[str]) -> ast.expr:
    """Return a part of a formula with connectives and quotients as Python has them."""

    def of(inner: ast.expr) -> ast.expr:
        return _exact(inner, letters)

    match node:
        case ast.Name(id=name) if name in letters and not keyword.iskeyword(name):
            return node
        case ast.Constant(value=int()):
            return node
        case ast.UnaryOp(op=op, operand=inner):
            return ast.UnaryOp(ast.Not() if isinstance(op, ast.Invert) else op, of(inner))
        case ast.Compare(left=left, ops=ops, comparators=others):
            return ast.Compare(of(left), ops, [of(each) for each in others])
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as op, right=right):
            joined = ast.And() if isinstance(op, ast.BitAnd) else ast.Or()
            return ast.BoolOp(joined, [of(left), of(right)])
        case ast.BinOp(left=left, op=ast.Pow() as op, right=right) if _is_whole(right):
            return ast.BinOp(of(left), op, right)
        case ast.BinOp(left=left, op=ast.Div(), right=right) if _is_whole(left) and _is_whole(right):
            return ast.Call(ast.Name("Fraction"), [left, right], [])
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
            return ast.BinOp(of(left), op, of(right))
        case ast.Call(func=ast.Name(id="Eq" | "Ne" as name), args=[left, right]):
            equal = ast.Eq() if name == "Eq" else ast.NotEq()
            return ast.Compare(of(left), [equal], [of(right)])
        case ast.Call(func=ast.Name(id="Max" | "Min" | "Abs" as name), args=parts):
            return ast.Call(ast.Name(name.lower()), [of(each) for each in parts], [])
    raise ValueError(f"{ast.unparse(node)} is not exact in Python")


def _is_whole(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int


def _number(value: object) -> Fraction | None:
    """Return a number that may be kept as text; None for what is no rational."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def python_text(value: object) -> str | None:
    """Return a value as Python, or None if it is nothing that can be written in a line.

    >>> from fractions import Fraction
    >>> python_text({"p": [Fraction(1, 2), 1], ("a", 0): True, "s": frozenset()})
    "{'p': [Fraction(1, 2), 1], ('a', 0): True, 's': frozenset([])}"
    >>> python_text([object()]) is None
    True
    """
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, Rational):
        return f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, Mapping):
        pairs = [(python_text(key), python_text(each)) for key, each in value.items()]
        known = all(None not in pair for pair in pairs)
        return f"{{{', '.join(f'{key}: {each}' for key, each in pairs)}}}" if known else None
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    parts = [python_text(each) for each in value]
    if None in parts:
        return None
    inside = ", ".join(sorted(filter(None, parts)) if isinstance(value, set | frozenset) else filter(None, parts))
    if isinstance(value, tuple):
        return f"({inside}{',' if len(parts) == 1 else ''})"
    return f"[{inside}]" if isinstance(value, list) else f"{type(value).__name__}([{inside}])"
