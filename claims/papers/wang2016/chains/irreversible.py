"""What Lemmas A.2 and A.3 lose without reversibility, the part of Condition 4.6 that their proof
takes from Lemma A.1.

Two irreducible and aperiodic chains, evaluated exactly: one of three states with a double
eigenvalue -1/2 that has one eigenvector, and the last four of a sequence of fair bits, whose
eigenvalues other than 1 are 0 though bits stay four steps. Source: wang2016, section 4.3 and
appendix A.4.
"""

from fractions import Fraction
from itertools import product

from pufferproof.claims.language.instances.matrices import Matrix, eigenvalues, power, settled
from pufferproof.claims.papers.wang2016.chains.instances import matrix
from pufferproof.claims.registry import Check, claim
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.priors.markov import stationary_law

NOTATION = {
    "t": "a number of steps above the threshold, t > log(1/pi_min)/g, so that D < 1",
    "g": "1 - |lam| for the eigenvalue lam other than 1 that is largest in absolute value",
    "D": "exp(-g t)/pi_min, the Delta_t of the lemmas",
}
JORDAN = matrix("0 1/2 1/2", "1/2 0 1/2", "1 0 0")  # eigenvalues 1 and, twice, -1/2


def _window(length: int) -> Matrix:
    """The last `length` fair bits: the first is dropped, a new one appended."""
    states = list(product((0, 1), repeat=length))
    return tuple(tuple(Fraction(int(old[1:] == new[:-1]), 2) for new in states) for old in states)


WINDOW = _window(4)


@claim(
    "wang2016.x-lemA2-irreversible",
    where="Lemmas A.2 and 4.7, beyond",
    statement="The bound of Lemma A.2, P^t(x,y)/P^t(x',y) <= (1+D)/(1-D), and so that of Lemma 4.7 "
    "for {X_{i+b}}, holds for every irreducible and aperiodic chain, reversible or not.",
    kind="lemma without reversibility",
    repair="wang2016.lemA2",
)
def irreversible(check: Check) -> None:
    """False: a chain of three states with a double eigenvalue that has one eigenvector."""
    with check.reading(
        "as stated", "irreducible, aperiodic chains of 3 states, entries in halves, t = 5"
    ) as proof:
        proof.counterexample(
            "three states",
            "Without reversibility Lemma A.2 would bound P^t(x,y)/P^t(x',y) by (1+D)/(1-D). This "
            "chain of three states has the eigenvalue -1/2 twice with one eigenvector, so that g = "
            "1/2, but differences fall like t 2^-t. At t = 5 the largest ratio R exceeds "
            "(1+D)/(1-D), with D = e^(-5/2)/pi_min < (R-1)/(R+1) < 1. For reversible chains the "
            "lemma is true",
            {
                "P": JORDAN,
                "t": 5,
                "eigenvalues": eigenvalues(JORDAN),
                "R": forward_ratio(JORDAN, 5),
            },
            lambda: settled(JORDAN) and _forward_exceeds(JORDAN, 5),
        )


@claim(
    "wang2016.x-lemA3-irreversible",
    where="Lemmas A.3 and 4.7, beyond",
    statement="The bound of Lemma A.3, Pr(X_j=y|X_{j+t}=x)/Pr(X_j=y|X_{j+t}=x') <= "
    "((1+D)/(1-D))^2, and so that of Lemma 4.7 for {X_{i-a}}, holds for every irreducible and "
    "aperiodic chain, reversible or not.",
    kind="lemma without reversibility",
    repair="wang2016.lemA3",
)
def backward_irreversible(check: Check) -> None:
    """False: four bits are not forgotten in three steps, which is above the threshold log(16)/1."""
    with check.reading(
        "as stated", "the last four of a sequence of fair bits, t = 3, every initial law"
    ) as proof:
        proof.counterexample(
            "four bits",
            "Without reversibility Lemma A.3 would bound the backward ratio. The states are the "
            "last four of a sequence of fair bits: all eigenvalues other than 1 are 0, so that g = "
            "1, but a bit stays four steps. At t = 3 D = 16 e^-3 is below 1, and for some y one "
            "state x is impossible three steps after y and another one x' is possible: the ratio "
            "for x' and x is c/0 whenever x, x' and y occur. For reversible chains the lemma is "
            "true",
            {
                "states": "0000, 0001, .., 1111",
                "t": 3,
                "eigenvalues": eigenvalues(WINDOW),
                "pi": Fraction(1, 16),
            },
            lambda: settled(WINDOW) and _backward_unbounded(WINDOW, 3),
        )


def forward_ratio(rows: Matrix, steps: int) -> Fraction:
    """The largest P^t(x,y)/P^t(x',y), entries of P^t being positive."""
    return max(
        (max(column) / min(column) for column in zip(*power(rows, steps))), default=Fraction(1)
    )


def _forward_exceeds(rows: Matrix, steps: int) -> bool:
    """Whether D < 1 and the largest forward ratio R is above (1+D)/(1-D): R + 1 < (R-1)/D."""
    ratio, inverse = forward_ratio(rows, steps), _inverse(rows, steps)
    return inverse > 1 and ratio + 1 < (ratio - 1) * inverse


def _backward_unbounded(rows: Matrix, steps: int) -> bool:
    """Whether D < 1 and a row of P^t has a zero: X_{t+j} = x excludes X_j = y, another x' does
    not.
    """
    return _inverse(rows, steps) > 1 and any(0 in row for row in power(rows, steps))


def _inverse(rows: Matrix, steps: int) -> Fraction:
    """A lower bound of 1/D = pi_min e^(g t), g = 1 - |lam| for the largest |lam| of an
    eigenvalue other than 1.
    """
    gap = 1 - max(abs(value) for value, _ in eigenvalues(rows) if value != 1)
    return exp_bounds(gap * steps, 64)[0] * min(stationary_law(rows))
