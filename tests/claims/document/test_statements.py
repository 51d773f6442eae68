"""Statement objects in documents are those of Python, and what says something else is refused."""

import re

import pytest
from tests.claims.examination import names_of, refusal

from pufferproof.claims.document.reader import read
from pufferproof.claims.document.writer import write
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, NONNEGATIVE, PROCESS
from pufferproof.claims.vocabulary.families import framework
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, pairs, priors, table
from pufferproof.claims.vocabulary.terms import letter
from pufferproof.models.errors import SolverError

HEAD = """# A section

use vocabulary.entries.foundations.promise: KEEPS, NONNEGATIVE, PROCESS
use vocabulary.families: framework
use vocabulary.sorts: NUMBER, mechanism, pairs, priors, table

sorts:
  ratio "R": NUMBER
  M: mechanism(D, W)
  K as L: table(W, V)
  pairs "Q" as Q: pairs(D)
  priors "Theta" as T: priors(D)

let WORSE = {'ratio': -1/2}
let GIVEN = [KEEPS(ratio, M, Q, T)]

"""
OVER, DRAWN = "  over: ratio, M, L, Q, T\n", "  drawn: framework\n"
BLOCK = f"""statement PROCESSED: own.Laws.processed | D W V~
{OVER}  if: NONNEGATIVE(L); *GIVEN
  if: ratio * ratio = ratio
  then: KEEPS(ratio, PROCESS(M, L), Q, T)
{DRAWN}  decidable: D
  edge: D = 1; ratio = 1/2 -- half of it
  edges: WORSE
  survives "without: no entry of K is negative" | conclusion, {{M,K}} for N{{, (2)}}: not seen: so
  survives hypothesis 2: equivalent: it is true
"""


def test_a_block_is_the_object_that_it_says():
    ratio, M = letter("ratio", NUMBER, "R"), letter("M", mechanism("D", "W"))
    K, Q = letter("K", table("W", "V")), letter("pairs", pairs("D"), "Q")
    T = letter("priors", priors("D"), "Theta")
    half = Fraction(1, 2)
    names = [f"conclusion, {each} for N{more}" for each in "MK" for more in ("", " (2)")]
    said, one = (
        names_of(HEAD + BLOCK)["PROCESSED"],
        Proposition(
            "own.Laws.processed",
            "D W V~",
            [ratio, M, K, Q, T],
            [NONNEGATIVE(K), KEEPS(ratio, M, Q, T), (ratio * ratio).equals(ratio)],
            KEEPS(ratio, PROCESS(M, K), Q, T),
            framework,
            [{"D": 1, "ratio": half}, {"ratio": -half}],
            decidable="D",
            survivors={
                "without: no entry of K is negative": "not seen: so",
                **dict.fromkeys(names, "not seen: so"),
                "hypothesis 2": "equivalent: it is true",
            },
        ),
    )
    assert (said.name, said.coq, said.words, said.tex) == (one.name, one.coq, one.words, one.tex)
    assert (said.edges, said.survivors, said.family) == (one.edges, one.survivors, one.family)
    assert [*said.survivors][:3] == ["without: no entry of K is negative", *names[:2]]
    assert [type(each["ratio"]) for each in said.edges] == [type(half)] * 2


def test_a_block_is_what_the_writer_makes_of_it():
    text = f"{HEAD}{BLOCK}"
    assert write(read(text)) == text
    loose = text.replace("ratio * ratio = ratio", "( ratio*ratio)  = ratio").replace("L, Q", "L,Q")
    assert write(read(loose.replace(")  =", ") ="))) == text


def with_hypothesis(hypothesis):
    return BLOCK.replace("ratio * ratio = ratio", hypothesis)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (BLOCK.replace("drawn:", "drwan:"), ':22: expected one of the fields over, .* "drwan: '),
        (BLOCK.replace(DRAWN, DRAWN * 2), ':23: expected field "drawn" once, found it on lines 22'),
        (BLOCK.replace("then", "if"), ':17: expected "then: TERM" below "statement PROCESSED'),
        (BLOCK.replace(": own", " own"), ':17: expected "statement NAME: AREA.CONSTANT'),
        (BLOCK.replace('negative" |', 'negative" or'), ":26: expected one of the fields"),
        (BLOCK.replace("PROCESS(", "PROCESSES("), ':21: the name "PROCESSES" has no meaning'),
        (BLOCK.replace(", L, Q, T", ", L, M, T"), ':18: expected "M" once, found it twice on line'),
        (with_hypothesis("ratio <= ratio < ratio"), ':20: "ratio <= ratio < ratio" is a chain'),
        (with_hypothesis("ratio = ratio = ratio"), ':20: "ratio = ratio = ratio" is a chain'),
        (with_hypothesis("ratio > ratio"), ':20: "ratio > ratio" is no term: compare by <'),
        (with_hypothesis("not (ratio < ratio)"), ":20: .* is of Python: write an entry"),
        (with_hypothesis("ratio < ratio and ratio < ratio"), ":20: .* is of Python"),
        (with_hypothesis("ratio < ratio, ratio < ratio"), ":20: expected one term, found"),
        (with_hypothesis("NONNEGATIVE('L')"), ":20: \"'L'\" is a text: a term has none"),
        (with_hypothesis("NONNEGATIVE(L);"), ':20: expected one term, found ""'),
        (with_hypothesis("ratio < 0.5"), ":20: expected an exact number"),
        (with_hypothesis("NONNEGATIVE(Q)"), ':20: "no entry negative" expects '),
        (with_hypothesis("ratio < 1"), ':20: "less" is of terms, found 1'),
        (with_hypothesis("ratio"), ":17: own.Laws.processed: expected a proposition"),
        (BLOCK.replace(OVER, OVER.replace(", L", "")), ':17: .*"K" is no letter of the statement'),
        (BLOCK.replace(": not seen", ": unseen"), ":17: .* expected a reason that begins with"),
        (BLOCK.replace("hypothesis 2", "conclusion, M for N"), ":27: .* it on lines 26 and 27"),
        (BLOCK.replace(DRAWN, ""), ":17: .*: expected a family, or a reason why none decides"),
        (BLOCK.replace("1/2 -- half", "0.5 -- half"), ":24: expected an exact number"),
        (f"{BLOCK}\n{BLOCK}", ':29: "PROCESSED" has a meaning already, of line 17'),
        (f"sorts:\n  N mechanism(D, W)\n\n{BLOCK}", ":18: expected letters and their sort"),
        (f"sorts:\n  N': NUMBER\n\n{BLOCK}", ":18: expected letters and their sort"),
        (BLOCK.replace("edges: WORSE", "edges: WORSE], [WORSE"), ":25: expected what stands"),
        (f"sorts:\n  N: framework\n\n{BLOCK}", ":18: .* no attribute"),
        (f"sorts:\n  M: NUMBER\n\n{BLOCK}", ':18: "M" has a meaning already, of line 9'),
    ],
)
def test_what_is_wrong_in_a_block_names_its_line(block, said):
    assert re.match(said, refusal(HEAD + block))


def test_a_chain_of_comparisons_is_no_term_in_a_let_either():
    with pytest.raises(SolverError, match="write one term for each comparison"):
        names_of(f"{HEAD}let CHAIN = ratio < ratio < ratio\n")
