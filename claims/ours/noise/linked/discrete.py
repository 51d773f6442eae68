"""Geometric noise beside Laplace noise of the same rate of decay, as a linked argument: both have
their largest ratio at a value of the query, where their likelihoods differ by constants.
"""

from sympy import And, Eq, Ne

from pufferproof.claims.language import above, letter, letters
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.ours.noise.linked import attained
from pufferproof.claims.ours.noise.linked.attained import (
    ATTAINED,
    A,
    B,
    D,
    E,
    N,
    f,
    g,
    k,
    m,
    p,
    q,
    rho,
    w,
    x,
    y,
)

c = letter("c", "the constant (1 - a)/(1 + a) of geometric noise of ratio a", above(0), real=True)
C = letter("C", "the constant rho/2 of the density of Laplace noise", above(0), real=True)
P, Q = letters("P Q", "the likelihood of the output x, geometric noise, given s or s'", real=True)
R, S = letters("R S", "the likelihood of the output w, Laplace noise, given s or s'", real=True)
T, U = letters("T U", "the same with geometric noise, if w is an integer, given s or s'", real=True)
V, W = letters("V W", "the likelihood of the output x, Laplace noise, given s or s'", real=True)


def _discrete() -> Linked:
    one = Linked(
        "one coordinate with integer values, geometric noise of ratio a = e^(-rho)",
        {"i": "the values of F given s or s', integers in this coordinate", "j": "i"},
        {p: "j", q: "j", m: "", x: "i", w: "", rho: "", c: "", C: ""},
        near={p: m * q},
        spare={"another output": "where w is a value, the first hypothesis says it"},
    )
    attained.densities_of(one)
    one.sum(P, "j", p * c * k)
    one.sum(Q, "j", q * c * k)
    one.sum(R, "j", p * C * g)
    one.sum(S, "j", q * C * g)
    one.sum(T, "j", p * c * g)
    one.sum(U, "j", q * c * g)
    one.sum(V, "j", p * C * k)
    one.sum(W, "j", q * C * k)
    one.given("at the values", P <= m * Q)
    one.given("another output", Ne(w, x))
    one.along("c x", "j", And(Eq(P, c * N), Eq(Q, c * D)))
    one.step("without constants", N <= m * D, "at the values", "c x")
    same = {z: z for z in (p, q, m, x, w, rho, y, f, k, N, D, E, g, A, B)}
    one.by("at w", ATTAINED.as_lemma("noise.attained"), same, "without constants", "another output")
    one.along("C w", "j", And(Eq(R, C * A), Eq(S, C * B)))
    at_w = And(Eq(C * T, c * R), Eq(C * U, c * S))
    at_x = And(Eq(C * P, c * V), Eq(C * Q, c * W))
    one.along("an integer w", "j", at_w)
    one.along("an integer x", "j", at_x)
    both = And(R <= m * S, at_w, at_x)
    return one.conclude("both noises", both, "at w", "C w", "an integer w", "an integer x")


DISCRETE = _discrete()
"""A bound of ratios of geometric noise at the values, which are integers, bounds those of Laplace
noise at every output w; and at integers both have the same ratio.
"""
