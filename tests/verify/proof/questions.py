"""Questions whose exact answers are known, for each place where a solver in floats proposes."""

from fractions import Fraction

import sympy
from tests.brute.frameworks import bits, two_priors
from tests.lp.best.test_mechanism import HIDDEN, LOSS, total

from pufferproof import Channel, Framework, Level, LocalMechanism, MarkovChain, Records, composition_rate
from pufferproof.lp.best.composable import chosen_kernels, optimal_composable
from pufferproof.lp.best.mechanism import absolute_error, optimal_mechanism
from pufferproof.lp.conditions import composition_conditions
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.lp.rates.nfc import check_nfc
from pufferproof.lp.redaction.central import central_optimum
from pufferproof.lp.worst.composition import worst_composition
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.noise.normal.lines import hull_bound, separating
from pufferproof.verify.proof.implication import search_inequality
from pufferproof.verify.sequences.leakage import local_leakage

F = Fraction
ROWS = [Row({0: 1, 1: 2}, "<=", 4), Row({0: 3, 1: 1}, "<=", 6)]


def optimum():

    found = solve_exact(Program({0: 1, 1: 1}, ROWS, 2))
    return found.status, found.value


def infeasible():
    found = solve_exact(Program({0: 1}, [Row({0: 1}, "<=", 1), Row({0: 1}, ">=", 2)], 1))
    return (found.status,)


def unbounded():
    return (solve_exact(Program({0: 1, 1: 1}, ROWS[:1], 2, {1})).status,)


def alone():
    found = worst_composition(bits(2, stay=F(3, 4)), ["log(2)"])
    return ((found.lower, found.upper),)


def per_record():
    found = worst_composition(bits(2, stay=F(3, 4)), ["log(2)", "log(3)"], per_record="log(2)")
    return ((found.lower, found.upper),)


def bounded():
    """By bounds alone: there are more rays than may be held."""
    space = bits(3, stay=F(3, 4))
    found = worst_composition(space, ["log(2)"] * 2, per_record="log(2)", max_rays=4, seconds=1)
    return ((found.lower, found.upper),)


def two_laws():
    found = worst_composition(two_priors("1/3", "1/2"), ["log(6/5)"] * 2, max_rays=1, seconds=1)
    return ((found.lower, found.upper),)


def collapsing():
    found = worst_composition(bits(3), ["log(2)"] * 2)
    return ((found.lower, found.upper),)


def rate():
    rows = {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}
    found = composition_rate(HIDDEN, Channel.of(rows, ["u", "v"]))
    return ((found.lower, found.upper),)


def nfc():
    rows = {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}
    channel = Channel.of(rows, ["u", "v"])
    return tuple(check_nfc(HIDDEN, channel, level).answer.name for level in ("log(3/2)", "0.2"))


def conditions():
    rows = {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}
    found = composition_conditions(HIDDEN, Channel.of(rows, ["u", "v"]))
    return tuple((each.lower, each.upper) for each in found.conditions)


def best():
    found = optimal_mechanism(HIDDEN, "log(2)", LOSS)
    return ((found.lower, found.upper),)


def best_composing():
    found = optimal_composable(HIDDEN, Level.parse("log(2)"), LOSS, chosen_kernels(HIDDEN, LOSS))
    return ((found.lower, found.upper),)


def best_of_bits():
    space = bits(2, stay=F(3, 4))
    found = optimal_mechanism(space, "log(2)", absolute_error(total(space)))
    return ((found.lower, found.upper),)


def designs():
    found = central_optimum(BinaryChain("1/4", "1/2", 3), 2, Level.parse("log(3/2)"))
    return ((found.lower, found.upper),)


def hulls():
    flat = {(F(0), F(0)): F(1, 3), (F(2), F(1)): F(1, 3), (F(1), F(2)): F(1, 3)}
    inside = {(F(1), F(1)): F(1, 2), (F(0), F(0)): F(1, 2)}
    bound = hull_bound(inside, flat, [F(1), F(1)])
    return separating(inside, flat), known(separating(flat, inside)), known(bound)


def known(found):
    """True for what was found, None for nothing."""
    return None if found is None else True


def handelman():
    x, y = sympy.symbols("x y")
    return (
        known(search_inequality(x * y >= 0, assuming=[x >= 1, y >= 0])),
        known(search_inequality(x * y >= 1, assuming=[x >= 0, y >= 0])),
    )


STAYS = [[F(7 if v == w else 1, 10) for w in range(4)] for v in range(4)]


def directions():
    """Four values a record, so that directions that other ones span are left out."""
    secrets = {v: (2, v) for v in "abcd"}
    records = Records(3, tuple("abcd"))
    space = Framework.of_records(records, secrets, "disjoint", {"p": MarkovChain("stationary", STAYS)})
    rows = [[f"{5 if v == w else 1}/8" for w in range(4)] for v in range(4)]
    mechanism = LocalMechanism.of("abcd", "wxyz", [rows] * 3)
    return (local_leakage(space, mechanism).leakage.ratio,)


ASKED = (
    optimum, infeasible, unbounded, alone, per_record, bounded, two_laws, collapsing, rate, nfc,
    conditions, best, best_composing, best_of_bits, designs, hulls, handelman, directions,
)  # fmt: skip
QUESTIONS = {each.__name__: each for each in ASKED}
