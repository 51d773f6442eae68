"""The law of a program is compared with its own draws: right laws agree, planted wrong ones do
not, draws are those of a seed, and nothing outside of the program changes.
"""

import json
import math
import os
import random
import secrets
import threading
from fractions import Fraction

import numpy as np
import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.models.files.programs import Program, arguments_of
from pufferproof.verify.programs.drawing.generator import Generator
from pufferproof.verify.programs.law import ProgramError
from pufferproof.verify.programs.mechanism import as_mechanism
from pufferproof.verify.programs.repeating import Chance

BITS = ["000", "001", "011", "111"]


def coins(database, rng):
    return "".join(bit if rng.random() < 0.75 else "01"[rng.integers(2)] for bit in database)


def thirds(database, rng):
    return {"share": rng.integers(4) / 3, "both": {1 / 3, "a"}, "list": [None, True, b"x"]}


def index(database, rng):
    scores = np.array([database.count("0"), database.count("1")]) + rng.laplace(size=2)
    return int(np.argmax(scores))


def clipped(database, rng):
    return float(np.clip(database.count("1") + rng.laplace(scale=2), 0, 2))


def labelled(database, rng):
    if rng.random() < 0.5:
        return ("none", rng.integers(2))
    return ("noisy", database.count("1") + rng.exponential(2))


def rounds(database, rng):
    return round(database.count("1") + rng.normal(scale=2))


def often(database, rng):
    tries = 1
    while rng.random() < 0.5:
        tries += 1
    return tries


def noisy(database, rng):
    counts = np.array([database.count("0"), database.count("1")]) + rng.laplace(scale=3, size=2)
    return {"counts": counts, "first again": 2 * counts[0] + 1}


def gumbels(database, rng):
    scores = np.array([database.count("0"), database.count("1")]) / 2
    return int(np.argmax(scores + rng.gumbel(size=2)))


def elsewhere(database, rng):
    first = random.choice("ab") + secrets.choice("cd") + str(np.random.binomial(1, 0.25))
    return first if random.gauss(0, 1) < 1 else random.sample("xyz", 2)


class Survey:
    def __init__(self, rng):
        self.rng, self.kept = rng, {}

    def release(self, database):
        if database[1] not in self.kept:
            self.kept[database[1]] = self.rng.random() < 0.25
        return self.kept[database[1]]


PROGRAMS = [coins, thirds, index, clipped, labelled, rounds, often, noisy, gumbels, elsewhere, Survey]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_right_law_agrees_and_says_so_of_the_same_draws(program):
    """A false alarm has probability at most 10^-9; the seed is fixed."""
    one, other = (as_mechanism(program, BITS, check=True) for _ in range(2))
    assert one.as_json()["agreement"] == other.as_json()["agreement"]
    agreement = one.as_json()["agreement"]
    assert agreement["draws"] >= 80
    assert agreement["e"] < 1e6
    assert one.trust.endswith(f", {agreement['draws']} draws agree)")


def mutated(name, change):
    """A stand-in whose method draws by another law."""
    own = getattr(Generator, name)
    return lambda rng, *given, **named: change(own, rng, *given, **named)


def doubled(own, rng, loc=0.0, scale=1.0, size=None):
    return own(rng, loc, scale * Fraction(5, 4), size)


PLANTED = {
    "laplace": (doubled, [index, clipped, noisy]),
    "normal": (doubled, [rounds]),
    "exponential": (lambda own, rng, scale=1.0, size=None: own(rng, scale * 2, size), [labelled]),
    "integers": (lambda own, rng, *ends, **named: own(rng, 2), [thirds]),
    "random": (lambda own, rng, size=None: 1 - own(rng, size) / 2, [coins, often, Survey]),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_wrong_law_is_refused(name, monkeypatch):
    change, programs = PLANTED[name]
    monkeypatch.setattr(Generator, name, mutated(name, change))
    for program in programs:
        with pytest.raises(ProgramError, match="does not draw by the law that was computed"):
            as_mechanism(program, BITS, check=True)


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"no": {"record": 1, "value": "0"}, "yes": {"record": 1, "value": "1"}},
    "pairs": [["no", "yes"]],
    "priors": {"coin": {"product": [["1/2", "1/2"], ["1/2", "1/2"]]}},
}
WEIGHTED = """\
def select(database, rng):
    return "ab"[int(rng.choice(2, p=[0.25, 0.75] if database[0] == "1" else [0.75, 0.25]))]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.json").write_text(json.dumps(FRAMEWORK))
    (tmp_path / "own_choice.py").write_text(WEIGHTED)
    return tmp_path


COMMANDS = [
    ["audit", "f.json", "own_choice:select", "--epsilon", "2"],
    ["compose", "f.json", "own_choice:select", "--runs", "2"],
    ["reveal", "f.json", "own_choice:select"],
    ["audit", "f.json", "own_choice:select", "--epsilon", "2", "--evidence", "ev.zip"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[::3]))
def test_every_door_compares_draws_before_its_answer(words, folder, run, monkeypatch):
    assert " draws agree)" in run(*words, "--trust-code")[1]
    replace = ["--trust-code", *(["--replace"] if "ev.zip" in words else [])]
    assert "draws not compared: --no-agreement)" in run(*words, *replace, "--no-agreement")[1]
    monkeypatch.setattr(Generator, "choice", lambda rng, count, p: rng.integers(count))
    code, out, err = run(*words, *replace)
    assert (code, out) == (2, "")
    assert "on database '0" in err
    assert "its computed probability is 0.5; e-value e^" in err


def test_json_says_what_draws_say_or_why_they_are_not_compared(folder, run):
    words = ["audit", "f.json", "own_choice:select", "--trust-code", "--json"]
    answers = [json.loads(run(*words, *more)[1]) for more in ([], [], ["--no-agreement"])]
    expect_valid(answers[2], "audit")
    assert answers[0] == answers[1]
    assert answers[0]["program"]["agreement"]["draws"] > 40
    assert answers[2]["program"]["agreement"] is None
    assert answers[2]["program"]["not_compared"] == "--no-agreement"


def test_a_law_that_is_not_compared_is_not_said_to_agree(monkeypatch):
    def refused(*given):
        raise pp.ModelError("no comparison")

    monkeypatch.setattr("pufferproof.verify.programs.mechanism.agreement_of", refused)
    made = as_mechanism(coins, BITS, check=True)
    assert made.as_json()["agreement"] is None
    assert made.as_json()["not_compared"] == "no comparison"
    assert made.trust.endswith(", draws not compared: no comparison)")


def test_a_program_that_raises_with_generators_of_numpy_is_refused(monkeypatch):
    monkeypatch.setattr(Generator, "tossed", lambda rng: rng.random() < 0.5, raising=False)
    with pytest.raises(ProgramError, match=r"raises AttributeError: .* with generators of NumPy"):
        as_mechanism(lambda database, rng: bool(rng.tossed()), BITS, check=True)


def test_an_output_that_the_law_rules_out_is_refused(monkeypatch):
    own = Generator.integers
    monkeypatch.setattr(Generator, "integers", lambda rng, count: own(rng, count - 1))
    with pytest.raises(ProgramError, match="it drew 2, which has probability 0 there"):
        as_mechanism(lambda database, rng: rng.integers(3), BITS, check=True)


def test_functions_of_the_database_draw_nothing_to_compare():
    with pytest.raises(pp.ModelError, match="gives its own law, and draws nothing"):
        as_mechanism(lambda database: {"u": 1}, BITS, check=True)


def test_sources_of_chance_are_as_before_afterwards():
    random.seed(3), np.random.seed(3)
    np.random.normal()  # half of a pair
    before = random.getstate(), str(np.random.get_state(legacy=False))
    own, bits = os.urandom, np.random.get_bit_generator()
    as_mechanism(elsewhere, BITS, check=True)
    assert (random.getstate(), str(np.random.get_state(legacy=False))) == before
    assert os.urandom is own
    assert random._urandom is own
    assert np.random.get_bit_generator() is bits


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.random(),
        lambda rng: np.random.default_rng().random(),
        lambda rng: np.random.normal(),
        lambda rng: random.gauss(0, 1),
        lambda rng: random.SystemRandom().random(),
        lambda rng: secrets.token_hex(4),
        lambda rng: os.urandom(4),
    ],
)
def test_every_source_is_that_of_the_seed(draw):
    def drawn(seed):
        chance = Chance([seed])
        rows = []
        for _ in range(2):  # the second goes on
            with chance.own():
                rows.append(draw(chance.rng))
        return rows

    assert drawn(1) == drawn(1) != drawn(2)
    assert drawn(1)[0] != drawn(1)[1]


def test_other_threads_keep_their_secrets():
    found = []
    with Chance([0]).own():
        thread = threading.Thread(target=lambda: found.append(os.urandom(16)))
        thread.start()
        thread.join()
    with Chance([0]).own():
        assert os.urandom(16) != found[0]


def spends(database, rng, epsilon):
    spent, answers = 0.0, []
    while spent < 1.0:
        answers.append(database if rng.random() < 0.75 else "10"[int(database)])
        spent += epsilon
    return answers


PLAIN = {
    "summed": spends,  # 0.1 ten times is less than 1
    "rounded up": lambda database, rng, epsilon: math.ceil(epsilon * 3 * 10) + rng.integers(2),
    "as text": lambda database, rng, epsilon: f"{epsilon * 3} {rng.integers(2)}",
    "equal": lambda database, rng, epsilon: epsilon + 0.2 == 0.30000000000000004,
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_law_of_the_number_that_was_meant_is_not_one_of_its_float(name):
    """The program gets the float, which leads it elsewhere."""
    program = Program(PLAIN[name], name, arguments=arguments_of(["epsilon=0.1"]))
    with pytest.raises(ProgramError, match="does not draw by the law that was computed"):
        as_mechanism(program, ["0", "1"], check=True)
    exact = Program(PLAIN[name], name, arguments=arguments_of(["epsilon=1/4"]))
    as_mechanism(exact, ["0", "1"], check=name != "equal")


def test_draws_of_a_law_with_the_number_that_was_meant_agree_up_to_rounding():
    def noise(database, rng, epsilon):
        return int(database) + rng.laplace(scale=1 / epsilon), 3 * epsilon

    as_mechanism(Program(noise, "noise", arguments=arguments_of(["epsilon=0.1"])), ["0", "1"], check=True)
