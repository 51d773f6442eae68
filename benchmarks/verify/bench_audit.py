"""Exact leakage against plain floats and naive fractions, and the kernel's speed.

Times are taken by pytest-benchmark, all in one run; `table.py` turns them into ratios. Nothing here
asserts a time.
"""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.instances import (
    all_pairs,
    fraction_ratio,
    halves,
    hull,
    question,
    random_channel,
    small_numbers,
    uncached,
)

from pufferproof import Channel, Framework, Level, Table, audit, audit_many, smallest_delta
from pufferproof.examples.builders.mechanisms.geometric import range_restricted_geometric
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text
from pufferproof.verify.leakage.mixtures import mixture_delta

SIZE = 512
MATRIX = 2048
FOUR = [[37, 30, 20, 13], [33, 31, 22, 14]]
EIGHT = [[37, 30, 20, 13, 25, 41, 17, 11], [33, 31, 22, 14, 27, 37, 19, 10]]


@pytest.fixture(scope="module")
def channel():
    return random_channel(SIZE)


@pytest.fixture(scope="module")
def framework(channel):
    return halves(channel)


def test_naive_fractions_one_pair(benchmark, framework, channel):
    benchmark.pedantic(fraction_ratio, (framework, channel, 1), rounds=1)
    benchmark.extra_info |= {"what": "one of these pairs by the definition in `Fraction`s, for comparison"}


def test_audit_again(benchmark, framework, channel):
    benchmark.pedantic(audit, (framework, channel), rounds=30, iterations=3, warmup_rounds=3)
    benchmark.extra_info |= {"what": "audit of 512 x 512, 32 pairs of halves, called again with the same objects"}


def test_certified_audit(benchmark, framework, channel, tmp_path):
    def certified():
        found = audit(framework, uncached(channel))
        write_atomically(tmp_path / "c.json", certified_text(audit_certificate(found, Inputs())))

    benchmark.pedantic(certified, rounds=3)


def test_kernel(benchmark, framework, channel, tmp_path):
    certificate = audit_certificate(audit(framework, channel), Inputs())
    (tmp_path / "c.json").write_text(certified_text(certificate), encoding="utf-8")
    accepted = benchmark.pedantic(kernel.check, (str(tmp_path / "c.json"),), rounds=3)
    benchmark.extra_info["checked"] = accepted.checked


@pytest.mark.parametrize(("size", "target"), [(256, "under 0.2 s"), (1_000, "under 2 s")])
def test_certificate_of_all_pairs(benchmark, size, target):
    channel = random_channel(size)
    found = audit(all_pairs(channel), channel)
    text = benchmark.pedantic(lambda: certified_text(audit_certificate(found, Inputs())), rounds=3, warmup_rounds=1)
    benchmark.extra_info |= {
        "what": f"certificate of all {size * (size - 1) // 2:,} pairs, {size} x {size}, written and checked",
        "compared": f"{len(text) / 1e6:.1f} MB",
        "target": target,
    }


MEMORY = """
import json, sys, time
import numpy as np
from pufferproof import Channel, Framework, Table, audit
labels = [str(x) for x in range({size})]
uniform = Table({{label: "1/{size}" for label in labels}})
half = {size} // 2
secrets = {{label: [label] for label in labels}}
if {pairs} == 1:
    secrets = {{"s": labels[:half], "t": labels[half:]}}
framework = Framework(labels, secrets, "disjoint", {{"uniform": uniform}})
start = time.process_time()
channel = Channel.from_array(np.load(sys.argv[1]), labels, normalize=True)
audit(framework, channel)
# ru_maxrss counts the parent's
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([time.process_time() - start, int(peak.split()[1])]))
"""


@pytest.mark.parametrize("pairs", [1, MATRIX * (MATRIX - 1) // 2], ids=["one_pair", "all_pairs"])
def test_memory_of_a_large_float_matrix(benchmark, tmp_path, pairs):
    matrix = np.random.default_rng(0).random((MATRIX, MATRIX)) ** 6 + 1e-9
    np.save(tmp_path / "m.npy", matrix / matrix.sum(axis=1, keepdims=True))

    def run():
        script = MEMORY.format(size=MATRIX, pairs=pairs)
        command = [sys.executable, "-c", script, str(tmp_path / "m.npy")]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    _, kilobytes = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info["peak_mb"] = kilobytes / 1024
    benchmark.extra_info["matrix_mb"] = matrix.nbytes / 2**20


def test_audits_of_small_channels(benchmark):
    """Framework, prior and channel are built inside the clock, from numbers not seen before."""
    numbers = iter(small_numbers(300, databases=16, outputs=8))
    setup = lambda: ((next(numbers),), {})  # noqa: E731
    ask = lambda given: audit(*question(*given), "log(3)")  # noqa: E731
    benchmark.pedantic(ask, setup=setup, rounds=250, warmup_rounds=20)
    benchmark.extra_info |= {
        "what": "audit of a 16 x 8 channel at a level, framework and channel built",
        "target": "under 0.3 ms",
    }


@pytest.mark.parametrize(
    ("kind", "rows", "runs", "target"),
    [
        ("randomised response", [[51, 49], [49, 51]], 1000, "under 0.07 s, a PLD at 1e-4"),
        ("three outputs, ratios 3, 1, 1/3", [[3, 2, 1], [1, 2, 3]], 1000, "under 0.2 s"),
        ("three outputs of any ratios", [[37, 33, 30], [33, 36, 31]], 1000, "under 0.2 s"),
        ("three outputs of any ratios", [[37, 33, 30], [33, 36, 31]], 10_000, ""),
        ("four outputs of any ratios", FOUR, 1000, ""),
        ("four outputs, bounds by a grid", FOUR, 10_000, "under 3 s"),
        ("eight outputs, bounds by a grid", EIGHT, 1000, "under 3 s"),
        ("eight outputs, bounds by a grid", EIGHT, 10_000, "under 3 s"),
        ("eight outputs, bounds by a grid", EIGHT, 100_000, "under 3 s"),
    ],
)
def test_delta_of_runs(benchmark, kind, rows, runs, target):
    """Exact, or between proved bounds; a floating privacy loss distribution of grid 1e-4 is off by
    up to a tenth.
    """

    def ask():
        priors = {"theta": Table({"a": "1/2", "b": "1/2"})}
        framework = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], priors)
        channel = Channel.of(dict(zip("ab", rows)), "stuvwxyz"[: len(rows[0])], normalize=True)
        level = {1000: "3", 10_000: "60", 100_000: "600"}[runs]
        return smallest_delta(framework, channel, level, runs=runs)

    lower, upper = benchmark.pedantic(ask, rounds=2).bounds()
    apart = f", bounds {float((upper - lower) / upper):.0e} of it apart" if lower < upper else ""
    benchmark.extra_info |= {
        "what": f"smallest delta of {runs:,} runs, {kind}",
        "compared": f"delta {float(upper):.3g}{apart}",
        "target": target,
    }


def test_delta_of_runs_of_four_databases(benchmark):
    rows = [[37, 33, 30], [33, 36, 31], [35, 34, 31], [31, 36, 33]]

    def ask():
        prior = Table(dict.fromkeys("abcd", "1/4"))
        framework = Framework("abcd", {"s": "ab", "t": "cd"}, [("s", "t")], {"theta": prior})
        channel = Channel.of(dict(zip("abcd", rows)), "uvw", normalize=True)
        return smallest_delta(framework, channel, "3", runs=1000)

    benchmark.pedantic(ask, rounds=3)
    benchmark.extra_info["what"] = "smallest delta of 1,000 runs, three outputs, two databases a secret"


@pytest.mark.parametrize(("priors", "target"), [(20, ""), (100, "under 1 s")])
def test_hull_of_priors(benchmark, priors, target):
    """Every round begins with a framework and a channel of which nothing is known."""
    channel = random_channel(64)
    setup = lambda: ((hull(channel, priors), uncached(channel)), {})  # noqa: E731
    benchmark.pedantic(audit, setup=setup, rounds=5, warmup_rounds=1)
    benchmark.extra_info |= {"what": f"audit over the mixtures of {priors} priors, 64 x 64, one pair", "target": target}


def test_delta_of_a_hull_of_priors(benchmark):
    """Every round begins with a framework and a channel of which nothing is known."""
    channel, level = random_channel(64), Level.log(Fraction(21, 20))
    bound = Fraction(1, 100)
    setup = lambda: ((hull(channel, 100), uncached(channel), level, bound), {})  # noqa: E731
    assert benchmark.pedantic(mixture_delta, setup=setup, rounds=1)[1] == 1
    benchmark.extra_info["what"] = "smallest delta over the mixtures of 100 priors, 64 x 64"


def test_framework_of_a_million_databases(benchmark, tmp_path):
    """From JSON, in a process of its own, its start included."""
    path, count = tmp_path / "framework.json", 10**6
    names = [f"x{index}" for index in range(count)]
    framework = {
        "format": "pufferproof-framework/1",
        "databases": names,
        "secrets": {"s": names[: count // 2], "t": names[count // 2 :]},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"table": dict.fromkeys(names, f"1/{count}")}},
    }
    path.write_text(json.dumps(framework))
    code = (
        "import sys, time, pufferproof; pufferproof.read_framework(sys.argv[1]);"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'));"
        "print(time.process_time(), int(peak.split()[1]) // 1024)"
    )
    command = [sys.executable, "-c", code, str(path)]
    run = lambda: subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: E731
    seconds, peak = benchmark.pedantic(run, rounds=1).stdout.split()
    benchmark.extra_info |= {
        "what": "framework of 10^6 databases from JSON, start of the process included",
        "seconds": float(seconds),
        "compared": f"file of {path.stat().st_size // 10**6} MB",
        "ratio": f"peak {peak} MB",
        "target": "under 6 s",
    }


def test_noisy_count(benchmark):
    """A count of 16 bits with geometric noise, written out for every database."""
    counts = {f"{x:016b}": x.bit_count() for x in range(2**16)}
    made = benchmark.pedantic(range_restricted_geometric, (counts, 2, 0, 16), rounds=5)
    assert made.probability("0" * 16, "0") == Fraction(2, 3)
    benchmark.extra_info |= {"what": "noisy count on 2^16 databases, the matrix", "target": "under 0.3 s"}


def test_many_audits(benchmark):
    numbers = small_numbers(10_000, databases=4, outputs=3)

    def every():
        return sum(1 for _ in audit_many((question(*given) for given in numbers), "log(3)"))

    assert benchmark.pedantic(every, rounds=3) == len(numbers)
    rate = len(numbers) / benchmark.stats["median"]
    benchmark.extra_info |= {
        "what": "`audit_many`, 10,000 audits of 4 x 3 channels, frameworks and channels built, in one process",
        "ratio": f"{rate:,.0f} a second",
        "target": "10,000 a second",
    }
