"""Theorem 5.1: mechanisms that compose linearly satisfy an NfC constraint for every ordered pair
and database.

True with any number of runs of each mechanism and for databases that a prior allows, which the
printed proof uses without saying so; false for a list released once, and for databases of
probability 0. The proof below needs no limit: if no weights exist, the theorem of the alternative
gives numbers of runs whose joint likelihoods are too far apart. Source: bai2026, Theorem 5.1. Zero
likelihoods: a power 0^0 is 1, a power 0^b with b > 0 is 0.
"""

from pufferproof.claims.papers.bai2026.composition.definition import ONCE
from pufferproof.claims.papers.bai2026.nfc.failures import (
    refute_bounded,
    refute_impossible,
    refute_once,
)
from pufferproof.claims.papers.bai2026.nfc.said import NFC
from pufferproof.claims.registry import Check, claim

REPEATED = "any multiset of runs"
POSSIBLE = f"{REPEATED}, D possible given s1 under a prior that allows both secrets"


@claim(
    "bai2026.nfc",
    where="Theorem 5.1",
    assumes=["finitely many databases"],
    repair="bai2026.nfc-repaired",
    says={POSSIBLE: NFC},
)
def nfc(check: Check) -> None:
    """Prove it for repeated runs and possible databases; refute it for impossible databases, and
    for runs whose number is bounded.

    Let D be possible given s1; if M(D)(w) = 0 the constraint holds whatever beta is. Let I be the
    other outputs, of all mechanisms, Y the l with theta(D_l | s2) > 0 and Y' those of them that
    give every w in I; I, Y' and the weights depend on D. Y' is not empty: else release one run for
    each w in I (of its mechanism) and look at the event that these outputs occur. Its probability
    given s2 is 0, and given s1 at least theta(D | s1) times that given D, which is positive: no
    finite F bounds the ratio. The alternative: for w in I and l in Y' let g_wl = log M(D)(w) - log
    M(D_l)(w) - epsilon. Either beta_l >= 0 on Y' with sum 1 have sum_l beta_l g_wl <= 0 for all w
    in I; or y_w >= 0 have sum_w y_w g_wl > 0 for all l in Y' [bai2026.x-alternative]. The first
    alternative is the constraint, with weight 0 outside Y'. In the second the y_w may be integers
    c_w >= 1: from "Weights may be moved a little" to "The c_w > 0 are rational" as in
    bai2026.nfc-lp. Numbers of runs: Release c_w runs for every w in I and look at the event that
    each gives its w. Z and X are the logarithms of its probability at the database D and at l in
    Y', N the number of runs: Z - X - N epsilon = sum_w c_w g_wl > 0. Given s2: P(event | s2)
    averages over Y: it is at most its largest probability, reached in Y', since c_w >= 1 makes it 0
    at the other databases of Y [lemma.mediant]. R times as many runs: W = log P(event | s1) >= log
    theta(D | s1) + r Z = prior + r Z; V = log P(event | s2) <= r best, where best is the largest X
    and Z - best - N epsilon = s > 0. With r s > -prior the joint release of r N runs is not r N
    epsilon-Pufferfish.
    """
    check.stated(POSSIBLE)
    with check.reading(f"{REPEATED}, every D with s1", "one counterexample") as proof:
        refute_impossible(proof)
    with check.reading(
        "any multiset of at most K runs, whatever K", "one counterexample for every K"
    ) as proof:
        refute_bounded(proof)
    with check.reading(f"{ONCE}; every D is possible", "one counterexample") as proof:
        refute_once(proof)


@claim(
    "bai2026.nfc-repaired",
    where="Theorem 5.1, repaired",
    kind="repair of bai2026.nfc",
    says={"as repaired": NFC},
)
def nfc_repaired(check: Check) -> None:
    """Prove the theorem with runs repeated, possible databases, and weights on databases
    possible under the same prior.

    As in bai2026.nfc.
    """
