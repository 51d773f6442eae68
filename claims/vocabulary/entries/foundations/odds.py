"""Odds of secrets after an output and before: the Bayes form of the promise, in Laws.v."""

from collections.abc import Iterator
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, KEEPS, LAW_OF, SET, Rows, joint, weight
from pufferproof.claims.vocabulary.terms import entry

PROMISED = ("R", CHANNEL, f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop")
Odds = tuple[Fraction, Fraction, Fraction, Fraction]


def _odds(M: Rows, pairs: Any, priors: Any) -> Iterator[Odds]:
    """Yield P(s), P(t) and the posteriors, of outputs with evidence."""
    for p in priors:
        for s, t in pairs:
            if (ps := weight(p, s)) > 0 and (pt := weight(p, t)) > 0:
                for w in range(len(M[0])):
                    evidence = sum((a * row[w] for a, row in zip(p, M)), ZERO)
                    if evidence > 0:
                        yield ps, pt, joint(p, M, s, w) / evidence, joint(p, M, t, w) / evidence


def _within(ratio: Fraction, M: Rows, pairs: object, priors: object) -> Iterator[bool]:
    for ps, pt, a, b in _odds(M, pairs, priors):
        yield (a == 0) == (b == 0)
        if b > 0:
            yield (1 / ratio if ratio else ZERO) <= a / b / (ps / pt) <= ratio


def _both_orders(ratio: Fraction, M: Rows, pairs: Any, priors: Any) -> Iterator[Any]:
    yield from KEEPS.value(ratio, M, [*pairs, *((t, s) for s, t in pairs)], priors)


IN_BOTH_ORDERS = entry(
    "keeps in both orders",
    takes=PROMISED,
    words="[1] keeps [0] for [2] in both orders under [3]",
    tex=r"[1] \text{ keeps } [0] \text{ for } [2] \cup [2]^{-1}, [3]",
    coq="Pufferfish.pufferfish [0] [1] [2] [3] /\\ Pufferfish.pufferfish [0] [1] (fun s_ t_ => [2] t_ s_) [3]",
    value=_both_orders,
    precedence=80,
    relation="<=",
    meaning=KEEPS.meaning + " In both orders means: for all (s, t) and (t, s) with (s, t) in Q.",
)
ODDS_AT_MOST = entry(
    "odds at most",
    takes=PROMISED,
    words="P_p(s | w) P_p(t) <= [0] P_p(s) P_p(t | w) for every p in [3], every pair (s, t) in [2] with "
    "P_p(s) > 0 and P_p(t) > 0, and every output w of [1] with P_p(w) > 0",
    tex=r"\forall p \in [3], (s, t) \in [2], w:\ "
    r"P_p(s \mid w)\, P_p(t) \le [0]\, P_p(s)\, P_p(t \mid w)",
    coq="forall p_ s_ t_ w_, [3] p_ -> [2] s_ t_ -> 0 < Pufferfish.P p_ s_ -> "
    "0 < Pufferfish.P p_ t_ -> 0 < Laws.evidence p_ [1] w_ -> "
    "Laws.posterior p_ [1] s_ w_ * Pufferfish.P p_ t_ <= "
    "[0] * Pufferfish.P p_ s_ * Laws.posterior p_ [1] t_ w_",
    value=lambda ratio, M, pairs, priors: ((a * pt, ratio * ps * b) for ps, pt, a, b in _odds(M, pairs, priors)),
    precedence=200,
    relation="<=",
)
ODDS_STAY = entry(
    "odds stay",
    takes=PROMISED[1:],
    words="P_p(s | w) P_p(t) = P_p(s) P_p(t | w) for every p in [2], every pair (s, t) in [1] with "
    "P_p(s) > 0 and P_p(t) > 0, and every output w of [0] with P_p(w) > 0",
    tex=r"\forall p \in [2], (s, t) \in [1], w:\ "
    r"P_p(s \mid w)\, P_p(t) = P_p(s)\, P_p(t \mid w)",
    coq="forall p_ s_ t_ w_, [2] p_ -> [1] s_ t_ -> 0 < Pufferfish.P p_ s_ -> "
    "0 < Pufferfish.P p_ t_ -> 0 < Laws.evidence p_ [0] w_ -> "
    "Laws.posterior p_ [0] s_ w_ * Pufferfish.P p_ t_ = "
    "Pufferfish.P p_ s_ * Laws.posterior p_ [0] t_ w_",
    value=lambda M, pairs, priors: ((a * pt, ps * b) for ps, pt, a, b in _odds(M, pairs, priors)),
    precedence=200,
    relation="=",
)
ODDS_WITHIN = entry(
    "odds within",
    takes=PROMISED,
    words="for every p in [3], every pair (s, t) in [2] with P_p(s) > 0 and P_p(t) > 0, and every output "
    "w of [1] with P_p(w) > 0, P_p(s | w) and P_p(t | w) are both 0 or both not, and 1/[0] <= "
    "(P_p(s | w)/P_p(t | w)) / (P_p(s)/P_p(t)) <= [0] if P_p(t | w) > 0",
    tex=r"\forall p \in [3], (s, t) \in [2], w:\ [0]^{-1} \le "
    r"\frac{P_p(s \mid w)}{P_p(t \mid w)} / \frac{P_p(s)}{P_p(t)} \le [0]",
    coq="Laws.odds_within [0] [1] [2] [3]",
    value=_within,
    relation="truth",
)
