"""The influence bound of reversible chains: Lemmas A.2 and A.3, and Lemma 4.7.

h(t) = log H with H = (1+D)/(1-D). Under Condition 4.6 throughout: section 4.3 prints it as an
assumption about Theta, and these lemmas speak of theta in Theta, of pi_Theta and g_Theta, unlike
Lemma A.1, which speaks of one chain. `irreversible` has what fails without it. Source: wang2016,
section 4.3, appendices A.4, A.6 and A.7.
"""

from collections.abc import Callable
from fractions import Fraction

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.language.instances.matrices import Matrix, power
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.papers.wang2016.chains.instances import (
    above_decay,
    law_of,
    matrices,
    reversible,
)
from pufferproof.claims.papers.wang2016.chains.irreversible import backward_bound, forward_bound
from pufferproof.claims.registry import Check, claim

d, D = letters("d D", "Delta_t^theta of one chain, and Delta_t of the class")
fall_one, fall = letters("fall_one fall", "exp(-t g_*) of one chain, and exp(-t g)")
pi_one = letter("pi_one", "pi_min of one chain")
pi = letter("pi", "the stationary law, pi(x) the probability of x; without an argument pi_Theta")
entry, entry_o = letters(
    "entry entry_o", "entries of P^t from x and from x', in Lemma A.3 to x and to x'"
)
p, q = letters("p q", "pi(x), pi(x')")
pi_x, pi_y, pi_z = letters("pi_x pi_y pi_z", "pi(x), pi(y), pi(z)")
m, n = letters("m n", "Pr(X_{t+j}=x), Pr(X_{t+j}=x')")
s = letter("s", "Pr(X_j=y)", at_least(0))
low, high = letters("low high", "the least and the largest P^t(y,x) over y")
A, B = letters("A B", "the sums of Pr(X_j=y) P^t(y,x) and of Pr(X_j=y) over the first y")
H, K = letters("H K", "e^h(t), e^h(b), and e^h(a)", at_least(1))
first, second = letters("first second", "entry/entry_o, n/m", at_least(0))
share = letter("share", "p/q")
right, left = letters("right left", "the ratios of X_{i+b} and of X_{i-a}", at_least(0))
x_to_y, y_to_x = letters("x_to_y y_to_x", "P^t(x,y), P^t(y,x)")
x_to_z, z_to_x = letters("x_to_z z_to_x", "P^t(x,z), P^t(z,x)")
z_to_y, y_to_z = letters("z_to_y y_to_z", "P(z,y), P(y,z)")
forth, back = letters("forth back", "P^(t+1)(x,y), P^(t+1)(y,x), sums over the first z")
both, both_o = letters("both both_o", "Pr(X_{i-a}=y, X_{i+b}=z) given X_i=x, given X_i=x'")
y_x, y_o = letters("y_x y_o", "Pr(X_{i-a}=y) given X_i=x, given X_i=x'")
z_x, z_o = letters("z_x z_o", "Pr(X_{i+b}=z) given X_i=x, given X_i=x'")
none_x, none_o = letters("none_x none_o", "the chances of the empty outcome given x, x'")

CLASSES = (
    "every class that satisfies Condition 4.6, g = 1 - |lam|; all states, records and distances "
    "above the threshold"
)
CONDITION = "Condition 4.6, which section 4.3 assumes of every Theta that it speaks of"
BARE, POSSIBLE, LEFT_OUT = "Condition 4.6", "Pr(X_j=y) > 0", "a y with Pr(X_j=y) = 0 is left out"
ABOVE = "Delta_t < 1: distances strictly above the threshold"
BELOW = [d >= 0, d <= D, D < 1]
_BACK = [
    entry >= (1 - D) * p,
    entry <= (1 + D) * p,
    entry_o >= (1 - D) * q,
    entry_o <= (1 + D) * q,
    p > 0,
    q > 0,
    D >= 0,
    D < 1,
]
_LAWS = [m >= (1 - D) * p, m <= (1 + D) * p, n >= (1 - D) * q, n <= (1 + D) * q]


@claim(
    "wang2016.lemA2",
    where="Lemma A.2, proof A.6",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j, theta, x, x' and y, "
    "(1-Delta_t)/(1+Delta_t) <= Pr(X_{t+j}=y|X_j=x,theta)/Pr(X_{t+j}=y|X_j=x',theta) <= "
    "(1+Delta_t)/(1-Delta_t). Uses 0 <= Delta_t^theta <= Delta_t <= 1.",
    kind="lemma",
    assumes=[CONDITION],
    says=said_chains.LEMMA_A2,
)
def forward(check: Check) -> None:
    """From the repaired Lemma A.1, for one chain and then for the class."""
    proved(check, PRINTED, CLASSES, _forward)
    tight = Edit("the ratio", instead=And(entry_o > 0, entry <= (1 + D) * entry_o))
    check.near_miss(f"{PRINTED}: at most 1 + Delta_t", edited(_forward, tight))
    check.near_miss(f"{PRINTED}: without reversibility", forward_bound)


def _forward(proof: Proof) -> None:
    _class(proof)
    proof.cite("powers", "(1 - d) q <= P^t(x,y) <= (1 + d) q, q = pi(y)", "wang2016.x-lemA1")
    proof.inequality(
        "the ratio",
        "of P^t(x,y) and P^t(x',y); for the lower bound x and x' change places",
        And(entry_o > 0, (1 - D) * entry <= (1 + D) * entry_o),
        [
            entry >= (1 - d) * pi_y,
            entry <= (1 + d) * pi_y,
            entry_o >= (1 - d) * pi_y,
            entry_o <= (1 + d) * pi_y,
            pi_y > 0,
            *BELOW,
        ],
    )


def _class(proof: Proof) -> None:
    """Delta_t of one chain is at most that of the class, which is below 1 above the threshold."""
    proof.inequality(
        "one chain and the class",
        "exp(-t g_*) <= exp(-t g) as g_* >= g; pi_Theta <= pi_min",
        And(d >= 0, d <= D),
        [
            Eq(d * pi_one, fall_one),
            Eq(D * pi, fall),
            fall_one > 0,
            fall_one <= fall,
            pi > 0,
            pi <= pi_one,
        ],
    )
    proof.inequality(
        "above the threshold",
        "t > log(1/pi)/g says exp(-t g) < pi",
        D < 1,
        [Eq(D * pi, fall), fall < pi, pi > 0],
    )


@claim(
    "wang2016.A7-bayes",
    where="Appendix A.7",
    statement="For t > log(1/pi)/g the backward ratio is "
    "P^t(y,x)Pr(X_{t+j}=x')/(P^t(y,x')Pr(X_{t+j}=x)); and (1-Delta_t^theta)pi(x) <= min_y "
    "P^t(y,x) <= Pr(X_{t+j}=x) <= max_y P^t(y,x) <= (1+Delta_t^theta)pi(x).",
    kind="lemma (proof step)",
    assumes=[BARE, POSSIBLE],
    says=said_chains.BAYES,
)
def bayes(check: Check) -> None:
    """Bayes' rule, and a mean between the least and the largest entry of a column."""
    forwards = Edit("Bayes' rule", instead="(entry_o*m)/(entry*n)")
    proved(check, PRINTED, CLASSES, _bayes, forward_entries=forwards)


def _bayes(proof: Proof) -> None:
    proof.identity(
        "Bayes' rule",
        "s = Pr(X_j=y) > 0; entry = P^t(y,x), entry_o = P^t(y,x'); m, n = Pr(X_{t+j} = x), "
        "Pr(X_{t+j} = x'): Pr(X_j=y|X_{t+j}=x) = entry s/m, and entry_o s/n for x'",
        "(entry*s/m)/(entry_o*s/n)",
        "(entry*n)/(entry_o*m)",
    )
    proof.summed(
        "a mean of entries",
        "at the end B = 1",
        so_far=And(A >= low * B, A <= high * B),
        adding={A: s * entry, B: s},
        given=[entry >= low, entry <= high],
    )
    proof.cite(
        "the least and the largest entry",
        "low >= (1 - d) pi(x), high <= (1 + d) pi(x)",
        "wang2016.x-lemA1",
    )


@claim(
    "wang2016.lemA3",
    where="Lemma A.3, proof A.7",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j > 0, theta, x, x' and y, "
    "((1-Delta_t)/(1+Delta_t))^2 <= Pr(X_j=y|X_{j+t}=x,theta)/Pr(X_j=y|X_{j+t}=x',theta) <= "
    "((1+Delta_t)/(1-Delta_t))^2.",
    kind="lemma",
    assumes=[CONDITION, LEFT_OUT],
    says={
        "initial law arbitrary": said_chains.LEMMA_A3,
        "initial law stationary": said_chains.LEMMA_A3_STATIONARY,
    },
)
def backward(check: Check) -> None:
    """Two ratios, each within (1+Delta)/(1-Delta) of that of stationary probabilities."""
    for name in ("initial law arbitrary", "initial law stationary"):
        proved(check, name, CLASSES, _backward, without_reversibility=backward_bound)


def _backward(proof: Proof) -> None:
    _class(proof)
    proof.cite(
        "the ratio",
        "entry n/(entry_o m), each within 1 - d and 1 + d of pi(x) and pi(x')",
        "wang2016.A7-bayes",
        met={BARE: "Lemma A.3 assumes it", POSSIBLE: "other y are left out"},
    )
    proof.inequality(
        "for the class",
        "1 - d >= 1 - D, 1 + d <= 1 + D",
        And((1 - D) * p <= entry, entry <= (1 + D) * p),
        [(1 - d) * p <= entry, entry <= (1 + d) * p, p > 0, *BELOW],
    )
    proof.inequality(
        "the first quotient",
        "entry/entry_o against p/q, p = pi(x), q = pi(x')",
        And(entry_o > 0, (1 - D) * entry * q <= (1 + D) * entry_o * p),
        _BACK,
    )
    proof.inequality(
        "the second quotient",
        "n/m against q/p",
        And(m > 0, (1 - D) * n * p <= (1 + D) * m * q),
        [*_LAWS, p > 0, q > 0, D >= 0, D < 1],
    )
    proof.inequality(
        "both",
        "H = (1+D)/(1-D): entry/entry_o <= H p/q and n/m <= H q/p",
        first * second <= H**2,
        [first <= H * share, second * share <= H, share > 0],
    )


@claim(
    "wang2016.x-lemA3-stationary",
    where="Lemma A.3, beyond",
    statement="If X_1 has the stationary law, exponent 1 is enough in Lemma A.3: for t > "
    "log(1/pi)/g all ratios Pr(X_j=y|X_{j+t}=x)/Pr(X_j=y|X_{j+t}=x') are at most "
    "(1+Delta_t)/(1-Delta_t), as the chain read backwards has the same transition matrix.",
    kind="lemma",
    assumes=[BARE],
    says=said_chains.EXPONENT_1_STATIONARY,
)
def backward_stationary(check: Check) -> None:
    """Detailed balance turns the backward ratio into the forward one."""
    unbalanced = Edit("powers are in balance: step", without=Eq(pi_z * z_to_y, pi_y * y_to_z))
    proved(check, "as stated", CLASSES, _reversed, not_reversible=unbalanced)


def _reversed(proof: Proof) -> None:
    proof.induction(
        "powers are in balance",
        "sums over the states z. For the next z P^t(x,z) and P^t(z,x) are in balance, as t steps "
        "are, and so are P(z,y) and P(y,z), as the chain is reversible",
        base=(Eq(pi_x * forth, pi_y * back), [Eq(forth, 0), Eq(back, 0)]),
        step=(
            Eq(pi_x * (forth + x_to_z * z_to_y), pi_y * (back + y_to_z * z_to_x)),
            [
                Eq(pi_x * forth, pi_y * back),
                Eq(pi_x * x_to_z, pi_z * z_to_x),
                Eq(pi_z * z_to_y, pi_y * y_to_z),
                pi_z > 0,
            ],
        ),
    )
    proof.inequality(
        "backward entries",
        "Pr(X_j=y|X_{j+t}=x) = pi(y) P^t(y,x)/pi(x) = P^t(x,y)",
        Eq(pi_y * y_to_x / pi_x, x_to_y),
        [Eq(pi_x * x_to_y, pi_y * y_to_x), pi_x > 0],
    )
    proof.cite(
        "forward ratios",
        "at most (1+Delta_t)/(1-Delta_t)",
        "wang2016.lemA2",
        met={CONDITION: "assumed here"},
    )


@claim(
    "wang2016.x-lemA3-exponent",
    where="Lemma A.3, beyond",
    statement="Exponent 1 is enough in Lemma A.3 for every initial law: for t > log(1/pi)/g all "
    "ratios Pr(X_j=y|X_{j+t}=x)/Pr(X_j=y|X_{j+t}=x') with Pr(X_j=y) > 0 are at most "
    "(1+Delta_t)/(1-Delta_t).",
    kind="conjecture",
    assumes=[BARE],
    says=said_chains.EXPONENT_1,
)
def exponent(check: Check) -> None:
    """True of all small chains; hill climbing in floats (up to five states, t up to 1,000) only
    came near to equality.
    """
    proved(
        check,
        "as stated",
        "irreducible, aperiodic, reversible chains of 2 states with entries in eighths and of 3 "
        "states in quarters, t <= 12 above the threshold, all initial laws",
        _exponent,
        **{"exponent 1/2": Edit("all starts", holds=_within(2))},
    )


def _exponent(proof: Proof) -> None:
    small = [
        rows
        for states, parts in ((2, 8), (3, 4))
        for rows in matrices(states, parts)
        if reversible(rows)
    ]
    family = [
        (rows, t) for rows in small for t in range(1, 13) if above_decay(min(law_of(rows)), rows, t)
    ]
    proof.exhaust(
        "all starts",
        "the largest backward ratio R has (R-1)/(R+1) <= Delta_t; it is approached by laws near "
        "points",
        family,
        _within(1),
    )


def _within(exponent: int) -> Callable[[tuple[Matrix, int]], bool]:
    """Return whether the largest backward ratio to this power is within the bound."""
    return lambda at: not above_decay(_share(*at, exponent), *at)


def _share(rows: Matrix, steps: int, exponent: int) -> Fraction:
    """pi_min (S-1)/(S+1), S the largest backward ratio over all initial laws to this power."""
    table, states = power(rows, steps), range(len(rows))
    largest = Fraction(1)
    for x in states:
        for other in states:
            quotients = [row[x] / row[other] for row in table]
            largest = max(largest, max(quotients) / min(quotients))
    ratio = largest**exponent
    return min(law_of(rows)) * (ratio - 1) / (ratio + 1)


@claim(
    "wang2016.A4-factor",
    where="Appendix A.4",
    statement="Pr(X_Q=x_Q|X_i=x)/Pr(X_Q=x_Q|X_i=x') = [ratio for X_{i+b}] [ratio for X_{i-a}]; "
    "log((1+Delta_t^theta)/(1-Delta_t^theta)) <= log((1+Delta_t)/(1-Delta_t)) = log((pi+exp(-g "
    "t))/(pi-exp(-g t))).",
    kind="lemma (proof step)",
    assumes=[ABOVE],
    says=said_chains.FACTOR,
)
def factor(check: Check) -> None:
    """Both sides of X_i are independent given X_i; (1+D)/(1-D) grows with D."""
    wide = Edit("growing", without=D < 1, given=[sympy.Ne(D, 1), d < 1])
    proved(check, PRINTED, CLASSES, _factor)
    check.near_miss(f"{PRINTED}: also for Delta_t above 1", edited(_factor, wide))


def _factor(proof: Proof) -> None:
    proof.cite(
        "given X_i", "the records before it and those after it are independent", "song2017.x-markov"
    )
    proof.inequality(
        "the ratio is a product",
        "the chances given x' are not 0",
        Eq(both / both_o, (y_x / y_o) * (z_x / z_o)),
        [Eq(both, y_x * z_x), Eq(both_o, y_o * z_o), y_o > 0, z_o > 0, y_x >= 0, z_x >= 0],
    )
    proof.inequality(
        "growing",
        "d = Delta_t^theta <= D = Delta_t < 1, and log grows",
        (1 + d) / (1 - d) <= (1 + D) / (1 - D),
        [d >= 0, d <= D, D < 1],
    )
    proof.inequality(
        "with pi and exp(-g t)",
        "D = exp(-g t)/pi",
        Eq((1 + D) / (1 - D), (pi + fall) / (pi - fall)),
        [Eq(D * pi, fall), pi > 0, D < 1],
    )


@claim(
    "wang2016.lem-4.7",
    where="Lemma 4.7",
    statement="Under Condition 4.6, min(a,b) >= log(1/pi)/g, h(t) = log[(pi+exp(-g t))/(pi-exp(-g "
    "t))]: e({X_{i-a},X_{i+b}}|X_i) <= h(b)+2h(a); e({X_{i-a}}|X_i) <= 2h(a); e({X_{i+b}}|X_i) "
    "<= h(b); e({}|X_i) = 0.",
    kind="lemma",
    assumes=[
        "at the threshold itself h is log(c/0), read as infinite: for g algebraic and pi rational "
        "it is never met"
    ],
    says={
        "initial law arbitrary": said_chains.LEMMA_47,
        "initial law stationary": said_chains.LEMMA_47_STATIONARY,
    },
)
def lemma(check: Check) -> None:
    """Products of the ratios of Lemmas A.2 and A.3."""
    scope = f"{CLASSES}; for one-sided quilts the threshold is for the one distance"
    for name in ("initial law arbitrary", "initial law stationary"):
        proved(check, name, scope, _lemma)
        check.near_miss(f"{name}: without reversibility, {{X_{{i+b}}}}", forward_bound)


def _lemma(proof: Proof) -> None:
    proof.inequality(
        "above the threshold",
        "t >= log(1/pi)/g says exp(-g t) <= pi. If they are equal the bound is infinite; else "
        "D = exp(-g t)/pi < 1",
        Or(Eq(fall, pi), D < 1),
        [Eq(D * pi, fall), fall <= pi, pi > 0, fall > 0],
    )
    _factors(proof)
    proof.inequality(
        "both sides",
        "logs of products are sums",
        And(right * left <= H * K**2, right <= H, left <= K**2),
        [right <= H, left <= K**2],
    )
    proof.inequality(
        "no quilt node",
        "the empty outcome has probability 1 under every value",
        Eq(none_x / none_o, 1),
        [Eq(none_x, 1), Eq(none_o, 1)],
    )


def _factors(proof: Proof) -> None:
    condition = {CONDITION: "Lemma 4.7 assumes it"}
    proof.cite("quilts", "the three forms are quilts", "wang2016.lem-4.5")
    proof.cite(
        "the ratio",
        "is a product, and one-sided quilts have one factor",
        "wang2016.A4-factor",
        met_by={ABOVE: "above the threshold"},
    )
    proof.cite("the right side", "at most H = e^h(b)", "wang2016.lemA2", met=condition)
    left_out = {
        LEFT_OUT: "max-influence compares possible values of the quilt: for others both "
        "probabilities are 0"
    }
    proof.cite(
        "the left side", "at most K^2, K = e^h(a)", "wang2016.lemA3", met=condition | left_out
    )
