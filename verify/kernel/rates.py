"""How leakage grows with runs: composition rates, the necessary condition for composition (NfC).

Inequalities between logarithms are decided by powers of integers while these are small, and
otherwise by enclosures of logarithms in integers, rounded outward.
Notation: for an ordered pair of secrets (s, t), X and Y are the databases of positive probability
that have s and t; beta is a law on Y for a database of X, alpha a law on outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import isqrt
from typing import NamedTuple

from .level import Level
from .reading import Accepted, Json, Node, Refused, require, scaled, show, size, spend
from .space import Opened, opened

MAX_POWER = 1 << 17  # bits of products of powers that are compared as integers
MAX_PRECISION = 12  # log2 of the bits of a logarithm
BITS = 64  # of the logarithms of entries, which mostly decide

Term = tuple[int, Fraction]  # n, q for n log q
Bounds = tuple[int, int]


def check(kind: str, top: Node, paths: Sequence[str]) -> Accepted:
    """Check a certificate of one of `RULES`, and the files it was made from if given."""
    rule, keys = RULES[kind]
    whole = opened(top, keys, paths)
    require(len(whole.mechanisms) > 0, "expected at least one mechanism")
    outcome, checked = rule(Claim(whole))
    require(checked > 0, "no inequality was checked")
    return Accepted(kind, f"{outcome} over {whole.space.over}{whole.rows}", checked, whole.inputs)


class Game(NamedTuple):
    """A database that needs a beta, the databases beta may use, and where this is."""

    database: str
    others: frozenset[str]
    where: list[Json]  # two priors, an ordered pair, the database


class Claim:
    """A claim about many independent runs of mechanisms."""

    def __init__(self, whole: Opened) -> None:
        self.space, self.part = whole.space, whole.claim
        self.rows = [
            {x: [Fraction(n, row.unit) for n in row.parts] for x, row in rows.items()} for _, rows in whole.mechanisms
        ]
        self.outputs = [outputs for outputs, _ in whole.mechanisms]
        self.checked, self.logs = 0, dict[tuple[int, str], list[tuple[int, ...]]]()

    def nfc(self) -> tuple[str, int]:
        """Rule nfc: in every game some beta keeps all outputs of all mechanisms at their levels."""
        levels = self.levels()
        self.betas(levels)
        return f"NfC holds for {at(levels)}", self.checked

    def nfc_violation(self) -> tuple[str, int]:
        """Rule nfc-violation: at one place, alpha exceeds the levels against every database."""
        levels = self.levels()
        game = self.place()
        self.alpha(game, levels, strict=True)
        return f"NfC fails for {at(levels)}, at {show(game.where)}", self.checked

    def rate(self) -> tuple[str, int]:
        """Rule rate: betas keep every game at the upper bound, alpha reaches the lower one."""
        require(len(self.rows) == 1, "expected one mechanism, found {}", len(self.rows))
        game = self.place()
        if self.part["lower"].value == "inf":
            alone = self.part["upper"].value == "inf" and not self.part["betas"].entries()
            require(alone, 'an infinite rate has the upper bound "inf" and no betas')
            self.alpha(game, [], strict=True)
            where = show(game.where)
            return f"the composition rate of mechanism 1 is infinite, at {where}", self.checked
        lower, upper = Level(self.part["lower"]), Level(self.part["upper"])
        self.alpha(game, [lower], strict=False)
        self.betas([upper])
        bounds = f"at least {lower.name} and at most {upper.name}"
        return f"the composition rate of mechanism 1 is {bounds}", self.checked

    def levels(self) -> list[Level]:
        levels, count = [Level(node) for node in self.part["levels"].entries()], len(self.rows)
        require(len(levels) == count, "expected {} levels, found {}", count, len(levels))
        return levels

    def games(self) -> Iterator[Game]:
        """Yield every game: a database of X, for two priors that may be mixed and a pair."""
        priors, convex = self.space.priors, self.space.convex
        possible = self.possible()
        pairs = [ordered for pair in self.space.pairs for ordered in permutations(pair)]
        known = {place: frozenset(databases) for place, databases in possible.items()}
        for k, m in product(priors, priors) if convex else zip(priors, priors):
            for s, t in pairs:
                if possible[m, t] and (k == m or not (possible[k, t] and possible[m, s])):
                    spend(16 * len(possible[k, s]))
                    yield from (Game(x, known[m, t], [[k, m], [s, t], x]) for x in possible[k, s])

    def possible(self) -> dict[tuple[str, str], list[str]]:
        """Return the databases that have a secret and positive probability under a prior."""
        priors, secrets, pairs = self.space.priors, self.space.secrets, self.space.pairs
        spend(4 * (len(priors) ** 2 if self.space.convex else len(priors)) * len(pairs))
        possible: dict[tuple[str, str], list[str]] = {(k, s): [] for k in priors for pair in pairs for s in pair}
        containing: dict[str, list[str]] = {}
        for s in dict.fromkeys(s for pair in pairs for s in pair):
            spend(1 + len(secrets[s]))
            for x in secrets[s]:
                containing.setdefault(x, []).append(s)
        spend(4 * sum(1 + len(containing.get(x, ())) for law in priors.values() for x in law))
        for k, law in priors.items():
            for x in law:
                for s in containing.get(x, ()):
                    possible[k, s].append(x)
        return possible

    def betas(self, levels: list[Level]) -> None:
        """Check every beta, that every game has one, and that none is there for nothing."""
        known: dict[str, list[frozenset[str]]] = {}
        live = dict.fromkeys(self.space.live)
        for node in self.part["betas"].entries():
            entry = node.fields("database beta")
            database = entry["database"].one_of(live)
            beta = weights(entry["beta"], live)
            self.beta(database, beta, levels)
            known.setdefault(database, []).append(frozenset(beta))
        used = set[tuple[str, frozenset[str]]]()
        for database, others, where in self.games():
            fitting = next((beta for beta in tried(known.get(database, [])) if beta <= others), None)
            require(fitting is not None, "no beta for {}", where)
            used.add((database, fitting or frozenset()))
        unused = len(used) != sum(map(len, known.values()))
        require(not unused, "some of the betas for {} serve no game", [*known])

    def beta(self, x: str, beta: dict[str, Fraction], levels: list[Level]) -> None:
        """Check log P(w|x) <= level + sum_y beta_y log P(w|y) for all outputs of all mechanisms."""
        unit, parts = scaled(beta.values())
        spend(2 * (1 + len(beta)) * sum(map(len, self.outputs)), unit.bit_length(), 2 * BITS)
        for i, (level, outputs, rows) in enumerate(zip(levels, self.outputs, self.rows)):
            above, least = self.bounds(i, x), bounds_of(level)[0]
            below = [(n, self.bounds(i, y)) for n, y in zip(parts, beta)]
            for w, output in enumerate(outputs):
                if above[w]:
                    whole = all(logs[w] for _, logs in below)
                    text = "output {} excludes a database of beta, but not {}"
                    require(whole, text, output, x)
                    most = unit * (above[w][1] - least) - sum([n * logs[w][0] for n, logs in below])
                    if most <= 0:  # it bounds 2^BITS times the sum from above
                        self.checked += 1
                        continue
                    terms = [(unit, rows[x][w]), *((-n, rows[y][w]) for n, y in zip(parts, beta))]
                    sign, text = self.sign(terms, [(unit, level)]), "the level {} is exceeded"
                    values = (level.name, output, x, beta)
                    require(sign <= 0, f"{text} at output {{}} for {{}} with beta {{}}", *values)

    def bounds(self, i: int, x: str) -> list[tuple[int, ...]]:
        """Return integers low <= 2^BITS log P(w|x) <= high for the outputs w, none for those of
        probability 0.
        """
        if (i, x) not in self.logs:
            row = self.rows[i][x]
            self.logs[i, x] = [quotient(p) if p > 0 else () for p in row]
        return self.logs[i, x]

    def alpha(self, game: Game, levels: list[Level], strict: bool) -> None:
        """Check sum_w alpha_w (log P(w|x) / P(w|y) - level) >= (or >) 0 for all y.

        Without levels: that for every y some w of positive weight has P(w|y) = 0.
        """
        x, alpha = game.database, self.weighted()
        shown = all(self.rows[i][x][w] > 0 for (i, w), _ in alpha)
        require(shown, "alpha has weight on an output that {} excludes", x)
        for y in sorted(game.others):
            spend(1 + len(alpha))
            self.checked += 1
            if all(self.rows[i][y][w] > 0 for (i, w), _ in alpha):
                for (i, w), _ in alpha:
                    both = size(self.rows[i][x][w]) + size(self.rows[i][y][w])
                    spend(1, *[768 + both] * 2)
                terms = [(n, self.rows[i][x][w] / self.rows[i][y][w]) for (i, w), n in alpha]
                counts = [(n, levels[i]) for (i, _), n in alpha] if levels else []
                sign = self.sign(terms, counts) if levels else -1
                above = sign > 0 or (sign == 0 and not strict)
                require(above, "alpha does not exceed the level against {}", y)

    def weighted(self) -> list[tuple[tuple[int, int], int]]:
        """Return alpha: for a mechanism and the place of an output a weight, on one scale."""
        nodes, count = self.part["alpha"].entries(), len(self.rows)
        text = "alpha: expected {} mechanisms, found {}"
        require(len(nodes) == count, text, count, len(nodes))
        inner = [(i, name, part) for i, node in enumerate(nodes) for name, part in node.children().items()]
        flat = Node({str(k): part.value for k, (_, _, part) in enumerate(inner)}, "alpha")
        _, parts = scaled(weights(flat, flat.children()).values())
        labels = [(i, Node(name, "alpha").one_of(self.outputs[i])) for i, name, _ in inner]
        places = [(i, self.outputs[i].index(label)) for i, label in labels]
        return [*zip(places, parts)]

    def place(self) -> Game:
        """Return the game at the named prior, or priors, pair and database."""
        node, pair = self.part["prior"], self.part["pair"].labels()
        names = node.labels() if isinstance(node.value, list) else [node.of(str)] * 2
        where = [names, pair, self.part["database"].of(str)]
        game = next((game for game in self.games() if game.where == where), None)
        if game is None:
            text = "is not a place where the framework compares databases"
            raise Refused(f"{show(where)} {text}")
        same = names[0] == names[1]
        return game._replace(where=[names[0] if same else [*names], [*pair], game.database])

    def sign(self, terms: list[Term], levels: list[tuple[int, Level]]) -> int:
        """Return the sign of sum n log q over the terms, less sum n level over the levels."""
        self.checked += 1
        for n, level in levels:
            spend(1, *[768 + n.bit_length() + size(level.value)] * 2)
        logs = [(-n, level.value) for n, level in levels if level.form == "log"]
        unit, parts = scaled(n * level.value for n, level in levels if level.form == "nats")
        return sign_of([*terms, *logs], -Fraction(sum(parts), unit))


RULES: dict[str, tuple[Callable[[Claim], tuple[str, int]], str]] = {
    "nfc": (Claim.nfc, "levels betas"),
    "nfc-violation": (Claim.nfc_violation, "levels prior pair database alpha"),
    "rate": (Claim.rate, "lower upper prior pair database alpha betas"),
}


def at(levels: list[Level]) -> str:
    """Say which mechanisms are spoken of, at which levels."""
    numbers = ", ".join(str(i + 1) for i in range(len(levels)))
    names = ", ".join(level.name for level in levels)
    return f"mechanism{'s' * (len(levels) > 1)} {numbers} at {names}"


def weights(node: Node, known: Mapping[str, object]) -> dict[str, Fraction]:
    """Read positive weights of known names, which sum to exactly 1."""
    law = {name: entry.number() for name, entry in node.children().items()}
    require(law.keys() <= known.keys(), "{}: unknown names among {}", node.where, [*law])
    unit, parts = scaled(law.values())
    whole = all(part > 0 for part in parts) and sum(parts) == unit
    require(whole, "{}: expected positive weights that sum to 1", node.where)
    return law


def tried(betas: list[frozenset[str]]) -> Iterator[frozenset[str]]:
    """Yield betas of one database in turn."""
    for beta in betas:
        spend(4 + len(beta))
        yield beta


def sign_of(terms: list[Term], constant: Fraction) -> int:
    """Return the sign of sum n log q + constant, which is 0 only when powers of integers say so."""
    rest, unit = constant.as_integer_ratio()
    long = max((size(q) for _, q in terms), default=0)
    longest = max((abs(n) for n, _ in terms), default=0).bit_length() + unit.bit_length()
    spend(len(terms), longest, 768 + long)
    ratios = [(n * unit, *q.as_integer_ratio()) for n, q in terms]
    parts = [(n, a, b) for n, a, b in ratios if a != b]
    power = sum(abs(n) * (a.bit_length() + b.bit_length()) for n, a, b in parts)
    if rest == 0 and power <= MAX_POWER:
        return sign_of_powers(parts, power)
    for bits in (1 << k for k in range(6, MAX_PRECISION + 1)):
        spend(4 * len(parts), bits + long.bit_length(), longest)
        spend(1, bits, size(constant))
        low, high = summed(parts, bits)
        low, high = low + (rest << bits), high + (rest << bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    raise Refused(f"undecided: a sum of logarithms needs more than 2^{MAX_PRECISION} bits")


def sign_of_powers(parts: list[tuple[int, int, int]], power: int) -> int:
    """Return the sign of sum n log(a / b), from products of powers of so many bits."""
    above = below = 1
    spend(2 + len(parts), power, 16 * isqrt(power))  # products of long numbers, by Karatsuba
    for n, a, b in parts:
        above *= (a if n > 0 else b) ** abs(n)
        below *= (b if n > 0 else a) ** abs(n)
    return (above > below) - (above < below)


def quotient(q: Fraction) -> Bounds:
    """Return integers low <= 2^BITS log q <= high for q > 0."""
    above, below = q.as_integer_ratio()
    spend(1, 768 + above.bit_length(), 768 + below.bit_length())
    return summed([(1, above, below)], BITS)


def bounds_of(level: Level) -> Bounds:
    """Return integers low <= 2^BITS level <= high."""
    if level.form == "log":
        return quotient(level.value)
    above, below = level.value.as_integer_ratio()
    spend(1, BITS + above.bit_length(), below.bit_length())
    return (above << BITS) // below, -(-(above << BITS) // below)


def summed(parts: list[tuple[int, int, int]], bits: int) -> Bounds:
    """Return integers low <= 2^bits sum n log(a / b) <= high."""
    low = high = 0
    for n, a, b in parts:
        (a_low, a_high), (b_low, b_high) = logarithm(a, bits), logarithm(b, bits)
        least, most = a_low - b_high, a_high - b_low
        ends = (least, most) if n > 0 else (most, least)
        low, high = low + n * ends[0], high + n * ends[1]
    return low, high


@cache
def logarithm(n: int, bits: int) -> Bounds:
    """Return integers low <= 2^bits log n <= high for n >= 1.

    log n = e log 2 - 2 artanh z with z = (2^e - n) / (2^e + n), and log 2 = 2 artanh(1/3).
    """
    e = n.bit_length()  # 1/2 <= n / 2^e < 1, so that 0 < z <= 1/3
    work = bits + 2 * e.bit_length() + 16
    spend(2, work, e)
    (two_low, two_high), (low, high) = artanh(1, 3, work), artanh((1 << e) - n, (1 << e) + n, work)
    return (e * two_low - high) * 2 >> work - bits, -((low - e * two_high) * 2 >> work - bits)


@cache
def artanh(a: int, b: int, bits: int) -> Bounds:
    """Return integers low <= 2^bits artanh(a / b) <= high for 0 <= a / b <= 1/3.

    artanh z is the sum of z^j / j over odd j; each term is at most a ninth of the last one.
    """
    spend(2, bits + b.bit_length(), bits + b.bit_length())
    spend(2 * bits, bits, bits)  # a term takes six products and quotients
    low = high = 0
    term_low, term_high = (a << bits) // b, -(-(a << bits) // b)
    square_low, square_high = term_low * term_low >> bits, -(-term_high * term_high >> bits)
    j = 1
    while term_high > 1:
        low, high = low + term_low // j, high - (-term_high // j)
        term_low, term_high = term_low * square_low >> bits, -(-term_high * square_high >> bits)
        j += 2
    return low, high + 2  # the rest is less than one unit times 1 + 1/9 + 1/81 + ...
