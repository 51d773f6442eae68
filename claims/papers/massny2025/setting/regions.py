"""Regions of records by influence, the drawn example, and the two footnotes.

Source: massny2025, section II, figure 2, footnotes.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.composition.dependent import joint_ratio
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import (
    Chain,
    audited,
    chain,
    leakage,
    local,
    pointwise,
    released,
)
from pufferproof.claims.papers.massny2025.influence.linked import LARGER, STRICTLY
from pufferproof.claims.papers.massny2025.lower.statement import THIRD
from pufferproof.claims.papers.massny2025.setting import remark_statements, statements
from pufferproof.claims.registry import Check, claim


@claim(
    "massny2025.regions",
    where="Section II",
    statement="For 0<eps'<=eps: L = {t : eps' < i(X_t=0) <= i(X_t=1)}, M = {t : i(X_t=0) <= eps' < "
    "i(X_t=1)}, S = {t : i(X_t=0) <= i(X_t=1) <= eps'} split the records into three, possibly "
    "empty, sets.",
    kind="definition",
    says=statements.REGIONS,
)
def regions(check: Check) -> None:
    """Prove that every record lies in exactly one region, for a <= b.

    T = p in L, as its influence is infinite. Order: E <= F for a <= b [massny2025.prop1-order].
    Exactly one region: for t other than p. T = p: P = 1 and Q = 0 are the probabilities of X_p = z
    given X_p = z and X_p = 1 - z: no T bounds their ratio, for either z. Both influences exceed
    eps': p is in L, and in no other region.

    T = p in no region: the other records are split. From "Order" to "Exactly one region": as above.
    """


@claim(
    "massny2025.x-regions-intervals",
    where="Section II, used silently",
    statement="For a + b != 1, L, M and S are intervals of |t-p|: a record nearer to p than one of "
    "L is in L, and one farther than one of S is in S. For a + b = 1 all records but p are in "
    "S.",
    kind="lemma",
    says=statements.INTERVALS,
)
def regions_are_intervals(check: Check) -> None:
    """Prove it from the monotonicity of both influences.

    Both decrease: G < E and H < F for a farther record; 1 for all if a + b = 1
    [massny2025.prop1-decreasing-repaired]. Nearer and farther: E, F at a distance, G, H at a larger
    one: in L if the farther is, in S if the nearer is. A + b = 1: all influences are 0: E = F = 1.
    """


@claim(
    "massny2025.fig2",
    where="Figure 2",
    statement="a=1/4, b=1/2, eps' = eps/2: records with pointwise influence above eps' are always "
    "redacted (L); at most eps' may potentially be released (M); max-influence below eps' can "
    "always be released (S).",
    kind="example",
    says=statements.FIG2,
)
def fig2(check: Check) -> None:
    """Compute the drawn influences and prove what each region demands or allows, on its side at
    level eps'.

    The drawn values, |t-p| <= 3. (1 + c lam^D)/(1 - lam^D), c = 1/2 for the value 0 and 2 for 1
    [massny2025.prop1-closed].

    L: a value of influence above eps' that is released leaks more than eps' [massny2025.lemma1].

    M: the value 0 can be released with positive probability. Show X_t = 0 with probability s <= 1 -
    1/T and redact all else: Y_t = 0 has the ratio E <= T; Y_t = * has 1 - s P and 1 - s Q, P, Q
    those of X_t = 0.

    S: releasing all of S and nothing else keeps eps' on each side, eps on both. Lk of a side is the
    max-influence of its nearest released record, at most eps' [massny2025.cor3]; two sides add at
    most [massny2025.lr-compose].
    """


SEPARATELY, JOINTLY = "each X_p, p in A, at level eps", "X_A jointly at level eps"


@claim(
    "massny2025.fn1",
    where="footnote 1",
    statement="For a private set A: build the mechanism for each p in A separately and use at each "
    "record the most conservative redaction, r_t(x) = max over p in A. Then privacy is "
    "preserved for several records.",
    kind="remark",
    repair="massny2025.fn1-repaired",
    says={SEPARATELY: remark_statements.SEPARATELY},
)
def fn1(check: Check) -> None:
    """Prove it for each record of A; refute it for A jointly.

    Redacting more is processing: a released x is redacted with the probability that its value
    tells: more = (most - r)/(1 - r). In all it is redacted with the probability most. For r = 1
    nothing is released. Processing: of each coordinate does not raise the leakage about X_p
    [lemma.data-processing].
    """
    _separately(check)
    proved(check, JOINTLY, "one counterexample", _ends)


def _separately(check: Check) -> None:
    check.tried(SEPARATELY)


def _ends(proof: Proof) -> None:
    mechanism = local(released(3, [2]))
    proof.counterexample(
        "the ends of three records",
        "Take a = b = 1/3, n = 3, A = {1, 3} and eps = log 2. Suppose that the claim means that "
        "X_A is protected jointly at eps. For p = 1 and for p = 3 record 2 has influence log 2 "
        "and may be released. But the output of record 2 has the ratio 4 between X_A = 00 and X_A "
        "= 11. The claim is true for each X_p alone",
        {
            **audited(THIRD, 3, (1, 3), mechanism, "log(2)"),
            "ratio for X_1": Fraction(2),
            "ratio for X_A": Fraction(4),
        },
        lambda: (
            [leakage(THIRD, 3, index, mechanism) for index in (1, 3)] == [2, 2]
            and joint_ratio(THIRD, 3, (1, 3), mechanism) == 4
        ),
    )


@claim(
    "massny2025.fn1-repaired",
    where="footnote 1, repaired",
    statement="Let A be a set of records and for each p in A let a local mechanism with redaction "
    "probabilities r_t(x), which depend on p, be eps_p-private for X_p. The mechanism with the "
    "largest of these r_t(x) over p in A, for each t and x, is eps_p-private for X_p, for each "
    "p in A.",
    kind="repair of massny2025.fn1",
    says=remark_statements.SEPARATELY,
)
def fn1_repaired(check: Check) -> None:
    """Prove the reading that holds.

    As in massny2025.fn1.
    """
    _separately(check)


STRICT, WEAK = "strictly larger", "at least as large"
DIFFERENT = "strict iff a != b and a + b != 1"


@claim(
    "massny2025.fn2",
    where="footnote 2",
    statement="If a<=b the pointwise influence of X_t=1 is always larger than that of X_t=0; if "
    "a>b the opposite.",
    kind="remark",
    repair="massny2025.fn2-repaired",
    says={WEAK: LARGER},
)
def fn2(check: Check) -> None:
    """Prove it with equality allowed, refute it strictly for a = b and lam = 0.

    As in massny2025.fn2-repaired.
    """
    check.linked(WEAK)
    proved(check, STRICT, "one counterexample", _ties)


@claim(
    "massny2025.fn2-repaired",
    where="footnote 2, repaired",
    statement="For a, b in (0, 1) and t other than p: i(X_t=1) >= i(X_t=0) if a <= b and i(X_t=1) "
    "<= i(X_t=0) if a > b, strictly iff a != b and a + b != 1.",
    kind="repair of massny2025.fn2",
    says={WEAK: LARGER, DIFFERENT: STRICTLY},
)
def fn2_repaired(check: Check) -> None:
    """Prove both orders, and when they are strict, on both sides of p."""


def _ties(proof: Proof) -> None:
    _tie(proof, "equal parameters", "a = b: by symmetry the two influences are equal", THIRD)
    _tie(proof, "independent records", "a + b = 1: both influences are 0", chain("1/3", "2/3"))


def _tie(proof: Proof, name: str, sentence: str, of: Chain) -> None:
    zero, one = (pointwise(of, 1, value) for value in (0, 1))
    proof.counterexample(
        name,
        sentence,
        {"a": of.a, "b": of.b, "D": 1, "e^i(X_t=0)": zero, "e^i(X_t=1)": one},
        lambda: one <= zero,
        f"{influence(1, 1)} <= {influence(1, 0)}",
    )
