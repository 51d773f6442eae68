"""What a program writes into a view of an array of draws is seen in the array, and in no copy."""

import numpy as np
import pytest
from tests.verify.programs.sampled import plausibility

from pufferproof import as_mechanism
from pufferproof.models.errors import ModelError

HIDDEN = 7.0  # no draw of these tests is as large

VIEWS = {
    "asarray": np.asarray,
    "asarray of floats": lambda x: np.asarray(x, dtype=float),
    "asanyarray, in order": lambda x: np.asanyarray(x, float),
    "array": lambda x: np.array(x, copy=None),
    "astype": lambda x: x.astype(float, copy=False),
    "ravel": np.ravel,
    "reshape": lambda x: np.reshape(x, 4),
    "transpose": np.transpose,
    "squeeze": np.squeeze,
    "flip": np.flip,
    "half": lambda x: np.split(x, 2)[0],
    "part": lambda x: np.asarray(x)[1:],
    "several": lambda x: np.atleast_1d(x, x)[1],
    "real": np.real,
}
COPIES = {
    "array": np.array,
    "astype": lambda x: x.astype(float),
    "copy": np.copy,
    "sort": np.sort,
    "clip": lambda x: np.clip(x, -9, 9),
    "where": lambda x: np.where(True, x, x),
}


def written(make):
    def program(_, rng):
        x = rng.uniform(size=(2, 2))
        make(x)[...] = HIDDEN
        return [int(value == HIDDEN) for value in x.ravel()]

    return program


def text_of(output):
    return "(" + ",".join(map(str, output)) + ")"


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_written_into_a_view_is_seen(name):
    program = written(VIEWS[name])
    expected = program("0", np.random.default_rng(1))
    assert any(expected)
    assert as_mechanism(program, ["0"]).law.outputs == (text_of(expected),)


@pytest.mark.parametrize("name", COPIES)
def test_what_is_written_into_a_copy_is_not_seen(name):
    law = as_mechanism(written(COPIES[name]), ["0"]).law
    assert law.outputs == ("(0,0,0,0)",)


def test_a_view_in_which_no_draw_is_left_is_one():
    def program(_, rng):
        x = rng.uniform(size=2)
        x[:] = 3
        y = np.asarray(x)
        y[0] = HIDDEN
        return str(x), str(y)

    assert as_mechanism(program, ["0"]).law.outputs == ("([7. 3.],[7. 3.])",)


def test_a_function_that_masks_its_argument_masks_that_of_the_caller():
    def largest(scores):
        scores = np.asarray(scores)
        place = int(np.argmax(scores))
        scores[place] = -np.inf
        return place

    def two_largest(database, rng):
        noisy = np.array([database.count("1"), 1.0, 0.0]) + rng.exponential(size=3)
        return str([largest(noisy), largest(noisy)])

    law = as_mechanism(two_largest, ["011"]).law
    assert plausibility(two_largest, "011", law=law) > 1e-4
    assert len(law.outputs) == 6


def test_a_row_that_is_chosen_is_a_copy():
    def program(_, rng):
        rows = np.arange(4).reshape(2, 2)
        rng.choice(rows)[0] = 9
        return rows

    assert as_mechanism(program, ["0"]).law.outputs == ("((0,1),(2,3))",)


@pytest.mark.parametrize(
    "choose",
    [
        lambda ends, u: (u <= ends).argmax(),
        lambda ends, u: np.sum(ends < u),
        lambda ends, u: np.nonzero(u < ends)[0][0],
        lambda ends, u: 3 - np.count_nonzero(ends >= u),
        lambda ends, u: np.sum((u != ends) & (u > ends)),
    ],
)
def test_a_draw_is_compared_with_each_number_of_an_array(choose):
    def program(_, rng):
        return int(choose(np.cumsum([0.25, 0.25, 0.5]), rng.random()))

    masses = as_mechanism(program, ["0"]).law.masses["0"]
    assert [float(masses[y].ball()) for y in "012"] == [0.25, 0.25, 0.5]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (
            lambda _, rng: rng.choice(5, 3, replace=False, shuffle=False),
            "calls choice with shuffle=False, whose order is not random",
        ),
        (lambda _, rng: rng.uniform(2, 1) > 1, "high - low < 0"),
        (lambda _, rng: rng.uniform([0, 2], 1).sum() > 1, "high - low < 0"),
    ],
)
def test_what_numpy_draws_otherwise_is_refused(program, why):
    with pytest.raises(ModelError, match=why):
        as_mechanism(program, ["0"])


def test_old_uniform_draws_have_ends_in_either_order():
    law = as_mechanism(lambda _, rng: np.random.uniform(2, 1) < 1.25, ["0"]).law
    assert law.masses["0"]["True"].rational == 0.25


@pytest.mark.parametrize(
    "write",
    [
        lambda order: order.sort(),
        lambda order: order.fill(1),
        lambda order: np.put(order, 0, 7),
        lambda order: np.add(order, 1, out=order),
        lambda order: order[:2].__iadd__(1),
        lambda order: np.asarray(order).fill(1),
        lambda order: order.T.__setitem__(0, 1),
        lambda order: np.ravel(order).sort(),
        lambda order: order.reshape(3, 1).fill(1),
    ],
)
def test_what_is_written_into_an_order_of_draws_is_refused(write):
    def program(_, rng):
        order = np.argsort(rng.uniform(size=3))
        write(order)
        return order

    with pytest.raises(ModelError, match=r"writes into an order of draws|read-only"):
        as_mechanism(program, ["0"])


def test_copies_of_an_order_of_draws_are_written_into():
    def program(_, rng):
        order = np.argsort(rng.uniform(size=3))
        first, second, third = order.copy(), np.array(order), np.sort(order)
        first.sort()
        second.sort()
        third[0] = 0
        return first, second, third

    assert as_mechanism(program, ["0"]).law.outputs == ("((0,1,2),(0,1,2),(0,1,2))",)
