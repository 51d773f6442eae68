"""Claims on streams: verdicts by reading, near misses, and counterexamples evaluated again by an
enumeration of its own.

The enumeration below lists every (block sequence, outputs) as one atom and conditions by filtering;
it shares no code with `claims/papers/streaming_cw/streams/blocks.py`. It reads only the evidence of
a counterexample.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from tests.claims.examination import examined

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import ClaimVerdict

MODULES = (
    "streams.assumptions",
    "streams.shifts",
    "lemmas.first",
    "lemmas.first_steps",
    "lemmas.second",
    "theorem4.statement",
    "theorem4.repaired",
    "theorem4.supports",
    "theorem4.shifts",
    "theorem4.beside",
    "lemmas.figure2",
)
Atoms = dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction]


@pytest.mark.claims
def test_counterexamples_hold_in_another_enumeration() -> None:
    homes = {f"pufferproof.claims.papers.streaming_cw.{module}" for module in MODULES}
    claims = [each for each in load_claims().values() if each.function.__module__ in homes]
    checks, seen = {each.id: examined(each.id) for each in claims}, 0
    for name, check in checks.items():
        for step in (
            step
            for argument in check.readings
            for step in argument.steps
            if step.kind == "counterexample"
        ):
            assert step.evidence is not None
            assert RECHECK[step.name](World(step.evidence), step.evidence), f"{name}: {step.name}"
            seen += 1
    readings = [reading for check in checks.values() for reading in check.readings]
    assert seen == sum(reading.verdict is ClaimVerdict.REFUTED for reading in readings)


def test_recursion_agrees_with_enumeration_for_alternatives_on_their_own() -> None:
    third = {w: (Fraction(1 + w[0], 4), Fraction(3 - w[0], 4)) for w in product((0, 1), repeat=2)}
    stream = blocks.Stream(
        blocks.HALF, 2, third, blocks.surely(blocks.HALF, 2, blocks.replace_oldest(1)), 3
    )
    world = World(blocks.show(stream))
    for scrubbed, z in product((False, True), ((0,), (1,))):
        assert blocks.joint(stream, scrubbed, z) == world.law(scrubbed, {4: z[0]})


class World:
    """The stream of a counterexample: every block sequence with every output, for M(X_i) and
    for M(alt(X_i)).
    """

    def __init__(self, shown: Mapping[str, Any]) -> None:
        self.law_of_block, self.width, self.steps = (
            shown["block law"],
            shown["blocks per window"],
            shown["steps"],
        )
        self.rows, self.shown = shown["mechanism"], shown
        self.outputs = range(len(next(iter(self.rows.values()))))
        self.atoms = {scrubbed: self._atoms(scrubbed) for scrubbed in (False, True)}

    def _atoms(self, scrubbed: bool) -> Atoms:
        found: Atoms = defaultdict(Fraction)
        allowed = self.shown.get("block sequences that the secret leaves")
        for sequence in product(range(len(self.law_of_block)), repeat=self.steps + self.width - 1):
            if allowed is not None and sequence not in allowed:
                continue
            weight = Fraction(1)
            for block in sequence:
                weight *= self.law_of_block[block]
            for share, seen in self._seen(sequence, scrubbed):
                for y in product(self.outputs, repeat=self.steps):
                    chance = weight * share
                    for window, out in zip(seen, y):
                        chance *= self.rows[window][out]
                    found[sequence, y] += chance
        return found

    def _seen(
        self, sequence: tuple[int, ...], scrubbed: bool
    ) -> list[tuple[Fraction, tuple[tuple[int, ...], ...]]]:
        plain = tuple(sequence[i : i + self.width] for i in range(self.steps))
        if not scrubbed:
            return [(Fraction(1), plain)]
        if "alt" not in self.shown:
            return list(self.shown["windows after the scrub, by block sequence"][sequence])
        draws: list[tuple[Fraction, tuple[tuple[int, ...], ...]]] = [(Fraction(1), ())]
        for window in plain:
            draws = [
                (p * q, (*past, new))
                for p, past in draws
                for new, q in self.shown["alt"][window].items()
            ]
        return draws

    def law(
        self, scrubbed: bool, known: Mapping[int, int], steps: tuple[int, ...] | None = None
    ) -> dict[Any, Fraction]:
        """Return the law of the outputs at `steps` given blocks at positions from 1."""
        chosen = steps or tuple(range(1, self.steps + 1))
        found: dict[Any, Fraction] = {
            y: Fraction(0) for y in product(self.outputs, repeat=len(chosen))
        }
        for (sequence, y), mass in self.atoms[scrubbed].items():
            if all(sequence[position - 1] == value for position, value in known.items()):
                found[tuple(y[i - 1] for i in chosen)] += mass
        total = sum(found.values())
        return {y: mass / total for y, mass in found.items()}

    def values(self) -> list[tuple[int, ...]]:
        return list(
            product([b for b, mass in enumerate(self.law_of_block) if mass], repeat=self.width - 1)
        )

    def rest(self, z: tuple[int, ...], step: int | None = None) -> dict[int, int]:
        """Return z as the blocks of X_{step down}."""
        return dict(enumerate(z, start=(step or self.steps) + 1))

    def one(self, scrubbed: bool, z: tuple[int, ...], step: int | None = None) -> list[Fraction]:
        law = self.law(scrubbed, self.rest(z, step), (step or self.steps,))
        return [law[y,] for y in self.outputs]

    def growth(self, y: int, step: int) -> Fraction:
        tops = [self.one(False, z, step)[y] for z in self.values()]
        return max(tops) / min(self.one(True, z, step)[y] for z in self.values())

    def one_step_pairs(self) -> list[tuple[list[Fraction], list[Fraction]]]:
        steps = range(1, self.steps + 1)
        return [
            (self.one(False, z, step), self.one(True, z, step))
            for z in self.values()
            for step in steps
        ]

    def assumption1(self) -> bool:
        rows = [row for pair in self.one_step_pairs() for row in pair]
        return all(len({row[y] > 0 for row in rows}) == 1 for y in self.outputs)

    def slopes_one(self) -> bool:
        return all(top == bottom for top, bottom in self.one_step_pairs())


def stick(top: list[Fraction], bottom: list[Fraction], ratio: Fraction) -> Fraction:
    """Return the largest P(S) - R Q(S) by going through all sets S."""
    sets = product((0, 1), repeat=len(top))
    return max(
        sum((i * (a - ratio * b) for i, a, b in zip(s, top, bottom)), Fraction(0)) for s in sets
    )


def _printed_shift(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = world.one(False, shown["z"]), world.one(True, shown["z"])
    own = [(a, b) for a, b in zip(top, bottom) if a == shown["slope"] * b]
    printed = {k * (a - shown["slope"] * b) for a, b in own for k in range(len(top) + 1)}
    return (
        bool(own)
        and printed == {Fraction(0)}
        and stick(top, bottom, shown["slope"]) == shown["shift"] > 0
    )


def _exchanged(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = world.one(False, shown["z"]), world.one(True, shown["z"])
    ratio, shift = shown.get("ratio", shown.get("slope")), shown.get("delta", shown.get("shift"))
    listed = [a / b for a, b in zip(top, bottom) if a >= b]
    return (
        ratio in listed
        and stick(top, bottom, ratio) == shift
        and bottom[1] > ratio * top[1] + shift
    )


def _another_z(world: World, shown: Mapping[str, Any]) -> bool:
    first = world.one(False, shown["pair_at_z"]), world.one(True, shown["pair_at_z"])
    ratio, y = shown["slope"], shown["outcome"]
    top, bottom = world.one(False, shown["z"]), world.one(True, shown["z"])
    known = ratio in [a / b for a, b in zip(*first)] and stick(*first, ratio) == shown["shift"]
    return world.assumption1() and known and top[y] > ratio * bottom[y] + shown["shift"]


def _not_a_product(world: World, shown: Mapping[str, Any]) -> bool:
    k, z, y, t = bool(shown["k"]), shown["z"], shown["y"], world.steps
    right = Fraction(0)
    for first, mass in enumerate(world.law_of_block):
        known = {t: first, **world.rest(z)}
        if any(
            m
            for (s, _), m in world.atoms[k].items()
            if all(s[i - 1] == v for i, v in known.items())
        ):
            past, now = world.law(k, known, tuple(range(1, t))), world.law(k, known, (t,))
            right += mass * past[y[:-1]] * now[y[-1:]]
    return world.law(k, world.rest(z))[y] == shown["left"] != shown["right"] == right


def _not_the_last_law(world: World, shown: Mapping[str, Any]) -> bool:
    k, z, y, right = bool(shown["k"]), shown["z"], shown["y"], Fraction(0)
    for first, mass in enumerate(world.law_of_block):
        window = (first, *z)
        if any(sequence == window for sequence, _ in world.atoms[k]):
            right += mass * world.law(k, dict(enumerate(window, start=1)))[y]
    return (
        world.steps == 1
        and world.law(k, world.rest(z))[y] == shown["left"] != shown["right"] == right
    )


def _newest(world: World, shown: Mapping[str, Any]) -> bool:
    k, whole, past = bool(shown["k"]), shown["X_t"], tuple(range(1, world.steps))
    left = world.law(k, dict(enumerate(whole, start=world.steps)), past)[shown["y"]]
    right = world.law(k, dict(enumerate(whole[:-1], start=world.steps)), past)[shown["y"]]
    return left == shown["left"] != shown["right"] == right


def _larger(world: World, shown: Mapping[str, Any]) -> bool:
    y, z, other, factors = shown["y"], shown["z"], shown["other_z"], shown["factors"]
    left, right = world.law(False, world.rest(z))[y], world.law(True, world.rest(other))[y]
    bound = Fraction(1)
    for step, (out, factor) in enumerate(zip(y, factors), start=1):
        same_z = world.one(False, z)[out] / world.one(True, z)[out]
        assert (factor > 1 and factor >= world.growth(out, step)) or (
            step == len(y) and z == other and factor == same_z
        )
        bound *= factor
    return world.assumption1() and left > bound * right


def _known_windows(world: World, shown: Mapping[str, Any]) -> bool:
    left, right = (world.law(k, shown["known_blocks"])[shown["y"]] for k in (False, True))
    factors = shown["factors"]
    valid = factors[0] > 1 and factors[0] >= world.growth(shown["y"][0], 1)
    return (
        world.assumption1()
        and world.slopes_one()
        and valid
        and left > factors[0] * factors[1] * right
    )


def _smaller(world: World, shown: Mapping[str, Any]) -> bool:
    y = shown["past_outputs"]
    bound, past = Fraction(1), tuple(range(1, len(y) + 1))
    for step, out in enumerate(y, start=1):
        assert shown["factors"][step - 1] >= world.growth(out, step)
        bound *= shown["factors"][step - 1]
    rests = [world.rest(z, len(y)) for z in world.values()]
    largest = max(
        world.law(False, a, past)[y] / world.law(True, b, past)[y] for a in rests for b in rests
    )
    return world.assumption1() and largest == shown["maximum"] < bound


def _smaller_slope(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = (world.law(k, world.rest(shown["z"])) for k in (False, True))
    attained = any(top[y] == shown["slope"] * bottom[y] > 0 for y in top)
    shift = stick(list(top.values()), list(bottom.values()), shown["slope"])
    return (
        world.assumption1()
        and world.slopes_one()
        and attained
        and shift == shown["shift"] > shown["delta_max"] == 0
    )


def _larger_slope(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = (world.law(k, world.rest(shown["z"])) for k in (False, True))
    growths = [world.growth(y, step) for y in world.outputs for step in range(1, world.steps + 1)]
    least = Fraction(5, 4)
    largest = max(top[y] / bottom[y] for y in top)
    listed = (
        (shown["P0"], shown["P1"])
        == (top[shown["y"]], bottom[shown["y"]])
        == (Fraction(1, 4), Fraction(9, 100))
    )
    valid = max(growths) <= least and shown["bound"] == least ** (world.steps - 1)
    return (
        world.assumption1()
        and world.slopes_one()
        and listed
        and valid
        and largest == shown["slope"] > shown["bound"]
    )


def _larger_shift(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = (world.law(k, shown["known_blocks"]) for k in (False, True))
    gammas = [world.growth(y, step) for y in world.outputs for step in range(1, world.steps + 1)]
    valid = shown["ratio"] > 1 and shown["ratio"] >= max(gammas) ** (world.steps - 1)
    reached = stick(list(top.values()), list(bottom.values()), shown["ratio"])
    return (
        world.assumption1()
        and world.slopes_one()
        and valid
        and reached == shown["reached"] > shown["delta"] == 0
    )


def _disjoint(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = (world.law(k, world.rest(shown["z"])) for k in (False, True))
    missing = sum(mass for y, mass in top.items() if bottom[y] == 0)
    return world.slopes_one() and missing == shown["P0_where_P1_is_0"] > 0


def _not_in_support(world: World, shown: Mapping[str, Any]) -> bool:
    first, z, y = shown["z_star"], shown["z"], shown["y"]
    past = world.law(True, dict(enumerate((first, *z)[:-1], start=2)), (1,))
    now = world.law(True, {2: first, **world.rest(z)}, (2,))
    return (
        past[y[:1]] > 0
        and now[y[1:]] > 0
        and world.law(True, world.rest(z))[y] == 0
        and world.assumption1()
    )


def _missing(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = (world.law(k, world.rest(shown["z"])) for k in (False, True))
    mass = sum(top[y] for y in top if bottom[y])
    return world.slopes_one() and mass == shown["mass"] < 1


def _both_sums(world: World, shown: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the sums over the sets V_{t|z#} and over V_t."""
    left, t = Fraction(0), world.steps
    for first, mass in enumerate(world.law_of_block):
        known = {t: first, **world.rest(shown["z"])}
        top, bottom = (world.law(k, known, (t,)) for k in (False, True))
        left += mass * sum(top[y] for y in top if bottom[y])
    top_row, bottom_row = world.one(False, shown["z"]), world.one(True, shown["z"])
    return left, sum((a for a, b in zip(top_row, bottom_row) if b), Fraction(0))


def _union(world: World, shown: Mapping[str, Any]) -> bool:
    left, right = _both_sums(world, shown)
    return (
        world.assumption1()
        and world.slopes_one()
        and left == shown["left"] != shown["right"] == right
    )


def _negative_factor(world: World, shown: Mapping[str, Any]) -> bool:
    left, right = _both_sums(world, shown)
    delta_max = max(
        stick(top, bottom, a / b)
        for top, bottom in world.one_step_pairs()
        for a, b in zip(top, bottom)
    )
    factor = 1 - (world.steps - 1) * delta_max
    return (
        world.assumption1()
        and (left, right, factor) == (shown["left"], shown["right"], shown["factor"])
        and factor * left > factor * right
    )


def _sum_and_shift(world: World, shown: Mapping[str, Any]) -> bool:
    top, bottom = world.one(False, shown["z"]), world.one(True, shown["z"])
    slope = max(a / b for a, b in zip(top, bottom) if b)
    total = sum(a for a, b in zip(top, bottom) if b)
    return total == shown["sum"] != shown["minimum_shift"] == stick(top, bottom, slope)


def _one_coin(world: World, shown: Mapping[str, Any]) -> bool:
    y, shared = shown["y"], shown["shared_blocks"]
    apart = world.law(True, shared, (1,))[y[:1]] * world.law(True, shared, (2,))[y[1:]]
    return (
        world.slopes_one()
        and world.law(True, shared)[y] == shown["P1"] != shown["product"] == apart
    )


def _bound_holds(world: World, shown: Mapping[str, Any]) -> bool:
    growths = [world.growth(y, 3) for y in world.outputs]
    rests = [world.rest(z) for z in world.values()]
    for y in product(world.outputs, repeat=3):
        most, least = (
            max(world.law(False, r)[y] for r in rests),
            min(world.law(True, r)[y] for r in rests),
        )
        if most > growths[y[0]] * growths[y[1]] * growths[y[2]] * least:
            return False
    return list(shown["growths"]) == growths and len(set(world.rows.values())) > 1


def _three_independent(world: World, shown: Mapping[str, Any]) -> bool:
    for shared, k in product(shown["shared_blocks"], (False, True)):
        law, apart = world.law(k, shared), [world.law(k, shared, (step,)) for step in (1, 2, 3)]
        if any(law[a, b, c] != apart[0][a,] * apart[1][b,] * apart[2][c,] for a, b, c in law):
            return False
    return world.width == 2 and world.steps == 3 and len(shown["shared_blocks"]) == 4


RECHECK: dict[str, Callable[[World, Mapping[str, Any]], bool]] = {
    "printed shift": _printed_shift,
    "exchanged": _exchanged,
    "another z": _another_z,
    "not a product": _not_a_product,
    "not the law of the last output": _not_the_last_law,
    "the newest block matters": _newest,
    "larger than the product": _larger,
    "known windows": _known_windows,
    "smaller": _smaller,
    "a smaller slope of G": _smaller_slope,
    "larger shift": _larger_shift,
    "a larger slope of G": _larger_slope,
    "disjoint parts": _disjoint,
    "not in S_2": _not_in_support,
    "mass missing": _missing,
    "union": _union,
    "a negative factor": _negative_factor,
    "1 and 0": _sum_and_shift,
    "one coin": _one_coin,
    "the bound holds": _bound_holds,
    "three independent outputs": _three_independent,
}
