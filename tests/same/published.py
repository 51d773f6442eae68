"""Drawn questions about what people publish: recorded data from which a chain or a normal law is
fitted, plans of releases over time, streams of windows, and samplers.

Recordings are short, so that tests of the model draw all there is; some of them break the model,
by groups that differ, by an order of two, or by values that nothing follows.
"""

import json
from fractions import Fraction
from random import Random
from typing import Any

from tests.same.questions import (
    DELTAS,
    LEVELS,
    Drawn,
    Json,
    Question,
    any_start,
    box,
    chain,
    labels,
    law,
    laws,
    local,
    matrix,
    product,
    query,
    records,
    redaction,
)
from tests.same.several import few_records, some

PERIODS = ((1, 1, 4), (1, 2, 3), (1, 3, 2), (2, 2, 2), (1, 4, 2), (1, 5, 1))  # first, every, times


def toml(keys: Json) -> str:
    """Keys and values as lines of TOML; a value that is an object stands in its line."""
    return "".join(f"{key} = {_inline(value)}\n" for key, value in keys.items())


def _inline(value: Any) -> str:
    match value:
        case dict():
            inside = ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items())
            return f"{{ {inside} }}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case _:
            return json.dumps(value)


# Recorded data -----------------------------------------------------------------------------------


def walk(rng: Random, length: int, rows: list[list[str]]) -> list[int]:
    """The values of a chain, drawn from its matrix."""
    values = range(len(rows))
    found = [rng.choice(values)]
    while len(found) < length:
        weights = [float(Fraction(each)) for each in rows[found[-1]]]
        found += rng.choices(values, weights)
    return found


def recording(rng: Random, values: int, grouped: bool, missing: bool = False) -> str:
    """A CSV of values by time, of some groups one after another; the first one has all values."""
    rows, lines = matrix(rng, values), ["time,who,state"]
    alike = rng.randrange(4) > 0
    for who in range(rng.choice((2, 3, 5)) if grouped else 1):
        chain_of = rows if alike else matrix(rng, values)
        length = rng.choice((6, 15, 40) if grouped else (12, 40, 100))
        walked = walk(rng, length, chain_of)
        if who == 0:
            walked[:2] = rng.sample(range(values), 2)
            walked[length // 2 : length // 2 + values] = range(values)
        for time, value in enumerate(walked):
            said = "" if missing and not rng.randrange(9) else str(value)
            lines.append(f"{time},p{who},{said}")
    return "\n".join(lines) + "\n"


def data(rng: Random) -> Question:
    """A chain that is fitted to recorded values, alone, with a box around it, or with kinds."""
    values, grouped, missing = rng.choice((2, 2, 3)), rng.randrange(3) > 0, not rng.randrange(4)
    words = ["--column", "state", "--time", "time", "--group", "who", "--out", "f.json"]
    words += ["--missing", "split"] if missing else []
    words += ["--length", rng.choice("358"), "--private", rng.choice(("1", "3", "2,3"))]
    match rng.randrange(6):
        case 0 | 1:
            words += ["--confidence", rng.choice(("50%", "95%", "99/100"))]
            words += some(rng, ["--stopping", "any"])
            words += some(rng, ["--initial", "stationary"], 3)
        case 2:
            words += ["--order", "2", "--smoothing", rng.choice(("0", "1/2", "1"))]
        case 3 if grouped:
            words += ["--kinds", rng.choice(("each", "box", "2")), *some(rng, ["--thin", "out"])]
        case 4:
            words += ["--states", ",".join(map(str, range(values + rng.randrange(2))))]
            words += ["--smoothing", rng.choice(("1/10", "1")), "--initial", "counted"]
        case _:
            words += some(rng, ["--initial", "counted"])
            words += some(rng, ["--people", "3"], 3)
    words += some(rng, ["--epsilon", rng.choice(LEVELS[1:])], 3)
    files = {"data.csv": recording(rng, values, grouped, missing)}
    return Question(("data", "data.csv", *words), files)


def data_numbers(rng: Random) -> Question:
    """A normal law, or a chain of classes, that is fitted to recorded numbers."""
    series, length = rng.choice((1, 1, 2, 6)), rng.choice((3, 4, 30))
    inertia, lines = rng.choice((0, 3, 8, -6)), ["time,who,load"]
    for who in range(series):
        level = 0
        for time in range(length):
            level = inertia * level // 10 + rng.randint(-40, 40)
            lines.append(f"{time},p{who},{(100 + level) / 100:.2f}")
    files = {"data.csv": "\n".join(lines) + "\n"}
    words = ["--column", "load", "--time", "time", "--group", "who", "--out", "f.json"]
    if not rng.randrange(3):
        words += ["--classes", rng.choice(("2", "3", "0.8,1.2", "1.0")), "--private", "2"]
        words += some(rng, ["--confidence", "90%"], 3)
        return Question(("data", "data.csv", *words), files)
    kind = "covariance" if series == 6 and length < 5 else "ar1"
    words += ["--gaussian", kind, "--private", "2"]
    if rng.randrange(3):
        words += ["--at", "1/2", "--at", rng.choice(("1", "7/5"))]
    else:
        words += ["--between", "1/2,1", "--between", rng.choice(("1,3/2", "6/5,2"))]
    return Question(("data", "data.csv", *words), files)


# Plans of releases -------------------------------------------------------------------------------


def plan(rng: Random, heads: Json, releases: list[Json], tables: str = "") -> str:
    """A plan in TOML: with a budget or without, and a table for each kind of release."""
    keys = {"format": "pufferproof-release/1", **heads}
    if rng.randrange(4):
        keys["budget"] = rng.choice(LEVELS[1:])
    return toml(keys) + tables + "".join(f"[[release]]\n{toml(each)}" for each in releases)


def windows(rng: Random) -> tuple[Json, int]:
    """Windows that follow each other, leave gaps or overlap, and how many records they need."""
    first, every, times = rng.choice(PERIODS)
    length = rng.choice((every, every, every, max(every - 1, 1), every + 1))
    found = {"first": first, "every": every, "times": times, "length": length}
    return found, first + every * (times - 1) + length - 1


def released(rng: Random, values: int, at: Json) -> Json:
    """A query with noise, of windows."""
    drawn = query(rng, 1, values, ("sum", "sum", "mean", "count", "histogram"))
    return {"query": drawn["query"], "noise": drawn["noise"], "records": at}


def _evidence(rng: Random, asked: str, files: Json, of: int = 2) -> Question:
    words = some(rng, ["--evidence", "evidence.zip"], of)
    return Question(("release", "plan.toml", *words), {"plan.toml": asked, **files})


def release(rng: Random) -> Question:
    """Noisy queries of windows under a chain, a class of chains or independent records."""
    values, (at, count) = rng.choice((2, 2, 3)), windows(rng)
    count += rng.choice((0, 0, 2))
    framework = records(rng, count, values)
    if not rng.randrange(5):
        framework["people"] = rng.choice((2, 10))
    kinds = (chain, product, any_start, box) if values == 2 else (chain, chain, product)
    kind = rng.choice((chain, *kinds))
    framework["priors"] = {"theta": kind(rng, count, values)}
    releases = [released(rng, values, at)]
    if not rng.randrange(3):
        releases.append(released(rng, values, {"first": 1, "length": rng.randint(1, count)}))
    asked = plan(rng, {"framework": "f.json"}, releases)
    certain = kind is chain and _certified(values, releases)
    return _evidence(rng, asked, {"f.json": framework}, 1 if certain else 20)


def _certified(values: int, releases: list[Json]) -> bool:
    """Does the kernel have a rule: for disjoint windows of two values, and noise of rationals?"""
    at, noises = releases[0]["records"], [str(each["noise"]) for each in releases]
    disjoint = values == 2 and at["length"] <= at["every"]
    return len(releases) == 1 and disjoint and not any("3/log" in each for each in noises)


def release_tables(rng: Random) -> Question:
    """Tables of windows, and mechanisms that treat records one by one."""
    values, (at, count) = rng.choice((2, 2, 3)), windows(rng)
    count = min(count, 5)
    at |= {"length": min(at["length"], 2), "times": min(at["times"], 3 if values == 2 else 2)}
    while at["first"] + at["every"] * (at["times"] - 1) + at["length"] - 1 > count:
        count += 1
    framework = records(rng, count, values)
    framework["priors"] = {"theta": rng.choice((chain, product))(rng, count, values)}
    files, releases = {"f.json": framework}, []
    for number in range(rng.choice((1, 1, 2))):
        match rng.randrange(4):
            case 0:
                table = local(rng, at["length"], values)
            case 1:
                table = redaction(rng, at["length"], values)
            case _:
                rows = labels(at["length"], values)
                table = {
                    "format": "pufferproof-mechanism/1",
                    "outputs": ["u", "v"],
                    "channel": dict(zip(rows, laws(rng, len(rows), 2))),
                }
        files[f"m{number}.json"] = table
        releases.append({"mechanism": f"m{number}.json", "records": at})
    return _evidence(rng, plan(rng, {"framework": "f.json"}, releases), files)


def release_data(rng: Random) -> Question:
    """Counts of windows under a chain that is fitted to recorded data."""
    values, (at, count) = rng.choice((2, 2, 3)), windows(rng)
    grouped = rng.randrange(3) > 0
    fitted: Json = {"csv": "data.csv", "column": "state", "group": "who", "time": "time"}
    fitted |= {"length": count, "private": [rng.randint(1, count)]}
    match rng.randrange(5):
        case 0:
            fitted["confidence"] = rng.choice(("50%", "95%"))
        case 1 if grouped:
            fitted["kinds"] = rng.choice(("each", "box"))
        case 2:
            fitted["smoothing"] = rng.choice(("1/2", "1"))
        case 3:
            fitted["people"] = rng.choice((2, 5))
    releases = [released(rng, values, at)]
    asked = plan(rng, {}, releases, f"[data]\n{toml(fitted)}")
    files = {"data.csv": recording(rng, values, grouped)}
    return _evidence(rng, asked, files, 1 if _certified(values, releases) else 20)


# Streams and samplers ----------------------------------------------------------------------------


def stream(rng: Random) -> Question:
    """Windows of blocks whose oldest one is redrawn."""
    values, window = rng.choice(((2, 1), (2, 2), (2, 2), (3, 1), (3, 2), (2, 3)))
    alphabet, rows = [str(each) for each in range(values)], labels(window, values)
    blocks: Json = {"values": alphabet, "law": law(rng, values)}
    if not rng.randrange(4):
        blocks = {"values": alphabet, "markov": chain(rng, window, values)["markov"]}
    spec = {
        "format": "pufferproof-stream/1",
        "blocks": blocks,
        "window": window,
        "mechanism": {
            "outputs": ["u", "v"],
            "channel": dict(zip(rows, laws(rng, len(rows), 2, zeros=not rng.randrange(3)))),
        },
        "alt": {"oldest": laws(rng, values, values)},
        "draws": rng.choice(("each-step", "each-step", "once", "common")),
        "steps": rng.choice((1, 2, 3, 5)),
    }
    words = some(rng, ["--delta", rng.choice(DELTAS[1:])])
    words += some(rng, ["--certificate", "certificate.json"])
    return Question(("stream", "stream.json", *words), {"stream.json": spec})


SAMPLERS = (
    "database.count('1') + rng.laplace(scale={scale}, size=size)",
    "database.count('1') + rng.normal(scale={scale}, size=size)",
    "np.round(database.count('1') + rng.laplace(scale={scale}, size=size))",
    "(rng.random(size) < {share}) == (database[0] == '1')",
    "rng.binomial(4, {share} if database[-1] == '1' else 0.5, size=size)",
    "rng.geometric({share}, size=size) + database.count('1')",
)


def estimate(rng: Random) -> Question:
    """A sampler whose draws and coins are the same in every run."""
    framework, _ = few_records(rng, priors=1)
    body = rng.choice(SAMPLERS).format(scale=rng.choice(("0.25", "1", "3")), share=rng.choice(("0.75", "0.9", "0.55")))
    code = f"import numpy as np\n\n\ndef release(database, size, rng):\n    return {body}\n"
    words = ["--samples", rng.choice(("1000", "3000", "6000")), "--seed", str(rng.randrange(9))]
    words += ["--trust-code", *some(rng, ["--independent-draws"])]
    words += some(rng, ["--confidence", rng.choice(("90%", "99%"))], 3)
    match rng.randrange(6):
        case 0:
            words += ["--epsilon", rng.choice(LEVELS), "--delta", rng.choice(DELTAS[1:])]
        case 1:
            words += ["--zcdp", rng.choice(("1/100", "1/2"))]
        case 2:
            words += ["--gdp", rng.choice(("1/4", "1"))]
        case 3 | 4:
            words += ["--epsilon", rng.choice(LEVELS)]
    words += some(rng, ["--evidence", "evidence.zip"], 4)
    files = {"f.json": framework, "sampled.py": code}
    return Question(("estimate", "f.json", "sampled:release", *words), files)


PUBLISHED: dict[str, Drawn] = {
    "data": data,
    "data-numbers": data_numbers,
    "release": release,
    "release-tables": release_tables,
    "release-data": release_data,
    "stream": stream,
    "estimate": estimate,
}
