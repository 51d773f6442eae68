"""Check a certificate about composition rates, trusting this file, `kernel.py` beside it, and the
Python interpreter.

A certificate carries a framework, mechanisms and one claim about many runs of them: bounds of the
composition rate, or the necessary condition for composition (NfC) at stated levels, or its failure;
see `CERTIFICATES.md`. The framework, the mechanisms and the files they came from are read by
`kernel.py`; the inequalities between logarithms are decided here, by powers of integers while these
are small and otherwise by enclosures of logarithms in integers, rounded outward.

    python verify/kernel_rates.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]

Exit codes: 0 accepted; 1 refused; 2 no answer (misuse, too much work, a statement that cannot be
written): see `kernel.py`. Notation: for an ordered pair of secrets (s, t), X and Y are the
databases of positive probability that have s and t.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import isqrt
from pathlib import Path
from typing import Any

MAX_POWER = 1 << 17  # bits of products of powers that are compared as integers
MAX_PRECISION = 12  # log2 of the bits of a logarithm


def load_kernel() -> Any:
    """Return `kernel.py` from the folder of this file, as a module of its own."""
    spec = importlib.util.spec_from_file_location(
        "kernel_beside_rates", Path(__file__).with_name("kernel.py")
    )
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


kernel = load_kernel()
Refused, NotJSON, require, show = kernel.Refused, kernel.NotJSON, kernel.require, kernel.show
MAX_WORK, WORK, spend, size = kernel.MAX_WORK, kernel.WORK, kernel.spend, kernel.size


def check(
    certificate: str, framework: str | None = None, mechanisms: Sequence[str] = (), work: int = 0
) -> Any:
    """Check a certificate, and the files it was made from if given. Raises `Refused`, `NotJSON`
    or `OSError`.
    """
    WORK.begin(work or MAX_WORK)
    for cached in (logarithm, artanh):  # what a check counts does not depend on those before it
        cached.cache_clear()
    part = kernel.read_file(certificate, None, "certificate").fields(
        "format kind framework mechanisms inputs claim"
    )
    kind = part["kind"].one_of([*RULES])
    rule, claimed = RULES[kind][0], part["claim"].fields(RULES[kind][1])
    space = kernel.Framework(part["framework"].fields("databases secrets pairs priors closure"))
    channels = [
        space.mechanism(node.fields("outputs channel"), False)
        for node in part["mechanisms"].entries()
    ]
    require(len(channels) > 0, "expected at least one mechanism")
    inputs = part["inputs"].fields("framework mechanisms normalized")
    hashes = [node.digest() for node in [inputs["framework"], *inputs["mechanisms"].entries()]]
    divided = [node.of(bool) for node in inputs["normalized"].entries()]
    require(
        len(hashes) - 1 == len(divided) == len(channels),
        "inputs: expected {} mechanisms",
        len(channels),
    )
    files = [framework or "", *mechanisms] if framework is not None or mechanisms else []
    require(
        len(files) in (0, len(hashes)),
        "expected a framework file and {} mechanism files",
        len(channels),
    )
    forms = ["framework"] + ["mechanism"] * len(channels)
    kernel.compare_files(space, channels, [*map(kernel.read_file, files, hashes, forms)], divided)
    outcome, checked = rule(Claim(space, channels, claimed))
    require(checked > 0, "no inequality was checked")
    over = (
        f"{len(space.priors)} priors{' and their mixtures' * space.convex}, {len(space.pairs)} "
        f"pairs in both orders"
    )
    rows = "".join(
        f"; rows of mechanism {i} divided by their sums" for i, flag in enumerate(divided) if flag
    )
    return kernel.Accepted(
        kind, f"{outcome} over {over}{rows}", checked, "matched" if files else "not given"
    )


class Claim:
    """A claim about many independent runs of mechanisms."""

    def __init__(self, space: Any, mechanisms: list[Any], part: dict[str, Any]) -> None:
        self.space, self.part, self.rows = space, part, [rows for _, rows in mechanisms]
        self.outputs = [outputs for outputs, _ in mechanisms]
        self.checked = 0

    def nfc(self) -> tuple[str, int]:
        """Rule nfc: in every game some beta keeps all outputs of all mechanisms at their levels."""
        levels = self.levels()
        self.betas(levels)
        names = ", ".join(level.name for level in levels)
        return f"NfC holds for mechanisms {[*range(len(levels))]} at {names}", self.checked

    def nfc_violation(self) -> tuple[str, int]:
        """Rule nfc-violation: at one place, alpha exceeds the levels against every database of
        the other secret.
        """
        levels = self.levels()
        database, others, place = self.place()
        self.alpha(database, others, levels, strict=True)
        names = ", ".join(level.name for level in levels)
        return (
            f"NfC fails for mechanisms {[*range(len(levels))]} at {names}, at {show(place)}",
            self.checked,
        )

    def rate(self) -> tuple[str, int]:
        """Rule rate: betas that keep every game at the upper bound, an alpha that reaches the
        lower bound at one place.
        """
        require(len(self.rows) == 1, "expected one mechanism, found {}", len(self.rows))
        database, others, place = self.place()
        if self.part["lower"].value == "inf":
            fine = self.part["upper"].value == "inf" and not self.part["betas"].entries()
            require(fine, 'an infinite rate has the upper bound "inf" and no betas')
            self.alpha(database, others, [], strict=True)
            return (
                f"the composition rate of mechanism 0 is infinite, at {show(place)}",
                self.checked,
            )
        lower, upper = kernel.Level(self.part["lower"]), kernel.Level(self.part["upper"])
        self.alpha(database, others, [lower], strict=False)
        self.betas([upper])
        return (
            f"the composition rate of mechanism 0 is at least {lower.name} and at most "
            f"{upper.name}",
            self.checked,
        )

    def levels(self) -> list[Any]:
        levels = [kernel.Level(node) for node in self.part["levels"].entries()]
        require(
            len(levels) == len(self.rows),
            "expected {} levels, found {}",
            len(self.rows),
            len(levels),
        )
        return levels

    def games(self) -> Iterator[tuple[str, frozenset[str], Any]]:
        """Yield every database that needs a beta, the databases beta may use, and where this is."""
        priors, secrets, pairs = self.space.priors, self.space.secrets, self.space.pairs
        spend(4 * (len(priors) ** 2 if self.space.convex else len(priors)) * len(pairs))
        held: dict[tuple[str, str], list[str]] = {
            (k, s): [] for k in priors for pair in pairs for s in pair
        }
        containing: dict[str, list[str]] = {}
        for s in dict.fromkeys(s for pair in pairs for s in pair):
            spend(1 + len(secrets[s]))
            for x in secrets[s]:
                containing.setdefault(x, []).append(s)
        spend(4 * sum(1 + len(containing.get(x, ())) for law in priors.values() for x in law))
        for k, law in priors.items():
            for x in law:
                for s in containing.get(x, ()):
                    held[k, s].append(x)
        known = {place: frozenset(found) for place, found in held.items()}
        for k, l in product(priors, priors) if self.space.convex else zip(priors, priors):  # noqa: E741
            for s, t in (ordered for pair in pairs for ordered in permutations(pair)):
                if held[l, t] and (k == l or not (held[k, t] and held[l, s])):
                    spend(16 * len(held[k, s]))
                    yield from ((x, known[l, t], [[k, l], [s, t], x]) for x in held[k, s])

    def betas(self, levels: list[Any]) -> None:
        """Check every beta, that every game has one, and that none is there for nothing."""
        found: dict[str, list[frozenset[str]]] = {}
        live = dict.fromkeys(self.space.live)
        for node in self.part["betas"].entries():
            entry = node.fields("database beta")
            database = entry["database"].one_of(live)
            beta = self.weights(entry["beta"], live)
            self.beta(database, beta, levels)
            found.setdefault(database, []).append(frozenset(beta))
        used = set[tuple[str, frozenset[str]]]()
        for database, others, place in self.games():
            fitting = next(
                (beta for beta in self.tried(found.get(database, [])) if beta <= others), None
            )
            require(fitting is not None, "no beta for {}", place)
            used.add((database, fitting or frozenset()))
        require(
            len(used) == sum(map(len, found.values())),
            "some of the betas for {} serve no game",
            [*found],
        )

    def tried(self, betas: list[frozenset[str]]) -> Iterator[frozenset[str]]:
        """Yield betas of one database in turn."""
        for beta in betas:
            spend(4 + len(beta))
            yield beta

    def beta(self, x: str, beta: dict[str, Fraction], levels: list[Any]) -> None:
        """Check log P(w|x) <= level + sum_y beta_y log P(w|y) for all outputs of all mechanisms."""
        unit, parts = kernel.scaled(beta.values())
        spend(2 * len(beta) * sum(map(len, self.outputs)))
        for level, outputs, rows in zip(levels, self.outputs, self.rows):
            chosen = [(-n, rows[y]) for n, y in zip(parts, beta)]
            for w, output in enumerate(outputs):
                if rows[x][w] > 0:
                    whole = all(row[w] > 0 for _, row in chosen)
                    require(whole, "output {} excludes a database of beta, but not {}", output, x)
                    fine = (
                        self.sign(
                            [(unit, rows[x][w]), *((n, row[w]) for n, row in chosen)],
                            [(unit, level)],
                        )
                        <= 0
                    )
                    require(
                        fine,
                        "the level {} is exceeded at output {} for {} with beta {}",
                        level.name,
                        output,
                        x,
                        beta,
                    )

    def alpha(self, x: str, others: frozenset[str], levels: list[Any], strict: bool) -> None:
        """Check sum_w alpha_w log(P(w|x) / P(w|y)) >= (or >) sum_w alpha_w level for all y;
        without levels: infinite.
        """
        nodes = self.part["alpha"].entries()
        require(
            len(nodes) == len(self.rows),
            "alpha: expected {} mechanisms, found {}",
            len(self.rows),
            len(nodes),
        )
        keys = [(i, output) for i, node in enumerate(nodes) for output in node.children()]
        flat = kernel.Node(
            {str(k): nodes[i].value[output] for k, (i, output) in enumerate(keys)}, "alpha"
        )
        _, parts = kernel.scaled(self.weights(flat, flat.children()).values())
        places = [
            (i, self.outputs[i].index(kernel.Node(w, "alpha").one_of(self.outputs[i])))
            for i, w in keys
        ]
        require(
            all(self.rows[i][x][w] > 0 for i, w in places),
            "alpha has weight on an output that {} excludes",
            x,
        )
        alpha = [*zip(places, parts)]
        for y in sorted(others):
            spend(1 + len(places))
            self.checked += 1
            if all(self.rows[i][y][w] > 0 for i, w in places):
                for (i, w), _ in alpha:
                    spend(1, *[768 + size(self.rows[i][x][w]) + size(self.rows[i][y][w])] * 2)
                terms = [(n, self.rows[i][x][w] / self.rows[i][y][w]) for (i, w), n in alpha]
                sign = self.sign(terms, [(n, levels[i]) for (i, _), n in alpha]) if levels else -1
                require(
                    sign > 0 or (sign == 0 and not strict),
                    "alpha does not exceed the level against {}",
                    y,
                )

    def place(self) -> tuple[str, frozenset[str], Any]:
        """Return the named database, the databases it is compared with, and where this is."""
        node, pair = self.part["prior"], self.part["pair"].labels()
        names = node.labels() if isinstance(node.value, list) else [node.of(str)] * 2
        wanted = [names, pair, self.part["database"].of(str)]
        found = next((game for game in self.games() if game[2] == wanted), None)
        require(
            found is not None, "{} is not a place where the framework compares databases", wanted
        )
        database, others, (_, pair, _) = found  # type: ignore[misc]
        return database, others, [names if names[0] != names[1] else names[0], pair, database]

    def weights(self, node: Any, known: dict[str, Any]) -> dict[str, Fraction]:
        """Read positive weights of known names, which sum to exactly 1."""
        found = {name: entry.number() for name, entry in node.children().items()}
        require(found.keys() <= known.keys(), "{}: unknown names among {}", node.where, [*found])
        unit, parts = kernel.scaled(found.values())
        fine = all(part > 0 for part in parts) and sum(parts) == unit
        require(fine, "{}: expected positive weights that sum to 1", node.where)
        return found

    def sign(self, terms: list[tuple[int, Fraction]], levels: list[tuple[int, Any]]) -> int:
        """Return the sign of sum n log q over the terms (n, q), less sum n level over the
        levels (n, level).
        """
        self.checked += 1
        for n, level in levels:
            spend(1, *[768 + n.bit_length() + size(level.value)] * 2)
        logs = [(-n, level.value) for n, level in levels if level.form == "log"]
        unit, parts = kernel.scaled(n * level.value for n, level in levels if level.form == "nats")
        return sign_of([*terms, *logs], -Fraction(sum(parts), unit))


RULES: dict[str, tuple[Any, str]] = {
    "nfc": (Claim.nfc, "levels betas"),
    "nfc-violation": (Claim.nfc_violation, "levels prior pair database alpha"),
    "rate": (Claim.rate, "lower upper prior pair database alpha betas"),
}


def sign_of(terms: list[tuple[int, Fraction]], constant: Fraction) -> int:
    """Return the sign of sum n log q + constant over the terms (n, q): 0 only when powers of
    integers say so.
    """
    rest, unit = constant.as_integer_ratio()
    long, counts = (
        max((size(q) for _, q in terms), default=0),
        max((abs(n) for n, _ in terms), default=0),
    )
    longest = counts.bit_length() + unit.bit_length()
    spend(len(terms), longest, 768 + long)
    ratios = [(n * unit, *q.as_integer_ratio()) for n, q in terms]
    parts = [(n, a, b) for n, a, b in ratios if a != b]
    power = sum(abs(n) * (a.bit_length() + b.bit_length()) for n, a, b in parts)
    if rest == 0 and power <= MAX_POWER:
        above = below = 1
        spend(
            2 + len(parts), power, 16 * isqrt(power)
        )  # products of long numbers, by Karatsuba's method
        for n, a, b in parts:
            above, below = (
                above * (a if n > 0 else b) ** abs(n),
                below * (b if n > 0 else a) ** abs(n),
            )
        return (above > below) - (above < below)
    for bits in (1 << k for k in range(6, MAX_PRECISION + 1)):
        spend(4 * len(parts), bits + long.bit_length(), longest)
        spend(1, bits, size(constant))
        low = high = rest << bits
        for n, a, b in parts:
            (a_low, a_high), (b_low, b_high) = logarithm(a, bits), logarithm(b, bits)
            least, most = a_low - b_high, a_high - b_low
            low, high = (
                (low + n * least, high + n * most) if n > 0 else (low + n * most, high + n * least)
            )
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    raise Refused(f"undecided: a sum of logarithms needs more than 2^{MAX_PRECISION} bits")


@cache
def logarithm(n: int, bits: int) -> tuple[int, int]:
    """Return integers low <= 2^bits log n <= high for n >= 1: log n = e log 2 - 2 artanh z, z =
    (2^e - n) / (2^e + n).
    """
    e = n.bit_length()  # 1/2 <= n / 2^e < 1, so that 0 < z <= 1/3
    work = bits + 2 * e.bit_length() + 16
    spend(2, work, e)
    (two_low, two_high), (low, high) = artanh(1, 3, work), artanh((1 << e) - n, (1 << e) + n, work)
    return (e * two_low - high) * 2 >> work - bits, -((low - e * two_high) * 2 >> work - bits)


@cache
def artanh(a: int, b: int, bits: int) -> tuple[int, int]:
    """Return integers low <= 2^bits artanh(a / b) <= high for 0 <= a / b <= 1/3: the sum of z^j
    / j over odd j.
    """
    spend(2, bits + b.bit_length(), bits + b.bit_length())
    spend(
        2 * bits, bits, bits
    )  # each term is at most a ninth of the last one, and takes six products and quotients
    low = high = 0
    term_low, term_high = (a << bits) // b, -(-(a << bits) // b)
    square_low, square_high = term_low * term_low >> bits, -(-term_high * term_high >> bits)
    j = 1
    while term_high > 1:
        low, high = low + term_low // j, high - (-term_high // j)
        term_low, term_high = term_low * square_low >> bits, -(-term_high * square_high >> bits)
        j += 2
    return low, high + 2  # the rest is less than one unit times 1 + 1/9 + 1/81 + ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    code: int = kernel.main(
        argv, check, "kernel_rates.py [--json] [--work N] CERTIFICATE [FRAMEWORK MECHANISM...]"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
