"""That product distributions as priors are differential privacy, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, ONE
from pufferproof.claims.vocabulary.entries.foundations.promise import LIKELIHOOD
from pufferproof.claims.vocabulary.entries.records.products import (
    DP_FOR_RECORDS,
    KEEPS_FULL,
    KEEPS_OTHERS,
    KEEPS_PRODUCTS,
)
from pufferproof.claims.vocabulary.probes.records.products import A, M, drawn, n
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import Entry, letter

F = Fraction
ratio = letter("ratio", NUMBER, "R")


def _no_record(row: list[Fraction], ratio: Fraction) -> Instance:
    """The one table without records: nothing is a secret."""
    return {"A": 2, "n": 0, "W": len(row), "M": [row], "ratio": ratio}


EDGES = [
    _no_record([F(1)], F(199, 200)),
    _no_record([F(-1, 200)], F(2)),
    _no_record([F(1), F(-1)], F(2)),
]


def _is_dp(name: str, keeps: Entry) -> Proposition:
    return Proposition(
        f"records.Products.{name}",
        "A W~",
        [n, ratio, M],
        [ONE() <= ratio, LIKELIHOOD(M)],
        IFF(keeps(ratio, M, A, n), DP_FOR_RECORDS(ratio, M, A, n)),
        drawn,
        EDGES,
        decidable="A",
    )


PRODUCT_IS_DP = _is_dp("product_is_dp", KEEPS_PRODUCTS)
FULL_SUPPORT_IS_DP = _is_dp("full_support_is_dp", KEEPS_FULL)
AGAINST_OTHERS_IS_DP = _is_dp("against_others_is_dp", KEEPS_OTHERS)
