"""The bounds of reversible chains, said once: Lemmas A.1 to A.3 and 4.7."""

from pufferproof.claims.vocabulary.entries.chains.gaps import (
    CLOSE,
    FAR,
    LOWEST,
    NUMBER_POWER,
    OVER,
    PART,
    QUILT_WITHIN,
    REVERSIBLE,
    TOLD,
)
from pufferproof.claims.vocabulary.entries.chains.powers import POWER
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    NOTHING,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW
from pufferproof.claims.vocabulary.probes.chains.gaps import (
    EDGES,
    SURVIVORS,
    chain_with_rate,
    hi,
    i,
    lo,
    low,
    n,
    pi,
    r,
    t,
)
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, v, w
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import member
from pufferproof.claims.vocabulary.terms import letter

y = letter("y", member("A"))
POWER_T = NUMBER_POWER(r, t)
GIVEN = [LOWEST(low, pi), REVERSIBLE(pi, P, r)]
CLOSER = "true and weaker: P^(t + 1) is closer to pi, and the bound the same"
NEAR_STATIONARY = Proposition(
    "chains.Gap.powers_of_reversible",
    "A",
    [pi, P, low, r, t],
    [NOTHING() < low, *GIVEN],
    CLOSE(PART(low, POWER_T), pi, P, t),
    chain_with_rate,
    EDGES,
    survivors={"conclusion, t + 1 for t [close to a law]": CLOSER},
)
LATER = Proposition(
    "chains.Gap.later_record",
    "A",
    [pi, P, low, r, t, v, w, y],
    [*GIVEN, POWER_T < low],
    POWER(t, P, v, y) <= OVER(low, POWER_T) * POWER(t, P, w, y),
    chain_with_rate,
    EDGES,
    survivors={
        "conclusion, t + 1 for t [power]": CLOSER,
        "conclusion, t + 1 for t [power] (2)": CLOSER,
        "conclusion, w for v [power]": "true and weaker: the bound is at least 1",
        "conclusion, v for w [power]": "true and weaker: the bound is at least 1",
        "conclusion, y for v [power]": "true and weaker: the statement for v = y",
        "conclusion, y for w [power]": "true and weaker: the statement for w = y",
        "conclusion, without P^t(w, y)": "true and weaker: a probability is at most the bound",
    },
)
QUILTS = Proposition(
    "chains.Gap.quilt_by_reversible_gap",
    "A",
    [pi, m, P, low, r, n, lo, hi, i, v, w],
    [*GIVEN, LAW(m), FAR(low, r, n, lo, hi, i)],
    QUILT_WITHIN(TOLD(low, r, n, lo, hi, i), m, P, n, lo, hi, i, v, w, A),
    chain_with_rate,
    EDGES,
    "A",
    SURVIVORS,
)
