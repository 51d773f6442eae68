"""The pytest plugin in test suites of other people: what passes, what fails, and what it says."""

import re
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import pufferproof as pp

half, quarter = {"a": "1/2", "b": "1/2"}, dict.fromkeys(["00", "01", "10", "11"], "1/4")
two = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table(half)})
coin = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
secrets = {"s": ["00", "11"], "t": ["01", "10"]}
parity = pp.Framework(list(quarter), secrets, [("s", "t")], {"theta": pp.Table(quarter)})
bits = [pp.Channel.of({x: {x[i]: 1} for x in quarter}) for i in (0, 1)]
chain = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
records = pp.Records(3, ("0", "1"))
values = {"x2=0": (2, "0"), "x2=1": (2, "1")}
chained = pp.Framework.of_records(records, values, "disjoint", {"theta": chain})
noisy = pp.RecordQuery("sum", pp.Noise("laplace", 1), records)
"""
PASSING = [
    'assert_pufferfish(two, coin, "log(3)")',
    "assert_composes(two, [coin, coin])",
    'assert_composes(two, [coin], "log(27)", runs=3)',
    'assert_translates(chained, ["log(2)"], "log(4)")',
]
FAILING = {
    'assert_pufferfish(two, coin, "log(2)")': [
        "VIOLATES log(2): leakage log(3) ≈ 1.098612 nats",
        "prior    output  given  probability",
        "'theta'  'u'     's'    3/4",
        "                 't'    1/4",
    ],
    'assert_pufferfish(chained, noisy, "0.5")': ["VIOLATES 0.5: leakage", "prior    output  likelier given  than"],
    "assert_composes(parity, bits)": [
        "VIOLATES the sum of the single leakages: joint leakage infinite",
        "together  infinite",
        "'theta'  '0', '0'  's'    1/2",
    ],
    'assert_composes(two, [coin], "log(2)", runs=3)': ["VIOLATES log(2)", "1, 3 times"],
    'assert_translates(chained, ["log(2)"], "log(2)")': [
        "VIOLATES log(2): worst case of the levels",
        "attained by",
        "a count",
    ],
    'assert_pufferfish(coin, "log(3)")': ["expected assert_pufferfish(framework, mechanism"],
    'assert_pufferfish(None, coin, "log(3)")': ["framework: expected a Framework"],
    'assert_pufferfish(coin, two, "log(3)")': ["expected the framework first"],
    "assert_composes([coin, coin])": ["expected assert_composes(framework, mechanisms"],
    "assert_composes(None, [coin])": ["framework: expected a Framework"],
    "assert_composes(two, coin)": ["expected a sequence", "(one alone is a list as well: [it])"],
    'assert_translates(["log(2)"], "log(4)")': ["expected assert_translates(framework"],
    'assert_translates(None, ["1"], "2")': ["framework: expected a Framework"],
    'assert_translates(chained, ["1"], "x")': ["epsilon: expected a level such as"],
}


def written(calls):
    tests = (f"def test_{place}({call.partition('(')[0]}):\n    {call}\n" for place, call in enumerate(calls))
    return "\n\n".join([SUITE, *tests])


def test_suites_pass_or_show_the_witness_as_a_table(pytester):
    pytester.makepyfile(test_holds=written(PASSING), test_fails=written(FAILING))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    assert result.parseoutcomes() == {"passed": len(PASSING), "failed": len(FAILING)}
    parts = re.split(r"^_+ test_\d+ _+$", result.stdout.str(), flags=re.MULTILINE)[1:]
    assert len(parts) == len(FAILING)
    for lines, printed in zip(FAILING.values(), parts):
        for line in lines:
            assert line in printed
        inside = re.findall(r"^\S*(?:lp|verify|models|reports)/\S+\.py:\d+", printed, re.MULTILINE)
        assert not inside


def test_what_is_undecided_fails(monkeypatch):
    from fractions import Fraction

    import pufferproof as pp
    from pufferproof.verify.leakage.ratio import Leakage

    framework = pp.Framework.of_binary(pp.BinaryChain("1/4", "1/2", 3), 2)
    worst = pp.translate(framework, ["log(2)"])
    between = type(worst)(Leakage(Fraction(2), Fraction(9)), False, worst.prior, worst.pair, None)
    monkeypatch.setattr("pufferproof.lp.translation.translate.translate", lambda *_: between)
    pp.assert_translates(framework, ["log(2)"], "log(9)")
    with pytest.raises(AssertionError, match=r"UNDECIDED log\(5\)"):
        pp.assert_translates(framework, ["log(2)"], "log(5)")
    with pytest.raises(AssertionError, match=r"VIOLATES log\(3/2\)"):
        pp.assert_translates(framework, ["log(2)"], "log(3/2)")


def test_importing_the_plugin_imports_nothing_else():
    code = (
        "import pytest, sys; before = set(sys.modules); import pufferproof.reports.pytest_plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    plugin = ("pufferproof", "pufferproof.reports", "pufferproof.reports.pytest_plugin")
    assert tuple(done.stdout.split()) == plugin
