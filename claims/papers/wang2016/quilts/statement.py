"""The Markov quilt mechanism on Bayesian networks: its algorithm, its theorem, and the steps of the
printed proof.

Domains are finite. Source: wang2016, section 4.2 and appendix A.2.
"""

from fractions import Fraction

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.song2017.mechanism.any_quilt import MECHANISM
from pufferproof.claims.papers.song2017.said import ANY_QUILT
from pufferproof.claims.papers.wang2016 import said
from pufferproof.claims.papers.wang2016.quilts import statements as said_quilts
from pufferproof.claims.registry import Check, claim

MOVES = "a query that moves by at most m with the nearby nodes"
RELEASED = "sigma_max is finite: otherwise nothing is released"


@claim(
    "wang2016.single-node",
    where="section 4.2",
    kind="theorem (informal)",
    says={MOVES: ANY_QUILT},
)
def single_node(check: Check) -> None:
    """Average over the nearby nodes, and add e = delta, a bound of the influence of the quilt. A
    1-Lipschitz F moves by at most m = card(X_N), and m/sigma + delta = epsilon at the printed
    scale. That a mechanism N of the other nodes may be released as well is more than is printed.
    """
    check.stated(MOVES)


@claim(
    "wang2016.alg-mqm",
    where="section 4.2",
    statement="For every X_i and every quilt of S_{Q,i}: sigma(X_Q) = card(X_N)/(eps - e(X_Q|X_i)) "
    "if e(X_Q|X_i) < eps, else infinity; sigma_i the least, sigma_max the largest sigma_i; "
    "output F(D) + sigma_max Lap(1).",
    kind="algorithm",
)
def algorithm(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition(
            "influence",
            "one number for the whole class: the supremum over Theta is inside e(X_Q|X_i)",
        )
        proof.definition(
            "no finite score",
            "sigma_max is infinite and nothing can be released; the empty quilt prevents it",
        )


@claim(
    "wang2016.thm-4.4",
    where="Theorem 4.4",
    says={PRINTED: said.MECHANISM},
)
def theorem(check: Check) -> None:
    """As sigma_max is finite, every node has a quilt whose score is at most sigma_max; densities at
    two values of X_N are averaged, and the influence is added. Of definition 4.3 its second
    condition is used alone, so that no network is named; another quilt may be used under each law.
    """
    check.stated(PRINTED)


@claim(
    "wang2016.A2-eq6",
    where="Appendix A.2, equation (6)",
    statement="Let X_Q be a quilt of X_i with finite e(X_Q|X_i). The output ratio is a quotient of "
    "integrals over x = x_{R u Q} of p(w|X_i,x) p(x|X_i), which is 0 where p(x|X_i) = 0, and "
    "p(x|X_i=a)/p(x|X_i=b) <= e^(e(X_Q|X_i)).",
    kind="lemma (proof step)",
    says={PRINTED: said_quilts.EQUATION_6},
)
def eq6(check: Check) -> None:
    """Total probability, and the second condition of a quilt.

    Total probability: sums over the first z. A z with P(z, X_i=a) = 0 has density 0 and adds 0, so
    that A is the density of w given X_i = a in the end. Terms without mass: 0 <= density <= f P(z,
    X_i=a) for every f that bounds the density of the noise. Weights: Condition 2 of a quilt says
    that z_a/q_a and z_b/q_b, where they exist, are P(x_R|x_Q); by the definition of max-influence
    q_a/chance_a <= E q_b/chance_b. So p <= E q.
    """


@claim(
    "wang2016.A2-eq7",
    where="Appendix A.2, equation (7)",
    statement="The right side of (6) is at most e^(e(X_Q|X_i)) * [integral of p(F(X)+sigma_max "
    "Z=w|X_i=a,X_{RuQ}=x,theta) dx] / [integral of p(F(X)+sigma_max Z=w|X_i=b,X_{RuQ}=x,theta) "
    "dx].",
    kind="lemma (proof step)",
    repair="wang2016.x-A2-eq7-weighted",
)
def eq7(check: Check) -> None:
    """The weights p(x|X_i) cannot be dropped: refuted on two independent nodes."""
    scope = (
        "two independent bits, every 1-Lipschitz table with values 0 and 1, scale 1/log 2, epsilon "
        "= log 2"
    )
    with check.reading(PRINTED, scope) as proof:
        found = proof.exhaust(
            "smallest failure", "weights, then tables; w a value of F", _family(), _eq7_holds
        )
        if found is not None:
            table, weight, output = found
            proof.counterexample(
                "two nodes",
                "X_1 is private and X_2 is independent of it, so that X_Q = {X_2} is a quilt with "
                "e = 0 and card(X_N) = 1: sigma_max = 1/log 2 for eps = log 2. Equation (7) leaves "
                "the weights P(X_2=x) out of both integrals of (6). The claim is that this can "
                "only make the quotient larger. It is smaller here, where the likely value of X_2 "
                "is the one at which the ratio is largest; with the weights of X_i = b in both "
                "integrals (7) is true",
                {
                    "F(00) F(01) F(10) F(11)": list(table),
                    "P(X_2=0)": weight,
                    "w": output,
                    "left side of (7)": _sides(*found)[0],
                    "right side of (7)": _sides(*found)[1],
                },
                lambda: not _eq7_holds(found),
            )


Instance = tuple[tuple[int, int, int, int], Fraction, int]


def _family() -> list[Instance]:
    tables = [(i, j, k, m) for i in (0, 1) for j in (0, 1) for k in (0, 1) for m in (0, 1)]
    weights = sorted((Fraction(i, 8) for i in range(1, 8)), key=lambda x: (x.denominator, x))
    return [(table, weight, output) for weight in weights for table in tables for output in (0, 1)]


def _sides(
    table: tuple[int, int, int, int], weight: Fraction, output: int
) -> tuple[Fraction, Fraction]:
    """Both sides of (7), X_1 = 0 against 1, e^(-|z|/scale) = 2^-|z|."""
    density = [Fraction(1, 2 ** abs(output - value)) for value in table]
    left = (weight * density[0] + (1 - weight) * density[1]) / (
        weight * density[2] + (1 - weight) * density[3]
    )
    return left, (density[0] + density[1]) / (density[2] + density[3])


def _eq7_holds(instance: Instance) -> bool:
    left, right = _sides(*instance)
    return left <= right


@claim(
    "wang2016.x-A2-eq7-weighted",
    where="Appendix A.2, equation (7) repaired",
    statement="Let X_Q be a quilt of X_i with finite e(X_Q|X_i). The right side of (6) is at most "
    "e^(e(X_Q|X_i)) times the same quotient with the weights p(x|X_i=b) in both integrals, "
    "hence at most e^(e(X_Q|X_i)) times the largest quotient p(w|X_i=a,x)/p(w|X_i=b,x) over x.",
    kind="repair of wang2016.A2-eq7",
    says=said_quilts.WEIGHTED,
)
def weighted(check: Check) -> None:
    """Only the weights of the numerator are replaced.

    Weights: p <= E q [wang2016.A2-eq6]. The numerator: A and C are the sums of p f and of q f. The
    largest quotient: C and B are the sums of q f and q h, f <= R h for each x. Both quotients: D =
    A/B is the right side of (6): at most E C/B, and at most E R.
    """


@claim(
    "wang2016.A2-lipschitz",
    where="Appendix A.2",
    statement="For fixed x_{RuQ}, F varies by at most card(X_N); with e(X_Q|X_i) < eps and "
    "sigma_max >= card(X_N)/(eps-e(X_Q|X_i)) the ratio of densities given a and given b is at "
    "most e^(eps-e(X_Q|X_i)) for every x. With (7) the final ratio is <= e^eps.",
    kind="lemma (proof step)",
    says={PRINTED: said_quilts.LIPSCHITZ_STEPS},
)
def per_outcome(check: Check) -> None:
    """One change at a time; with either form of (7) the rest follows.

    Densities given x are within e^(eps-e(X_Q|X_i)), and so are their averages over the values of
    X_N given a and given b [song2017.x-noise, song2017.x-averages]. Integrals without weights: of
    (7), f <= R h for each x. With (7), if it holds: out_a/out_b <= E seven_a/seven_b. With (7)
    repaired: the same bound [wang2016.x-A2-eq7-weighted].
    """


@claim(
    "wang2016.vector",
    where="section 4.3, end",
    statement="If vector-valued F is 1-Lipschitz in L1, adding sigma_max Lap(1) to each coordinate "
    "is eps-Pufferfish.",
    kind="theorem (cited)",
    assumes=[RELEASED],
    says=MECHANISM,
)
def vector(check: Check) -> None:
    """The argument for theorem 4.4 adds up exponents over any number of coordinates."""
    check.linked(PRINTED)
