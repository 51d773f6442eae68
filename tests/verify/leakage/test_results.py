"""What leakages, witnesses, largest ratios and rows of the table say of themselves."""

from dataclasses import replace
from fractions import Fraction
from math import log

import pytest

from pufferproof import Framework, Level, ModelError, Table
from pufferproof.verify.leakage.ratio import COLUMNS, LargestRatio, Leakage, Row, Scope, Witness, scope

# What leakages, witnesses and rows of the table say of themselves, by examples worked by hand.


SHORT = ("0.69314718055994530", "0.69314718055994531")  # log(2)
LONG = Fraction(10**13 + 1, 5 * 10**12)


def test_a_leakage_says_what_is_known_of_it():
    for lower, upper, ratio, ends, said in [
        (None, None, "inf", ("inf", "inf"), "infinite"),
        (1, 1, "1", ("0", "0"), "0"),
        (2, 2, "2", SHORT, "log(2) ≈ 0.6931472 nats"),
        (LONG, LONG, "10000000000001/5000000000000", None, "≈ 0.6931472 nats"),
        (2, LONG, None, None, "≈ 0.6931472 nats"),
        (2, None, None, (SHORT[0], "inf"), "at least 0.6931471 nats"),
        (1, None, None, ("0", "inf"), "at least 0 nats"),
        (1, 2, None, ("0", SHORT[1]), "between 0 and 0.6931472 nats"),
        (2, 4, None, (SHORT[0], "1.3862943611198907"), "between 0.6931472 and 1.386294 nats"),
    ]:
        found = Leakage(*(None if end is None else Fraction(end) for end in (lower, upper)))
        assert str(found) == said
        assert found.infinite == (lower is None)
        read = found.as_json()
        low, high = read["epsilon"]["lower"], read["epsilon"]["upper"]
        assert read["ratio"] == ratio
        assert ends is None or (low, high) == ends
        if lower and upper:
            assert abs(float(low) - log(lower)) < 1e-14 > abs(float(high) - log(upper))


@pytest.mark.parametrize(
    ("lower", "upper", "signs"),
    [
        (None, None, {2: 1, 100: 1}),
        (2, 2, {1: 1, 2: 0, 3: -1}),
        (2, 4, {1: 1, 2: None, 3: None, 4: 0, 5: -1}),
        (2, None, {1: 1, 2: None, 3: None}),
    ],
)
def test_a_leakage_is_compared_with_a_level_as_far_as_its_bounds_tell(lower, upper, signs):
    found = Leakage(*(None if end is None else Fraction(end) for end in (lower, upper)))
    assert {ratio: found.compare(Level.log(Fraction(ratio))) for ratio in signs} == signs


def test_a_witness_names_its_prior_or_its_mixture():
    one = Witness("p", ("s", "t"), "u")
    assert str(one) == "at output 'u' for 's' against 't', prior 'p'"
    assert one.as_json() == {"prior": "p", "pair": ["s", "t"], "output": "u"}
    several = Witness((("p", Fraction(1, 3)), ("q", Fraction(2, 3))), ("s", "t"), "u")
    assert str(several) == "at output 'u' for 's' against 't', mixture 1/3 'p' + 2/3 'q'"
    assert several.as_json()["prior"] == {"mixture": {"p": "1/3", "q": "2/3"}}


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def test_a_row_says_what_its_output_tells():
    for left, right, ratio, odds, ends, said in [
        (HALF, QUARTER, "2", "6", SHORT, "ratio 2"),
        (QUARTER, HALF, "1/2", "3/2", tuple(f"-{end}" for end in SHORT[::-1]), "ratio 1/2"),
        (HALF, HALF, "1", "3", ("0", "0"), "ratio 1"),
        (HALF, Fraction(0), "inf", "inf", ("inf", "inf"), "ratio infinite"),
        (Fraction(0), HALF, "0", "0", ("-inf", "-inf"), "ratio 0"),
        (Fraction(0), Fraction(0), None, None, None, "ratio none"),
    ]:
        row = Row("p", ("s|1", "t"), "u", left, right, Fraction(3))
        read = row.as_json()
        assert (read["ratio"], read["posterior_odds"]) == (ratio, odds)
        assert read["epsilon"] == (ends and {"lower": ends[0], "upper": ends[1]})
        assert str(row).endswith(f"{said}, prior 'p'")
        cells = dict(zip(COLUMNS, row.as_csv(), strict=True))
        assert cells["pair"] == r"s\|1|t"
        assert (cells["p_left"], cells["p_right"]) == (str(left), str(right))
        assert (cells["ratio"], cells["posterior_odds"]) == (ratio or "", odds or "")
        assert (cells["epsilon_lower"], cells["epsilon_upper"]) == (ends or ("", ""))
        entry = row.entry()
        nats = [entry[end] and float(entry[end]) for end in ("lower", "upper")]
        assert nats == [end and float(end) for end in ends or (None, None)]
        infinite = {None: None, "inf": float("inf")}
        assert entry["posterior_odds"] == (infinite[odds] if odds in infinite else Fraction(odds))


def test_a_scope_counts_pairs_that_priors_make_possible():
    for pairs in ["disjoint", [("r", "s"), ("r", "t"), ("s", "t")]]:
        for closure, priors, expected in [
            ("list", ["ab", "bc"], Scope(12, 4, (("r", "t"),))),
            ("list", ["ab", "abc"], Scope(24, 2, ())),
            ("list", ["ab", "ab", "bc"], Scope(18, 6, (("r", "t"),))),
            ("list", ["abc"] * 2, Scope(36, 0, ())),
            ("list", ["ab", "a"], Scope(6, 5, (("r", "t"), ("s", "t")))),
            ("convex", ["ab", "bc"], Scope(30, 4, ())),
            ("convex", ["ab", "b"], Scope(12, 5, (("r", "t"), ("s", "t")))),
            ("convex", ["a", "b"], Scope(6, 6, (("r", "t"), ("s", "t")))),
            ("list", ["a", "b"], None),
            ("convex", ["c"], None),
        ]:
            laws = {f"p{k}": Table({x: Fraction(1, len(held)) for x in held}) for k, held in enumerate(priors)}
            space = Framework("abc", {"r": "a", "s": "b", "t": "c"}, pairs, laws, closure)
            if expected is None:
                with pytest.raises(ModelError, match="nothing to check"):
                    scope(space, 3)
            else:
                assert scope(space, 3) == expected


# What a largest ratio says of itself: on what it rests, and what JSON keeps of it.


FOUND = LargestRatio(Leakage.of(Fraction(2)), Witness("p", ("s", "t"), "u"), Scope(4, 1, (("s", "r"),)))


def test_what_json_says_of_it():
    assert FOUND.as_json(None) == {
        "leakage": Leakage.of(Fraction(2)).as_json(),
        "witness": {"prior": "p", "pair": ["s", "t"], "output": "u"},
        "excluded": 1,
        "never_checked": [["s", "r"]],
        "checked": 4,
        "trust": ["EXACT"],
        "rests_on": [],
    }
    assert (FOUND.output, FOUND.where) == ("u", "")


def test_a_number_is_left_out_where_it_or_the_one_before_is_no_double():
    for checked in (1, 2**53 - 1, 2**53, 2**53 + 1, 2**60):
        said = replace(FOUND, scope=Scope(checked, 0, ())).as_json(None)["checked"]
        doubles = all(float(each) == each for each in (checked - 1, checked))
        assert said == (checked if doubles else None)
