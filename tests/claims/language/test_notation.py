"""Every letter of a statement is explained: in the statement itself, or in the table of letters
that its page shows.
"""

import re

import pytest

from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.wording import plain
from pufferproof.claims.registry import load_claims
from pufferproof.models.errors import ModelError

CLAIMS = load_claims()
GREEK = """
alpha beta gamma delta epsilon eps zeta eta theta iota kappa lam lambda mu nu xi pi rho sigma
tau phi chi psi omega Gamma Delta Theta Lam Lambda Xi Pi Sigma Phi Psi Omega
"""
INDEX = re.compile(r"_(?:\w+|\([^()]*\))")
SYMBOL = re.compile(
    rf"(?<![A-Za-z0-9_'’])((?:{'|'.join(GREEK.split())}|[A-Za-z])(?:\d+(?![A-Za-z]))?\*?|[A-Z]{{2,}}|[0-9]R)(?![A-Za-z’]|'[a-z])"
)
NO_SYMBOLS = "AND NOT OR ALL ANY II III IV VI VII i j"
"""i and j count, everywhere."""
NO_NOUNS = """
and the for with then that than when where given under only also both each such all any let put
take sum log exp max min inf sup over from into but not are has have its their every some iff
per times plus minus about above below more less most least equal product at until
"""


def symbols(statement):
    """Yield the letters, Greek names and abbreviations of a statement, without indices, and
    their places.
    """
    statement = INDEX.sub(lambda index: " " * len(index[0]), statement)
    for match in SYMBOL.finditer(statement):
        symbol, after = match[1], statement[match.end() :]
        article = symbol in ("a", "A") and re.match(r" [a-zA-Z]{2}", after)
        section = re.match(r"\.\d", after) or re.search(
            r"(?i)(section|eq\.|claim|step|case|figure|table|appendix) \(?$",
            statement[: match.start()],
        )
        if symbol == "e" and after.startswith("^"):
            continue
        if not (
            article
            or section
            or symbol in NO_SYMBOLS.split()
            or (symbol == "I" and re.match(r" [a-z]", after))
        ):
            yield symbol, match.start(), match.end()


def introduced(statement, start, end):
    """Say whether a letter is introduced where it stands: "a mechanism M", "for all n", "k >=
    1", "x in X", "R = e^epsilon".
    """
    before, after = statement[:start], statement[end:]
    noun = re.search(r"([a-z]{3,})(?: \(?| ?\()$", before)
    listed = re.search(
        r"(?:for (?:all|every|each|any|some)|with|let|and|all|every|any|some) (?:\w+, )*$", before
    )
    bound = re.match(
        r"(?:_\w+|_\([^)]*\)|')*(?:, \w+)*(?: in | = | (?:>=?|<=?) \d| being | the | is a | are | "
        r"of (?:a|the) )",
        after,
    )
    return bool((noun and noun[1] not in NO_NOUNS.split()) or (listed and bound) or bound)


def unexplained(claim):
    """Return the symbols of a statement that neither it nor its notation explains."""
    keys = {
        part for key in [*claim.notation, *claim.letters] for part in re.split(r",\s*|\s+", key)
    }
    known = keys | {re.split(r"[_^(|]", key)[0] for key in keys}
    bound = {
        symbol for symbol, *place in symbols(claim.statement) if introduced(claim.statement, *place)
    }
    return list(
        dict.fromkeys(
            symbol for symbol, *_ in symbols(claim.statement) if symbol not in known | bound
        )
    )


@pytest.mark.parametrize("family", sorted({claim.paper for claim in CLAIMS.values()}))
def test_every_symbol_of_a_statement_is_explained(family):
    missing = {
        name: unexplained(claim)
        for name, claim in CLAIMS.items()
        if claim.paper == family and claim.formula is None  # a formula says what its letters are
    }
    assert {name: letters for name, letters in missing.items() if letters} == {}


def test_the_text_of_a_formula_keeps_brackets_around_a_fraction_by_which_is_divided():
    said = formula("x > -y/(99/100)", given="x > 0, y/(1/3) > 1")
    assert plain(said) == "Implies((x > 0) & (y/(1/3) > 1), x > -y/(99/100))"
    assert plain(formula("x*x > x/2", given="x > 1")) == "Implies(x > 1, x*x > x/2)"


@pytest.mark.parametrize("text", ["eps + epsilon > 0", "x1 + x_1 > 0", "Alpha*A > 1"])
def test_letters_of_a_formula_that_look_alike_on_a_page_are_refused(text):
    with pytest.raises(ModelError, match="look alike on a page"):
        formula(text)
    with pytest.raises(ModelError, match="as the sign of a sum"):
        formula("sum_x > 0")
