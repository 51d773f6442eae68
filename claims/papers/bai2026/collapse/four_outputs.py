"""Section 4, Example 3: four outputs under many priors; the level of one run, and two different
outputs that reveal the secret.

u = P(U_T | s1, theta) lies in [LT, UT], f = P(U_F | not s1, theta) in [LF, UF], all strictly
between 0 and 1. Given s1 the outputs 1a2a and 1a2b have probability u/2 each, 1b2a and 1b2b (1 -
u)/2; given not s1 1a2a and 1b2a have f/2, the others (1 - f)/2.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from sympy import Eq, Ne, Rational

from pufferproof.claims.general.definition import keeps, prior_of
from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.papers.bai2026.collapse.waiting import TWO_KINDS
from pufferproof.claims.papers.bai2026.statements import bits
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import four_outputs_collapse
from pufferproof.models.priors.tables import Table

SCOPE = "all priors, finite sets of databases and intervals within (0, 1)"
u = letter("u", "P(U_T | s1, theta)")
f = letter("f", "P(U_F | not s1, theta)")
LT = letter(
    "LT", "a lower bound of P(U_T | s1, theta) for all theta in Theta that allow s1", above(0)
)
UT = letter(
    "UT", "an upper bound of P(U_T | s1, theta) for all theta in Theta that allow s1", below(1)
)
LF = letter(
    "LF",
    "a lower bound of P(U_F | not s1, theta) for all theta in Theta that allow not s1",
    above(0),
)
UF = letter(
    "UF",
    "an upper bound of P(U_F | not s1, theta) for all theta in Theta that allow not s1",
    below(1),
)
R = letter("R", "e to the level")
whole = letter("whole", "the sum of theta(D | s) over the first databases D that allow the output")
half = letter("half", "P(output | s), over the first databases")
weight = letter("weight", "theta(D | s) of the next database D if it allows the output, else 0")
part = letter("part", "weight times the probability of the output on D")
i, j = letters("i j", "the places of an output: 1a or 1b, and 2a or 2b")
k, l = letters("k l", "the places of another output")
first = letter("first", "the case in the first place that a database with s1 shows")
second = letter("second", "the case in the second place that a database without s1 shows")
HALF = Rational(1, 2)
BOX = [LT <= u, u <= UT, LF <= f, f <= UF]


class Cell(NamedTuple):
    """Twice the probabilities of an output given s1 and not s1, and the ends of their ratio."""

    true: Any
    false: Any
    ends: tuple[Any, Any]


CELLS = {
    "1a2a": Cell(u, f, (LT / UF, UT / LF)),
    "1b2a": Cell(1 - u, f, ((1 - UT) / UF, (1 - LT) / LF)),
    "1a2b": Cell(u, 1 - f, (LT / (1 - LF), UT / (1 - UF))),
    "1b2b": Cell(1 - u, 1 - f, ((1 - UT) / (1 - LF), (1 - LT) / (1 - UF))),
}
NOTATION = {
    "M*": "the mechanism of Example 3, with the outputs 1a2a, 1b2a, 1a2b and 1b2b",
    "s1": "the secret; the one pair is s1 and its negation, not s1",
    "U_T, U_F": "a set of databases for which s1 is true, and one of databases for which it is "
    "false",
}


@claim(
    "bai2026.ex3-mech",
    where="Section 4, Example 3",
    statement="One pair (s1, not s1); s1 is true on U_T and false on U_F. M* gives, with "
    "probability 1/2 each: 1a2a or 1a2b for D in U_T, 1b2a or 1b2b for other D with s1, 1a2a "
    "or 1b2a for D in U_F, 1a2b or 1b2b for other D without s1.",
    kind="algorithm",
)
def ex3_mech(check: Check) -> None:
    """`models.mechanisms.collapse.four_outputs_collapse`; nothing to decide."""
    with check.reading("as printed") as proof:
        proof.definition(
            "the mechanism",
            "Each database has two outputs, one for each side of a fair coin",
            "P(w | D) = 1/2 for both outputs w of D",
        )


@claim(
    "bai2026.ex3-ratios",
    where="Section 4, Example 3, proof",
    statement="Under every theta in Theta that allows both secrets P(output of M* | s1, "
    "theta)/P(output of M* | not s1, theta) lies in: 1a2a [LT/UF, UT/LF]; 1b2a [(1-UT)/UF, "
    "(1-LT)/LF]; 1a2b [LT/(1-LF), UT/(1-UF)]; 1b2b [(1-UT)/(1-LF), (1-LT)/(1-UF)].",
    kind="proof step",
    says=bits.FOUR_RATIOS,
)
def ex3_ratios(check: Check) -> None:
    """Half of a probability over half of another one, each in its interval."""
    proved(
        check,
        "as printed",
        SCOPE,
        _ratios,
        both_upper_ends=Edit("1a2a", put={u / f <= UT / LF: u / f <= UT / UF}),
    )


def _ratios(proof: Proof) -> None:
    proof.induction(
        "half of the probability of a set",
        "half = P(output | secret) sums the probability of each database times that of the output "
        "on it, 1/2 in the set of databases that allow it and 0 elsewhere; whole is the "
        "probability of that set: half = whole/2. The next database adds its weight to whole if "
        "it is in the set",
        base=(Eq(2 * half, whole), [Eq(half, 0), Eq(whole, 0)]),
        step=(
            Eq(2 * (half + part), whole + weight),
            [
                Eq(2 * half, whole),
                (Eq(2 * part, weight) & (weight >= 0)) | (Eq(part, 0) & Eq(weight, 0)),
            ],
        ),
    )
    for output, cell in CELLS.items():
        quotient, (low, high) = (cell.true / 2) / (cell.false / 2), cell.ends
        proof.inequality(
            output, "The quotient of the two halves", (quotient >= low) & (quotient <= high), BOX
        )


@claim(
    "bai2026.ex3-eps",
    where="Section 4, Example 3",
    statement="M* is epsilon-Pufferfish with epsilon the maximum of log|UT/LF|, log|LT/UF|, "
    "log|(1-UT)/UF|, log|(1-LT)/LF|, log|LT/(1-LF)|, log|UT/(1-UF)|, log|(1-UT)/(1-LF)|, "
    "log|(1-LT)/(1-UF)|.",
    repair="bai2026.ex3-eps-repaired",
    says={"only the pair (s1, not s1)": bits.FOUR_ONE_ORDER},
)
def ex3_eps(check: Check) -> None:
    """The bars stand inside the logarithm: wrong for not s1 over s1, right for the other order."""
    with check.reading("both orders", "one counterexample, the smallest denominators") as proof:
        _other_order(proof)
    proved(
        check,
        "only the pair (s1, not s1)",
        SCOPE,
        _one_order,
        without_the_end_for_1b2b=_endless("1b2b"),
        without_the_end_for_1a2a=_endless("1a2a"),
    )


def _one_order(proof: Proof) -> None:
    proof.inequality(
        "the level is not negative",
        "One of the ends UT/LF and (1-LT)/(1-UF) is at least 1, so that R = e^epsilon >= 1",
        R >= 1,
        [*BOX, *(end <= R for cell in CELLS.values() for end in cell.ends)],
    )
    for output, cell in CELLS.items():
        proof.inequality(
            output,
            "R is at least each of the eight numbers, two of them for this output; probabilities "
            "doubled",
            cell.true <= R * cell.false,
            [*BOX, *(end <= R for end in cell.ends)],
        )


def _endless(output: str) -> list[Edit]:
    """Forget the printed ends for one output."""
    ends = [end <= R for end in CELLS[output].ends]
    return [Edit(step, without=ends) for step in ("the level is not negative", output)]


@claim(
    "bai2026.ex3-eps-repaired",
    where="Section 4, Example 3",
    statement="With both orders of the pair s1, not s1, M* is epsilon-Pufferfish for the maximum "
    "epsilon of |log(UT/LF)|, |log(LT/UF)|, |log((1-UT)/UF)|, |log((1-LT)/LF)|, "
    "|log(LT/(1-LF))|, |log(UT/(1-UF))|, |log((1-UT)/(1-LF))|, |log((1-LT)/(1-UF))|; and for "
    "no smaller one if for each of the four choices a = LT, UT and b = LF, UF some prior in "
    "Theta has P(U_T | s1, theta) = a and P(U_F | not s1, theta) = b.",
    kind="repair of bai2026.ex3-eps",
    says={"both orders": bits.FOUR_BOTH_ORDERS, "attained": bits.FOUR_ATTAINED},
)
def ex3_eps_repaired(check: Check) -> None:
    """With the bars outside: R is at least every ratio and its inverse. Attained at corners."""
    proved(
        check,
        "both orders",
        SCOPE,
        _both_orders,
        without_the_inverses=[
            Edit(output, without=_inverses(cell)) for output, cell in CELLS.items()
        ],
    )
    proved(
        check,
        "attained",
        "Theta with all four corners",
        _attained,
        a_corner_missing=[Edit(output, without=_levels(UT, UF)) for output in CELLS],
    )


def _both_orders(proof: Proof) -> None:
    for output, cell in CELLS.items():
        proof.inequality(
            output,
            "R is at least the two ends of this ratio and their inverses; probabilities doubled",
            (cell.true <= R * cell.false) & (cell.false <= R * cell.true),
            [*BOX, *(end <= R for end in cell.ends), *_inverses(cell)],
        )


def _inverses(cell: Cell) -> list[Any]:
    return [1 / end <= R for end in cell.ends]


def _attained(proof: Proof) -> None:
    levels = [level for corner in product((LT, UT), (LF, UF)) for level in _levels(*corner)]
    for output, cell in CELLS.items():
        low, high = cell.ends
        proof.inequality(
            output,
            "A level R that holds at the corners is at least each of the printed ratios and its "
            "inverse",
            (low <= R) & (1 / low <= R) & (high <= R) & (1 / high <= R),
            [LT <= UT, LF <= UF, R >= 1, *levels],
        )


def _levels(at_u: object, at_f: object) -> list[Any]:
    """Say that R holds in both orders at a corner."""
    values = [(cell.true.subs(u, at_u), cell.false.subs(f, at_f)) for cell in CELLS.values()]
    return [bound for p, q in values for bound in (p <= R * q, q <= R * p)]


def printed_level(at_u: Fraction, at_f: Fraction) -> Fraction:
    """Return the printed e^epsilon for LT = UT = u and LF = UF = f."""
    ends = [a / b for a in (at_u, 1 - at_u) for b in (at_f, 1 - at_f)]
    return max(ends)


def _instance(at_u: Fraction, at_f: Fraction) -> tuple[Framework, Channel]:
    theta = Table({"T": at_u / 2, "t": (1 - at_u) / 2, "F": at_f / 2, "f": (1 - at_f) / 2})
    framework = Framework(
        ["T", "t", "F", "f"],
        {"s1": ["T", "t"], "not s1": ["F", "f"]},
        [("s1", "not s1")],
        {"theta": theta},
    )
    return framework, four_outputs_collapse(framework, {"T"}, {"F"})


def _kept(chances: tuple[Fraction, Fraction]) -> bool:
    framework, mechanism = _instance(*chances)
    return keeps(framework, mechanism, prior_of(framework, "theta"), printed_level(*chances))


def _grid() -> Iterator[tuple[Fraction, Fraction]]:
    """List (u, f) by the sum of their denominators, up to 4."""
    values = [
        Fraction(a, b) for b in range(2, 5) for a in range(1, b) if Fraction(a, b).denominator == b
    ]
    pairs = [(at_u, at_f) for at_u in values for at_f in values]
    yield from sorted(pairs, key=lambda each: (each[0].denominator + each[1].denominator, each))


def _other_order(proof: Proof) -> None:
    proof.exhaust(
        "one prior, four databases",
        "Fewer databases leave no u or f strictly between 0 and 1. LT = UT = u and LF = UF = f, by "
        "the sum of their denominators",
        _grid(),
        _kept,
    )
    at_u, at_f = next(chances for chances in _grid() if not _kept(chances))
    framework, mechanism = _instance(at_u, at_f)
    level = printed_level(at_u, at_f)
    proof.counterexample(
        "not s1 over s1",
        f"Let LT = UT = {at_u} and LF = UF = {at_f}. The largest of the printed quotients, which "
        f"all have a probability given s1 above, is {level}; but the output 1a2a is {at_f / at_u} "
        f"times as likely given not s1 as given s1. So it is for "
        "the intervals of the text, [.35, .65] and [.4, .6]: e^epsilon = 13/8 is printed, and "
        "UF/LT = 12/7",
        {
            "u": at_u,
            "f": at_f,
            "printed e^epsilon": level,
            "P(1a2a | not s1)/P(1a2a | s1)": at_f / at_u,
            "framework": framework,
            "mechanism": mechanism,
            "epsilon": f"log({level})",
        },
        lambda: (
            keeps(framework, mechanism, prior_of(framework, "theta"), level, one_sided=True)
            and not keeps(framework, mechanism, prior_of(framework, "theta"), level)
        ),
    )


@claim(
    "bai2026.ex3-runs",
    where="Section 4, Example 3",
    statement="One run of M* is epsilon-Pufferfish for some finite epsilon, with both orders; two "
    "different outputs reveal whether s1 is true; the expected number of independent runs "
    "until then is 3.",
    assumes=["the run that reveals is counted"],
    says={
        "a finite epsilon": bits.FOUR_FINITE,
        "two different outputs reveal the secret, in 3 runs on average": bits.FOUR_RUNS,
    },
)
def ex3_runs(check: Check) -> None:
    """Each kind of database has two outputs, each pair of outputs at most one kind of database."""
    proved(
        check,
        "a finite epsilon",
        SCOPE,
        _finite,
        at_a_smaller_level=[Edit(output, without=R * LT * (1 - UT) >= 1) for output in CELLS],
    )
    proved(
        check,
        "two different outputs reveal the secret, in 3 runs on average",
        SCOPE,
        _runs,
        equal_outputs_reveal=Edit(
            "two different outputs belong to one secret", without=Ne(i, k) | Ne(j, l)
        ),
        uneven_outputs=partial(_runs, chance=Rational(1, 3)),
    )


def _finite(proof: Proof) -> None:
    for output, cell in CELLS.items():
        proof.inequality(
            output,
            "Both orders hold at any R that is at least 1/(LF (1-UF)) and 1/(LT (1-UT)), which are "
            "finite",
            (cell.true <= R * cell.false) & (cell.false <= R * cell.true),
            [*BOX, R * LF * (1 - UF) >= 1, R * LT * (1 - UT) >= 1],
        )


def _runs(proof: Proof, chance: Rational = HALF) -> None:
    proof.inequality(
        "two different outputs belong to one secret",
        "Outputs (i, j) and (k, l), i and k standing for 1a or 1b, j and l for 2a or 2b. A "
        "database with s1 always shows its own case in the first place, i = k; one without s1 in "
        "the second, j = l. Not both",
        ~(Eq(i, first) & Eq(k, first) & Eq(j, second) & Eq(l, second)),
        [Ne(i, k) | Ne(j, l)],
    )
    proof.inequality(
        "one output does not",
        "Each output has positive probability given either secret, under every prior: u/2 or "
        "(1-u)/2, and f/2 or (1-f)/2",
        (u / 2 > 0) & ((1 - u) / 2 > 0) & (f / 2 > 0) & ((1 - f) / 2 > 0),
        BOX,
    )
    proof.cite(
        "two outputs",
        "The two outputs of the database are kinds of runs, with probability 1/2",
        "bai2026.x-two-kinds",
        met={TWO_KINDS: "each run tosses a fair coin of its own between the two outputs"},
    )
    proof.identity(
        "3 runs",
        "1 + sum of q/(1 - q) over the two outputs, of probability q and r",
        "1 + q/(1 - q) + r/(1 - r)",
        3,
        at={"q": str(chance), "r": str(1 - chance)},
    )
