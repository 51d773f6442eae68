"""Drawn questions about code: programs that draw, objects of other libraries, tables made by them,
and outputs that were recorded.

A program is one of a few published forms with drawn numbers in it, written as people write them.
"""

import json
from random import Random
from string import Template

from tests.same.questions import LEVELS, Drawn, Json, Question, chain, labels, product, promise, records
from tests.same.several import CERTIFIED, few_records, some

EPSILONS = ("1", "1/2", "2", "log(2)")
PROGRAMS = (  # of records 0 and 1; $scale, $limit and $share are drawn
    """
def release(database, rng, scale=$scale):
    return "many" if database.count("1") + rng.laplace(scale=scale) > $limit else "few"
""",
    """
def release(database, rng, scale=$scale):
    counts = np.array([database.count("0"), database.count("1")])
    return int(np.argmax(counts + rng.laplace(scale=scale, size=2)))
""",
    """
def release(database, rng, scale=$scale):
    counts = np.array([database.count("0"), database.count("1")])
    return int(np.argmax(counts + rng.gumbel(scale=scale, size=2)))
""",
    """
def release(database, rng, scale=$scale):
    counts = np.array([database.count("0"), database.count("1")])
    return int(np.argmax(counts + rng.exponential(scale=scale, size=2)))
""",
    """
def release(database, rng, scale=$scale):
    rho, said = rng.laplace(scale=scale), ""
    for answer in map(int, database):
        above = answer + rng.laplace(scale=2 * scale) >= $limit + rho
        said += "+" if above else "-"
        if above:
            break
    return said
""",
    """
def release(database, rng):
    return "".join(each if rng.random() < $share else str(1 - int(each)) for each in database)
""",
    """
def release(database, rng):
    if rng.random() < $share:
        return database[-1]
    return str(int(rng.integers(0, 2)))
""",
    """
def release(database, rng):
    return max(0, min(len(database), database.count("1") + rng.geometric($share) - 1))
""",
    """
def release(database, rng, scale=$scale):
    return database.count("1") + rng.laplace(scale=scale)
""",
    """
def release(database, rng, scale=$scale):
    return database.count("1") + rng.normal(scale=scale) > $limit
""",
    """
def release(database, rng, scale=$scale):
    total = database.count("1") + rng.normal(scale=scale)
    return total / len(database)
""",
    """
def release(database, rng, scale=$scale):
    return tuple(
        value
        for value in sorted(set(database))
        if database.count(value) + rng.laplace(scale=scale) > $limit
    )
""",
    """
def release(database, rng):
    people = [database[place] for place in rng.permutation(len(database))]
    return people[0]
""",
    """
class release:
    def __init__(self, rng):
        self.rng, self.kept = rng, {}

    def release(self, database):
        if database[0] not in self.kept:
            truth = self.rng.random() < $share
            self.kept[database[0]] = database[0] if truth else str(1 - int(database[0]))
        return self.kept[database[0]]
""",
    """
def release(database):
    share = Fraction(1 + database.count("1"), 2 + len(database))
    return {"yes": share, "no": 1 - share}
""",
)


def people(rng: Random, most: int = 3) -> tuple[Json, int]:
    """A framework of one to three bits, and how many there are."""
    count = rng.randint(1, most)
    framework = records(rng, count, 2)
    framework["priors"] = {"theta": rng.choice((chain, chain, product))(rng, count, 2)}
    return framework, count


def program(rng: Random) -> str:
    """A program with its numbers."""
    text = Template(rng.choice(PROGRAMS).lstrip()).substitute(
        scale=rng.choice(("1", "2", "1 / 2", "4")),
        limit=rng.choice(("0", "1", "2", "1 / 2")),
        share=rng.choice(("0.75", "0.5", "Fraction(2, 3)", "0.25")),
    )
    return f"from fractions import Fraction\n\nimport numpy as np\n\n\n{text}"


def _trusted(rng: Random) -> list[str]:
    """Most programs are not compared with their draws, which takes long."""
    return ["--trust-code", *some(rng, ["--no-agreement"], 1 if rng.randrange(5) else 2)]


def programs(rng: Random) -> Question:
    """The exact law of a program that draws."""
    framework, _ = people(rng)
    words = [*promise(rng), *_trusted(rng)]
    code = program(rng)
    if "class release" in code:
        words += ["--runs", rng.choice("12")]
    if "scale=scale" in code:
        words += some(rng, ["--with", f"scale={rng.choice(('3/2', '0.1', '3'))}"], 3)
    if "--epsilon" in words and "--renyi" not in words and "normal" not in code:
        words += some(rng, [*CERTIFIED])
    files = {"f.json": framework, "drawing.py": code}
    return Question(("audit", "f.json", "drawing:release", *words), files)


def programs_together(rng: Random) -> Question:
    """Releases of a program, or of two, and what they leak together with a table."""
    framework, count = people(rng, 2)
    files: Json = {"f.json": framework, "drawing.py": program(rng)}
    names = ["drawing:release"]
    match rng.randrange(3):
        case 0:
            files["second.py"] = program(rng)
            names.append("second:release")
        case 1:
            rows = {each: rng.choice((["1/2", "1/2"], ["1/4", "3/4"])) for each in labels(count, 2)}
            table = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": rows}
            files["m.json"] = table
            names.append("m.json")
    words = ["--runs", rng.choice("12") if len(names) > 1 else "2", *_trusted(rng)]
    words += some(rng, ["--together", rng.choice(LEVELS)])
    return Question(("compose", "f.json", *names, *words), files)


# Objects of other libraries ----------------------------------------------------------------------

NOISE = {  # added to a number, by a level $e or a sensitivity $s
    "opendp.prelude as dp": (
        "dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0 / $e)",
        "dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), 2.0)",
        "dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0 / $e)",
        "dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), $e)",
        "dp.m.make_geometric(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=$e)",
        "dp.m.make_geometric(dp.atom_domain(T=int), dp.absolute_distance(T=int), $e, (0, 2))",
    ),
    "diffprivlib.mechanisms as dl": (
        "dl.Laplace(epsilon=$e, sensitivity=$s)",
        "dl.LaplaceTruncated(epsilon=$e, sensitivity=$s, lower=0, upper=2)",
        "dl.LaplaceFolded(epsilon=$e, sensitivity=$s, lower=0, upper=2)",
        "dl.Geometric(epsilon=$e, sensitivity=1)",
        "dl.GeometricTruncated(epsilon=$e, sensitivity=1, lower=0, upper=2)",
        "dl.GeometricFolded(epsilon=$e, sensitivity=1, lower=0, upper=2)",
        "dl.Gaussian(epsilon=0.5, delta=0.01, sensitivity=$s)",
        "dl.GaussianAnalytic(epsilon=$e, delta=0.01, sensitivity=$s)",
        "dl.Staircase(epsilon=$e, sensitivity=$s)",
        "dl.Uniform(delta=0.25, sensitivity=$s)",
    ),
    "scipy.stats as stats": (
        "stats.laplace(scale=1 / $e)",
        "stats.norm(scale=$e)",
        "stats.dlaplace($e)",
        "stats.uniform(loc=-1, scale=2)",
        "stats.expon(scale=1 / $e)",
        "stats.binom(2, 0.5)",
        "stats.poisson($e)",
        "stats.randint(-1, 3)",
        "stats.geom(0.5)",
    ),
}
TABLES = {  # an object for each database, or one that takes an argument
    "opendp.prelude as dp": (
        "dp.m.make_randomized_response_bool(prob=0.75), {x: x[-1] == '1' for x in days}",
        "dp.m.make_randomized_response_bool(prob=$p), {x: x[0] == '1' for x in days}",
        "dp.m.make_randomized_response(categories=[0, 1, 2], prob=$p), $counts",
    ),
    "diffprivlib.mechanisms as dl": (
        "{x: dl.PermuteAndFlip(epsilon=$e, sensitivity=1, utility=$scores) for x in days}",
        "{x: dl.Exponential(epsilon=$e, sensitivity=1, utility=$scores) for x in days}",
        "dl.Binary(epsilon=$e, value0='0', value1='1'), {x: x[0] for x in days}",
        "dl.GeometricTruncated(epsilon=$e, sensitivity=1, lower=0, upper=3), $counts",
        "dl.LaplaceBoundedDomain(epsilon=$e, delta=0.0, sensitivity=1, lower=0, upper=2), $counts",
        "dl.Snapping(epsilon=$e, sensitivity=1, lower=0, upper=2), $counts",
    ),
    "scipy.stats as stats": (
        "{x: stats.binom(1 + x.count('1'), $p) for x in days}",
        "{x: stats.bernoulli((1 + x.count('1')) / 8) for x in days}",
        "{x: stats.poisson(1 + x.count('1')) for x in days}",
        "{x: stats.nbinom(2, $p if x[0] == '1' else 0.5) for x in days}",
        "{x: stats.hypergeom(4, 1 + x.count('1'), 2) for x in days}",
        "{x: stats.geom($p if x[0] == '1' else 0.5) for x in days}",
    ),
    "pandas as pd": (
        "pd.DataFrame([[1 + x.count('1'), 2, 3] for x in days], index=days, columns=list('uvw'))",
        "pd.DataFrame([[4, x.count('0')] for x in days], index=days, columns=list('uv'))",
    ),
    "numpy as np": ("np.array([[1 + x.count('1'), 2] for x in days]), days",),
}


def _drawn(rng: Random, text: str) -> str:
    """An object with its numbers."""
    return Template(text).substitute(
        e=rng.choice(("1.0", "0.5", "2.0")),
        s=rng.choice("112"),
        p=rng.choice(("0.75", "0.625", "0.875")),
        counts="{x: x.count('1') for x in days}",
        scores="[x.count('0'), x.count('1')]",
    )


def _module(library: str, lines: str) -> str:
    options = 'dp.enable_features("contrib")\n' if library.startswith("opendp") else ""
    return f"import {library}\n\nimport pufferproof as pp\n\n{options}{lines}"


def libraries(rng: Random) -> Question:
    """Noise that an object of another library adds to a query of records, or to single records."""
    framework, count = people(rng, 4)
    library = rng.choice(list(NOISE))
    noise = _drawn(rng, rng.choice(NOISE[library]))
    asked = rng.choice(("sum", "mean") if "T=float" in noise or "Laplace(" in noise else ("sum",))
    lines = f'noisy = pp.as_mechanism({noise}, pp.Records({count}, ("0", "1")), query="{asked}")\n'
    words = [*promise(rng), "--trust-code"]
    if "--epsilon" in words:
        words[words.index("--epsilon") + 1] = rng.choice(EPSILONS)
    files = {"f.json": framework, "noise_of.py": _module(library, lines)}
    return Question(("audit", "f.json", "noise_of:noisy", *words), files)


def library_tables(rng: Random) -> Question:
    """Tables that objects of other libraries are, one for each database or with its argument."""
    framework, count = people(rng, 2)
    library = rng.choice(list(TABLES))
    table = _drawn(rng, rng.choice(TABLES[library]))
    more = ", normalize=True" if library.startswith(("pandas", "numpy")) else ""
    lines = f'days = list(pp.Records({count}, ("0", "1")).labels())\n'
    lines += f"shown = pp.as_mechanism({table}{more})\n"
    files = {"f.json": framework, "table_of.py": _module(library, lines)}
    if not rng.randrange(4):
        words = ("--runs", "2", "--trust-code", "--together", rng.choice(EPSILONS))
        return Question(("compose", "f.json", "table_of:shown", *words), files)
    words = (*promise(rng), "--trust-code")
    if "pd" in library or "np" in library:
        words += tuple(some(rng, [*CERTIFIED])) if "--renyi" not in words else ()
    return Question(("audit", "f.json", "table_of:shown", *words), files)


# Recorded outputs --------------------------------------------------------------------------------


def samples(rng: Random) -> Question:
    """Outputs that were recorded for each database: their frequencies, or draws from them."""
    framework, databases = few_records(rng, priors=1)
    outputs = ("low", "high", "none")[: rng.choice((2, 3))]
    counts = {x: [rng.choice((0, 1, 3, 20, 40)) for _ in outputs] for x in databases}
    for row in counts.values():
        row[rng.randrange(len(row))] += 1
    if rng.randrange(2):
        rows = ["database," + ",".join(outputs)]
        rows += [f"{x},{','.join(map(str, row))}" for x, row in counts.items()]
        words = [*promise(rng), "--normalize"]
        words += some(rng, [*CERTIFIED]) if "--renyi" not in words else []
        files = {"f.json": framework, "m.csv": "\n".join(rows) + "\n"}
        return Question(("audit", "f.json", "m.csv", *words), files)
    seen = {x: [o for o, n in zip(outputs, row) for _ in range(n)] for x, row in counts.items()}
    code = f"SEEN = {json.dumps(seen)}\n\n\ndef drawn(database, rng):\n"
    code += "    return SEEN[database][rng.integers(len(SEEN[database]))]\n"
    words = ["--samples", rng.choice(("500", "2000")), "--trust-code"]
    words += some(rng, ["--epsilon", rng.choice(LEVELS)])
    return Question(("estimate", "f.json", "recorded_of:drawn", *words), {"f.json": framework, "recorded_of.py": code})


CODE: dict[str, Drawn] = {
    "programs": programs,
    "programs-together": programs_together,
    "libraries": libraries,
    "library-tables": library_tables,
    "samples": samples,
}
