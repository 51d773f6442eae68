"""The worst case of per-record levels: along a million bits, on 256 databases, and the bound on a
long chain of five values. Each row of the table is in `extra_info`; nothing here asserts a time.
"""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from textwrap import dedent

from pufferproof import Framework, Level, MarkovChain, Records, largest_level, translate
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.translate import worst_case

LONG = 1_000_000
STAY = [["9/10", "1/10"], ["1/10", "9/10"]]


def framework(count, transition, alphabet="01"):
    record = (count + 1) // 2
    secrets = {value: (record, value) for value in alphabet[:2]}
    chain = MarkovChain("stationary", transition)
    return Framework.of_records(Records(count, tuple(alphabet)), secrets, "disjoint", {"theta": chain})


def many_levels():
    levels = [Level.of_nats(Fraction(place % 97 + 1, 1000)) for place in range(97)]
    return [levels[place % 97] for place in range(LONG)]


def test_translate_a_million_bits(benchmark):
    benchmark.extra_info |= {
        "what": "exact worst case of one level per record, 10^6 records of two values",
        "target": "under 2 s",
    }
    space = framework(LONG, STAY)
    worst = benchmark(lambda: translate(space, ["0.1"]))
    assert worst.exact


def test_the_largest_level_of_a_million_bits(benchmark):
    benchmark.extra_info |= {
        "what": "the level per record that keeps 1, 10^6 records that change once in 10^5",
        "target": "under 2 s",
    }
    space = framework(LONG, [["99999/100000", "1/100000"], ["1/100000", "99999/100000"]])
    found = benchmark.pedantic(lambda: largest_level(space, "1"), rounds=3, iterations=1)
    assert found.broken is not None


def test_translate_a_million_levels(benchmark):
    benchmark.extra_info |= {
        "what": "exact worst case, 10^6 records of two values, a level of its own for each",
        "target": "under 2 s",
    }
    space = framework(LONG, STAY)
    levels = many_levels()
    worst = benchmark.pedantic(lambda: worst_case(space, RecordLevels.of(levels)), rounds=3, iterations=1)
    assert worst.exact


def test_memory_of_a_million_levels(benchmark):
    """In a process of its own, which says what it took at most."""
    code = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from bench_translation import STAY, LONG, RecordLevels, framework, many_levels
        from pufferproof.lp.translation.translate import worst_case
        print(worst_case(framework(LONG, STAY), RecordLevels.of(many_levels())).exact)
        # ru_maxrss counts the parent's
        peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
        print(int(peak.split()[1]) / 1024)
    """
    command = [sys.executable, "-c", dedent(code), str(Path(__file__).parent)]
    said = benchmark.pedantic(
        lambda: subprocess.run(command, capture_output=True, check=True, text=True).stdout, rounds=1
    )
    exact, peak = said.split()
    assert exact == "True"
    benchmark.extra_info |= {
        "what": "the same in a process of its own, with its start and the making of all levels",
        "ratio": f"peak {float(peak):.0f} MB",
        "target": "at most 300 MB",
    }


def test_translate_256_databases(benchmark):
    benchmark.extra_info |= {
        "what": "exact worst case on 256 listed databases, by linear programs",
        "target": "under 10 s",
    }
    rows = [["1/2", "1/4", "1/8", "1/8"], ["1/4", "1/4", "1/4", "1/4"]] * 2
    space = framework(4, rows, "abcd")
    worst = benchmark.pedantic(lambda: translate(space, ["log(2)"]), rounds=3, iterations=1)
    assert worst.attained == "linear program"


def test_translate_five_values(benchmark):
    benchmark.extra_info |= {"what": "worst case, 10^5 records of five values"}
    random = Random(1)
    weights = [[random.randint(1, 9) for _ in range(5)] for _ in range(5)]
    rows = [[Fraction(weight, sum(row)) for weight in row] for row in weights]
    space = framework(100_000, rows, "abcde")
    worst = benchmark.pedantic(lambda: translate(space, ["0.1"]), rounds=3, iterations=1)
    assert worst.exact
