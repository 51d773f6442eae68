"""What linked statements say: letters, how they are made, hypotheses and conclusions."""

from typing import Any

import pytest
from sympy import Abs, And, Eq, Implies, Max, Mul, Ne, Not, Or

from pufferproof.claims.language import above, at_least, between, letter, letters, other_than
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.said import as_object, how
from pufferproof.claims.language.linked.words import definition_latex, domain_words, latex, words

c = letter("c", "the mass of two values", at_least(0), real=True)
t = letter("t", "the first value", real=True)
s = letter("s", "the second value", real=True)
w = letter("w", "an output", real=True)
u = letter("u", "an exponent", real=True)
eps = letter("epsilon", "the level", at_least(0), real=True)
k = letter("k", "the density", real=True)
P, Q = letters("P Q", "the sum of densities", real=True)
here = Letter("here", "a sum", real=True)
M = letter("M", "the largest value", real=True)
INDICES = {"i": "the first values", "j": "the second values"}


def _mass() -> Linked:
    one = Linked("a mass", INDICES, {c: "i j", t: "i", s: "j", w: "", eps: ""})
    one.given("close", Or(Eq(c, 0), Abs(t - s) <= 1))
    one.let(u, -eps * Abs(w - t))
    one.let(k, exp(u))
    one.sum(P, "i", k)
    one.sum(Q, "j", c)
    one.sum(here, "j", c)
    one.largest(M, "i", t)
    return one


def test_a_statement_is_in_sentences():
    one = _mass()
    one.then = P <= eps * Q
    said = as_object(one).words
    assert said == (
        "Let i (the first values) and j (the second values) run through finitely many values each, "
        "at least one. For every i and j, let c[i, j] (the mass of two values) be a "
        "nonnegative real number. For every i, let t[i] (the first value) be a real number. For "
        "every j, let s[j] (the second value) be a real number. Let w (an output) be a real number "
        "and epsilon (the level) a nonnegative real number. Suppose that for every i and "
        "j, c[i, j] = 0 or |t[i] - s[j]| <= 1. Then P <= epsilon*Q[i] for every i. Here P is the "
        "sum over i of k[i]; Q[i] is the sum over j of c[i, j] (each the sum of densities); "
        "k[i] = e^(-epsilon*|t[i] - w|) (the density)."
    )


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (And(P >= 0, t <= M), "P >= 0 and t[i] <= M for every i"),
        (w - t - eps * s >= 1 - eps, "w - t[i] - epsilon*s[j] >= 1 - epsilon for every i and j"),
        (Eq(Max(0, t - 2 * w), P * eps), "max(0, t[i] - 2*w) = epsilon*P for every i"),
        (P / eps**2 > t, "P/epsilon^2 > t[i] for every i"),
        (And(Or(P <= 0, Q <= 0), w <= 0), "w <= 0; and for every i, (P <= 0 or Q[i] <= 0)"),
        # "for every" reaches over if, or and not
        (Ne(w, t), "for every i, w is not t[i]"),
        (Or(t <= 0, P >= 1), "for every i, t[i] <= 0 or P >= 1"),
        (Implies(t >= w, P >= 1), "for every i, if t[i] >= w, then P >= 1"),
        (Ne(w, P), "w is not P"),
    ],
)
def test_formulas_are_written_in_the_order_of_letters_below_for_every(formula: Any, said: str):
    assert words(_mass(), formula) == said


def test_the_terms_of_a_sum_over_an_index_stand_in_brackets():
    one = Linked("numbers", INDICES, {t: "i"})
    one.sum(P, "i", t - 1)
    one.product(Q, "i", t + 1)
    one.then = P <= Q
    assert as_object(one).words.endswith(
        "Here P is the sum over i of (t[i] - 1); Q is the product over i of (t[i] + 1) (each the sum of densities)."
    )


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (Abs(s - t) <= P * eps, r"\left|{t}_{i} - {s}_{j}\right| \leq \epsilon P"),
        (1 / w <= 1, r"\frac{1}{w} \leq 1"),
        (Eq(Max(1 / w, w), 1), r"\max\left(\frac{1}{w}, w\right) = 1"),
        (1 / w**2 - 1 / eps <= s, r"\frac{1}{w^{2}} - \frac{1}{\epsilon} \leq {s}_{j}"),
        (1 / (w + 1) <= t / w, r"\frac{1}{w + 1} \leq \frac{{t}_{i}}{w}"),
        (Mul(w, Mul(t, -1, evaluate=False), evaluate=False) <= 1, r"- w {t}_{i} \leq 1"),
        (
            Or(Not(Implies(w < 1, eps < 1), evaluate=False), s <= 1),
            r"{s}_{j} \leq 1 \vee \neg \left(w < 1 \Rightarrow \epsilon < 1\right)",
        ),
        (here <= eps, r"{\text{here}}_{i} \leq \epsilon"),  # a name of several letters is a word
    ],
)
def test_latex_shows_indices_quotients_signs_and_negations(formula: Any, said: str):
    assert latex(_mass(), formula) == said


def test_latex_shows_definitions():
    assert definition_latex(_mass(), P) == r"P = \sum_{i} {k}_{i}"
    assert definition_latex(_mass(), M) == r"M = \max_{i} {t}_{i}"


def test_exp_is_not_written_as_a_power_of_a_letter_e():
    e = Letter("e", "a number")
    one = Linked("numbers", {}, {e: "", t: ""})
    one.let(k, exp(t))
    one.then = k >= e
    assert as_object(one).words.endswith("Then k >= e. Here k = exp(t) (the density).")
    assert definition_latex(one, k) == r"k = \exp\left(t\right)"


def test_an_argument_is_listed_with_how_each_fact_is_known():
    one = Linked("numbers", {**INDICES, "i2": "i"}, {t: "i", s: "j", eps: ""})
    one.largest(M, "i", t)
    one.sum(P, "i", eps)
    one.at(w, t, "i2")
    one.given("below", t <= s)
    one.given("a level", eps <= 1)
    one.again("there", "below", "i2")
    one.attained("at most", M, M + eps <= s + w + 1 - w, "below", "a level")
    one.term("each", P)
    assert [how(one, each) for each in one.facts.values()] == [
        "for every i and j, a hypothesis",
        "a hypothesis",
        "for every j and i2, “below” at i2",
        "for every j, from “below” and “a level”, at a value of i at which M is attained",
        "terms beside P, which is their sum, as terms are nonnegative",
    ]


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ([at_least(0)], "a nonnegative real number"),
        ([above(0)], "a positive real number"),
        ([*between(0, 1)], "a real number from 0 to 1"),
        ([above(0), other_than(1)], "a real number above 0 and other than 1"),
        ([], "a real number"),
    ],
)
def test_domains_are_said_in_words(bounds: Any, said: str):
    assert domain_words(Letter("z", "", bounds)) == said
