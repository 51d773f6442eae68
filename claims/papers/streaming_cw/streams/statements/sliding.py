"""Mechanisms on a sliding window, and the laws of their outputs by listing every stream."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, product
from math import lcm, prod
from typing import Any, TypeVar

from pufferproof.claims.language.instances.laws import entries
from pufferproof.claims.language.statements import Draws, Fraction
from pufferproof.claims.papers.streaming_cw.plane.planar import Pmf

F = Fraction
ZERO, ONE = F(0), F(1)
Window = tuple[int, ...]
Law = dict[Window, F]
Key = TypeVar("Key")
Weighted = Sequence[tuple[F, Window]]
APART = "given the stream, each alt(X_i) is drawn on its own, from X_i only"
BLOCKS = "the blocks are independent"
FRESH = "M uses fresh coins at each step"
SUPPORTS = "Assumption 1 at every step"
SAME_LAWS = "eq. (1) for every outcome, at every step"


def whole(law: Sequence[F]) -> list[int]:
    """Return whole weights proportional to probabilities."""
    return _table({0: law})[0]


def _table(rows: Mapping[Key, Sequence[F]]) -> dict[Key, list[int]]:
    """Return weights proportional to the rows of a table, with one factor for all rows."""
    scale = lcm(*(p.denominator for row in rows.values() for p in row))
    return {key: [p.numerator * (scale // p.denominator) for p in row] for key, row in rows.items()}


def _split(tables: Sequence[Mapping[Window, Sequence[F]]]) -> list[dict[Window, list[int]]]:
    """Return weights proportional to the rows of several tables, with one factor for all."""
    weights = _table({(n, w): row for n, table in enumerate(tables) for w, row in table.items()})
    return [{w: weights[n, w] for w in table} for n, table in enumerate(tables)]


def _decided(row: Sequence[F], u: F) -> list[F]:
    """The outcome of a law at a number in [0, 1): the first with a larger sum so far."""
    so_far = list(accumulate(row))
    first = next(y for y, total in enumerate(so_far) if u < total)
    return [F(y == first) for y in range(len(row))]


@dataclass(frozen=True, eq=False)
class Stream:
    """t steps of a mechanism M on windows of B blocks, bits with a law for each position.

    `alt` is the scrub: for `kind` "apart" a law of windows for every window at every step; for
    "coin" the same map of windows at every step for each value of one coin, with its probability;
    for "blocks" a law of scrubbed blocks for every block at every position, drawn once; for "one"
    all blocks become one new bit. `secret` names positions and the sum of their blocks modulo 2
    that is given; it leaves the blocks independent if it names at most one. M has fresh coins at
    each step, or if not `fresh` one uniform number for all steps.
    """

    B: int
    t: int
    laws: Sequence[Pmf]
    M: Mapping[Window, Pmf]
    kind: str
    alt: Any
    secret: tuple[Window, int]
    fresh: bool = True

    @cached_property
    def streams(self) -> list[tuple[Window, int]]:
        """Every stream that the secret leaves, with a weight proportional to its probability."""
        (places, parity), weights = self.secret, [1]
        for law in map(whole, self.laws):
            weights = [weight * each for weight in weights for each in law]
        return [
            (x, weight)
            for x, weight in zip(product((0, 1), repeat=self.t + self.B - 1), weights)
            if weight and (not places or sum([x[n - 1] for n in places]) % 2 == parity)
        ]

    def windows(self, x: Window) -> list[Window]:
        """The windows X_1, .., X_t of a stream."""
        return [x[i : i + self.B] for i in range(self.t)]

    @cached_property
    def _coins(self) -> list[Mapping[Window, Sequence[F]]]:
        """M for every value, equally likely ones, of what is drawn once for all steps."""
        if self.fresh:
            return [self.M]
        count = lcm(*(p.denominator for row in self.M.values() for p in row))
        return [{w: _decided(row, F(u, count)) for w, row in self.M.items()} for u in range(count)]

    @cached_property
    def _data(self) -> list[dict[Window, list[int]]]:
        """Weights of the outputs of M on a window for every coin, all with one sum."""
        return _split(self._coins)

    @cached_property
    def _averaged(self) -> list[list[dict[Window, list[int]]]]:
        """Weights of the outputs of M(alt(X_i)) given X_i, where alternatives are drawn apart, for
        every step and coin; all of one step have one sum.
        """
        known = {id(table): self._averages(table) for table in self.alt}  # often one for all steps
        return [known[id(table)] for table in self.alt]

    def _averages(self, table: Mapping[Window, Weighted]) -> list[dict[Window, list[int]]]:
        shares = _table({x: [p for p, _ in some] for x, some in table.items()})
        return [
            {
                x: [
                    sum([p * data[w][y] for p, (_, w) in zip(shares[x], some)])
                    for y in self.outcomes
                ]
                for x, some in table.items()
            }
            for data in self._data
        ]

    def rows(
        self, x: Window, k: int, steps: Sequence[int]
    ) -> Iterator[tuple[int, list[list[int]]]]:
        """Weights of the outputs of some steps given a stream, independent given what is drawn once
        for all windows, with the weight of that.
        """
        if k == 0 or self.kind == "apart":
            windows = [x[i - 1 : i - 1 + self.B] for i in steps]
            for each in zip(*[self.of_windows(k, i) for i in steps]) if steps else [()]:
                yield 1, [table[w] for table, w in zip(each, windows)]
            return
        for data, (p, windows) in product(self._data, self._shown(x)):
            yield p, [data[windows[i - 1]] for i in steps]

    def of_windows(self, k: int, i: int) -> list[dict[Window, list[int]]]:
        """Weights of the outputs of M at step i, or of M(alt(X_i)) drawn apart, for every coin and
        window, all with one sum.
        """
        return self._averaged[i - 1] if k else self._data

    def _shown(self, x: Window) -> list[tuple[int, list[Window]]]:
        """What M(alt(.)) is run on given a stream, where that is drawn once, with its weight."""
        if self.kind == "coin":
            weights = whole([p for p, _ in self.alt])
            return [
                (p, [scrub[w] for w in self.windows(x)]) for p, (_, scrub) in zip(weights, self.alt)
            ]
        return [(p, self.windows(scrubbed)) for p, scrubbed in self.scrubbed(x)]

    def scrubbed(self, x: Window) -> list[tuple[int, Window]]:
        """The scrubbed streams of a stream, where that is scrubbed once, and their weights, which
        have one sum for all streams.
        """
        if self.kind == "one":
            return [(p, (b,) * len(x)) for b, p in enumerate(whole(self.alt)) if p]
        tables = [table[b] for table, b in zip(self._scrubs, x)]
        return [
            (weight, other)
            for other in product((0, 1), repeat=len(x))
            if (weight := prod(law[b] for law, b in zip(tables, other)))
        ]

    @cached_property
    def _scrubs(self) -> list[dict[int, list[int]]]:
        return [_table(dict(enumerate(table))) for table in self.alt]

    @cached_property
    def outcomes(self) -> range:
        """The outcomes of one step."""
        return range(len(next(iter(self.M.values()))))

    def down(self, i: int) -> Window:
        """The positions of X_{i down}."""
        return tuple(range(i + 1, i + self.B))

    def up(self, i: int) -> Window:
        """The positions of X_i without its newest block."""
        return tuple(range(i, i + self.B - 1))


@lru_cache(maxsize=256)
def outputs(s: Stream, k: int, steps: Window, known: Window) -> dict[Window, Law]:
    """Return the law of the outputs at some steps, of M (k = 0) or M(alt(.)) (k = 1), for every
    value of positive probability of the blocks at known positions.
    """
    every = [*product(s.outcomes, repeat=len(steps))]
    if len(steps) == 1 and (k == 0 or s.kind == "apart"):
        alone = _of_one_step(s, k, steps[0], known)
        return {z: _normed(every, law) for z, law in alone.items()}
    weights: dict[Window, list[int]] = {}
    value = entries([n - 1 for n in known])
    for x, p in s.streams:
        z = value(x)
        law = weights.get(z) or [0] * len(every)
        for share, rows in s.rows(x, k, steps):
            terms = [p * share]
            for row in rows:
                terms = [mass * chance for mass in terms for chance in row]
            law = [one + other for one, other in zip(law, terms)]
        weights[z] = law
    return {z: _normed(every, law) for z, law in weights.items()}


def _of_one_step(s: Stream, k: int, i: int, known: Window) -> dict[Window, list[int]]:
    """Return weights of the outputs of one step that sees nothing of a stream but its window, for
    every value of the blocks at known positions: streams with one value and window are one.
    """
    alike: dict[tuple[Window, Window], int] = {}
    value = entries([n - 1 for n in known])
    for x, p in s.streams:
        key = value(x), x[i - 1 : i - 1 + s.B]
        alike[key] = alike.get(key, 0) + p
    tables = s.of_windows(k, i)
    weights: dict[Window, list[int]] = {}
    for (z, window), p in alike.items():
        law = weights.get(z) or [0] * len(s.outcomes)
        for table in tables:
            law = [one + p * chance for one, chance in zip(law, table[window])]
        weights[z] = law
    return weights


def _normed(every: Sequence[Window], law: Sequence[int]) -> Law:
    total = sum(law)
    return {y: F(mass, total) for y, mass in zip(every, law)}


def joint(s: Stream, k: int) -> dict[Window, Law]:
    """Return P^k(.|z), the law of all outputs given every value z of X_{t down}."""
    return outputs(s, k, tuple(range(1, s.t + 1)), s.down(s.t))


@lru_cache(maxsize=256)
def one_step(s: Stream, k: int, i: int) -> dict[Window, list[F]]:
    """Return P0(.|z) or P1(.|z) of step i for every value z of X_{i down}."""
    found = {}
    for z, law in _chances(s, k, i).items():
        total = sum(law)
        found[z] = [F(part, total) for part in law]
    return found


@lru_cache(maxsize=256)
def _chances(s: Stream, k: int, i: int) -> Mapping[Window, Sequence[Any]]:
    """What P0(.|z) or P1(.|z) of step i are proportional to, for every value z of X_{i down}."""
    if k == 0 or s.kind == "apart":
        return _of_one_step(s, k, i, s.down(i))
    laws = outputs(s, k, (i,), s.down(i))
    return {z: [law[y,] for y in s.outcomes] for z, law in laws.items()}


@lru_cache(maxsize=16)
def steps(s: Stream) -> list[tuple[dict[Window, list[F]], dict[Window, list[F]]]]:
    """Return the laws P0 and P1 of every step."""
    return [(one_step(s, 0, i), one_step(s, 1, i)) for i in range(1, s.t + 1)]


@lru_cache(maxsize=16)
def possible(s: Stream) -> list[int]:
    """Return W, the outcomes that some step makes possible."""
    laws = _all_chances(s)
    return [y for y in s.outcomes if any(law[y] for law in laws)]


@lru_cache(maxsize=16)
def _all_chances(s: Stream) -> list[Sequence[Any]]:
    return [law for i in range(1, s.t + 1) for k in (0, 1) for law in _chances(s, k, i).values()]


@lru_cache(maxsize=16)
def tuples(s: Stream) -> list[Window]:
    """Return W^t."""
    return list(product(possible(s), repeat=s.t))


def supported(s: Stream, **_: object) -> bool:
    """Assumption 1: every outcome of W is possible at every step, for every z, on both sides."""
    inside = possible(s)
    return all(law[y] for law in _all_chances(s) for y in inside)


@lru_cache(maxsize=16)
def growths(s: Stream) -> list[list[F]]:
    """Return the least e^gamma(y) of every step: the largest P0(y|z)/P1(y|z') over z, z', where
    P1 is positive; 1 for what is impossible.
    """
    found = []
    for top, bottom in steps(s):
        rows = [
            [p[y] / q[y] for p in top.values() for q in bottom.values() if q[y]] or [ONE]
            for y in s.outcomes
        ]
        found.append([max(each) for each in rows])
    return found


def drawn_apart(s: Stream, **_: object) -> bool:
    """Whether alternatives are drawn for each window on its own."""
    return s.kind == "apart"


def fresh(s: Stream, **_: object) -> bool:
    """Whether M draws new coins at each step."""
    return s.fresh


def independent(s: Stream, **_: object) -> bool:
    """Whether the secret leaves the blocks independent."""
    return len(s.secret[0]) <= 1


def equal_laws(s: Stream, **_: object) -> bool:
    """Whether P0(y|z) >= P1(y|z) for every outcome, step and z."""
    return all(
        p >= q for top, bottom in steps(s) for z in top for p, q in zip(top[z], bottom[z]) if p or q
    )


def stream(draws: Draws, kinds: Sequence[str] = ("apart",), **options: Any) -> Stream:
    """Draw a stream: t from 1 to `longest` (3 steps seldom), windows of two blocks, seldom one or
    three (then at most two steps), or of `B`; a mechanism with two outcomes, seldom three, of which
    one may never occur.

    With `each`, every position has a law of its own; with `secret` the value of one block is
    given, or at times a sum of several, which is given rarely without it; `plain` prefers laws
    without zeros; `calm` prefers scrubs that keep the laws of single outputs.
    """
    B = options.get("B") or draws.among([2] * 9 + [1, 1, 3])
    longest = options.get("longest", 3) if B < 3 else 2
    t = options.get("t") or draws.among([2, 2, 2, 1, min(3, longest)])
    law = _bit_law(draws)
    laws = [_bit_law(draws) if options.get("each") else law for _ in range(t + B - 1)]
    secret = _secret(draws, laws) if options.get("secret") else _rarely(draws, laws)
    windows = list(product((0, 1), repeat=B))
    M = _mechanism(draws, windows, options.get("plain", True))
    kind = draws.among(kinds)
    alt: Any
    if kind == "apart":
        laws_now = [_now(laws[i], secret, i + 1) for i in range(t)]
        alt = _apart(draws, windows, laws_now, options.get("calm", False))
    elif kind == "coin":
        alt = [(p, _map(draws, windows, r)) for r, p in enumerate(_bit_law(draws)) if p]
    elif kind == "one":
        alt = _bit_law(draws)
    else:
        table = [_bit_law(draws), _bit_law(draws)]
        alt = [table] * (t + B - 1)
    return Stream(B, t, laws, M, kind, alt, secret, fresh=draws.below(12) < 11)


def _bit_law(draws: Draws) -> Pmf:
    one = draws.among([F(1, 2), F(1, 2), F(1, 3), F(3, 4), ZERO])
    return 1 - one, one


def _secret(draws: Draws, laws: Sequence[Pmf]) -> tuple[Window, int]:
    """The value of one block, or in one of six draws the sum of two or three modulo 2, possible
    values only.
    """
    one = (1 + draws.below(len(laws)),)
    places = one if draws.below(6) else _several(draws, laws)
    return places, 0 if len(places) > 1 else int(laws[places[0] - 1][1] > 0 and draws.whether())


def _several(draws: Draws, laws: Sequence[Pmf]) -> Window:
    return tuple(range(1, 1 + min(len(laws), 2 + draws.below(2))))


def _rarely(draws: Draws, laws: Sequence[Pmf]) -> tuple[Window, int]:
    """In one of twelve draws that the sum of two or three blocks is even; else nothing."""
    return (_several(draws, laws), 0) if len(laws) > 1 and draws.below(12) == 11 else ((), 0)


def _now(law: Pmf, secret: tuple[Window, int], place: int) -> Pmf:
    """The law of a block given a secret about it alone."""
    return (F(1 - secret[1]), F(secret[1])) if secret[0] == (place,) else law


def _mechanism(draws: Draws, windows: Sequence[Window], plain: bool) -> dict[Window, Pmf]:
    size = 2 if draws.below(6) else 3
    some = [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)], [F(3, 4), F(1, 4)], [ONE, ZERO], [ZERO, ONE]]
    count = 3 if plain and draws.below(3) else 5
    rows = {w: draws.among(some[:count]) for w in windows}
    if size == 2:
        return {w: tuple(row) for w, row in rows.items()}
    share = draws.among([F(1, 2), ZERO])
    return {w: (row[0], row[1] * share, row[1] * (1 - share)) for w, row in rows.items()}


def _map(draws: Draws, windows: Sequence[Window], r: int) -> dict[Window, Window]:
    """The oldest block becomes r, or any map of windows."""
    if draws.whether():
        return {w: draws.among(windows) for w in windows}
    return {w: (r, *w[1:]) for w in windows}


def _apart(
    draws: Draws, windows: Sequence[Window], laws: Sequence[Pmf], calm: bool
) -> list[dict[Window, Weighted]]:
    """How the alternative of every window is drawn at every step: the oldest block is drawn again,
    flipped or set, or the window becomes one of two others; mostly in the same way at every step.
    """
    way = draws.below(2 if calm and draws.below(4) else 6)
    if way == 0:
        return [
            {w: [(p, (b, *w[1:])) for b, p in enumerate(law) if p] for w in windows} for law in laws
        ]
    flip, value = draws.whether(), draws.below(2)
    if way == 1:
        return [{w: [(ONE, w)] for w in windows} for _ in laws]
    if way == 2:
        table: dict[Window, Weighted] = {
            w: [(ONE, (1 - w[0] if flip else value, *w[1:]))] for w in windows
        }
        return [table] * len(laws)
    pairs = {w: [draws.among(windows), draws.among(windows)] for w in windows}
    share = draws.rate([F(1, 2), F(1, 4)])
    return [{w: [(share, a), (1 - share, b)] for w, (a, b) in pairs.items()}] * len(laws)
