"""The worst joint ratio of mechanisms within their levels, and at extreme rays: Vertices.v.

That a number bounds all mechanisms is decided exactly, at the extreme rays of the cones.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.bounds import Pairs, inner
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW, LAW_OF
from pufferproof.claims.vocabulary.terms import entry

ONE = Fraction(1)
T, LEVELS = f"list (({LAW_OF}) * ({LAW_OF}))", "list R"
Levels = Sequence[Fraction]


def tuples(T: Pairs, Rs: Levels) -> Iterator[tuple[Any, ...]]:
    """Yield the tuples of extreme rays of the cones of columns that occur at levels."""
    known = {R: rays(_rows(T, R), len(T[0][0])) for R in dict.fromkeys(Rs)}
    return product(*(known[R] for R in Rs))


def _rows(T: Pairs, R: Fraction) -> list[list[Fraction]]:
    kept = [*T, *((nu, mu) for mu, nu in T)] if R <= 1 else T
    return [[a - R * b for a, b in zip(mu, nu)] for mu, nu in kept]


def _product(size: int, columns: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    found = [ONE] * size
    for each in columns:
        found = [a * b for a, b in zip(found, each)]
    return found


def _allowed(T: Pairs, Rs: Levels) -> Iterator[bool]:
    yield all(all(LAW.value(law)) for pair in T for law in pair)
    yield all(R >= 1 for R in Rs)


def at_rays(T: Pairs, Rs: Levels, L: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield <mu, r_1 o .. o r_K> and L <nu, r_1 o .. o r_K> at tuples of rays."""
    for rs in tuples(T, Rs):
        u = _product(len(T[0][0]), rs)
        for mu, nu in T:
            yield inner(mu, u), L * inner(nu, u)


def _bounded(T: Pairs, Rs: Levels, L: Fraction) -> Iterator[bool]:
    yield from _allowed(T, Rs)
    yield all(a <= b for a, b in at_rays(T, Rs, L))


def _split(T: Pairs, Rs: Levels) -> Iterator[bool]:
    databases = range(len(T[0][0]))
    for rs in tuples(T, Rs):
        common = [x for x in databases if all(r[x] > 0 for r in rs)]
        for mu, nu in T:
            yield any(mu[x] > 0 for x in common) and not any(nu[x] > 0 for x in common)


def _some_split(T: Pairs, Rs: Levels) -> Iterator[bool]:
    yield any(_split(T, Rs))


def _unbounded(T: Pairs, Rs: Levels) -> Iterator[bool]:
    yield from _allowed(T, Rs)
    yield any(_split(T, Rs))


KEEP = (
    "Mechanisms of the levels R are M_1 .. M_K with finitely many outputs, one for each member R_k "
    "of R, whose rows are laws and whose columns v have sum_x mu_x v_x <= R_k sum_x nu_x v_x for "
    "every (mu, nu) in T. A joint output w of them has the column u with u_x the product of the "
    "M_k(x, w_k)."
)
CONE = (
    "The cone of level R_k is the set of all u >= 0 with sum_x mu_x u_x <= R_k sum_x nu_x u_x for "
    "every (mu, nu) in T and, if R_k <= 1, every (nu, mu) in T: the columns that occur. An extreme "
    "ray of it is a member r of it, not 0, such that r = v + v' with v and v' in it only for "
    "multiples of r."
)
PAIRS_OF_LAWS = entry(
    "pairs of laws",
    takes=(T,),
    words="[0] has pairs of laws",
    tex=r"\forall (\mu, \nu) \in [0]:\ \mu, \nu \text{ are laws}",
    coq="Vertices.pairs_of_laws [0]",
    value=lambda T: (truth for pair in T for law in pair for truth in LAW.value(law)),
    relation="truth",
)
BOUNDED = entry(
    "bounds mechanisms",
    takes=(T, LEVELS, "R"),
    words="[0] has pairs of laws, no member of [1] is below 1, and sum_x mu_x u_x <= [2] sum_x nu_x u_x "
    "for every (mu, nu) in [0] and the column u of every joint output of mechanisms of the levels "
    "[1]",
    tex=r"\max_{M_k : R(M_k) \le [1]_k} R_{[0]}(M_1 \otimes \dots \otimes M_K) \le [2]",
    coq="Vertices.bounded_by [0] [1] [2]",
    value=_bounded,
    relation="truth",
    meaning=KEEP,
)
AT_RAYS = entry(
    "bounds rays",
    takes=(T, LEVELS, "R"),
    words="sum_x mu_x r_x <= [2] sum_x nu_x r_x for every (mu, nu) in [0] and every entrywise product r "
    "of extreme rays, one of the cone of each level in [1]",
    tex=r"\max_{r_k \in \mathrm{ext}\, C_{[1]_k}([0])} \frac{\langle \mu, r_1 \circ \dots \circ r_K "
    r"\rangle}{\langle \nu, r_1 \circ \dots \circ r_K \rangle} \le [2]",
    coq="Vertices.bounded_at_rays [0] [1] [2]",
    value=at_rays,
    relation="<=",
    meaning=CONE,
)
ADAPTIVE = entry(
    "bounds chosen mechanisms",
    takes=(T, LEVELS, "R"),
    words="[0] has pairs of laws, no member of [1] is below 1, and sum_x mu_x u_x <= [2] sum_x nu_x u_x "
    "for every (mu, nu) in [0] and the column u of every joint output of mechanisms of the levels "
    "[1], each chosen by the outputs before it",
    tex=r"\max_{M_k(w_1, \dots, w_{k-1}) : R(M_k) \le [1]_k} R_{[0]}(M_1, \dots, M_K) \le [2]",
    coq="Adaptive.adaptively_bounded [0] [1] [2]",
    value=_bounded,
    relation="truth",
    meaning=KEEP,
)
UNBOUNDED = entry(
    "no bound of mechanisms",
    takes=(T, LEVELS),
    words="[0] has pairs of laws, no member of [1] is below 1, and for every number L some (mu, nu) in "
    "[0] and the column u of some joint output of mechanisms of the levels [1] have sum_x mu_x u_x "
    "> L sum_x nu_x u_x",
    tex=r"\max_{M_k : R(M_k) \le [1]_k} R_{[0]}(M_1 \otimes \dots \otimes M_K) = \infty",
    coq="Vertices.without_bound [0] [1]",
    value=_unbounded,
    relation="truth",
    meaning=KEEP,
)
RAYS_SPLIT = entry(
    "supports of rays",
    takes=(T, LEVELS),
    words="for some (mu, nu) in [0] and some extreme rays, one of the cone of each level in [1], some x "
    "with mu_x > 0 is in the supports of all these rays, and no x with nu_x > 0 is",
    tex=r"\exists (\mu, \nu) \in [0],\ r_k \in \mathrm{ext}\, C_{[1]_k}([0]):\ "
    r"\textstyle\bigcap_k \mathrm{supp}\, r_k \cap \mathrm{supp}\, \mu \ne \emptyset = "
    r"\bigcap_k \mathrm{supp}\, r_k \cap \mathrm{supp}\, \nu",
    coq="Vertices.rays_split [0] [1]",
    value=_some_split,
    relation="truth",
    meaning=CONE,
)
