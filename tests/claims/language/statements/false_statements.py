"""False statements that hold on most small random instances, each as one would believe it."""

from functools import reduce
from itertools import combinations, product

from pufferproof.claims.language.instances import frameworks
from pufferproof.claims.language.instances.chains import chain, influence, sequences
from pufferproof.claims.language.instances.frameworks import distance, keeps, leakage, rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, times
from pufferproof.claims.language.statements import Draws, Fraction, Statement

F = Fraction
TENTH, FORTIETH, SHARE = F(1, 10), F(1, 40), F(3, 5)
TENTH_OF_IT = {"1/10 of it": {"f": TENTH}}
TWICE = {"1/20": {"f": F(1, 20)}}
BITS = {n: list(product((0, 1), repeat=n)) for n in (2, 3)}
FALSE: dict[str, Statement] = {}


def believed(words, family, holds, too_strong=None, **given):
    """Note a statement with its hypotheses, each near what would be too strong or too weak."""
    named = {each.replace("_", " "): asked for each, asked in given.items()}
    strong = {"99/100 of it": {"f": ALMOST}} if too_strong is None else too_strong
    FALSE[words] = Statement(family, holds, named, too_strong=strong, too_weak=[*named])


def bound(level, at, f=ONE):
    """Whether a level is at most another one, times a factor, and at least 1."""
    return at is None or at_most(level, max(ONE, f * at))


# Several releases
def three(draws: Draws):
    """A framework with one prior and three mechanisms."""
    return frameworks.framework(draws, 1, 3)


def level(priors, s, t, *mechanisms):
    """Return the level of mechanisms that run side by side."""
    return leakage(priors, [(s, t)], reduce(frameworks.side_by_side, mechanisms))


def largest_pair(priors, s, t, mechanisms):
    found = [level(priors, s, t, *each) for each in combinations(mechanisms, 2)]
    return None if None in found else max(found)


def of_all(priors, s, t, mechanisms, f=ONE):
    pair = largest_pair(priors, s, t, mechanisms)
    return bound(level(priors, s, t, *mechanisms), times(pair, pair), f)


believed("If any two of three releases keep epsilon, all three keep 2 epsilon.", three, of_all)


def three_bits(draws: Draws):
    """Joint laws of three bits given s and given t."""
    return {"P": draws.law(8), "Q": draws.law(8)}


def marginals(law):
    """The laws of any two of three bits."""
    return [
        [sum(p for p, x in zip(law, BITS[3]) if (x[i], x[j]) == y) for y in BITS[2]]
        for i, j in combinations(range(3), 2)
    ]


def one_law(P, Q, more=ONE):
    return leakage([[F(1, 2)] * 2], [(frozenset([0]), frozenset([1]))], [P, Q]) == more


believed(
    "Three outputs of which any two have one law given either secret have one law.",
    three_bits,
    one_law,
    {"level log 2": {"more": F(2)}},
    any_two_have_one_law=lambda P, Q: marginals(P) == marginals(Q),
)


# Correlated records
def cube(draws: Draws):
    """All tables of two or three bits, a prior and a binary mechanism."""
    tables = BITS[2 + draws.below(2)]
    return {"U": tables, "prior": draws.law(len(tables)), "M": rows(draws, len(tables), 2)}


def near(U, M):
    return frameworks.between_neighbours(U, M, lambda x, y: distance(x, y) == 1)


def values(U, i):
    """The secrets that record i is 0, and that it is 1."""
    return tuple(frozenset(k for k, x in enumerate(U) if x[i] == v) for v in (0, 1))


def per_record(U, prior, M):
    return leakage([prior], [values(U, i) for i in range(len(U[0]))], M)


def share(U, prior, i):
    return sum((p for p, x in zip(prior, U) if x[i]), ZERO)


def flipped(U, prior, M):
    return all(prior[k] == prior[U.index(tuple(1 - v for v in x))] for k, x in enumerate(U))


believed(
    "If every record is a fair coin, privacy of records is Pufferfish at the same level.",
    cube,
    lambda U, prior, M, f=ONE: bound(per_record(U, prior, M), near(U, M), f),
    fair_records=lambda U, prior, M: all(share(U, prior, i) == F(1, 2) for i in range(len(U[0]))),
)
believed(
    "Under a prior that flipping all bits leaves alone, privacy of records is Pufferfish at twice the level.",
    cube,
    lambda U, prior, M, f=ONE: bound(per_record(U, prior, M), times(near(U, M), near(U, M)), f),
    flipping_changes_nothing=flipped,
)
believed(
    "If one record is independent of each of the others, its level is that of records.",
    cube,
    lambda U, prior, M, f=ONE: bound(leakage([prior], [values(U, 0)], M), near(U, M), f),
    independent_of_each=lambda U, prior, M: all(
        sum((p for p, x in zip(prior, U) if x[0] and x[j]), ZERO) == share(U, prior, 0) * share(U, prior, j)
        for j in range(1, len(U[0]))
    ),
)


# Groups
def some_tables(draws: Draws):
    """Some tables of three bits and a binary mechanism on them."""
    tables = draws.several(BITS[3])
    tables = tables if len(tables) > 1 else BITS[3]
    return {"U": tables, "M": rows(draws, len(tables), 2)}


def connected(U, M):
    seen, todo = {U[0]}, [U[0]]
    while todo:
        x = todo.pop()
        more = [y for y in U if y not in seen and distance(x, y) == 1]
        seen.update(more)
        todo += more
    return len(seen) == len(U)


def within(U, M, power):
    R = near(U, M)
    return R is None or all(
        p <= power(R, distance(x, y)) * q
        for (x, one), (y, two) in product(zip(U, M), repeat=2)
        for p, q in zip(one, two)
    )


believed(
    "On tables that changes of a record connect, those at distance k differ by (k + 1) epsilon.",
    some_tables,
    lambda U, M, f=ONE: within(U, M, lambda R, k: max(ONE, f * R ** (k + 1) if k else ONE)),
    TENTH_OF_IT,
    connected=connected,
)


# Chains
def bits(draws: Draws):
    """The law of four records of a chain of two or three values, any start."""
    start, step = chain(draws)
    return {"start": start, "P": step, "law": sequences(start, step, 4)}


def apart(law, i, j):
    found = influence(law, i, [j])
    return None if found is None else found - 1


believed(
    "The influence at distance 2 is at least a tenth of that at distance 1 (as e^i - 1).",
    bits,
    lambda start, P, law, f=TENTH: (
        (one := apart(law, 1, 2)) is None or (two := apart(law, 1, 3)) is None or one == 0 or two >= f * one
    ),
    {"at least a half": {"f": F(1, 2)}},
    possible=lambda start, P, law: min(start) > 0 and min(map(min, P)) > 0,
)
believed(
    "If the third record tells nothing of the first, nor does the second.",
    bits,
    lambda start, P, law, more=ZERO: apart(law, 1, 2) == more,
    {"log 2": {"more": ONE}},
    nothing=lambda start, P, law: apart(law, 1, 3) == 0,
)


# Limits, and numbers
def towards(draws: Draws):
    """A framework with a mechanism M and another one N on as many outputs."""
    found = frameworks.framework(draws, 1, 1)
    (M,) = found["mechanisms"]
    return {**found, "mechanisms": [M, rows(draws, len(M), len(M[0]))]}


def moved(M, N, k):
    return [[p + (q - p) / k for p, q in zip(one, two)] for one, two in zip(M, N)]


def late(priors, s, t, mechanisms, f=ONE, k=1000):
    M, N = mechanisms
    R = leakage(priors, [(s, t)], moved(M, N, k))
    return R is None or keeps(priors, [(s, t)], M, f * R + F(1, 50))


believed("M keeps what M + (N - M)/1000 keeps, up to 1/50.", towards, late, {"k = 2": {"k": 2}})


def mixed(draws: Draws):
    """A framework with three priors and a mechanism."""
    found = frameworks.framework(draws, 1, 1)
    size = len(found["mechanisms"][0])
    return {**found, "priors": [draws.law(size) for _ in range(3)]}


def of_means(priors, s, t, mechanisms, f=ONE, of=3):
    """Whether even mixtures of so many priors keep what each prior keeps; True if nothing is."""
    means = [[sum(p, ZERO) / of for p in zip(*each)] for each in combinations(priors, of)]
    R = leakage(priors, [(s, t)], *mechanisms)
    return R is None or keeps(means, [(s, t)], *mechanisms, max(ONE, f * R))


def of_pairs(priors, s, t, mechanisms):
    return of_means(priors, s, t, mechanisms, of=2)


believed(
    "If even mixtures of any two of three priors keep what these keep, that of all three does.",
    mixed,
    of_means,
    mixtures_of_two_do=of_pairs,
)


def listed_numbers(draws: Draws):
    """A probability and a number of runs."""
    return {"p": draws.among([F(1, 2), F(1, 3), F(2, 3)]), "n": 1 + draws.below(3)}


def rates(draws: Draws):
    """A probability, near an end too, and a number of runs."""
    return {"p": draws.rate([F(1, 2), F(1, 3), F(2, 3)]), "n": 1 + draws.below(3)}


def never(p, n, f=FORTIETH):
    return (1 - p) ** n >= f


believed("Three runs fail to show a thing at 1/40 at least.", listed_numbers, never, TWICE)
believed("Three runs fail to show it at 1/40 at least.", rates, never, TWICE)
believed(
    "Of n runs one shows it with at most n p (1 - 3/5 p^2).",
    listed_numbers,
    lambda p, n, f=SHARE: 1 - (1 - p) ** n <= n * p * (1 - f * (n > 1) * p**2),
    {"3 for 3/5": {"f": F(3)}},
)
