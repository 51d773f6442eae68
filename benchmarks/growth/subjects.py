"""What grows with what: a seeded question of every command that has a size, by that size.

A subject returns the work that is timed. It builds framework and mechanism inside the clock, as
a user does; files are written before. Functions are called where there are some, commands else.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import numpy as np
from benchmarks.instances import all_pairs, bit_chain, halves, random_channel, two_secrets

import pufferproof as pp
from pufferproof.examples.builders.mechanisms.top_k import peeling
from pufferproof.reports.cli import main
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import Inputs, audit_certificate, certified_text

ROOT = Path(__file__).parents[2]
TWO = [["9/10", "1/10"], ["1/5", "4/5"]]
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
FREE = "init schema export ledger reproduce"  # commands that take no size of the user's own


@dataclass(frozen=True)
class Subject:
    """A command, what it is asked, what grows, the sizes from the first by a factor to the last,
    and the page whose practical limit it is.
    """

    command: str
    what: str
    grows: str
    first: int
    last: int
    factor: int
    page: str
    work: Callable[[int], Callable[[], Any]]

    @property
    def name(self) -> str:
        return self.work.__name__

    @property
    def sizes(self) -> Iterator[int]:
        """The sizes that are timed: the first one is run before."""
        size = self.first * self.factor
        while size <= self.last:
            yield size
            size *= self.factor


SUBJECTS: list[Subject] = []


def subject(
    page: str, command: str, what: str, grows: str, first: int, last: int, factor: int = 2
) -> Callable[[Callable[[int], Callable[[], Any]]], Any]:
    """Enter a function of a size into the table."""

    def entered(work: Callable[[int], Callable[[], Any]]) -> Callable[[int], Callable[[], Any]]:
        SUBJECTS.append(Subject(command, what, grows, first, last, factor, page, work))
        return work

    return entered


def stochastic(size: int, most: int = 100) -> list[list[Fraction]]:
    """Return a matrix of random rows without zeros."""
    rows = np.random.default_rng(size).integers(1, most, (size, size)).tolist()
    return [[Fraction(weight, sum(row)) for weight in row] for row in rows]


def records(length: int, prior: Any, values: str = "01") -> pp.Framework:
    """Return the framework whose secrets are two values of the record in the middle."""
    secrets = {value: ((length + 1) // 2, value) for value in values[:2]}
    space = pp.Records(length, tuple(values))
    return pp.Framework.of_records(space, secrets, "disjoint", {"theta": prior})


def chain(length: int) -> pp.Framework:
    return records(length, pp.MarkovChain("stationary", TWO))


def noisy(framework: pp.Framework, scale: int = 10) -> pp.RecordQuery:
    return pp.RecordQuery("sum", pp.Noise("laplace", scale), framework.records)


def pair(outputs: int, databases: int = 1) -> tuple[pp.Framework, pp.Channel]:
    """Return two secrets of some databases each, and a channel of generic numbers."""
    random, labels = Random(outputs), [f"d{x}" for x in range(2 * databases)]
    rows = {x: [random.randint(50, 99) for _ in range(outputs)] for x in labels}
    prior = pp.Table(dict.fromkeys(labels, 1), normalize=True)
    secrets = {"s": labels[:databases], "t": labels[databases:]}
    names = [f"y{y}" for y in range(outputs)]
    channel = pp.Channel.of(rows, names, normalize=True)
    return pp.Framework(labels, secrets, [("s", "t")], {"theta": prior}), channel


def command(*words: str) -> Callable[[], Any]:
    """Return a command, run in this process, so that its start is not counted."""

    def run() -> None:
        try:
            main([*words, "--quiet"])
        except SystemExit as left:
            if left.code not in (0, 1, 3):
                raise pp.PufferproofError(f"exit code {left.code}") from None

    return run


def folder(**files: Any) -> Path:
    """Return a new folder with JSON files."""
    path = Path(mkdtemp(dir=os.environ["GROWTH"]))
    for name, content in files.items():
        (path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return path


def chain_file(length: int, rows: list[list[str]] = TWO) -> dict[str, Any]:
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": length, "alphabet": ["0", "1"]},
        "secrets": {value: {"record": length // 2, "value": value} for value in "01"},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": rows}}},
    }


# one release

FORMATS = "docs/reference/formats.md"


@subject(FORMATS, "audit", "a table, 32 pairs of halves", "databases = outputs", 32, 8192)
def audit_table(n):
    return lambda: pp.audit(halves(channel := random_channel(n)), channel)


@subject(FORMATS, "audit", "a table, all pairs of databases", "databases = outputs", 32, 8192)
def audit_pairs(n):
    return lambda: pp.audit(all_pairs(channel := random_channel(n)), channel)


@subject(FORMATS, "audit --renyi", "order 2, one pair of secrets", "databases = outputs", 32, 8192)
def audit_renyi(n):
    return lambda: pp.renyi_divergence(two_secrets(n), random_channel(n), 2)


@subject(FORMATS, "audit-list", "questions of 4 databases", "questions", 64, 1 << 20, 4)
def audit_batch(n):
    return lambda: list(pp.audit_many((pair(4, 2) for _ in range(n)), "log(3)"))


@subject(FORMATS, "audit --length", "hidden Markov, 4 states", "length of a word", 5, 5120)
def audit_words(n):
    def work():
        space, hidden = chain(2), {"on": {"on": "3/4", "off": "1/4"}, "off": {"off": 1}}
        starts = {x: {f"{x}on": 1} for x in space.databases}
        step = {f"{x}{s}": {f"{x}{t}": p for t, p in hidden[s].items()} for x in starts for s in hidden}
        shows = {f"{x}{s}": ["2/3", "1/3"] if (x[0] == "0") == (s == "on") else COIN[1] for x in starts for s in hidden}
        return pp.audit(space, pp.HiddenMarkovMechanism(starts, step, shows, ["u", "v"], n))

    return work


@subject(FORMATS, "audit --certificate", "all pairs of databases", "databases = outputs", 16, 2048)
def certified(n):
    def work():
        channel = random_channel(n)
        found = pp.audit(all_pairs(channel), channel)
        return certified_text(audit_certificate(found, Inputs()))

    return work


@subject(FORMATS, "check", "the certificate of all pairs", "databases = outputs", 16, 2048)
def checked(n):
    path = Path(os.environ["GROWTH"]) / f"{n}.json"
    path.write_text(certified(n)(), encoding="utf-8")
    return lambda: kernel.check(str(path))


@subject(FORMATS, "report", "examples of one framework", "examples", 1, 256)
def reported(n):
    source, path = ROOT / "examples" / "limits" / "collapse-pair", folder()
    for each in range(n):
        (path / "examples" / f"e{each}").mkdir(parents=True)
        for file in source.iterdir():
            text = file.read_text(encoding="utf-8").replace("order = 100", f"order = {each}")
            (path / "examples" / f"e{each}" / file.name).write_text(text, encoding="utf-8")
    return command("report", str(path / "examples"), "--no-cache", "--out", str(path / "out"))


ESTIMATE = "docs/guides/estimate.md"


@subject(ESTIMATE, "estimate", "two databases, a sampler in NumPy", "samples", 10**4, 10**8, 10)
def estimated(n):
    draw = lambda x, size, rng: rng.geometric(0.5, size) + (x == "d0")  # noqa: E731
    return lambda: pp.estimate(pair(2)[0], draw, samples=n, independent_draws=True)


LIBRARIES = "docs/guides/libraries.md"


@subject(LIBRARIES, "audit", "a matrix of floats, read and audited", "rows = columns", 64, 1 << 14)
def audit_floats(n):
    matrix = np.random.default_rng(n).dirichlet(np.ones(n), n)

    def work():
        mechanism = pp.as_mechanism(matrix, [f"d{x}" for x in range(n)], normalize=True).value
        labels = mechanism.databases
        prior = pp.Table(dict.fromkeys(labels, 1), normalize=True)
        secrets = {"s": labels[: n // 2], "t": labels[n // 2 :]}
        return pp.audit(pp.Framework(labels, secrets, [("s", "t")], {"theta": prior}), mechanism)

    return work


TOP_K = "docs/guides/correlation/top-k.md"


@subject(TOP_K, "audit", "rankings of 3 labels, 4 databases", "labels", 4, 256)
def audit_ranking(n):
    random = Random(n)
    scores = {f"d{x}": {f"l{y}": random.randint(0, 9) for y in range(n)} for x in range(4)}
    return lambda: pp.audit(pair(2, 2)[0], peeling(scores, "3/2", 3))


# priors

CHAINS = "docs/guides/priors/chains.md"
NETWORKS = "docs/guides/priors/networks.md"


@subject(CHAINS, "audit", "every record reported, a chain, exactly", "records", 125, 8000)
def audit_chain(n):
    return lambda: pp.audit(chain(n), pp.LocalMechanism("01", "01", [COIN] * n))


@subject(NETWORKS, "audit", "a noisy count, a random tree, exactly", "records", 25, 3200)
def audit_tree(n):
    random = Random(n)
    parents = {str(k): [str(random.randint(1, k - 1))] if k > 1 else [] for k in range(1, n + 1)}
    rows = {each: dict(zip("01", TWO)) if of else {"": TWO[0]} for each, of in parents.items()}
    tree = lambda: records(n, pp.BayesianNetwork(parents, rows))  # noqa: E731
    return lambda: pp.audit(framework := tree(), noisy(framework))


@subject(CHAINS, "audit", "a noisy count, a box of chains", "records", 10, 1280)
def audit_box(n):
    low, high = [["4/5", "1/10"], ["1/10", "4/5"]], [["9/10", "1/5"], ["1/5", "9/10"]]
    box = lambda: records(n, pp.IntervalChain("stationary", low, high))  # noqa: E731
    return lambda: pp.audit(framework := box(), noisy(framework))


@subject(CHAINS, "audit", "a noisy count, a hidden chain", "records", 25, 3200)
def audit_hidden(n):
    hidden = lambda: records(n, pp.HiddenMarkovModel(["2/3", "1/3"], TWO, COIN))  # noqa: E731
    return lambda: pp.audit(framework := hidden(), noisy(framework))


# correlation

NOISE = "docs/guides/correlation/noise.md"
INFLUENCE = "docs/guides/correlation/influence.md"
RELEASES = "docs/guides/correlation/releases.md"
RELEASE = "docs/guides/release.md"


@subject(NOISE, "audit", "a noisy count, a chain, exactly", "records", 60, 2000)
def audit_noise(n):
    return lambda: pp.audit(framework := chain(n), noisy(framework), 1)


@subject(NOISE, "audit", "a noisy count, a chain, by a window", "records", 10**2, 10**6, 10)
def audit_window(n):
    return lambda: pp.audit(framework := chain(n), noisy(framework), 1)


@subject(NOISE, "audit", "a noisy count, a chain, a year and more", "records", 500, 64_000)
def audit_year(n):
    return lambda: pp.audit(framework := chain(n), noisy(framework), 1)


@subject(NOISE, "audit", "a noisy histogram of 3 values, a chain", "records", 5, 10_240)
def audit_histogram(n):
    rows = [["4/5", "3/20", "1/20"], ["1/5", "7/10", "1/10"], ["1/10", "1/5", "7/10"]]
    start = lambda: records(n, pp.MarkovChain("stationary", rows), "012")  # noqa: E731
    noise = pp.Noise("laplace", 9)
    return lambda: pp.audit(framework := start(), pp.RecordQuery("histogram", noise, framework.records), 1)


@subject(NOISE, "calibrate --mechanism wasserstein", "a count of bits", "databases", 16, 1 << 16)
def wasserstein(n):
    def work():
        framework = chain(n.bit_length() - 1)
        query = pp.AdditiveNoise.of_records("sum", framework.records, pp.Noise("laplace", 1))
        return pp.wasserstein_mechanism(framework, query, 1)

    return work


@subject(NOISE, "calibrate --mechanism markov-quilt", "a chain of given start", "records", 10**2, 10**6, 10)
def quilts(n):
    return lambda: pp.markov_quilt(pp.MarkovChain(["1/2", "1/2"], TWO), n, 1)


@subject(NOISE, "calibrate --mechanism markov-quilt", "1,000 records", "values of a record", 5, 320)
def quilts_of_values(n):
    return lambda: pp.markov_quilt(pp.MarkovChain("stationary", stochastic(n)), 1000, 1)


@subject(NOISE, "calibrate --delta", "Gaussian noise on a count", "records", 25, 12_800)
def gaussian(n):
    return lambda: pp.smallest_noise(framework := chain(n), noisy(framework), 1, delta="1/1000")


@subject(INFLUENCE, "influence --curve", "one record of a chain", "records", 10**2, 10**6, 10)
def curve(n):
    return lambda: pp.influence_curve(chain(n), 20)


@subject(INFLUENCE, "influence --record", "one quilt of 1,000 records", "values of a record", 4, 512)
def influence(n):
    start = lambda: pp.MarkovChain("stationary", stochastic(n))  # noqa: E731
    return lambda: pp.max_influence(start(), 1000, 500, 9, 9, "enclosed")


@subject(INFLUENCE, "translate", "one level, records of two values", "records", 10**2, 10**6, 10)
def translated(n):
    return lambda: pp.translate(chain(n), ["0.1"])


@subject(INFLUENCE, "translate", "one level, 2 records, exactly", "databases", 4, 256, 4)
def translated_list(n):
    values = "abcdefghijklmnop"[: round(n**0.5)]
    start = lambda: pp.MarkovChain("stationary", stochastic(len(values)))  # noqa: E731
    return lambda: pp.translate(records(2, start(), values), ["log(2)"])


@subject(RELEASES, "compose --ledger", "levels of segments of 1,000 records", "releases", 1000, 10**6, 4)
def account(n):
    random = Random(n)
    spent = [(sorted(random.choices(range(1, 1001), k=2)), random.randint(500, 5000)) for _ in range(n)]

    def work():
        account = pp.Accountant(chain(1000))
        for segment, scale in spent:
            account.spend(Fraction(1, scale), records=tuple(segment))
        return account.epsilon()

    return work


@subject(RELEASE, "release", "noisy counts of weeks", "releases", 5, 5120)
def released(n):
    plan = {
        "format": "pufferproof-release/1",
        "framework": "chain.json",
        "budget": "1",
        "release": [
            {"query": "sum", "noise": {"laplace": {"scale": "1"}}, "records": {"first": 1, "every": 7, "times": n}}
        ],
    }
    path = folder(chain=chain_file(7 * n), plan=plan)
    return command("release", str(path / "plan.json"))


# composition

COMPOSITION = "docs/guides/composition.md"


@subject(COMPOSITION, "compose --runs", "3 outputs, two rows", "runs", 125, 1 << 20)
def runs_of_three(n):
    return lambda: pp.repeated_leakage(*pair(3), n)


@subject(COMPOSITION, "compose --runs", "3 outputs, 6 databases", "runs", 125, 1 << 20)
def runs_of_six(n):
    return lambda: pp.repeated_leakage(*pair(3, 3), n)


@subject(COMPOSITION, "audit --delta", "3 outputs, two rows", "runs", 125, 1 << 20)
def delta_of_runs(n):
    return lambda: pp.smallest_delta(*pair(3), "0.5", runs=n)


@subject(COMPOSITION, "compose", "the rate, one pair of secrets", "databases = outputs", 16, 2048)
def rate(n):
    return lambda: pp.composition_rate(two_secrets(n), random_channel(n))


@subject(COMPOSITION, "compose --epsilon", "NfC, one pair of secrets", "databases = outputs", 16, 2048)
def nfc(n):
    return lambda: pp.check_nfc(two_secrets(n), random_channel(n), 2)


@subject(COMPOSITION, "conditions", "one pair of secrets", "databases = outputs", 4, 512)
def conditions(n):
    return lambda: pp.composition_conditions(two_secrets(n), random_channel(n))


@subject(COMPOSITION, "reveal", "3 outputs, 6 databases", "runs", 15, 1000)
def revealed(n):
    return lambda: list(pp.Observer(*pair(3, 3)).rows(runs=n))


@subject(COMPOSITION, "partner", "one pair of secrets", "databases = outputs", 4, 1024)
def partner(n):
    return lambda: pp.worst_partner(two_secrets(n), random_channel(n), "log(2)")


@subject(COMPOSITION, "worst", "one pair, one prior", "databases", 64, 1 << 16)
def worst_pair(n):
    return lambda: pp.worst_composition(two_secrets(n), ["log(2)"] * 2)


@subject(COMPOSITION, "worst --per-record-dp", "at most 4 bits, all secret", "databases", 2, 16)
def worst_bits(n):
    bits = lambda: bit_chain(n.bit_length() - 1, Fraction(3, 4))  # noqa: E731
    level = pp.Level.log(Fraction(3, 2))
    return lambda: pp.worst_composition(bits(), ["log(2)"] * 2, level)


@subject(COMPOSITION, "collapse", "a chain of bits, all secret", "databases", 2, 1 << 15)
def collapsed(n):
    return lambda: pp.collapse(bit_chain(n.bit_length() - 1, Fraction(3, 4)), "log(2)")


@subject(COMPOSITION, "critical", "two runs, a chain of bits, all secret", "databases", 4, 1 << 14)
def critical(n):
    return lambda: pp.critical_ratio(bit_chain(n.bit_length() - 1, Fraction(3, 4)), 2)


@subject(COMPOSITION, "optimal", "a bit is guessed, one pair of secrets", "databases", 4, 1024)
def optimal(n):
    def work():
        framework = chain(n.bit_length() - 1)
        loss = pp.error_probability({x: x[0] for x in framework.databases})
        return pp.optimal_mechanism(framework, "log(2)", loss)

    return work


# the other guides

REDACTION = "docs/guides/redaction.md"


def redacted(strategy):
    def work(n):
        chain = lambda: pp.BinaryChain(Fraction(1, 100 * n), Fraction(10, n), n)  # noqa: E731
        return lambda: pp.redaction_designs(chain(), 1, "0.9", [strategy])

    work.__name__ = f"redact_{strategy}"
    return work


for strategy, last in (("3r-relaxed", 256_000), ("3r-exact", 16_000), ("local-optimal", 1000)):
    subject(REDACTION, "redact", f"`{strategy}`", "records", 125, last)(redacted(strategy))


@subject(REDACTION, "redact --chain", "chains of 3 values", "records", 2, 64)
def redact_values(n):
    start = lambda: pp.MarkovChain("stationary", stochastic(3))  # noqa: E731
    return lambda: pp.alphabet_redactions(start(), n, 1, "1")


@subject("docs/guides/streams.md", "stream", "windows of 2 bits", "steps", 13, 10**4)
def streamed(n):
    def work():
        rows = {"00": COIN[0], "01": ["1/2", "1/2"], "10": ["1/2", "1/2"], "11": COIN[1]}
        answers = pp.Channel.of(rows, ["u", "v"])
        return pp.stream_leakage(pp.BlockStream("01", ["1/2", "1/2"], 2, answers, [["1/2", "1/2"]] * 2), n)

    return work


@subject("docs/guides/data.md", "fit", "labels in a list, with a box", "values in the data", 10**4, 10**8, 4)
def fitted(n):
    labels = np.random.default_rng(n).choice(["dry", "wet", "snow"], n).tolist()
    return lambda: pp.fit(labels, length=7, confidence="95%")


SWEEPS = "docs/guides/sweeps.md"


def family(values: int) -> dict[str, Any]:
    """Return a family of chains of five records, as many as there are values of a parameter."""
    return {
        "format": "pufferproof-family/1",
        "per_record_dp": ["log(2)"],
        "parameters": {"p": [f"{k}/{2 * values + 2}" for k in range(1, values + 1)]},
        "framework": chain_file(5, [["= 1 - p", "= p"], ["= p", "= 1 - p"]]),
    }


@subject(SWEEPS, "explore", "chains of five bits, one process", "members", 16, 1 << 16)
def explored(n):
    path = folder(family=family(n))
    return command("explore", str(path / "family.json"), "--jobs", "1", "--out", str(path / "out"))


@subject("docs/guides/exploring.md", "explore --formula", "the worst case of five bits", "members", 16, 1 << 14)
def conjectured(n):
    formula = {"format": "pufferproof-formula/1", "fresh": 12}
    path = folder(family=family(n), formula=formula)
    files = (str(path / "family.json"), "--formula", str(path / "formula.json"))
    return command("explore", *files, "--jobs", "1")


@subject("docs/reference/claims.md", "prove --instances", "one claim whose statement runs", "instances", 1000, 128_000)
def tried(n):
    words = ("--instances", str(n), "--no-cache", "--jobs", "1")
    return command("prove", "song2017.x-any-quilt", *words)
