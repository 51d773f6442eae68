"""The words of statements that are made from what is decided: a formula about real numbers, or an
object with letters, hypotheses and a conclusion. Nobody writes these sentences.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pufferproof.claims.language.letters import Letter
from pufferproof.models.errors import extras
from pufferproof.models.numbers.text import capital

_QUOTES = str.maketrans({"“": '"', "”": '"'})


def quoted(words: str) -> str:
    """Put words of a claim file in quotation marks, which they cannot end.

    >>> quoted("Lemma 1"), quoted("so” it is proved. “")
    ('“Lemma 1”', '“so" it is proved. "”')
    """
    return f"“{words.translate(_QUOTES)}”" if words else ""


def theorem(lets: str, given: Sequence[str], then: str, meanings: Sequence[str] = ()) -> str:
    """Return the sentences of an object: `lets` follows "Let", `meanings` are sentences.

    >>> theorem("p be a real function on D", ["p is a law"], "p sums to 1")
    'Let p be a real function on D. Suppose that p is a law. Then p sums to 1.'
    """
    parts = [f"Let {lets}."] if lets else []
    if given:
        parts.append(f"Suppose that {series(given, 'that ')}.")
    parts.append(f"Then {then}." if parts else f"{capital(then)}.")
    return " ".join([*parts, *meanings])


def series(parts: Sequence[str], word: str = "") -> str:
    """Join parts of a sentence; `word` begins each but the first one. Parts that have commas are
    set apart by semicolons.

    >>> series(["a", "b", "c"]), series(["a, b", "c"], "that ")
    ('a, b and c', 'a, b; and that c')
    """
    if len(parts) < 2:
        return "".join(parts)
    *before, last = [parts[0], *(f"{word}{each}" for each in parts[1:])]
    mark = ";" if any(mark in each for each in parts for mark in ",;:") else ","
    end = f"{mark} and " if mark == ";" else " and "
    return f"{f'{mark} '.join(before)}{end}{last}"


def formula(formula: Any) -> str:
    """Return a formula as a sentence, which begins with its letters and their domains.

    >>> import sympy
    >>> from pufferproof.claims.language.letters import Bound
    >>> a, b = Letter("a", "a weight", [Bound(">=", 0)]), Letter("b", "any number")
    >>> formula(sympy.Ge(a * b**2, 0))
    'For all real b and all real a >= 0: b^2*a >= 0.'
    >>> formula(sympy.Implies(sympy.Ne(b, 0), sympy.Eq(a / b, 1)))
    'For all real b and all real a >= 0: if b != 0 then a/b = 1.'
    """
    with extras:
        import sympy

    if not isinstance(formula, sympy.Implies):
        said = _signed(formula)
    else:
        given = formula.args[0].args if isinstance(formula.args[0], sympy.And) else formula.args[:1]
        said = f"if {' and '.join(map(_signed, given))} then {_signed(formula.args[1])}"
    letters = _letters(sorted(formula.free_symbols, key=lambda each: str(each.name)))
    return f"For {letters}: {said}." if letters else f"{capital(said)}."


def _signed(relation: Any) -> str:
    """Return a relation as documents write it, terms in the order in which they were written."""
    with extras:
        import sympy

    if not isinstance(relation, sympy.core.relational.Relational):
        return str(sympy.sstr(relation, order="none"))
    left, right = (expression(each).replace("**", "^") for each in relation.args)
    return f"{left} {'=' if relation.rel_op == '==' else relation.rel_op} {right}"


def plain(formula: Any) -> str:
    """Return a formula as sympy writes it, with the brackets that sympy loses around a fraction
    by which is divided.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> hundredth = sympy.Pow(sympy.Rational(1, 100), -1, evaluate=False)
    >>> plain(sympy.Implies(x > 0, sympy.Mul(-1, x, hundredth, evaluate=False) < x))
    'Implies(x > 0, -x/(1/100) < x)'
    """
    with extras:
        import sympy

    powers = formula.atoms(sympy.Pow) if isinstance(formula, sympy.Basic) else ()
    if not any(each.base.is_Rational and each.exp.is_negative for each in powers):
        return str(sympy.sstr(formula))
    if isinstance(formula, sympy.Expr):
        return expression(formula)
    inside = [plain(each) for each in formula.args]
    if isinstance(formula, sympy.core.relational.Relational) and formula.rel_op in _ORDERS:
        return f" {formula.rel_op} ".join(inside)
    if isinstance(formula, sympy.And | sympy.Or):
        return _JOINED[formula.func.__name__].join(f"({each})" for each in inside)
    return f"{formula.func.__name__}({', '.join(inside)})"


_ORDERS = ("<", "<=", ">", ">=")
_JOINED = {"And": " & ", "Or": " | "}


def expression(side: Any) -> str:
    """Return an expression as text that reads back as the same: sympy's own printer loses brackets
    of what was not simplified, such as those of 1/(1/x). A power behind a minus has brackets, for
    -x**2 is read in two ways.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> half = sympy.Pow(sympy.Rational(1, 2), -1, evaluate=False)
    >>> expression(sympy.Add(1, sympy.Mul(-1, x, half, evaluate=False), evaluate=False))
    '1 - x/(1/2)'
    >>> expression(-(x**2))
    '-(x**2)'
    """
    return minus_before_power(_shown(side)[0])


def minus_before_power(text: str, power: str = "**") -> str:
    """Return a text that begins with a minus and a power with brackets around the power."""
    end = _atom(text, 1) if text.startswith("-") else len(text)
    if not text.startswith(power, end):
        return text
    stop = _atom(text, end + len(power))
    return f"-({text[1:stop]}){text[stop:]}"


def _atom(text: str, at: int) -> int:
    """Return where a name, a number or what stands in brackets ends."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth < 0 or not (depth or text[place].isalnum() or text[place] in "_)]'"):
            return place
    return len(text)


_SUM, _PRODUCT, _POWER, _ATOM = range(4)
"""How strongly a text holds together, weakest first; what begins with "-" is like a sum."""


def _shown(part: Any) -> tuple[str, int]:
    """Return an expression as text, with how strongly it holds together."""
    if part.is_Symbol:
        return str(part.name), _ATOM
    if part.is_Integer and part >= 0:
        return str(part), _ATOM
    if part.is_Add:
        return _sum(part), _SUM
    if part.is_Mul or part.is_Rational or (part.is_Pow and _divides(part)):
        return _product(part)
    if part.is_Pow and str(part.exp) != "1/2":
        return f"{_within(part.base, _ATOM)}**{_within(part.exp, _ATOM)}", _POWER
    name = "sqrt" if part.is_Pow else part.func.__name__
    inside = part.args[:1] if part.is_Pow else part.args
    return (f"{name}({', '.join(map(expression, inside))})" if inside else str(part)), _ATOM


def _within(part: Any, least: int) -> str:
    text, strength = _shown(part)
    return text if strength >= least else f"({minus_before_power(text)})"


def _divides(power: Any) -> bool:
    return bool(power.exp.is_Rational and power.exp < 0)


def _sum(part: Any) -> str:
    found = ""
    for each in part.args:
        text = f"({expression(each)})" if each.is_Add else _shown(each)[0]
        minus = text.startswith("-")
        sign = " - " if minus else " + "
        sign = sign if found else sign.strip(" +")
        found += sign + text.removeprefix("-")
    return found


def _product(part: Any) -> tuple[str, int]:
    """Return a product or a quotient: what it divides by comes last."""
    with extras:
        import sympy

    above: list[str] = []
    below: list[str] = []
    minus = False
    for place, each in enumerate(_flat(part)):
        factor = each
        if place == 0 and each.is_Rational and each < 0:
            minus, factor = True, -each
            if factor == 1:
                continue
        if factor.is_Pow and _divides(factor):
            base = sympy.Pow(factor.base, -factor.exp, evaluate=False)
            below += [_within(x, _POWER) for x in _under(factor.base if factor.exp == -1 else base)]
        elif factor.is_Rational and factor > 0:
            above += [str(factor.p)] if factor.p != 1 or factor.q == 1 else []
            below += [str(factor.q)] if factor.q != 1 else []
        else:
            above.append(_within(factor, _POWER))
    text = "*".join(above) or "1"
    if below:
        text += f"/{below[0]}" if len(below) == 1 else f"/({'*'.join(below)})"
    if minus:
        return f"-{text}", _SUM
    return text, _PRODUCT if below or len(above) > 1 else _ATOM


def _flat(part: Any) -> list[Any]:
    """Return the factors of a product, and of the products in it."""
    return [each for one in part.args for each in _flat(one)] if part.is_Mul else [part]


def _under(part: Any) -> list[Any]:
    """Return the factors of what is divided by; what divides itself is one."""
    found = _flat(part)
    for each in found:
        if (each.is_Pow and _divides(each)) or (each.is_Rational and not each.is_Integer):
            return [part]
    return found


def _letters(symbols: Iterable[Any]) -> str:
    """Return letters with their domains; those that are any number come first, for in "a, b >= 0"
    both would be bounded.
    """
    free: list[str] = []
    bounded: list[str] = []
    for each in symbols:
        domain = each.domain_text if isinstance(each, Letter) else ""
        (bounded if domain else free).append(domain or each.name)
    lists = [", ".join(some) for some in (free, bounded) if some]
    return " and ".join(f"all real {some}" for some in lists)
