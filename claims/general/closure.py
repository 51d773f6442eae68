"""Closure of Pufferfish mechanisms: randomised post-processing, mixing mechanisms by a coin,
partitions of outputs; and what two laws that are above those of every step say of all steps, of
samples and of a grid.

For one prior, pair and order, a mechanism enters only through its output laws a = P(. | s) and b =
P(. | s'), and these are linear in the channel. Sources: kifer2014pufferfish (section 5: the axioms
of transformation invariance and convexity); Zhu, Dong and Wang (2022, Theorems 10 and 11);
Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022).
"""

from pufferproof.claims.general import said
from pufferproof.claims.general.statements import losses, sequences
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "E_t(P || P')": "the sum of max(0, p - t p') over the outputs of two laws P and P'; delta at "
    "the level log(t) for t >= 1",
    "above": "A, A' are above P, P' if E_t(A || A') >= E_t(P || P') for every t >= 0",
    "A, A', B, B', P, P'": "laws of finitely many outputs",
    "a, a', b, b', p, p'": "the probabilities of an output under these",
    "q": "the probability that a record is in a sample",
    "t": "a multiple, at least 0",
    "r_i, p_i, p'_i": "the points of a grid of quotients, and the masses at r_i",
    "e, f": "what the masses of P, and those of P', lack of 1",
}


@claim(
    "general.post-processing",
    where="general laws",
    statement="If M is epsilon-Pufferfish for (S, Q, Theta) and K is a stochastic matrix from "
    "outputs to new outputs, then the mechanism that runs M and passes its output through K is "
    "epsilon-Pufferfish for (S, Q, Theta).",
    assumes=[
        "finitely many databases and outputs; K uses fresh randomness and does not see the database"
    ],
    says={"randomised processing": said.POST_PROCESSING},
)
def post_processing(check: Check) -> None:
    """Coq pushes the sums over databases through K."""


@claim(
    "general.partitions",
    where="general laws",
    kind="lemma",
    assumes=["finitely many databases"],
    says={"events are closed under complement": said.PARTITIONS},
)
def partitions(check: Check) -> None:
    """Lift what is said of finitely many outputs to real numbers and any other outputs: the promise
    for every event, as every Borel set, is that for every partition of the outputs into finitely
    many events, and a partition makes finitely many outputs. An event and its complement are a
    partition. Coq also says that a promise for an algebra of events, such as finite unions of
    intervals, is one for all events that it generates, if the measures are continuous.
    """
    check.stated("events are closed under complement")


@claim(
    "general.mixture-of-mechanisms",
    where="general laws",
    statement="If M_1 .. M_n are epsilon-Pufferfish for (S, Q, Theta), then the mechanism that "
    "throws a coin independent of the database and runs the M_i it shows is epsilon-Pufferfish "
    "for (S, Q, Theta), whether or not it publishes the coin.",
    assumes=["the weights of the coin do not depend on the database"],
    says={
        "hidden coin": said.HIDDEN_COIN,
        "published coin": said.PUBLISHED_COIN,
        "levels that differ, hidden coin: the largest one holds": sequences.LARGEST_LEVEL,
    },
)
def mixture_of_mechanisms(check: Check) -> None:
    """Prove convexity, for a hidden and for a published coin, with the largest level if the
    levels differ.

    The law given a secret is the mixture of laws: As for equal levels [lemma.finite-sums]. One more
    mechanism: largest is the largest e^epsilon_i so far, T that of the next mechanism: A <= largest
    B and a <= T b.
    """


@claim(
    "general.losses-of-steps",
    where="general laws",
    statement="If A, A' are above the laws of a step under two databases, and B, B' above those of "
    "a second step whatever the first showed, then A x B, A' x B' are above those of both. The law "
    "of log(a b / (a' b')) under A x B is the convolution of those of both factors, and with the "
    "mass that has no quotient it says E_t.",
    says={"steps": losses.STEPS, "the law of losses": losses.CONVOLVED},
)
def losses_of_steps(check: Check) -> None:
    """Exchange one step at a time.

    Steps: with any third pair R, R', E_t of p r against p' r' is the sum of r(z) E_u(P || P'), u =
    t r'(z) / r(z), which grows with E_u; where r(z) is 0 it has nothing. First the second step,
    given each first output, then the first one. The law of losses: a product of quotients has as
    logarithm the sum of losses, which are independent under A x B; p - t p' = p (1 - t / (p/p')).
    """


@claim(
    "general.losses-of-samples",
    where="general laws",
    statement="Every record is in a sample independently of others, one record with probability q. "
    "If A, A' are above the laws of the output with it and without it, whatever others are in the "
    "sample, then q A + (1 - q) A', A' are above the laws of the output on the database with the "
    "record and on that without it, and A', q A + (1 - q) A' above those in the other order.",
    says={"with the record against without": losses.REMOVED, "the other order": losses.ADDED},
)
def losses_of_samples(check: Check) -> None:
    """Given the sample of the others, then on average.

    With the record against without: (q p + (1 - q) p') - t p' = q (p - u p') with u = 1 + (t - 1) /
    q. So E_t is q E_u(P || P') if u >= 0, and else 1 - t for all laws: it grows with E_u. The other
    order: max(0, p' - t p) = p' - t p + t max(0, p - p' / t), so that A', A are above P', P where
    A, A' are above P, P'. The samples of the others: E_t of a mixture is at most the mixture of
    E_t.
    """


@claim(
    "general.losses-on-a-grid",
    where="general laws",
    statement="All quotients p/p' of outputs of P and P' lie between the first and the last of "
    "points r_0 < .. < r_n above 0. Put p and p' of an output between two points at both of them, "
    "so that p = r p' at each and the sums are kept, and round masses down: then E_t(P || P') <= "
    "the sum of p_i max(0, 1 - t / r_i) + e. Put them at the lower point, and round down: then for "
    "every j the sum of p_i over i >= j, less t times that of p'_i, less t f, is at most "
    "E_t(P || P').",
    says={"upper bound": losses.UPPER, "lower bound": losses.LOWER},
)
def losses_on_a_grid(check: Check) -> None:
    """Merging outputs lowers E_t, since max(0, x) + max(0, y) >= max(0, x + y).

    Upper bound: merging both points of an output gives it back. Rounding p_i down by x lowers the
    bound by at most x, which e counts; so are outputs without a quotient. Lower bound: i >= j is a
    test, and E_t is the largest P(test) - t P'(test). Rounding down lowers P(test), and f is no
    less than what P'(test) lost.
    """
