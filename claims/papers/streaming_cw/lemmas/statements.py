"""Lemmas 1 and 2, the steps of their proofs and Figure 2 as programs over short streams.

Gammas are the least bounds that Assumption 3 allows, 0 and below too: a bound with them holds with
any larger ones.
"""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ALMOST
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.streams.statements.sliding import (
    APART,
    BLOCKS,
    FRESH,
    ONE,
    SUPPORTS,
    ZERO,
    Law,
    Stream,
    Window,
    drawn_apart,
    fresh,
    growths,
    independent,
    joint,
    one_step,
    outputs,
    possible,
    stream,
    supported,
    tuples,
)

F = Fraction
MOSTLY_APART = ["apart"] * 6 + ["coin", "one"]
ANY_KIND = ["apart", "coin", "one", "blocks"]


def equal_steps(draws: Draws) -> Instance:
    """Streams of one to four bits with one law, windows of two blocks, seldom one or three, at one
    to three steps; a mechanism with two outcomes, seldom three, of which one may never occur;
    alternatives drawn for each window on its own, or in one of four draws with one coin for all.
    One in twelve streams is given that a sum of blocks is even.
    """
    return {"s": stream(draws, MOSTLY_APART)}


def with_secret(draws: Draws) -> Instance:
    """Streams of one to four bits with one law, everything given the value of one block, or at
    times a sum of two or three modulo 2; windows of two blocks, seldom one or three, at one to
    three steps; a mechanism with two outcomes, seldom three, of which one may never occur;
    alternatives drawn for each window on its own, or in one of four draws with one coin for all.
    """
    return {"s": stream(draws, MOSTLY_APART, secret=True)}


def any_scrub(draws: Draws) -> Instance:
    """Streams of one to four bits with a law of its own for every block, zero probabilities often,
    everything given the value of one block, or at times a sum of two or three modulo 2; windows of
    two blocks, seldom one or three, at one to three steps; a mechanism with two outcomes, seldom
    three, of which one may never occur; alternatives drawn apart, with one coin, or by scrubbing
    the stream once.
    """
    return {"s": stream(draws, ANY_KIND, secret=True, each=True, plain=False)}


def _product_bound(s: Stream, factor: F = ONE, fewer: int = 0) -> bool:
    growth, top, bottom = growths(s), joint(s, 0), joint(s, 1)
    for y in tuples(s):
        bound = factor * prod((growth[i][y[i]] for i in range(s.t - fewer)), start=ONE)
        largest = max(law.get(y, ZERO) for law in top.values())
        if largest > bound * min(law.get(y, ZERO) for law in bottom.values()):
            return False
    return True


def _window(s: Stream) -> Window:
    return tuple(range(s.t, s.t + s.B))


def _block(s: Stream) -> dict[int, F]:
    """The law p of the oldest block of the last window."""
    total = sum(p for _, p in s.streams)
    law: dict[int, F] = {}
    for x, p in s.streams:
        law[x[s.t - 1]] = law.get(x[s.t - 1], ZERO) + F(p, total)
    return law


def _conditioned(s: Stream, k: int, local: bool = False, weighted: bool = True) -> bool:
    """Whether P^k(y|z) is the sum over z* of P^k(y_1..y_{t-1}|.) P^k(y_t|[z*,z]) p(z*), with all of
    [z*,z] given on the left, or [z*,z]_up if `local`.
    """
    past = outputs(s, k, tuple(range(1, s.t)), s.up(s.t) if local else _window(s))
    now, law, whole = outputs(s, k, (s.t,), _window(s)), _block(s), joint(s, k)
    for z, y in product(whole, product(s.outcomes, repeat=s.t)):
        total = ZERO
        for first, p in law.items():
            given = (first, *z)
            before = past.get(given[:-1] if local else given, {})
            share = p if weighted else ONE
            total += before.get(y[:-1], ZERO) * now.get(given, {}).get(y[-1:], ZERO) * share
        if total != whole[z].get(y, ZERO):
            return False
    return True


CONDITIONING_DATA = Statement(
    family=any_scrub,
    given={BLOCKS: independent, FRESH: fresh},
    holds=lambda s, weighted=True: _conditioned(s, 0, weighted=weighted),
    too_strong={"without p(z*)": {"weighted": False}},
    too_weak=[BLOCKS, FRESH],
)
CONDITIONING_SCRUBBED = Statement(
    family=equal_steps,
    given={APART: drawn_apart, BLOCKS: independent, FRESH: fresh},
    holds=lambda s, weighted=True: _conditioned(s, 1, weighted=weighted),
    too_strong={"without p(z*)": {"weighted": False}},
    too_weak=[APART, BLOCKS, FRESH],
)
CONDITIONING = Statement(
    family=any_scrub,
    given={BLOCKS: independent, APART: drawn_apart, FRESH: fresh},
    holds=lambda s, without=False: (
        (_conditioned(s, 0) and _conditioned(s, 1))
        and (not without or (_conditioned(s, 1, weighted=False)))
    ),
    too_strong={"without p(z*)": {"without": True}},
    too_weak=[BLOCKS, APART, FRESH],
)


def _local(s: Stream, up_to: int = -1) -> bool:
    """Whether the outputs before t given [z*,z] have the law that they have given [z*,z]_up."""
    steps = tuple(range(1, s.t + 1 + up_to))
    for k in (0, 1):
        whole, part = outputs(s, k, steps, _window(s)), outputs(s, k, steps, s.up(s.t))
        for given, law in whole.items():
            if _trimmed(law) != _trimmed(part[given[:-1]]):
                return False
    return True


def _trimmed(law: Law) -> Law:
    return {y: p for y, p in law.items() if p}


def _of_kind(kind: str) -> Any:
    def family(draws: Draws) -> Instance:
        return {"s": stream(draws, [kind], secret=True, each=True, plain=False)}

    family.__doc__ = f"""Streams of one to four bits, a law for each block, windows of two blocks,
    seldom one or three, at one to three steps, given the value of one block, or at times a sum of
    two or three modulo 2; zero probabilities often; alternatives {_DRAWN[kind]}."""
    return family


_DRAWN = {
    "apart": "drawn for each window on its own",
    "coin": "by a map of windows that depends on one coin for all windows",
    "blocks": "by scrubbing the stream once, each block on its own",
}


def _locality(kind: str) -> Statement:
    return Statement(
        family=_of_kind(kind),
        given={BLOCKS: independent},
        holds=_local,
        too_strong={"the outputs up to t": {"up_to": 0}},
        too_weak=[BLOCKS],
    )


LOCALITY, LOCALITY_COIN, LOCALITY_BLOCKS = map(_locality, ("apart", "coin", "blocks"))


def _prefix(s: Stream, t: int) -> Stream:
    """The first t steps of a stream without secret."""
    length = t + s.B - 1
    alt = s.alt[:length] if s.kind == "blocks" else s.alt
    return Stream(s.B, t, s.laws[:length], s.M, s.kind, alt, s.secret)


RECURSION = "the recursion of Lemma 1 for P^0 and P^1, for up to t outputs"


def _recursive(s: Stream) -> bool:
    parts = [_prefix(s, t) for t in range(1, s.t)] if not s.secret[0] else []
    return all(_conditioned(each, k, local=True) for each in [*parts, s] for k in (0, 1))


def _last_output(s: Stream, weighted: bool = True) -> bool:
    """Whether the sum over z* of P^k(y_t|X_t=[z*,z]) p(z*) is P^k(y_t|z)."""
    for k in (0, 1):
        now, law = outputs(s, k, (s.t,), _window(s)), _block(s)
        for z, y in product(one_step(s, k, s.t), s.outcomes):
            terms = [
                now.get((first, *z), {}).get((y,), ZERO) * (p if weighted else ONE)
                for first, p in law.items()
            ]
            if sum(terms, ZERO) != one_step(s, k, s.t)[z][y]:
                return False
    return True


def _closes(s: Stream) -> bool:
    """The case t = 1, total probability, and the bound of Lemma 1."""
    growth, first = growths(s)[0], (one_step(s, 0, 1), one_step(s, 1, 1))
    base = all(
        p[y] <= growth[y] * q[y]
        for p in first[0].values()
        for q in first[1].values()
        for y in possible(s)
    )
    return base and _last_output(s) and _product_bound(s)


BASE_CLOSE = Statement(
    family=equal_steps,
    given={BLOCKS: independent, SUPPORTS: supported, RECURSION: _recursive},
    holds=lambda s, without=False, last_factor_left=False: (
        _closes(s)
        and (not without or (_last_output(s, weighted=False)))
        and (not last_factor_left or (_product_bound(s, fewer=1)))
    ),
    too_strong={
        "without p(z*)": {"without": True},
        "the last factor left out": {"last_factor_left": True},
    },
    too_weak=[RECURSION],
)
BASE_CLOSE_SECRET = Statement(
    family=with_secret,
    given={BLOCKS: independent, SUPPORTS: supported, RECURSION: _recursive},
    holds=lambda s, without=False: (
        _closes(s) and (not without or (_last_output(s, weighted=False)))
    ),
    too_strong={"without p(z*)": {"without": True}},
    too_weak=[RECURSION],
)


def _second_sign(s: Stream, inverted: bool = False) -> bool:
    """Whether the last output given z has the quotient P^0/P^1 that eq. (1) calls the slope, in
    the product of the factors before it.
    """
    growth, laws = growths(s), [_last(joint(s, k)) for k in (0, 1)]
    for z, y in product(laws[0], tuples(s)):
        before = prod((growth[i][y[i]] for i in range(s.t - 1)), start=ONE)
        slope = one_step(s, 0, s.t)[z][y[-1]] / one_step(s, 1, s.t)[z][y[-1]]
        ratio = laws[0][z][y[-1]] / laws[1][z][y[-1]]
        if before * ratio != before * (1 / slope if inverted else slope):
            return False
    return True


def _last(laws: dict[Window, Law]) -> dict[Window, dict[int, F]]:
    """The law of the last of several outputs."""
    found: dict[Window, dict[int, F]] = {}
    for z, law in laws.items():
        found[z] = {}
        for y, p in law.items():
            found[z][y[-1]] = found[z].get(y[-1], ZERO) + p
    return found


SECOND_SIGN = Statement(
    family=equal_steps,
    given={BLOCKS: independent, SUPPORTS: supported},
    holds=_second_sign,
    too_strong={"the slope inverted": {"inverted": True}},
)


def _last_line(s: Stream, equality: bool = False) -> bool:
    """Whether the largest ratio of t - 1 outputs, times the last slope, is at most the bound."""
    growth, steps = growths(s), tuple(range(1, s.t))
    top, bottom = (outputs(s, k, steps, s.down(s.t - 1)) for k in (0, 1))
    first, second = one_step(s, 0, s.t), one_step(s, 1, s.t)
    for z, y in product(first, tuples(s)):
        most = max(law.get(y[:-1], ZERO) for law in top.values())
        least = min(law.get(y[:-1], ZERO) for law in bottom.values())
        if not least:
            return False
        slope = first[z][y[-1]] / second[z][y[-1]]
        left, right = most / least, prod((growth[i][y[i]] for i in steps_of(y)), start=ONE)
        if left * slope > right * slope or (equality and left != right):
            return False
    return True


def steps_of(y: Window) -> range:
    """The places of all outputs but the last."""
    return range(len(y) - 1)


LAST_LINE = Statement(
    family=equal_steps,
    given={APART: drawn_apart, BLOCKS: independent, FRESH: fresh, SUPPORTS: supported},
    holds=_last_line,
    too_strong={"equality": {"equality": True}},
    too_weak=[APART, BLOCKS, FRESH],
)


def _independent(s: Stream, known: Window) -> bool:
    """Whether all outputs are independent given the blocks at known positions, on both sides."""
    for k in (0, 1):
        whole = outputs(s, k, tuple(range(1, s.t + 1)), known)
        alone = [outputs(s, k, (i,), known) for i in range(1, s.t + 1)]
        for z, y in product(whole, product(s.outcomes, repeat=s.t)):
            factors = [each[z].get((o,), ZERO) for each, o in zip(alone, y)]
            if whole[z].get(y, ZERO) != prod(factors, start=ONE):
                return False
    return True


def two_windows(draws: Draws) -> Instance:
    """Streams of two steps, windows of two blocks, seldom one or three, one law for all blocks,
    zero probabilities often; alternatives drawn apart, or in one of four draws with one coin for
    all. One in twelve streams is given that a sum of blocks is even.
    """
    return {"s": stream(draws, MOSTLY_APART, t=2, plain=False)}


TWO_WINDOWS = Statement(
    family=two_windows,
    given={APART: drawn_apart, BLOCKS: independent, FRESH: fresh},
    holds=lambda s, without_what_they=False: (
        (_independent(s, tuple(range(2, s.B + 1))))
        and (not without_what_they or (_independent(s, ())))
    ),
    too_strong={"without what they share": {"without_what_they": True}},
    too_weak=[APART, BLOCKS, FRESH],
)


def three_windows(draws: Draws) -> Instance:
    """Streams of three steps, windows of two blocks, seldom one or three, one law for all blocks,
    zero probabilities often; alternatives drawn apart, or in one of four draws with one coin for
    all. One in twelve streams is given that a sum of blocks is even.
    """
    B = draws.among([2, 2, 2, 2, 3, 1])
    return {"s": stream(draws, MOSTLY_APART, t=3, B=B, plain=False)}


TWO_BLOCKS = "B = 2"


THREE_WINDOWS = Statement(
    family=three_windows,
    given={APART: drawn_apart, BLOCKS: independent, FRESH: fresh, TWO_BLOCKS: lambda s: s.B == 2},
    holds=lambda s, known=(2, 3): _independent(s, known),
    too_strong={"given b_2 alone": {"known": (2,)}},
    too_weak=[APART, TWO_BLOCKS, FRESH],
)


def query_and_noise(draws: Draws) -> Instance:
    """A query with two or three values and a law, noise of two values for each of two outputs, and
    the outputs as functions of query and noise; or at times one noise for both.
    """
    query, noise = draws.law(2 + draws.below(2), 2), [draws.law(2, 2), draws.law(2, 2)]
    outputs = [[[draws.below(2) for _ in range(2)] for _ in query] for _ in range(2)]
    return {"query": query, "noise": noise, "outputs": outputs, "own": draws.below(4) < 3}


def _noisy(
    query: Row,
    noise: Rows,
    outputs: Sequence[Sequence[Sequence[int]]],
    own: bool,
    given: bool = True,
) -> bool:
    laws: dict[Any, dict[Any, F]] = {}
    for (q, p), m, n in product(enumerate(query), range(2), range(2)):
        weight = p * noise[0][m] * (noise[1][n] if own else F(int(m == n)))
        key, y = q if given else None, (outputs[0][q][m], outputs[1][q][n])
        law = laws.setdefault(key, {})
        law[y] = law.get(y, ZERO) + weight
    for law in laws.values():
        total = sum(law.values())
        for pair in product(range(2), repeat=2):
            first = sum((p for other, p in law.items() if other[0] == pair[0]), ZERO)
            second = sum((p for other, p in law.items() if other[1] == pair[1]), ZERO)
            if total * law.get(pair, ZERO) != first * second:
                return False
    return True


OWN_NOISE = "each output has noise of its own"
QUERY_AND_NOISE = Statement(
    family=query_and_noise,
    given={OWN_NOISE: lambda own, **_: bool(own)},
    holds=_noisy,
    too_strong={"without the query": {"given": False}},
    too_weak=[OWN_NOISE],
)
OWN_BLOCK = Statement(
    family=equal_steps,
    given={
        APART: drawn_apart,
        BLOCKS: independent,
        FRESH: fresh,
        "each window owns a block": lambda s: s.t <= 2 or s.B == 1,
        SUPPORTS: supported,
    },
    holds=_product_bound,
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=[APART, BLOCKS, FRESH],
)
