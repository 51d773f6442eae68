"""The influence bound of reversible chains: Lemmas A.2 and A.3, and Lemma 4.7.

h(t) = log H with H = (1+D)/(1-D). Under Condition 4.6 throughout: section 4.3 prints it as an
assumption about Theta, and these lemmas speak of theta in Theta, of pi_Theta and g_Theta, unlike
Lemma A.1, which speaks of one chain. `irreversible` has what fails without it. Source: wang2016,
section 4.3, appendices A.4, A.6 and A.7.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.chains import said
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.registry import Check, claim

CONDITION = "Condition 4.6, which section 4.3 assumes of every Theta that it speaks of"
BARE, POSSIBLE, LEFT_OUT = "Condition 4.6", "Pr(X_j=y) > 0", "a y with Pr(X_j=y) = 0 is left out"
ABOVE = "Delta_t < 1: distances strictly above the threshold"


@claim(
    "wang2016.lemA2",
    where="Lemma A.2, proof A.6",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j, theta, x, x' and y, "
    "(1-Delta_t)/(1+Delta_t) <= Pr(X_{t+j}=y|X_j=x,theta)/Pr(X_{t+j}=y|X_j=x',theta) <= "
    "(1+Delta_t)/(1-Delta_t). Uses 0 <= Delta_t^theta <= Delta_t <= 1.",
    kind="lemma",
    assumes=[CONDITION],
    says={PRINTED: said.LATER},
)
def forward(check: Check) -> None:
    """From the repaired Lemma A.1, for one chain and then for the class.

    One chain and the class: exp(-t g_*) <= exp(-t g) as g_* >= g; pi_Theta <= pi_min. Above the
    threshold: t > log(1/pi)/g says exp(-t g) < pi. Powers: (1 - d) q <= P^t(x,y) <= (1 + d) q, q =
    pi(y) [wang2016.x-lemA1]. The ratio: of P^t(x,y) and P^t(x',y); for the lower bound x and x'
    change places.
    """
    check.stated(PRINTED)


@claim(
    "wang2016.A7-bayes",
    where="Appendix A.7",
    statement="For t > log(1/pi)/g the backward ratio is "
    "P^t(y,x)Pr(X_{t+j}=x')/(P^t(y,x')Pr(X_{t+j}=x)); and (1-Delta_t^theta)pi(x) <= min_y "
    "P^t(y,x) <= Pr(X_{t+j}=x) <= max_y P^t(y,x) <= (1+Delta_t^theta)pi(x).",
    kind="lemma (proof step)",
    assumes=[BARE, POSSIBLE],
    says={PRINTED: said_chains.BAYES},
)
def bayes(check: Check) -> None:
    """Bayes' rule, and a mean between the least and the largest entry of a column.

    Bayes' rule: s = Pr(X_j=y) > 0; entry = P^t(y,x), entry_o = P^t(y,x'); m, n = Pr(X_{t+j} = x),
    Pr(X_{t+j} = x'): Pr(X_j=y|X_{t+j}=x) = entry s/m, and entry_o s/n for x'. A mean of entries: at
    the end B = 1. The least and the largest entry: low >= (1 - d) pi(x), high <= (1 + d) pi(x)
    [wang2016.x-lemA1].
    """


@claim(
    "wang2016.lemA3",
    where="Lemma A.3, proof A.7",
    statement="t > log(1/pi)/g, Delta_t = exp(-t g)/pi: for any j > 0, theta, x, x' and y, "
    "((1-Delta_t)/(1+Delta_t))^2 <= Pr(X_j=y|X_{j+t}=x,theta)/Pr(X_j=y|X_{j+t}=x',theta) <= "
    "((1+Delta_t)/(1-Delta_t))^2.",
    kind="lemma",
    assumes=[CONDITION, LEFT_OUT],
    says={"any initial law, and a record on the right as well": said.QUILTS},
)
def backward(check: Check) -> None:
    """Two ratios, each within (1+Delta)/(1-Delta) of that of stationary probabilities.

    One chain and the class: exp(-t g_*) <= exp(-t g) as g_* >= g; pi_Theta <= pi_min. Above the
    threshold: t > log(1/pi)/g says exp(-t g) < pi. The ratio: entry n/(entry_o m), each within 1 -
    d and 1 + d of pi(x) and pi(x') [wang2016.A7-bayes]. For the class: 1 - d >= 1 - D, 1 + d <= 1 +
    D. The first quotient: entry/entry_o against p/q, p = pi(x), q = pi(x'). The second quotient:
    n/m against q/p. Both: H = (1+D)/(1-D): entry/entry_o <= H p/q and n/m <= H q/p.
    """
    check.stated("any initial law, and a record on the right as well")


@claim(
    "wang2016.A4-factor",
    where="Appendix A.4",
    statement="Pr(X_Q=x_Q|X_i=x)/Pr(X_Q=x_Q|X_i=x') = [ratio for X_{i+b}] [ratio for X_{i-a}]; "
    "log((1+Delta_t^theta)/(1-Delta_t^theta)) <= log((1+Delta_t)/(1-Delta_t)) = log((pi+exp(-g "
    "t))/(pi-exp(-g t))).",
    kind="lemma (proof step)",
    assumes=[ABOVE],
    says={PRINTED: said_chains.FACTOR},
)
def factor(check: Check) -> None:
    """Both sides of X_i are independent given X_i; (1+D)/(1-D) grows with D.

    Given X_i: the records before it and those after it are independent [song2017.x-markov]. The
    ratio is a product: the chances given x' are not 0. Growing: d = Delta_t^theta <= D = Delta_t <
    1, and log grows. With pi and exp(-g t): D = exp(-g t)/pi.
    """


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
    says={"initial law arbitrary": said.QUILTS},
)
def lemma(check: Check) -> None:
    """Products of the ratios of Lemmas A.2 and A.3.

    Above the threshold: t >= log(1/pi)/g says exp(-g t) <= pi. If they are equal the bound is
    infinite; else D = exp(-g t)/pi < 1. Quilts: the three forms are quilts [wang2016.lem-4.5]. The
    ratio: is a product, and one-sided quilts have one factor [wang2016.A4-factor]. The right side:
    at most H = e^h(b) [wang2016.lemA2]. The left side: at most K^2, K = e^h(a) [wang2016.lemA3].
    Both sides: logs of products are sums. No quilt node: the empty outcome has probability 1 under
    every value.
    """
    check.stated("initial law arbitrary")
