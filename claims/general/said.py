"""General laws of the promise, each said once."""

from pufferproof.claims.vocabulary.entries.logic import at, every
from pufferproof.claims.vocabulary.entries.promise import (
    HIDDEN,
    KEEPS,
    NONNEGATIVE,
    PROCESS,
    PUBLISHED,
    WEIGHTS,
)
from pufferproof.claims.vocabulary.families import framework
from pufferproof.claims.vocabulary.proposition import Proposition, set_named, tightened
from pufferproof.claims.vocabulary.sorts import (
    NUMBER,
    mechanism,
    member,
    pairs,
    priors,
    table,
    tables,
    weights,
)
from pufferproof.claims.vocabulary.terms import letter

D, W, V, C = map(set_named, "DWVC")
ratio = letter("ratio", NUMBER, "R")
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
Q, T = letter("pairs", pairs("D")), letter("priors", priors("D"))
c, Ms, i = (
    letter("c", weights("C")),
    letter("Ms", tables("C", "D", "W"), "M"),
    letter("i", member("C")),
)


PROCESSED = [NONNEGATIVE(K), KEEPS(ratio, M, Q, T)]
POST_PROCESSING = Proposition(
    "Laws.post_processing",
    "D W V~",
    [ratio, M, K, Q, T],
    PROCESSED,
    KEEPS(ratio, PROCESS(M, K), Q, T),
    tightened(framework, PROCESSED, "ratio"),
)
CHOSEN = [WEIGHTS(c), every(i, KEEPS(ratio, at(Ms, i), Q, T), C)]
PUBLISHED_COIN = Proposition(
    "Laws.published_coin",
    "D W~ C~",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, PUBLISHED(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
)
HIDDEN_COIN = Proposition(
    "Laws.hidden_coin",
    "D W C",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, HIDDEN(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
    decidable="W",
)
