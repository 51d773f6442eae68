"""A counterexample as lines of Python that are ready to paste into the reading of a claim."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from numbers import Rational

from pufferproof.claims.language.proof import Proof
from pufferproof.claims.registry import Check
from pufferproof.verify.proof.argument import Step

_OURS = "pufferproof.claims."


def lines_to_paste(check: Check, reading: Proof, text_of: Callable[[object], str]) -> list[str]:
    """Return the lines of a counterexample to a reading that has none among its steps; nothing for
    claims of this package, for near misses, and where nothing is known to be false or it cannot be
    written down. `text_of` writes a formula.
    """
    ours = check.claim.function.__module__.startswith(_OURS)
    missed = all(each is not reading for each in check.readings)
    if ours or missed or any(each.kind == "counterexample" and each.ok for each in reading.steps):
        return []
    if reading.trial is not None and reading.trial.failed is not None:
        return _at_instance(check, reading, reading.trial.failed)
    return next(filter(None, (_at_values(each, text_of) for each in reading.steps)), [])


def _at_instance(check: Check, reading: Proof, instance: Mapping[str, object]) -> list[str]:
    """Return the lines for an instance at which the statement of a reading is false."""
    written = python_text(dict(instance))
    if written is None:
        return []
    names = check.claim.function.__code__.co_varnames
    key = reading.name if reading.name in check.claim.says else ""
    return [
        f"instance = {written}",
        "argument.counterexample(",
        '    "an instance", "The hypotheses hold and the conclusion does not.", instance,',
        f"    lambda: {names[0]}.claim.says[{key!r}].fails(instance),",
        ")",
    ]


def _at_values(step: Step, text_of: Callable[[object], str]) -> list[str]:
    """Return the lines for values at which the formula of a step is false."""
    if step.ok or not step.refuted or not step.evidence or isinstance(step.formula, str):
        return []
    values = {str(name): _number(each) for name, each in step.evidence.items()}
    written = ", ".join(
        f"{name!r}: sympy.Rational({value.numerator}, {value.denominator})"
        for name, value in sorted(values.items())
        if value is not None
    )
    if None in values.values():
        return []
    return [
        f"values = {{{written}}}",
        "argument.counterexample(",
        f'    {f"{step.name}, at values"!r}, "The formula is false at these values.", values,',
        f"    lambda: not sympy.sympify({text_of(step.formula)!r}, values),",
        ")",
    ]


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
    inside = ", ".join(
        sorted(filter(None, parts)) if isinstance(value, set | frozenset) else filter(None, parts)
    )
    if isinstance(value, tuple):
        return f"({inside}{',' if len(parts) == 1 else ''})"
    return f"[{inside}]" if isinstance(value, list) else f"{type(value).__name__}([{inside}])"
