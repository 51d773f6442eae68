"""General laws of the promise, each said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, at, every
from pufferproof.claims.vocabulary.entries.foundations.odds import (
    IN_BOTH_ORDERS,
    ODDS_AT_MOST,
    ODDS_WITHIN,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    HIDDEN,
    KEEPS,
    LIKELIHOOD,
    NONNEGATIVE,
    PROCESS,
    PUBLISHED,
    WEIGHTS,
)
from pufferproof.claims.vocabulary.entries.records.accounts import ADAPTIVE, GOOD, OF_HIDDEN, TELL
from pufferproof.claims.vocabulary.families import framework, one_output
from pufferproof.claims.vocabulary.probes.records import accounts
from pufferproof.claims.vocabulary.probes.records.accounts import A, E, H, n
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

F = Fraction
D, W, V, C = map(set_named, "DWVC")
ratio = letter("ratio", NUMBER, "R")
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
c, Ms, i = (
    letter("c", weights("C")),
    letter("Ms", tables("C", "D", "W"), "M"),
    letter("i", member("C")),
)


PROCESSED = [NONNEGATIVE(K), KEEPS(ratio, M, Q, T)]
POST_PROCESSING = Proposition(
    "foundations.Laws.post_processing",
    "D W V~",
    [ratio, M, K, Q, T],
    PROCESSED,
    KEEPS(ratio, PROCESS(M, K), Q, T),
    tightened(framework, PROCESSED, "ratio"),
)
CHOSEN = [WEIGHTS(c), every(i, KEEPS(ratio, at(Ms, i), Q, T), C)]
PUBLISHED_COIN = Proposition(
    "foundations.Laws.published_coin",
    "D W~ C~",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, PUBLISHED(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
)
HIDDEN_COIN = Proposition(
    "foundations.Laws.hidden_coin",
    "D W C",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, HIDDEN(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
    decidable="W",
)

BAYES = [LAWS_ONLY(T), LIKELIHOOD(M)]
ODDS_FORM = Proposition(
    "foundations.Laws.odds_form",
    "D W",
    [ratio, M, Q, T],
    BAYES,
    IFF(KEEPS(ratio, M, Q, T), ODDS_AT_MOST(ratio, M, Q, T)),
    one_output,
)
ODDS_IN_BOTH_ORDERS = Proposition(
    "foundations.Laws.odds_in_both_orders",
    "D W",
    [ratio, M, Q, T],
    BAYES,
    IFF(IN_BOTH_ORDERS(ratio, M, Q, T), ODDS_WITHIN(ratio, M, Q, T)),
    one_output,
)

OF_TABLES = accounts.pairs, accounts.priors
NO_LAW = {
    **{"A": 3, "W": 1, "n": 1, "hidden": frozenset({0}), "factor": F(1)},
    **{"pairs": [(frozenset({0, 1}), frozenset({2}))], "priors": [[F(1), F(-1, 2), F(1, 2)]]},
    "Ms": [accounts.Chosen([[[F(2)], [F(1)], [F(1)]]], [F(2)])],
}
ACCOUNT = Proposition(
    "records.Accounts.quilt_account",
    "A W~",
    [n, H, accounts.Ms, E, *OF_TABLES],
    [LAWS_ONLY(accounts.priors), GOOD(H, accounts.Ms, A, n), TELL(E, H, *OF_TABLES, A, n)],
    KEEPS(E * OF_HIDDEN(H, accounts.Ms, n), ADAPTIVE(accounts.Ms), *OF_TABLES),
    accounts.drawn,
    [NO_LAW],
    decidable="A",
)
