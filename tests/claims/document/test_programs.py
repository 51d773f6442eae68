"""Programs in documents are read as they are written, compiled to what Python would say, and what
can be misread is refused.
"""

import json
import subprocess
import sys

import pytest
from tests.claims.examination import names_of, refusal

from pufferproof.claims.document.module import module_of
from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.claims.language.statements import Draws, Fraction, tried

FAMILY = """family two_numbers: Two numbers from -3 to 3, ties and zeros often.
  a = below(7) - 3
  give: a; b = below(7) - 3
"""
PROGRAM = """program MEANS over two_numbers
  given: ORDER
  needs not both are 0: a != 0 or b != 0
  where: both = 2 * a * b; sides = squares(a, b)
  holds (factor=1): factor * both < sides + (a == b)
  not a factor of 101/100: factor = 101/100
  not another number: a = a + 10 * b
  edges: [dict(a=0, b=0)]
"""
BLOCKS = f"""# Two numbers and their squares

use functools: reduce

hypothesis ORDER: a >= b :: a >= b

define cached squares(a, b=1/2) = first + second
  The sum of the squares.
  where: first, second = a ** 2, b ** 2
define swapped(instance) = {{'a': instance['b'], 'b': instance['a']}}

{FAMILY}
family ordered: As above, the larger number first.
  give: ** two_numbers(draws); most = 3

{PROGRAM}
program _turned(least) over ordered
  given: ORDER
  holds (strict=False): squares(**swapped(instance)) >= least + strict
  not with 1 more: strict = True
  computed: most

let TURNED = _turned(0)
"""


def test_blocks_are_written_as_they_are_read():
    assert write(read(BLOCKS)) == BLOCKS


def test_a_program_is_the_statement_that_python_would_say():
    made = names_of(BLOCKS)
    means, turned = made["MEANS"], made["TURNED"]
    assert [*means.given] == ["a >= b", "not both are 0"]
    assert [*means.too_weak] == ["not both are 0"]
    assert means.too_strong["a factor of 101/100"] == {"factor": Fraction(101, 100)}
    assert means.too_strong["another number"](a=1, b=2) == {"a": 21}
    assert means.holds(a=2, b=1)
    assert not means.holds(a=2, b=1, factor=2)
    assert made["squares"](1) == Fraction(5, 4)
    assert turned.family(Draws(None)) == {"a": -3, "b": -3, "most": 3}
    assert turned.holds(a=0, b=0, most=3)
    assert not turned.holds(a=0, b=0, most=3, strict=True)
    assert (turned.computed, turned.drawn) == (["most"], "As above, the larger number first.")


def test_a_failure_names_the_line_of_the_document():
    made = names_of(BLOCKS.replace("factor * both <", "factor / (a - a) <"))
    with pytest.raises(ZeroDivisionError) as error:
        tried(made["MEANS"], "own.means")
    lines = {each.lineno for each in error.traceback if str(each.path).endswith("own.claims")}
    assert BLOCKS[: BLOCKS.index("  holds (factor")].count("\n") in lines


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2 * a * b", "2 * a * c", '"c" has no meaning here, and is no entry of the family'),
        ("a != 0 or", "c != 0 or", '"c" has no meaning here, and is no entry of the family'),
        (":: a >= b", ":: a >= c", '"c" has no meaning here, and is no entry of the family'),
        ("= first + second", "= first + third", 'the name "third" has no meaning here'),
        ("a = below(7)", "a = seven(7)", 'the name "seven" has no meaning here'),
        ("factor = 101/100", "factr = 1", "expected a parameter of the conclusion or an entry"),
        ("factor = 101/100", "a < b", 'expected "NAME = VALUE; .."'),
        ("given: ORDER\n  needs", "given: ODER\n  needs", 'expected a hypothesis, found "ODER"'),
        ("where: both", "where: b", '"b" is an entry of the family: take another name'),
        ("(factor=1)", "(b=1)", '"b" is an entry of the family: take another name'),
        ("where: both", "where: reduce", '"reduce" has a meaning already in this document'),
        ("use functools: reduce", "use functools: reduce as b", "has a meaning already"),
        ("let TURNED", "let most = 3\nlet TURNED", None),
        ("given: ORDER\n  holds (strict", "given: ORDER\n  holds (most", "is an entry"),
        ("(factor=1)", "(factor=0.5)", "expected an exact number, such as 1/10"),
        ("_turned(least)", "_turned(least=0.5)", "expected an exact number, such as 1/10"),
        ("sides = squares(a, b)", "sides = [a for a in (1, 2)]", '"a" has a meaning already'),
        ("(a == b)", "min(b for b in (1, 2))", '"b" has a meaning already'),
        ("= first + second", "= [first for first in (1, 2)]", '"first" has a meaning already'),
        (":: a >= b", ":: a >= (b := 3)", '"b" has a meaning already'),
        ("holds (factor=1): ", "hold: ", "expected one of given, needs, not"),
        ("  edges: ", "  edges: []\n  edges: ", '"edges" once, found it on lines 26 and 27'),
        ("give: a; b", "give: a; a = 1; b", 'expected "a" once, found it twice on line 14'),
        ("a = below(7) - 3\n", "a = 1; a = 2\n", 'expected "a" once, found it twice on line 13'),
        ("a = below(7) - 3\n", "a = 1\n  c = 2\n", '"c" is drawn here, and "give:" on line 15'),
        ("; most = 3", "; most = 3; ** two_numbers(draws)", 'expected "a" once'),
        ("given: ORDER\n  needs", "given: ORDER; ORDER\n  needs", 'hypothesis "a >= b" once'),
        ("needs not", "given x: a > 1\n  needs x: a > 2\n  needs not", "on lines 21 and 22"),
        ("  not another", "  not another number: a = 1\n  not another", "on lines 25 and 26"),
        ("factor = 101/100", "factor = 2; factor = 3", 'expected "factor" once'),
        ("both = 2", "factor = 2", 'expected "factor" once, found it on lines 22 and 23'),
        ("[dict(a=0, b=0)]", "[dict(a=0, a=1)]", "expected each key once, found a twice"),
        ("[dict(a=0, b=0)]", "[{'a': 0, 'a': 1}]", "expected each key once, found 'a' twice"),
        ("computed: most", "computed: most, most", 'expected "most" once'),
        ("factor * both < sides + (a == b)", "factor * b <= a + 0", "hypotheses say (line 5, 21)"),
        ("_turned(least)", "_turned(squares)", '"squares" has a meaning already'),
        ("functools: reduce", "random: reduce", "expected one of the modules of Python bisect,"),
        ("factor * both", "len(open('a')) * both", '"open" reads or changes more than what'),
        ("(factor=1)", "(factor=1, seen=[])", "expected a default that stays as it is"),
        ("  give: a; b", "  gives: a; b", 'and "give: NAMES" as its last line'),
        ("  give: a; b = below(7) - 3", "  give: a; below(7)", 'expected "NAME = VALUE; .."'),
        ("first, second = ", "", 'expected "NAME = VALUE; .."'),
        ("(a, b=1/2)", "(a, b=)", 'expected "define NAME(PARAMETERS) = EXPRESSION"'),
        ("ORDER: a >= b ::", "ORDER: a >= b,", 'expected "hypothesis NAME: WORDS :: EXPRESSION"'),
    ],
)
def test_what_can_be_misread_is_refused_with_its_line(old, new, said):
    text = BLOCKS.replace(old, new)
    assert text != BLOCKS
    if said is None:
        module_of(text, "own.claims")
        return
    assert said in refusal(text)


def test_an_entry_that_means_something_else_in_the_document_is_refused():
    body = "    'Two.'\n    return {'a': 1, 'reduce': 2}\n"
    fenced = BLOCKS.replace(FAMILY, f"```python\ndef two_numbers(draws):\n{body}```\n")
    module_of(fenced, "own.claims")
    why = refusal(fenced.replace("2 * a * b", "2 * a * reduce"))
    assert '"reduce" is an entry of the family, and has another' in why


def test_a_document_with_a_family_and_a_program_is_tried(tmp_path):
    own = tmp_path / "own.claims"
    own.write_text(
        f"# Squares\n\n{FAMILY}\nprogram MEANS over two_numbers\n"
        "  holds (factor=1): 2 * factor * a * b <= a ** 2 + b ** 2\n"
        "  not a factor of 101/100: factor = 101/100\n"
        "  edges: [dict(a=1, b=1)]\n"
        "  always: a square is not negative\n\n"
        "## own.means | Section 1 | lemma\n\nTwice a product is at most the sum of the squares.\n\n"
        "reading as printed :: MEANS\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pufferproof", "prove", "--claims", str(own), "--json"]
    ran = subprocess.run(command, capture_output=True, text=True)
    (claim,) = json.loads(ran.stdout)["claims"]
    assert (ran.returncode, claim["verdict"]) == (0, "TRIED"), claim
