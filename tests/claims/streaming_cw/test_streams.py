"""Claims on streams: counterexamples by an enumeration that shares no code with `blocks.py`.

Every (block sequence, outputs) is one atom. It reads only the evidence of a counterexample.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from tests.claims.examination import examined

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import ClaimVerdict

MODULES = """
streams.assumptions streams.shifts lemmas.first lemmas.first_steps lemmas.second lemmas.figure2
theorem4.statement theorem4.repaired theorem4.supports theorem4.shifts theorem4.beside
"""
F = Fraction


@pytest.mark.claims
def test_counterexamples_hold_in_another_enumeration() -> None:
    homes = {f"pufferproof.claims.papers.streaming_cw.{module}" for module in MODULES.split()}
    claims = [each for each in load_claims().values() if each.function.__module__ in homes]
    readings = [(each.id, reading) for each in claims for reading in examined(each.id).readings]
    seen = 0
    for name, reading in readings:
        for step in (step for step in reading.steps if step.kind == "counterexample"):
            assert step.evidence is not None
            assert RECHECK[step.name](World(step.evidence), step.evidence), f"{name}: {step.name}"
            seen += 1
    assert seen == sum(reading.verdict is ClaimVerdict.REFUTED for _, reading in readings)


def test_recursion_agrees_with_enumeration_for_alternatives_on_their_own() -> None:
    third = {w: (F(1 + w[0], 4), F(3 - w[0], 4)) for w in product((0, 1), repeat=2)}
    oldest = blocks.surely(blocks.HALF, 2, blocks.replace_oldest(1))
    stream = blocks.Stream(blocks.HALF, 2, third, oldest, 3)
    world = World(blocks.show(stream))
    for scrubbed, z in product((False, True), ((0,), (1,))):
        assert blocks.joint(stream, scrubbed, z) == world.law(scrubbed, {4: z[0]})


class World:
    """The stream of a counterexample: every block sequence with every output of both mechanisms."""

    def __init__(self, shown: Mapping[str, Any]) -> None:
        self.law_of_block, self.steps = shown["block law"], shown["steps"]
        self.width, self.rows = shown["blocks per window"], shown["mechanism"]
        self.outputs, self.shown = range(len(next(iter(self.rows.values())))), shown
        self.atoms = {scrubbed: self._atoms(scrubbed) for scrubbed in (False, True)}

    def _atoms(self, scrubbed: bool):
        found = defaultdict(F)
        allowed = self.shown.get("block sequences that the secret leaves")
        for sequence in product(range(len(self.law_of_block)), repeat=self.steps + self.width - 1):
            if allowed is not None and sequence not in allowed:
                continue
            weight = prod((self.law_of_block[block] for block in sequence), start=F(1))
            for share, seen in self._seen(sequence, scrubbed):
                for y in product(self.outputs, repeat=self.steps):
                    chances = (self.rows[window][out] for window, out in zip(seen, y))
                    found[sequence, y] += prod(chances, start=weight * share)
        return found

    def _seen(self, sequence, scrubbed):
        """The windows of which outputs are, each with its probability."""
        plain = tuple(sequence[i : i + self.width] for i in range(self.steps))
        if not scrubbed:
            return [(F(1), plain)]
        if "alt" not in self.shown:
            return list(self.shown["windows after the scrub, by block sequence"][sequence])
        ways = product(*(self.shown["alt"][window].items() for window in plain))
        return [(prod((q for _, q in way), start=F(1)), tuple(w for w, _ in way)) for way in ways]

    def law(self, scrubbed, known, steps=None) -> dict[Any, Fraction]:
        """Return the law of the outputs at `steps` given blocks at positions from 1."""
        chosen = steps or tuple(range(1, self.steps + 1))
        found = dict.fromkeys(product(self.outputs, repeat=len(chosen)), F(0))
        for (sequence, y), mass in self.atoms[scrubbed].items():
            if all(sequence[position - 1] == value for position, value in known.items()):
                found[tuple(y[i - 1] for i in chosen)] += mass
        total = sum(found.values())
        return {y: mass / total for y, mass in found.items()}

    def laws(self, known: Mapping[int, int]) -> list[dict[Any, Fraction]]:
        """Return the laws of all outputs of M(X) and of M(alt(X))."""
        return [self.law(scrubbed, known) for scrubbed in (False, True)]

    def values(self) -> list[tuple[int, ...]]:
        possible = [block for block, mass in enumerate(self.law_of_block) if mass]
        return list(product(possible, repeat=self.width - 1))

    def rest(self, z: tuple[int, ...], step: int | None = None) -> dict[int, int]:
        """Return z as the blocks of X_{step down}."""
        return dict(enumerate(z, start=(step or self.steps) + 1))

    def one(self, scrubbed: bool, z: tuple[int, ...], step: int | None = None) -> list[Fraction]:
        law = self.law(scrubbed, self.rest(z, step), (step or self.steps,))
        return [law[y,] for y in self.outputs]

    def pair(self, z: tuple[int, ...], step: int | None = None) -> list[list[Fraction]]:
        return [self.one(scrubbed, z, step) for scrubbed in (False, True)]

    def growth(self, y: int, step: int) -> Fraction:
        tops = [self.one(False, z, step)[y] for z in self.values()]
        return max(tops) / min(self.one(True, z, step)[y] for z in self.values())

    def growths(self) -> list[Fraction]:
        return [self.growth(y, step) for y, step in product(self.outputs, range(1, self.steps + 1))]

    def one_step_pairs(self) -> list[list[list[Fraction]]]:
        return [self.pair(*at) for at in product(self.values(), range(1, self.steps + 1))]

    def assumption1(self) -> bool:
        rows = [row for pair in self.one_step_pairs() for row in pair]
        return all(len({row[y] > 0 for row in rows}) == 1 for y in self.outputs)

    def slopes_one(self) -> bool:
        return all(top == bottom for top, bottom in self.one_step_pairs())


def stick(top: Iterable[Fraction], bottom: Iterable[Fraction], ratio: Fraction) -> Fraction:
    """Return the largest P(S) - R Q(S) by going through all sets S."""
    gains = [a - ratio * b for a, b in zip(top, bottom)]
    sets = product((0, 1), repeat=len(gains))
    return max(sum((i * gain for i, gain in zip(s, gains)), F(0)) for s in sets)


RECHECK: dict[str, Callable[[World, Mapping[str, Any]], bool]] = {}
ASSUMED, ONE = World.assumption1, World.slopes_one


def recheck(name, *conditions):
    """Note what evaluates the counterexample of a step again, whose stream meets conditions."""

    def note(judge):
        def judged(world, shown):
            return all(each(world) for each in conditions) and judge(world, shown)

        RECHECK[name] = judged

    return note


@recheck("printed shift")
def _printed_shift(world, shown):
    top, bottom = world.pair(shown["z"])
    own = [(a, b) for a, b in zip(top, bottom) if a == shown["slope"] * b]
    printed = {k * (a - shown["slope"] * b) for a, b in own for k in range(len(top) + 1)}
    return printed == {0} and stick(top, bottom, shown["slope"]) == shown["shift"] > 0


@recheck("exchanged")
def _exchanged(world, shown):
    top, bottom = world.pair(shown["z"])
    ratio, shift = shown.get("ratio", shown.get("slope")), shown.get("delta", shown.get("shift"))
    known = ratio in [a / b for a, b in zip(top, bottom) if a >= b]
    return known and stick(top, bottom, ratio) == shift and bottom[1] > ratio * top[1] + shift


@recheck("another z", ASSUMED)
def _another_z(world, shown):
    first, (top, bottom) = world.pair(shown["pair_at_z"]), world.pair(shown["z"])
    ratio, y = shown["slope"], shown["outcome"]
    known = ratio in [a / b for a, b in zip(*first)] and stick(*first, ratio) == shown["shift"]
    return known and top[y] > ratio * bottom[y] + shown["shift"]


@recheck("not a product")
def _not_a_product(world, shown):
    k, z, y, t = bool(shown["k"]), shown["z"], shown["y"], world.steps
    right = F(0)
    for first, mass in enumerate(world.law_of_block):
        known = {t: first, **world.rest(z)}
        at = {s for (s, _), mass in world.atoms[k].items() if mass}
        if any(all(s[i - 1] == v for i, v in known.items()) for s in at):
            past, now = world.law(k, known, tuple(range(1, t))), world.law(k, known, (t,))
            right += mass * past[y[:-1]] * now[y[-1:]]
    return world.law(k, world.rest(z))[y] == shown["left"] != shown["right"] == right


@recheck("not the law of the last output")
def _not_the_last_law(world, shown):
    k, z, y, right = bool(shown["k"]), shown["z"], shown["y"], F(0)
    for first, mass in enumerate(world.law_of_block):
        window = (first, *z)
        if any(sequence == window for sequence, _ in world.atoms[k]):
            right += mass * world.law(k, dict(enumerate(window, start=1)))[y]
    left = world.law(k, world.rest(z))[y]
    return world.steps == 1 and left == shown["left"] != shown["right"] == right


@recheck("the newest block matters")
def _newest(world, shown):
    k, whole, past = bool(shown["k"]), shown["X_t"], tuple(range(1, world.steps))
    left = world.law(k, dict(enumerate(whole, start=world.steps)), past)[shown["y"]]
    right = world.law(k, dict(enumerate(whole[:-1], start=world.steps)), past)[shown["y"]]
    return left == shown["left"] != shown["right"] == right


@recheck("larger than the product", ASSUMED)
def _larger(world, shown):
    y, z, other, factors = shown["y"], shown["z"], shown["other_z"], shown["factors"]
    left, right = world.law(False, world.rest(z))[y], world.law(True, world.rest(other))[y]
    for step, (out, factor) in enumerate(zip(y, factors), start=1):
        same_z = world.one(False, z)[out] / world.one(True, z)[out]
        last = step == len(y) and z == other and factor == same_z
        assert last or 1 < factor >= world.growth(out, step)
    return left > prod(factors) * right


@recheck("known windows", ASSUMED, ONE)
def _known_windows(world, shown):
    left, right = (law[shown["y"]] for law in world.laws(shown["known_blocks"]))
    first, second = shown["factors"]
    return 1 < first >= world.growth(shown["y"][0], 1) and left > first * second * right


@recheck("smaller", ASSUMED)
def _smaller(world, shown):
    y, past = shown["past_outputs"], tuple(range(1, len(shown["past_outputs"]) + 1))
    assert all(f >= world.growth(out, i) for f, out, i in zip(shown["factors"], y, past))
    rests = [world.rest(z, len(y)) for z in world.values()]
    tops, bottoms = ([world.law(k, rest, past)[y] for rest in rests] for k in (False, True))
    return max(tops) / min(bottoms) == shown["maximum"] < prod(shown["factors"][: len(y)])


@recheck("a smaller slope of G", ASSUMED, ONE)
def _smaller_slope(world, shown):
    top, bottom = world.laws(world.rest(shown["z"]))
    attained = any(top[y] == shown["slope"] * bottom[y] > 0 for y in top)
    shift = stick(top.values(), bottom.values(), shown["slope"])
    return attained and shift == shown["shift"] > shown["delta_max"] == 0


@recheck("a larger slope of G", ASSUMED, ONE)
def _larger_slope(world, shown):
    top, bottom = world.laws(world.rest(shown["z"]))
    y, least, largest = shown["y"], F(5, 4), max(top[y] / bottom[y] for y in top)
    listed = (shown["P0"], shown["P1"]) == (top[y], bottom[y]) == (F(1, 4), F(9, 100))
    valid = max(world.growths()) <= least and shown["bound"] == least ** (world.steps - 1)
    return listed and valid and largest == shown["slope"] > shown["bound"]


@recheck("larger shift", ASSUMED, ONE)
def _larger_shift(world, shown):
    top, bottom = world.laws(shown["known_blocks"])
    valid = 1 < shown["ratio"] >= max(world.growths()) ** (world.steps - 1)
    reached = stick(top.values(), bottom.values(), shown["ratio"])
    return valid and reached == shown["reached"] > shown["delta"] == 0


@recheck("disjoint parts", ONE)
def _disjoint(world, shown):
    top, bottom = world.laws(world.rest(shown["z"]))
    return sum(p for y, p in top.items() if not bottom[y]) == shown["P0_where_P1_is_0"] > 0


@recheck("not in S_2", ASSUMED)
def _not_in_support(world, shown):
    first, z, y = shown["z_star"], shown["z"], shown["y"]
    past = world.law(True, dict(enumerate((first, *z)[:-1], start=2)), (1,))
    now = world.law(True, {2: first, **world.rest(z)}, (2,))
    return min(past[y[:1]], now[y[1:]]) > 0 == world.law(True, world.rest(z))[y]


@recheck("mass missing", ONE)
def _missing(world, shown):
    top, bottom = world.laws(world.rest(shown["z"]))
    return sum(top[y] for y in top if bottom[y]) == shown["mass"] < 1


def _both_sums(world: World, shown: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the sums over the sets V_{t|z#} and over V_t."""
    left, t = F(0), world.steps
    for first, mass in enumerate(world.law_of_block):
        known = {t: first, **world.rest(shown["z"])}
        top, bottom = (world.law(k, known, (t,)) for k in (False, True))
        left += mass * sum(top[y] for y in top if bottom[y])
    return left, sum((a for a, b in zip(*world.pair(shown["z"])) if b), F(0))


@recheck("union", ASSUMED, ONE)
def _union(world, shown):
    left, right = _both_sums(world, shown)
    return left == shown["left"] != shown["right"] == right


@recheck("a negative factor", ASSUMED)
def _negative_factor(world, shown):
    left, right = _both_sums(world, shown)
    pairs = world.one_step_pairs()
    delta_max = max(stick(*pair, a / b) for pair in pairs for a, b in zip(*pair))
    factor = 1 - (world.steps - 1) * delta_max
    told = (shown["left"], shown["right"], shown["factor"])
    return (left, right, factor) == told and factor * left > factor * right


@recheck("1 and 0")
def _sum_and_shift(world, shown):
    top, bottom = world.pair(shown["z"])
    slope = max(a / b for a, b in zip(top, bottom) if b)
    total = sum(a for a, b in zip(top, bottom) if b)
    return total == shown["sum"] != shown["minimum_shift"] == stick(top, bottom, slope)


@recheck("one coin", ONE)
def _one_coin(world, shown):
    y, shared = shown["y"], shown["shared_blocks"]
    apart = world.law(True, shared, (1,))[y[:1]] * world.law(True, shared, (2,))[y[1:]]
    return world.law(True, shared)[y] == shown["P1"] != shown["product"] == apart


@recheck("the bound holds")
def _bound_holds(world, shown):
    growths = [world.growth(y, 3) for y in world.outputs]
    pairs = [world.laws(world.rest(z)) for z in world.values()]
    for y in product(world.outputs, repeat=3):
        most, least = max(top[y] for top, _ in pairs), min(bottom[y] for _, bottom in pairs)
        if most > prod(growths[out] for out in y) * least:
            return False
    return list(shown["growths"]) == growths and len(set(world.rows.values())) > 1


@recheck("three independent outputs")
def _three_independent(world, shown):
    for shared, k in product(shown["shared_blocks"], (False, True)):
        law, apart = world.law(k, shared), [world.law(k, shared, (step,)) for step in (1, 2, 3)]
        if any(law[y] != prod(one[out,] for one, out in zip(apart, y)) for y in law):
            return False
    return world.width == 2 and world.steps == 3 and len(shown["shared_blocks"]) == 4
