"""Product distributions of records, and differential privacy of tables: ProductPriors.v,
ProductClasses.v."""

from collections.abc import Iterator
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, Rows
from pufferproof.claims.vocabulary.entries.records.accounts import differ, tables_of
from pufferproof.claims.vocabulary.sorts import TABLE
from pufferproof.claims.vocabulary.terms import entry

OF_TABLES = f"{TABLE} -> 'W -> R"


def _products(ratio: Fraction, M: Rows, size: int, number: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Compare under the product laws at which one record is uniform and each other one certain: as
    sums are linear in the law of each other record, these decide.
    """
    tables = [*tables_of(size, number)]
    for j in range(number):
        for table in tables:
            line = [x for x, other in enumerate(tables) if differ(table, other, j)]
            prior = [Fraction(int(x in line), size) for x in range(len(tables))]
            for a, b in product(range(size), repeat=2):
                s, t = (frozenset(x for x, other in enumerate(tables) if other[j] == value) for value in (a, b))
                yield from KEEPS.value(ratio, M, [(s, t)], [prior])


def _others(ratio: Fraction, M: Rows, size: int, number: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Compare under the product laws at which one record is even on two values and each other one
    certain: as sums are linear in the law of each record given its secret, these decide.
    """
    tables = [*tables_of(size, number)]
    for x, y in product(range(len(tables)), repeat=2):
        for j in range(number):
            if x != y and differ(tables[x], tables[y], j):
                s = frozenset(z for z, other in enumerate(tables) if other[j] == tables[x][j])
                t = frozenset(range(len(tables))) - s
                prior = [Fraction(int(z in (x, y)), 2) for z in range(len(tables))]
                yield from KEEPS.value(ratio, M, [(s, t), (t, s)], [prior])


def _dp(ratio: Fraction, M: Rows, size: int, number: int) -> Iterator[tuple[Fraction, Fraction]]:
    tables = [*enumerate(tables_of(size, number))]
    for (x, here), (y, there) in product(tables, repeat=2):
        if any(differ(here, there, j) for j in range(number)) or x == y:
            yield from ((a, ratio * b) for a, b in zip(M[x], M[y]))


KEEPS_PRODUCTS = entry(
    "keeps for products",
    takes=("R", OF_TABLES, "Type", "nat"),
    words="P_p([1] = w | X_j = a) <= [0] P_p([1] = w | X_j = b) for every p under which the [3] records "
    "X_j are independent, every record j, all its values a and b in [2] with P_p(X_j = a) > 0 and "
    "P_p(X_j = b) > 0, and every output w",
    tex=r"\forall p = \textstyle\prod_j p_j, j, a, b, w:\ "
    r"P_p([1] = w \mid X_j = a) \le [0]\, P_p([1] = w \mid X_j = b)",
    coq="Pufferfish.pufferfish [0] [1] (ProductPriors.values_of_records dA (n := [3])) "
    "(ProductPriors.product_laws (A := [2]))",
    value=_products,
    relation="<=",
)
KEEPS_FULL = entry(
    "keeps for products of full support",
    takes=("R", OF_TABLES, "Type", "nat"),
    words="P_p([1] = w | X_j = a) <= [0] P_p([1] = w | X_j = b) for every p under which the [3] records "
    "X_j are independent and each of their values has a positive probability, every record j, all "
    "its values a and b in [2], and every output w",
    tex=r"\forall p = \textstyle\prod_j p_j > 0, j, a, b, w:\ "
    r"P_p([1] = w \mid X_j = a) \le [0]\, P_p([1] = w \mid X_j = b)",
    coq="Pufferfish.pufferfish [0] [1] (ProductPriors.values_of_records dA (n := [3])) "
    "(ProductClasses.full_products (A := [2]))",
    value=_products,  # both sides are continuous in p, so that these are all product laws
    relation="<=",
)
KEEPS_OTHERS = entry(
    "keeps for a value against others",
    takes=("R", OF_TABLES, "Type", "nat"),
    words="P_p([1] = w | X_j = a) <= [0] P_p([1] = w | X_j != a) and P_p([1] = w | X_j != a) <= "
    "[0] P_p([1] = w | X_j = a) for every p under which the [3] records X_j are independent, every "
    "record j and value a in [2] with 0 < P_p(X_j = a) < 1, and every output w",
    tex=r"\forall p = \textstyle\prod_j p_j, j, a, w:\ "
    r"P_p([1] = w \mid X_j = a) \le [0]\, P_p([1] = w \mid X_j \ne a) \text{ and back}",
    coq="Pufferfish.pufferfish [0] [1] (ProductClasses.against_others dA (n := [3])) "
    "(ProductPriors.product_laws (A := [2]))",
    value=_others,
    relation="<=",
)
DP_FOR_RECORDS = entry(
    "differs in one record",
    takes=("R", OF_TABLES, "Type", "nat"),
    words="[1](x, w) <= [0] [1](y, w) for all tables x and y of [3] records in [2] that differ in at "
    "most one record, and every output w",
    tex=r"\forall x, y \text{ that differ in at most one record}, w:\ "
    r"{[1]}_{x,w} \le [0]\, {[1]}_{y,w}",
    coq="ProductPriors.dp_for_records (A := [2]) (n := [3]) [0] [1]",
    value=_dp,
    relation="<=",
)
