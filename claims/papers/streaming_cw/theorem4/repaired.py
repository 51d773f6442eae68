"""Theorem 4 repaired: composition with a positive shift, with zero probabilities and in both
directions.

Derived for independent alternatives, by induction over the steps, with weights in [0, 1] in place
of sets. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from dataclasses import dataclass

from sympy import And, Eq, Max, Min

from pufferproof.claims.language import Edit, Proof, at_least, between, letter, letters, proved
from pufferproof.claims.papers.streaming_cw.lemmas.first import recursion
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    INDEPENDENT,
    KNOWN,
    WINDOW,
)
from pufferproof.claims.papers.streaming_cw.theorem4.statements import BY_STEP, REPAIRED
from pufferproof.claims.registry import Check, claim

a = letter("a", "the law on top of the next outcome y given z", at_least(0))
b = letter("b", "the law at the bottom of the next outcome y given z'", at_least(0))
h = letter("h", "the weight of the next outcome", between(0, 1))
A, B = letters("A B", "the sums of a h and of b h over the first outcomes")
H = letter("H", "the sum of max(0, a - R b) over the first outcomes")
R = letter("R", "e^gamma, or e^eps where z' = z")
x = letter("x", "the probability of S_y under the law on top, given [z*,z]_up")
least = letter("c", "the least probability of S_y under the law at the bottom, given any z2")
other = letter("v", "the probability of S_y under the law at the bottom, given one z2")
past = letter("past", "the probability of S_y under the law at the bottom, given [z*,z']_up")
m = letter("m", "the smaller of 1 and K c")
w = letter("w", "p(z*) times the law on top of the next y, given [z*,z]", at_least(0))
u = letter("u", "p(z*) times the law at the bottom of the next y, given [z*,z']", at_least(0))
X, Y, W = letters("X Y W", "the sums of w x, of w m and of w over the first z* and y")
V = letter("V", "the sum of u m over the first z* and y")
N, D = letters("N D", "the law on top at S given z, the law at the bottom at S given z'")
K, L = letters("K L", "the factor and the shift for the outputs so far")
k = letter("k", "the logarithm of K")
g = letter("g", "e^gamma", at_least(1))
r = letter("r", "e^eps")
t = letter("t", "the number of steps")
gamma = letter("gamma", "the logarithm of a bound for any two values z and z' of the known blocks")
eps = letter("eps", "the logarithm of a bound for one value z of the known blocks")
delta = letter("delta", "the shift of one step")
total = letter("total", "the sum of gamma_j over the steps so far")
factor, level = letters("factor level", "the factor for t outputs at z' = z, its logarithm")
NOTATION = {
    "gamma": gamma.meaning,
    "eps": eps.meaning,
    "gamma_j": "gamma at step j",
    "delta_j": "the shift of step j",
}


@claim(
    "streaming_cw.thm4-repaired",
    where="Theorem 4, repaired",
    statement="Let alternatives be drawn for each window on its own, and let gamma >= 0, eps >= 0 "
    "and delta be such that at every step, for all sets S of outcomes and all z, z', P0(S|z) "
    "<= e^gamma P1(S|z') + delta and P1(S|z) <= e^gamma P0(S|z') + delta, and with eps in the "
    "place of gamma where z' = z. Then for every t >= 1, all sets S of tuples and all z, "
    "P^0(S|z) <= e^(eps + (t-1) gamma) P^1(S|z) + t delta, and the same with P^0 and P^1 "
    "exchanged. Probabilities may be 0.",
    assumes=[*INDEPENDENT, KNOWN],
    says=REPAIRED,
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in both directions."""
    proved(
        check,
        WINDOW,
        ALL_SIZES,
        _both_directions,
        one_shift_too_few=[
            Edit("t outputs, P0 against P1: step", put={(t + 1) * delta: t * delta}),
            Edit("the level, P0 against P1", put={t * delta: (t - 1) * delta}),
        ],
        one_gamma_too_few=[
            Edit("t outputs, P0 against P1: step", put={(t + 1) * gamma: t * gamma}),
            Edit("the level, P0 against P1", put={t - 1: t - 2}),
        ],
        weights_above_1=Edit("weights in [0, 1], P0 against P1", without=h <= 1),
        pasts_bounded_at_their_own_z_only=Edit(
            "back to the other law, P0 against P1", without=past >= least, given=other >= least
        ),
    )


@claim(
    "streaming_cw.x-shift-by-step",
    where="Theorem 4, asked beyond it",
    statement="Let alternatives be drawn for each window on its own, and let gamma_j >= 0 and "
    "delta_j be such that at step j, for all sets S of outcomes and all z, z', P0(S|z) <= "
    "e^gamma_j P1(S|z') + delta_j and P1(S|z) <= e^gamma_j P0(S|z') + delta_j, j < t, and at step "
    "t the same for z' = z with eps >= 0 in the place of gamma_t. Then for all sets S of tuples "
    "and all z, P^0(S|z) <= e^(eps + sum_(j<t) gamma_j) P^1(S|z) + sum_(j<=t) delta_j, and the "
    "same with P^0 and P^1 exchanged. Probabilities may be 0.",
    kind="theorem",
    assumes=[*INDEPENDENT, KNOWN],
    says=BY_STEP,
)
def shift_by_step(check: Check) -> None:
    """Prove that a shift may be shared out among the steps in any way."""
    proved(
        check,
        WINDOW,
        ALL_SIZES,
        _step_by_step,
        one_shift_left_out=Edit(
            "one more output, P0 against P1: step",
            instead=And(N <= g * K * D + L, Eq(gamma + k, total + gamma)),
        ),
        one_gamma_left_out=Edit(
            "one more output, P0 against P1: step",
            instead=And(N <= g * K * D + (L + delta), Eq(gamma + k, total)),
        ),
        weights_above_1=Edit("weights in [0, 1], P0 against P1", without=h <= 1),
    )


def _step_by_step(proof: Proof) -> None:
    """R is e^gamma_j, or e^eps at the last step, and delta is delta_j."""
    recursion(proof)
    for names in (Names("P0", "P1", "M", "M(alt(.))"), Names("P1", "P0", "M(alt(.))", "M")):
        _one_step(proof, names)
        _one_more_step(proof, names)
        _own_shifts(proof, names)


def _own_shifts(proof: Proof, names: "Names") -> None:
    proof.induction(
        f"one more output{names.of}",
        f"For all S, z, z': N = {names.tops}(S|z) is at most K D + L, where K has as logarithm the "
        "sum `total` of gamma_j over the steps so far and L is the sum of their delta_j. One more "
        "step has the factor e^gamma_j and the shift delta_j. Without outputs N = D",
        base=(
            And(N <= K * D + L, Eq(k, total)),
            [Eq(N, D), Eq(K, 1), Eq(L, 0), Eq(k, 0), Eq(total, 0), D >= 0],
        ),
        step=(
            And(N <= g * K * D + (L + delta), Eq(gamma + k, total + gamma)),
            [N <= g * K * D + delta + L, Eq(k, total)],
        ),
    )
    proof.inequality(
        f"the level{names.of}",
        "The last step at z' = z has the factor r: N <= r K D + L + delta, where r K has the "
        "logarithm eps + total",
        And(N <= factor * D + L + delta, Eq(level, eps + total)),
        [N <= r * K * D + delta + L, Eq(factor, r * K), Eq(level, eps + k), Eq(k, total)],
    )


def _both_directions(proof: Proof) -> None:
    recursion(proof)
    for names in (Names("P0", "P1", "M", "M(alt(.))"), Names("P1", "P0", "M(alt(.))", "M")):
        _one_step(proof, names)
        _one_more_step(proof, names)
        _all_steps(proof, names)


@dataclass(frozen=True)
class Names:
    """What two laws are called, and what their windows are put through.

    The law `top` of t outputs is bounded by e^(eps + (t-1) gamma) times `bottom`, plus t delta.
    """

    top: str
    bottom: str
    mechanism: str
    other_mechanism: str

    @property
    def of(self) -> str:
        """What distinguishes the steps of the two directions."""
        return f", {self.top} against {self.bottom}"

    @property
    def tops(self) -> str:
        """The law `top` of all outputs."""
        return self.top.replace("P", "P^")

    @property
    def bottoms(self) -> str:
        """The law `bottom` of all outputs."""
        return self.bottom.replace("P", "P^")


def _one_step(proof: Proof, names: Names) -> None:
    proof.cite(
        f"shift{names.of}",
        f"delta, which is at least every {names.top}(S|z) - R {names.bottom}(S|z'), is at least "
        f"the sum over all outcomes of max(0, {names.top}(y|z) - R {names.bottom}(y|z')); R = "
        "e^gamma, or e^eps where z' = z",
        "streaming_cw.eq2-shift-repaired",
    )
    proof.induction(
        f"weights in [0, 1]{names.of}",
        f"a = {names.top}(y|z), b = {names.bottom}(y|z'); over all outcomes H <= delta",
        base=(A <= R * B + H, [Eq(A, 0), Eq(B, 0), Eq(H, 0)]),
        step=(
            A + a * h <= R * (B + b * h) + H + Max(0, a - R * b),
            [A <= R * B + H, R >= 1],
        ),
    )


def _one_more_step(proof: Proof, names: Names) -> None:
    proof.inequality(
        f"the past, capped{names.of}",
        f"S_y holds the pasts that S has before y; x is {names.tops}(S_y|z1) for any z1 and c the "
        f"least {names.bottoms}(S_y|z2) over all z2: the hypothesis of the induction is x <= K c + "
        "L",
        x <= m + L,
        [x <= 1, x <= K * least + L, Eq(m, Min(1, K * least)), L >= 0, least >= 0, K >= 1],
    )
    proof.summed(
        f"sum over z* and y{names.of}",
        f"w is p(z*) times the probability of y for {names.mechanism} on [z*,z], and W = 1 over "
        f"all "
        "z* and y",
        so_far=X <= Y + L * W,
        adding={X: w * x, Y: w * m, W: w},
        given=[x <= m + L],
    )
    proof.cite(
        f"order of summation{names.of}",
        f"Y is the sum of {names.top}(y|z) m over y, as m does not depend on z*",
        "lemma.finite-sums",
    )
    proof.summed(
        f"back to the other law{names.of}",
        f"u is p(z*) times the probability of y for {names.other_mechanism} on [z*,z'], and "
        f"{names.bottoms}(S_y|[z*,z']_up) is at least c whatever z* is",
        so_far=V <= K * D,
        adding={V: u * m, D: u * past},
        given=[m <= K * least, past >= least, K >= 1],
    )
    proof.inequality(
        f"one more step{names.of}",
        f"N = {names.tops}(S|z) = X with W = 1, and Y <= R V + delta by weights; D is "
        f"{names.bottoms}(S|z')",
        R * K * D + delta + L >= N,
        [Eq(N, X), X <= Y + L * W, Eq(W, 1), R * V + delta >= Y, V <= K * D, R >= 1],
    )


def _all_steps(proof: Proof, names: Names) -> None:
    proof.induction(
        f"t outputs{names.of}",
        f"For all S, z, z': N = {names.tops}(S|z) is at most e^(t gamma) D + t delta, D = "
        f"{names.bottoms}(S|z'). One more step has the factor e^gamma, whose logarithm is added. "
        "Without outputs N = D, and K = 1",
        base=(
            And(N <= K * D + t * delta, Eq(k, t * gamma)),
            [Eq(N, D), Eq(K, 1), Eq(k, 0), Eq(t, 0), D >= 0],
        ),
        step=(
            And(N <= g * K * D + (t + 1) * delta, Eq(gamma + k, (t + 1) * gamma)),
            [N <= g * K * D + delta + L, Eq(L, t * delta), Eq(k, t * gamma), delta >= 0, K >= 1],
        ),
    )
    proof.inequality(
        f"the level{names.of}",
        "The last step at z' = z has the factor r: N <= r K D + t delta, where r K has the "
        "logarithm eps + (t-1) gamma",
        And(N <= factor * D + t * delta, Eq(level, eps + (t - 1) * gamma)),
        [
            N <= r * K * D + delta + L,
            Eq(factor, r * K),
            Eq(level, eps + k),
            Eq(L, (t - 1) * delta),
            Eq(k, (t - 1) * gamma),
        ],
    )
