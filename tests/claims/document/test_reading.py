"""Documents are read as they are written, and what can be read in two ways is refused."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.claims.examination import names_of, refusal

import pufferproof
from pufferproof import ModelError
from pufferproof.claims.document.expressions.exact import BUILTINS
from pufferproof.claims.document.expressions.reading import canonical
from pufferproof.claims.document.formulas import read as formulas
from pufferproof.claims.document.formulas import shown
from pufferproof.claims.document.formulas import write as written
from pufferproof.claims.document.module import module_of
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write

F = Fraction
HOME = Path(pufferproof.__path__[-1]) / "claims"
HEAD = "# A section\n\nletters:\n  a, b >= 0: two numbers\n\n"
CLAIM = "## own.means | Section 1 | lemma\n\n"
WORDS = f"{HEAD}{CLAIM}Words.\n\n"
STEP = f"{WORDS}reading one\n  false: here\n"
FALSE = f"{STEP}  at: m = 1\n"
FENCE = "# A section\n\n```python\ndef twice(x):\n    x /= 2\n    return 4 * x ** -1\n```\n\n"


def test_every_document_is_what_the_writer_makes_of_it():
    for path in sorted(HOME.rglob("*.claims")):
        text = path.read_text("utf-8")
        assert write(read(text, str(path))) == text, path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-x^2 < 1", "a minus before a power"),
        ("a/b*c = 1", "what follows a quotient"),
        ("a/b/c = 1", "what follows a quotient"),
        ("a^b^c = 1", "a power in an exponent"),
        ("x^-2 = 1", "a power in an exponent, or a minus"),
        ("a*-b = 1", 'a minus behind "*"'),
        ("a < b > c", 'the chain "< >"'),
        ("a != b != c", 'the chain "!= !="'),
        ("not a = b", "not without brackets"),
        ("not a = b and c = 1", "not without brackets"),
        ("a = 1 and b = 2 or c = 3", '"and" beside "or"'),
        ("a = 1 implies b = 2 or c = 3", '"or" beside "implies"'),
        ("a = 1 implies b = 2 implies c = 3", 'found "implies c ='),
        ("a + (b = 1 implies c = 2) = 2", "expected a number or a letter, found a relation"),
        ("a + (b < c) = 2", "expected a number or a letter, found a relation"),
        ("a and b = 1", "expected a relation, found a number or a letter"),
        ("a < 0.5", 'found "0.5"'),
        ("a <", "found the end"),
        ("a b = 1", 'found "b = 1"'),
        ("a = 1; b = 2", "expected one formula, found 2"),
    ],
)
def test_a_formula_that_can_be_read_in_two_ways_is_refused(text, said):
    with pytest.raises(ModelError, match=r"in two ways|expected") as error:
        shown(text)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("a-(b-c)=a-b-c", "a - (b - c) = a - b - c"),
        ("(-x)^2=(x^2)^3", "(-x)^2 = (x^2)^3"),
        ("(a/b)*c<a*(b/c)", "(a/b)*c < a*(b/c)"),
        ("-(a*b)+c=-a*b", "-(a*b) + c = -a*b"),
        ("a=b=c", "a = b = c"),
        ("(a<b or b<c) and not (c<d)", "(a < b or b < c) and not (c < d)"),
        ("(a<b and b<c)implies(not(a=b))", "(a < b and b < c) implies not (a = b)"),
        ("(a=b implies b<c)and c<d", "(a = b implies b < c) and c < d"),
        ("(((a)))+exp(x , y)>=1/2", "a + exp(x, y) >= 1/2"),
    ],
)
def test_a_formula_is_written_in_one_way_with_its_brackets(text, one):
    assert shown(text) == shown(one) == one
    assert [written(each) for each in formulas(one)] == [one]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{HEAD}{CLAIM}if: a >= b\nwhy: so\n", ':8: expected "then:" beside "if:"'),
        (f"{HEAD}{CLAIM}A sentence.\n\nthen: a = b\n", "leave the sentence out"),
        (f"{HEAD}{CLAIM}then: a >= -b^2\n", ":8: in the formula"),
        (f"{HEAD}{CLAIM}thn: a >= b\n", 'found "thn: a >= b" in prose, did you mean "then"?'),
        (f"{WORDS}reading as printed :: NOTHING\n", 'name "NOTHING" has no meaning'),
        (f"{HEAD}{CLAIM}then: a*b >= 0\n", '"a" has a domain, which is no part of a formula'),
        (
            f"# A\n\nlet K = 2\n\n{CLAIM}then: K*c^2 >= 0\n",
            ':7: "K" has a meaning already, of line 3: letters of a formula are its own',
        ),
        (f'{HEAD[:-1]}  c "x + y": a sum\n', ":5: expected one letter as pages show it"),
        (f'{HEAD[:-1]}  c "z}}^{{2": a power\n', ":5: expected one letter"),
        (f'{HEAD[:-1]}  c "b": a number\n', ':5: pages show "b" and "c" alike'),
        (f'{HEAD[:-1]}  c "u": a number\n\n{CLAIM}then: c*u = u*c\n', 'show "u" and "c" alike'),
        (f'{HEAD[:-1]}  c "π_1": one\n  d "pi1": two\n', ':6: pages show "c" and "d" alike'),
        (f"# A\n\n{CLAIM}then: x__2 + 1 = 1 + x__2\n", 'found "x__2", shown as "x__2"'),
        (f"{HEAD}symbols:\n  c: x + 1\n", ":7: expected a letter and how pages show it"),
        (f"{HEAD}symbols:\n  and: c\n", ":7: expected a letter and how pages show it"),
        (f"{HEAD}symbols:\n  c: d^2\n\n{CLAIM}then: c = c\n", 'found "c", shown as "d^2"'),
        (f"{HEAD}let rows = [1]  # more\n    + [2]\n", 'expected an expression without "#"'),
        (f"{HEAD}let rows = 3^2\n", "expected ** for a power"),
        (f"{WORDS}reading one\nreading one\n", 'reading "one" once, found it on lines 10 and 11'),
        (f"{WORDS}reading one\n  definition: x -- y\n  through: print\n", "taken beside through"),
        (f"{HEAD}let proof = 3\n", '"proof" has a meaning in every document'),
        (f"{HEAD}let _document_over = 3\n", "has a meaning in every document"),
        (f"{HEAD}```python\nx = 1\n\n\ndef a(): ...\n```\n", ':10: "a" has a meaning already'),
        (f"{HEAD}```python\nimport os as _document_over\n```\n", "meaning in every document"),
        (f"{HEAD}let a = 3\n", '"a" has a meaning already, of line 4'),
        (f"{HEAD}let sum = 3\n", '"sum" has a meaning in Python'),
        (f"{HEAD}let rows = [a for a in range(3)]\n", "take another name within the expression"),
        (f"{HEAD}let rows = 0.1\n", "expected an exact number, such as 1/10"),
        (f"{HEAD}let rows = (1\n", "expected an expression of Python"),
        (f"{HEAD}   three columns in\n", "found one 3 columns in"),
        (f"{HEAD}```python\nx = 1\n", "to close this fence"),
        ("letters:\n", 'expected "# TITLE"'),
        (f"{HEAD}paper:\n  year: 2027\n", 'expected "title: .." below "paper:"'),
        (f"{HEAD}paper:\n  titel: A\n", 'one of title, authors, year, place, found "titel"'),
        (f"{HEAD}paper:\n  title: A\n  title: B\n", '"title" once, found it on lines 7 and 8'),
        (f"{HEAD}notation:\n  a: b\n\nnotation:\n  c: d\n", '"NOTATION" has a meaning already'),
        (f"{HEAD}{CLAIM}Words.\n\nreading one\n  false: here\n  by: True\n", 'expected "at:"'),
        (f"{FALSE}  by: all(m > 0 for m in (1, 2))\n", '"m" has a meaning already'),
        (f"{FALSE}  by: True\n", ':13: "by:" and "so:" read nothing of "at:"'),
        (f"{FALSE}  by: 1 > 0\n", 'read nothing of "at:"'),
        (f"{FALSE}  by: 1 > 0\n  so: 1 < 2\n", 'read nothing of "at:"'),
        (f"{HEAD}let m = 2\n\n{FALSE[len(HEAD) :]}  by: m > 0\n", "or write m = m"),
        (f"{FALSE}  by: twice(n) > 0\n  so: m > 0\n", ':13: the name "n" has no meaning here'),
        (f"{FALSE}  by: True\n  so: m > -2^2\n", ":14: in the formula"),
        (f"{FALSE}  by: True\n  so: m < 2^3^2\n", "a power in an exponent"),
        (f"{FALSE}  by: True\n  so: 1 < m > 2\n", 'the chain "< >"'),
        (f"{FENCE}let rows = [twice for twice in (1, 2)]\n", '"twice" has a meaning already'),
        (f"{HEAD}let rows = (a := 3)\n", '"a" has a meaning already'),
        (f"{HEAD}let rows = lambda b: b\n", '"b" has a meaning already'),
        (f"{HEAD}let rows = 3 is 3\n", "write == for numbers"),
        (f"{HEAD}let rows = 3 > 0 | 2 > 0\n", "read before relations"),
        (f"{HEAD}let rows = [3].clear()\n", "changes nothing"),
        (f"{HEAD}let rows = lambda n, m=[]: n\n", "a default that stays as it is"),
        (f"{HEAD}let rows = [*map(pow, [2], [3])]\n", 'expected "pow" with its arguments'),
        (f"{HEAD}let rows = int.__truediv__\n", 'found ".__truediv__"'),
        (f"{HEAD}let rows = К\n", "names of letters from a to z"),
        (f"{HEAD}let rows = 1\u2800\n", "U+2800, which nobody sees"),
        (f"{HEAD}define К(x) = 1\n", "expected"),
        (f"{HEAD}let k = [1]\n\n```python\nk.clear()\n```\n", '"k" is said on line 6'),
        (f"{HEAD}let k = [1]\n\n```python\nk[0] = 2\n```\n", '"k" is said on line 6'),
        (f"{HEAD}let k = 1\n\n```python\ndef f():\n    global k\n```\n", 'found "global"'),
        (f"{HEAD}let k = 1\n\n```python\nmatch 2:\n    case k:\n        pass\n```\n", "already"),
        (f"{HEAD}let k = 1\n\n```python\n[k := j for j in (1,)]\n```\n", "a meaning already"),
        (f"{HEAD}symbols:\n  u: v\n  v: u\n\n{CLAIM}then: u*v = v*u\n", "alike"),
        (f"{HEAD}{CLAIM}then: 0^0*c = c\n", "expected an exponent other than 0"),
        (f"{HEAD}let rows = 1 < 3 > 2\n", 'the chain "< >" is read in two ways'),
        (f"{HEAD}let rows = 1 == 1 == True\n", 'the chain "= =" is read in two ways'),
        (f"{HEAD}let rows = not 1 > 3\n", "write not (..)"),
        (f"{HEAD}let rows = 1 > 3 or 1 > 2 and 2 > 1\n", '"and" beside "or"'),
        (f"{HEAD}let rows = -1 ** 2\n", "a minus before a power"),
        (f"{HEAD}let rows = 2**3**2\n", "a power in an exponent"),
        (f"{HEAD}let rows = float(1)\n", "expected exact numbers, such as Fraction(1, 10)"),
        (f"{HEAD}use math: sqrt\n", '"sqrt" of math, which makes floats'),
        (f"{HEAD}use decimal: Decimal\n", "decimal, which makes floats"),
        (f"{HEAD}```python\nx = [\n    0.1,\n]\n```\n", ":8: expected an exact number"),
        (f"{HEAD}```python\nfrom math import pi\n```\n", '"pi" of math, which makes floats'),
        (f'{WORDS}reading "one" more | here\n', 'behind "one", found " more | here"'),
        (f"{HEAD}notation:\n  p, q: b\n  q, p: d\n", '"q" once, found it on lines 7 and 8'),
        (f"{HEAD}letters:\n  c > 0 > 1 > 2: d\n", 'expected a bound ">" once'),
        (f"{HEAD}use itertools\nlet itertools = 3\n", '"itertools" has a meaning already, of line'),
        (f"{HEAD}{CLAIM}Words.\n\n{CLAIM}Words.\n", 'expected claim "own.means" once'),
        (f"{HEAD}{CLAIM}Words.\n\nunsaid: a\nunsaid: b\n", "found it on lines 10 and 11"),
        (f"{HEAD}{CLAIM}Words.\n\nunsaid two: a\n", ':10: expected the name of a reading of "own'),
        (f"{STEP}  at: a = 1; a = 2\n  by: True\n", ':12: expected "a" once, found it twice'),
        (f"{STEP}  at: a = 1\n  at: a = 2\n", ':13: expected field "at" once'),
        (f"{STEP}  false: here\n", ':12: expected step "here" once, found it on lines 11 and 12'),
        (f"{HEAD}let K = 2\n\n{STEP[len(HEAD) :]}  at: K = 1\n  by: True\n", "or write K = K"),
        (f"{STEP}  near x: abs\n  near x: len\n", ':13: expected "near x" once'),
        (f"{STEP}  through: abs\n  through: len\n", ':13: expected field "through" once'),
        (f"{HEAD}{CLAIM}Words.\n\nreading one\n  flase: here\n", 'found "flase"'),
        (f"# A\n\nWords.\n{CLAIM}then: c = d\n", ':4: expected a blank line before "## own'),
        (f"{HEAD}{CLAIM}Words.\nreading one\n", ':9: expected a blank line before "reading'),
        (f"{HEAD}{CLAIM}reaing one :: ABS\n", 'in prose, did you mean "reading"?'),
        (f"{HEAD}{CLAIM}Words.\nbcause: so\n", ':9: found "bcause: so" in prose, did you mean'),
        (f"{HEAD}{CLAIM}    then: c = d\n", ':6: "then: c = d" goes on with the heading'),
        ("# A\n\n    Prose.\n", ':1: "Prose." goes on with the heading'),
        (f"{HEAD}{CLAIM}Words.\n\nreading one\n\n    false: it\n", ':10: "false: it" goes on'),
        ("# A\n\nthen: a = b\n", ":3: expected prose, or what begins a part"),
        ("# A\n\nProse\nprogam P over it\n", 'did you mean "program"?'),
        ("# A\n\nProse\n```py\n", 'did you mean "```python"?'),
        ("# A\n\nProse\nuse math\n", ":4: expected a blank line"),
        ("# A\n\nA\u200bB\n", ":3: expected a plain text, found the character U+200B"),
        (f"{HEAD}{CLAIM}then: 0 <= c^2 <= c^2 + 1\n", ":8: expected one relation, found several"),
        (f"{HEAD}{CLAIM}then: c^2 >= 0 and d^2 >= 0\n", "write a claim for each"),
        (f"{HEAD}{CLAIM}if: c > 1 or c < 0\nthen: c^2 > 0\n", ":8: expected a relation, found"),
        (f"{HEAD}{CLAIM}then: abs(c) >= c\n", 'found "abs(..)": a formula of a claim has exp'),
        (f"{HEAD}{CLAIM}then: lambda^2 >= 0\n", '"lambda" is a word of Python'),
        (f"{HEAD}{CLAIM}then: e > 2\n", ':8: "e" is a letter here: declare it in letters:, or'),
        (f"{HEAD}{CLAIM}if: c > 1\nthen: c^100000 > 1\n", ":9: in the formula"),
        (f"{HEAD}{CLAIM}then: c > (10^1000)^1000\n", "expected an exponent of at most 100"),
        (f"{HEAD}{CLAIM}then: (c + d + f + g)^20 > c\n", "expected a power of at most 10000 terms"),
        (f"{HEAD}{CLAIM}then: c > 10^(9^11)\n", "expected an exponent of at most 100"),
        (f"{HEAD}{CLAIM}then: c > {'9' * 5000}\n", "expected a number of at most 1000 digits"),
        (f"{HEAD}{CLAIM}then: c > {'(' * 999}1{')' * 999}\n", "stand in one another: name"),
        (f"{HEAD}let rows = {'1 + ' * 5000}1\n", ":6: expected an expression, found"),
        ("# A\r\n", ":1: expected a plain text, found the end of a line of Windows"),
        ("\ufeff# A\n", ":1: expected a plain text, found a byte order mark"),
        ("# A\n\nletters:\n  c >= 1/0: one\n", ":4: expected letters and bounds by numbers"),
    ],
)
def test_what_is_wrong_in_a_document_names_its_line(text, said):
    assert said in refusal(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1/2, 3]", [F(1, 2), 3]),
        ("-1/2", F(-1, 2)),
        ("1/-2", F(-1, 2)),
        ("(1 + 1)/3", F(2, 3)),
        ("3*1/2", F(3, 2)),
        ("1/2**3", F(1, 8)),
        ("2**-1", F(1, 2)),
        ("[x/4 for x in (1, 2)]", [F(1, 4), F(1, 2)]),
        ("[2**x for x in (-1, 1)]", [F(1, 2), 2]),
        ("range(2**3)", range(8)),
    ],
)
def test_quotients_and_powers_of_whole_numbers_are_fractions(text, value):
    assert of(f"let found = {text}") == value


def test_by_reads_the_values_of_at():
    text = f"{FALSE.replace('at: m = 1', 'at: m = 1; a = 2')}  by: a > m\n"
    assert "lambda m=_document_at['m'], a=_document_at['a']:" in ast.unparse(module_of(text, "own.claims"))


def test_a_fence_is_exact():
    twice = names_of(FENCE)["twice"]
    assert (twice(1), type(twice(3))) == (8, F)


@pytest.mark.parametrize(
    "text", ["pow(10, -1)", "1 < pow(4, F(1, 2))", "int(below(F(1, 2)))", "round([*map(below, [F(3)])][0])"]
)
def test_a_float_that_comes_from_elsewhere_is_an_error_with_its_line(text):
    uses = "# A\n\nuse fractions: Fraction as F\nuse models.numbers.intervals: below\n"
    why = refusal(f"{uses}\nlet found = {text}\n")
    assert re.match(":6: .* found the float", why)


def test_prose_that_looks_like_a_field_and_bounds_in_any_order_are_written_as_they_are_read():
    long = "word " * 27
    prose = f"{long}\n    reading on: it\n\n    let it be = so"
    text = f"# A\n\nletters:\n  1 >= p >= 0: one\n  q != 0 != 1: two\n\n{CLAIM}{prose}\n"
    again = write(read(text.replace(" \n", "\n")))
    assert read(again).parts[1].statement == f"{long}reading on: it\n\nlet it be = so"
    one, two = (x.domain for x in read(again).parts[0].entries)
    assert (one, two) == ((("<=", "1"), (">=", "0")), (("!=", "0"), ("!=", "1")))


@pytest.mark.parametrize("text", ["let k = zip((1,))", "```python\nk = map(int, (1,))\n```"])
def test_what_has_a_name_can_be_read_twice(text):
    names = {}
    exec(compile(module_of(f"# A\n\n{text}\n", "own.claims"), "own.claims", "exec"), names)
    assert [*names["k"]] == [*names["k"]] != []


def test_what_has_no_end_gets_no_name():
    why = refusal("# A\n\nuse itertools: count\n\nlet k = count()\n")
    assert why.startswith(":5: expected what has an end")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4**(1/2)", "a root is not exact, found 1/2"),
        ("10**(10**9)", "expected a power of at most"),
        ("((10**99)**99)**999", "expected a power of at most"),
    ],
)
def test_roots_and_numbers_that_nobody_waits_for_are_refused(text, said):
    with pytest.raises(ModelError, match=said):
        of(f"let found = {text}")


def test_hypotheses_may_be_joined_and_letters_that_look_like_numbers_are_declared():
    text = f"# A\n\nnotation:\n  e: one\n\n{CLAIM}if: e > 1 and (c > 1 and d > 1)\nthen: e > 0\n"
    assert "'e > 0', 'e > 1, c > 1, d > 1'" in ast.unparse(module_of(text, "own.claims"))


def of(line):
    """Return what a line of a document declares."""
    return names_of(f"{HEAD}{line}\n")["found"]


def test_an_expression_is_written_as_it_is_read():
    assert canonical("[(1)/2 ,x / y]") == "[1/2, x / y]"
    assert canonical("1/2**3") == "1 / 2 ** 3"
    assert canonical("x/(1/2)") == "x / (1/2)"
    assert canonical("x/1/2") == "x / 1 / 2"
    for text in ("not (a in b)", "-(a ** b)", "(-a) ** b", "a ** (b ** c)", "a or (b and c) or d"):
        assert canonical(text) == text


def test_a_family_that_a_reading_goes_through_has_near_misses():
    reading = "reading all\n  every: ten -- n < 10\n  of: range(10)\n  holds: lambda n: n < 10\n"
    near = "  near nine: lambda n: n < 9\n"
    said = ast.unparse(module_of(f"{WORDS}{reading}{near}", "own.claims"))
    assert "Edit('ten', holds=lambda n: _document_checked(n) < 9)" in said
    assert 'expected one "every' in refusal(f"{WORDS}reading all\n{near}")


def test_what_a_prompt_has_shown_is_no_name_of_python():
    """`_` is set among the built-in names by the prompt of Python, and by doctest."""
    assert "_" not in BUILTINS
    assert "sum" in BUILTINS
