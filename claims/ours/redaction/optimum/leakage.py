"""Leakage by messages: extreme likelihood ratios are passed from record to record, for any local
mechanism.

Source of the setting: massny2025, definition 1; the claims are ours.
"""

from pufferproof.claims.ours.redaction.notation import SETTING
from pufferproof.claims.ours.redaction.statements.leakages import EVENTS, MESSAGES
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    "y_>t": "what the records behind t show, those farther from p",
    "|Y|": "the number of symbols that a record may show",
    "x, x'": "values of X_p",
}


@claim(
    "redaction.messages",
    where="Exact leakage",
    statement="Any local mechanism on a chain of bits with all transition probabilities in (0, 1): "
    "the extreme ratios P(y_>t | X_t=0)/P(y_>t | X_t=1) over outputs y_>t of positive "
    "probability follow from those at t+1, one symbol at a time: they are among the images of "
    "the two extremes. So 2 |Y| candidates per record give the exact leakage, for either sign "
    "of the eigenvalue.",
    says=MESSAGES,
)
def messages(check: Check) -> None:
    """Prove it by the monotone Moebius map of one step, by induction from the end of the chain.

    P(y_>t | X_t=z) is the sum over X_t+1 of its probability times that of the symbol there times
    the likelihood of the rest [lemma.finite-sums]. The determinant of the images of two pairs has
    the sign of lam = 1 - a - b [lemma.messages]: order is kept for lam >= 0 and reversed for lam <=
    0. Behind the last record the pair is (1, 1). So by induction every output lies between the
    images of the extremes, over all symbols; the extremes belong to outputs, and the symbol before
    them gives an output of positive probability. The sides of p are independent given X_p, and each
    coordinate is processed by itself: the whole ratio is at most X_p's own times the largest ones
    of both sides, attained; toward X_p = 1 with inverses.
    """
    name = "every local mechanism"
    check.tried(name)


@claim(
    "redaction.events",
    where="Exact leakage",
    statement="A local redaction mechanism on a stationary chain over any finite alphabet, X_p "
    "redacted, P the matrix of one step away from p (left of p that of the reversed chain), "
    "r_d(z) the probability that the value z is redacted at distance d: on each side the "
    "ratios of P(y|X_p=x) and P(y|X_p=x') over the outputs y that occur are those of the "
    "events (d, z) - the nearest released record is at distance d and has the value z - and of "
    "the event that nothing is released. The probabilities of (d, z) are column z of M_d times "
    "1 - r_d(z), where M_1 = P and M_(d+1) = M_d diag(r_d) P; that of nothing is M_m r_m, m "
    "the distance of the last record.",
    kind="lemma",
    says=EVENTS,
)
def events(check: Check) -> None:
    """Prove that what lies behind a released record is a common factor.

    Total probability: P(y, X_d = z | X_p = x) with everything nearer redacted is the entry F of M_d
    diag(r) P: a sum over the value w at the record before [lemma.finite-sums]. Behind a released
    record: Given X_d = z what lies behind does not depend on X_p: its probability behind > 0, times
    1 - r(z) = shown > 0, is a common factor of entry1, entry2, the entries of column z for x and
    x': event1 = entry1 shown behind and event2 = entry2 shown behind have their ratio, 0 and
    infinity included, and keep the same levels R.
    """
    name = "as stated"
    check.tried(name)
