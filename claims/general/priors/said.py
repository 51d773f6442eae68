"""That product distributions as priors are differential privacy, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, ONE
from pufferproof.claims.vocabulary.entries.foundations.promise import LIKELIHOOD
from pufferproof.claims.vocabulary.entries.records.products import DP_FOR_RECORDS, KEEPS_PRODUCTS
from pufferproof.claims.vocabulary.probes.records.products import A, M, drawn, n
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
ratio = letter("ratio", NUMBER, "R")


def _no_record(row: list[Fraction], ratio: Fraction) -> Instance:
    """The one table without records: nothing is a secret."""
    return {"A": 2, "n": 0, "W": len(row), "M": [row], "ratio": ratio}


PRODUCT_IS_DP = Proposition(
    "records.Products.product_is_dp",
    "A W~",
    [n, ratio, M],
    [ONE() <= ratio, LIKELIHOOD(M)],
    IFF(KEEPS_PRODUCTS(ratio, M, A, n), DP_FOR_RECORDS(ratio, M, A, n)),
    drawn,
    [
        _no_record([F(1)], F(199, 200)),
        _no_record([F(-1, 200)], F(2)),
        _no_record([F(1), F(-1)], F(2)),
    ],
    decidable="A",
)
