"""Probes of releases that depend on each other, and how these are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import dependence
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.families import CLOSE, channel, rarely, signed, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import LEVEL, NUMBER, mechanism, pairs, priors
from pufferproof.claims.vocabulary.terms import Log, Term, letter, value

F = Fraction
J = letter("J", dependence.joint_mechanism("D", "W", "V"))
M, N = letter("M", mechanism("D", "W")), letter("N", mechanism("D", "V"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
ratio, E = letter("ratio", NUMBER, "R"), letter("E", LEVEL)
a, b = letter("eps_A", LEVEL), letter("eps_B", LEVEL)


def drawn(draws: Draws) -> Instance:
    """2 or 3 databases, priors, one in eight no law, a pair of secrets and perhaps its other order,
    two mechanisms, the product of both or another joint one; levels are often the least.
    """
    size = 2 + draws.below(2)
    Ms, Ns = channel(draws, size, 2), channel(draws, size, 2)
    if draws.whether():
        Ms, Ns = [[F(1)] * 2 for _ in range(size)], [[F(1), F(2)] for _ in range(size)]
    if rarely(draws):
        Ms = signed(draws, Ms)
    apart = draws.among([F(1), F(2), F(3, 2)])
    Js = [[m * n * draws.among([F(1), apart, 1 / apart]) for m in Ms[x] for n in Ns[x]] for x in range(size)]
    s, t = subset(draws, size), subset(draws, size)
    if draws.whether():
        s, t = frozenset({0}), frozenset({1})
    laws = [draws.law(size, 3) for _ in range(1 + draws.below(2))]
    if rarely(draws):
        laws[0] = vector(draws, size)
    if rarely(draws):
        laws[-1] = [F(3, 2), F(-1, 2), *[F(0)] * (size - 2)]
    at = {
        "D": size,
        "W": 2,
        "V": 2,
        "J": Js,
        "M": Ms,
        "N": Ns,
        "pairs": [(s, t), *[(t, s)] * draws.below(2)],
        "priors": laws,
        "ratio": F(1),
        "E": Log(F(1)),
    }
    needed = least(dependence.NEARLY(E, J, M, N, Q, T), at)
    at["E"] = Log((needed or apart) * draws.among([*CLOSE]))
    for name, term in (("eps_A", KEEPS(ratio, M, Q, T)), ("eps_B", KEEPS(ratio, N, Q, T))):
        at[name] = Log((least(term, at) or F(2)) * draws.among([*CLOSE]))
    kept = least(KEEPS(ratio, J, Q, T), at) or F(2)
    return {**at, "ratio": kept * draws.among([*CLOSE])}


def least(term: Term, at: Instance) -> Fraction | None:
    """Return the least factor of the right sides, None if there is none that is positive."""
    found = [*term.head.value(*[value(each, at) for each in term.arguments])]
    if any(left > 0 for left, right in found if right <= 0):
        return None
    return max((left / right for left, right in found if right > 0 and left > 0), default=None)


PROBES = [
    Probe(
        "laws only",
        dependence.LAWS_ONLY(T),
        "D",
        drawn,
        {"laws only": lambda laws: (min(p) >= 0 for p in laws)},
        "Dependent",
    ),
    Probe(
        "nearly independent",
        dependence.NEARLY(E, J, M, N, Q, T),
        "D W V",
        drawn,
        {
            "nearly independent": lambda E, J, M, N, pairs, priors: dependence.NEARLY.value(
                E, J, M, N, [(s, s) for s, _ in pairs], priors
            )
        },
        "Dependent",
    ),
    Probe(
        "keeps, of two outputs",
        KEEPS(ratio, J, Q, T),
        "D W V",
        drawn,
        {"keeps": lambda R, J, pairs, priors: KEEPS.value(R, [row[:2] for row in J], pairs, priors)},
        "Dependent",
    ),
]
