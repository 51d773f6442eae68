"""Table 6, decided row by row: a class of priors that brings bounds on pairs of tables composes,
one prior does not.

"Composes" is read as: releases that keep the definition at levels eps_k keep it together at the sum
of these, whatever the mechanisms are.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.general.definition import prior_of, ratios
from pufferproof.claims.general.priors.said import PRODUCT_IS_DP
from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.statements import collapse, priors
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import pair_collapse
from pufferproof.models.priors.tables import Table

R = letter("R", "e to the level of the next release", at_least(1))
levels = letter("levels", "the product of the levels so far", at_least(1))
p, q = letters(
    "p q", "joint likelihoods of the outputs so far, at two tables of a pair", at_least(0)
)
c, d = letters("c d", "likelihoods of the next output, at these tables", at_least(0))
NOTATION = {"r": "a radius", "eps_k": "the level of release k"}
HALF, EIGHTH = Fraction(1, 2), Fraction(1, 8)
BITS = [f"{n:03b}" for n in range(8)]
DP_ROW = "DP, all priors with independent records: Yes"
DEPENDENT = "dependent DP, all priors with the dependence relation: Yes"
BLOWFISH = "Blowfish, bounds on neighbours, or all priors on Q: Yes"
SOME = "posterior rows, No for some class of the row's kind"


@claim(
    "bai2026.table6",
    where="Appendix A, Table 6",
    statement="Composition: DP (V, records independent), dependent DP (V, priors with a dependence "
    "relation), noiseless privacy (V, one law, such as i.i.d. uniform) and Blowfish (exclusive "
    "propositions on one record, priors conditioned on Q) compose. Pufferfish (any secrets, pairs "
    "and priors), inferential (V, any priors), conditional inference (locations within r, temporal "
    "dependence), partial knowledge DP (V, factors phi_0 and phi_rest), Bayesian DP (V, dependent "
    "records) and distribution DP (D_i = alpha against bottom) do not compose.",
    kind="table",
    repair="bai2026.table6-repaired",
    says={
        DP_ROW: priors.DP_ROW,
        DEPENDENT: priors.DEPENDENT_ROW,
        BLOWFISH: priors.BLOWFISH_ROW,
        SOME: collapse.COLLAPSE,
    },
)
def table6(check: Check) -> None:
    """Refute the row on noiseless privacy, rows for one prior instead of a class, and "No" for
    every class; prove the others.

    DP, all priors with independent records: Yes. All product priors make it a bound on tables that
    differ in one record [general.composition-under-large-classes], and bounds on pairs of tables
    multiply, whichever mechanism the outputs chose.

    Dependent DP, all priors with the dependence relation: Yes. The class has every law on the block
    of the secret record: for x with s, y with s' that differ in this block alone, the prior with
    weights 1/2 at both bounds the pair. Pairs compose, and P(w | s, .) and P(w | s', .) average
    such likelihoods given all other blocks [song2017.x-averages], which are independent of the
    secret.

    Blowfish, bounds on neighbours, or all priors on Q: Yes. A prior with weights 1/2 at x with s
    and y with s', both in Q, bounds this pair: the promise is a list of bounds on pairs, which
    compose, and P(w | s) and P(w | s') average them [song2017.x-averages].
    """
    for name, build in {
        "noiseless, deterministic queries, one law of uniform bits: Yes": _deterministic,
        "noiseless, any mechanism, one law of uniform bits: Yes": _noiseless,
        "dependent DP and Blowfish, one prior with the relation, or on Q: Yes": _one_prior,
    }.items():
        with check.reading(name, "one counterexample") as proof:
            build(proof)
    with check.reading("posterior rows, No for every class", "one class that composes") as proof:
        _class_that_composes(proof)
    _readings(check)
    proved(
        check,
        SOME,
        "one framework of two records for each row, and all records secret",
        _collapses,
        one_release=Edit("two releases at level 0", holds=lambda case: reveals(case[1], 1)),
    )


def _readings(check: Check) -> None:
    check.tried(DP_ROW)
    check.tried(DEPENDENT)
    check.tried(BLOWFISH)


def uniform_bits(count: int) -> Framework:
    """So many fair bits, all secret."""
    labels = ["".join(bits) for bits in product("01", repeat=count)]
    secrets = {
        f"x{i + 1}={v}": [x for x in labels if x[i] == v] for i in range(count) for v in "01"
    }
    pairs = [(f"x{i + 1}=0", f"x{i + 1}=1") for i in range(count)]
    return Framework(
        labels, secrets, pairs, {"fair": Table({x: Fraction(1, len(labels)) for x in labels})}
    )


def query(labels: list[str], places: tuple[int, ...]) -> Channel:
    """The parity of these bits, without noise."""
    shown = {x: sum(x[place] == "1" for place in places) % 2 for x in labels}
    return Channel.of({x: [1 - shown[x], shown[x]] for x in labels}, ["even", "odd"])


def largest(framework: Framework, channel: Channel) -> Fraction | None:
    """The largest ratio, None for infinite."""
    best = Fraction(1)
    for name in framework.priors:
        for each in ratios(framework, channel, prior_of(framework, name)):
            if each.first and not each.second:
                return None
            best = max(best, each.first / each.second if each.second else best)
    return best


def _noiseless(proof: Proof) -> None:
    _deterministic(proof)


def _deterministic(proof: Proof) -> None:
    framework = uniform_bits(3)
    first, second = query(BITS, (0, 1, 2)), query(BITS, (1, 2))
    proof.exhaust(
        "two bits are too few",
        "All deterministic queries of two fair bits that tell nothing of either bit, in pairs: "
        "they tell nothing together",
        _harmless_pairs(),
        lambda both: largest(uniform_bits(2), both[0].beside(both[1])) == 1,
    )
    proof.counterexample(
        "two parities of three fair bits",
        "x1 + x2 + x3 and x2 + x3 (mod 2) are independent of every single bit: each query has "
        "level 0, without noise. Together they tell x1",
        {
            "first query": "parity of x1, x2, x3",
            "second query": "parity of x2, x3",
            "framework": framework,
            "mechanism": first.beside(second),
            "epsilon": "log(2)",
        },
        lambda: (
            largest(framework, first) == largest(framework, second) == 1
            and largest(framework, first.beside(second)) is None
        ),
    )


def _harmless_pairs() -> Iterator[tuple[Channel, Channel]]:
    labels, framework = ["00", "01", "10", "11"], uniform_bits(2)
    harmless = []
    for shown in product((0, 1), repeat=4):
        channel = Channel.of({x: [1 - n, n] for x, n in zip(labels, shown)}, ["u", "v"])
        if largest(framework, channel) == 1:
            harmless.append(channel)
    yield from product(harmless, repeat=2)


def two_records(law: dict[str, Fraction], second: str = "0") -> Framework:
    """Two records, whether the first has the value 1 secret."""
    secrets = {"s": [x for x in law if x[0] == "1"], "t": [x for x in law if x[0] == second]}
    return Framework(list(law), secrets, [("s", "t")], {"theta": Table(law)})


CHAIN = {"00": Fraction(3, 8), "01": EIGHTH, "10": EIGHTH, "11": Fraction(3, 8)}
FACTORS = {"00": Fraction(1, 3), "01": Fraction(1, 6), "10": Fraction(1, 3), "11": Fraction(1, 6)}
ABSENT = {f"{a}{b}": Fraction(1, 4) for a in "1_" for b in "1_"}


def rows_of_the_table() -> Iterator[tuple[str, Framework]]:
    """A framework for each row that says No."""
    for name in ("Pufferfish", "inferential", "conditional inference", "Bayesian DP"):
        yield name, two_records(CHAIN)
    yield "partial knowledge DP", two_records(FACTORS)
    yield "distribution DP", two_records(ABSENT, "_")


def reveals(framework: Framework, runs: int) -> bool:
    """Say whether the mechanism of Example 1 leaks nothing in one run and infinitely much in so
    many.
    """
    single = pair_collapse(framework)
    joint = single if runs == 1 else single.beside(single)
    return largest(framework, single) == 1 and largest(framework, joint) is None


def _collapses(proof: Proof) -> None:
    proof.exhaust(
        "two releases at level 0",
        "One framework for each row: a chain of two records, two independent factors, a record "
        "that is there or absent. The mechanism of Example 1 leaks nothing once and everything "
        "twice",
        rows_of_the_table(),
        lambda case: reveals(case[1], 2),
        "one run: ratio 1; two runs: infinite",
    )


def _one_prior(proof: Proof) -> None:
    framework = two_records(CHAIN)
    single = pair_collapse(framework)
    proof.counterexample(
        "one chain of two records",
        "With one prior, X_2 = X_1 with probability 3/4, instead of all priors of the relation "
        "(or on Q, where Q has all tables), the mechanism of Example 1 has level 0 and two runs "
        "reveal X_1. With one record each secret is one table, and levels add",
        {"framework": framework, "mechanism": single.beside(single), "epsilon": "log(2)"},
        lambda: reveals(framework, 2),
    )


def _class_that_composes(proof: Proof) -> None:
    composes = proof.inequality(
        "levels of pairs multiply",
        "All priors are a class that each of these rows may name: with the priors on two tables it "
        "bounds the likelihoods of each pair of tables. p <= levels q are those of the outputs so "
        "far, and the next mechanism, whichever these chose, has c <= R d",
        p * c <= levels * R * q * d,
        [p <= levels * q, c <= R * d],
    )
    proof.counterexample(
        "all priors",
        "The rows let the class be chosen. With all priors on two dependent records, or all "
        "product laws of phi_0 and phi_rest, each definition bounds pairs of tables and composes",
        {"Theta": "all priors on two records"},
        lambda: composes,
    )


@claim(
    "bai2026.table6-repaired",
    where="Appendix A, Table 6, repaired",
    statement="With the class of all priors with independent records, of all priors with "
    "independent blocks of records, or of all priors on a set Q of tables, secrets being values of "
    "records, Pufferfish is a list of bounds on pairs of tables and composes; so do definitions "
    "that are such bounds. With one prior that leaves two tables to each of two exclusive secrets, "
    "as in noiseless privacy and in every row of the lower half for some of its classes, two "
    "releases of level 0 can reveal the secret.",
    kind="repair of bai2026.table6",
    says={
        DP_ROW: priors.DP_ROW,
        DEPENDENT: priors.DEPENDENT_ROW,
        BLOWFISH: priors.BLOWFISH_ROW,
        "one prior, two tables for each secret": collapse.COLLAPSE,
    },
)
def table6_repaired(check: Check) -> None:
    """Prove both halves.

    DP, all priors with independent records: Yes; dependent DP, all priors with the dependence
    relation: Yes; Blowfish, bounds on neighbours, or all priors on Q: Yes. As in bai2026.table6.

    One prior, two tables for each secret. One release: of the mechanism of Example 1 leaks nothing
    [bai2026.ex1-zero]. Two decoys: Number the tables. Two releases show x of s with the decoys
    decoy and another, two tables of s'. Given s' the table would have to be both. So two releases
    reveal the secret: their ratio is infinite, also at level 0 [worst.dichotomy].
    """
    _readings(check)
    check.tried("one prior, two tables for each secret")


@claim(
    "bai2026.table6-columns",
    where="Appendix A, Table 6",
    statement="Secrets, pairs and priors. V: D_i = alpha against D_i = beta. DP: V, independent "
    "records. Dependent DP: V, all laws with a dependence relation. Noiseless privacy: V, one law. "
    "Blowfish: statements on one record, exclusive pairs of them, laws given public constraints. "
    "Pufferfish: any. Inferential privacy: V, any laws. Conditional inference privacy: locations "
    "at times, pairs within a radius, laws with dependence in time. Partial knowledge DP: V, laws "
    "of independent factors. Bayesian DP: V, laws with dependent records. Distribution DP: D_i = "
    "alpha against an absent record, a class of laws. Pufferfish can generalize to each of them.",
    kind="definition",
    says={"DP is Pufferfish with its row": PRODUCT_IS_DP},
)
def columns(check: Check) -> None:
    """Definitions of other papers, as this one prints them; the row of DP is decided.

    One record changes: a prior with certain values of all other records compares two tables that
    differ in it. Averages over independent records keep the bound [general.product-priors].
    """
    with check.reading("as printed") as proof:
        proof.definition("rows", "Each row is Pufferfish privacy with these secrets and priors")
    check.stated("DP is Pufferfish with its row")
