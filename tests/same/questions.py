"""Questions drawn as files and a command, as somebody asks them: frameworks, mechanisms, promises.

Each kind of prior goes with each kind of query or mechanism and each promise that the formats
allow. What breaks code is drawn often: zeros, ties, powers of two, one and two records, chains that
are periodic, absorbing or nearly independent, negative eigenvalues, level 0.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as product_of
from random import Random
from typing import Any

Json = dict[str, Any]
LEVELS = ("0", "1/10", "1/2", "log(3/2)", "log(2)", "1", "log(4)", "2", "4")
DELTAS = ("0", "1/100000", "1/100", "1/10", "1/2")
BOUNDS = ("song2017", "wang2016", "sharp")
ORDERS = ("3/2", "2", "3", "8")


@dataclass(frozen=True)
class Question:
    """The words of a command, in which the names of files stand."""

    words: tuple[str, ...]
    files: Mapping[str, Json | str]  # what is written as JSON, or a text


Drawn = Callable[[Random], Question]


def law(rng: Random, size: int, zeros: bool = True) -> list[str]:
    """A law on `size` points, often with zeros, ties, or nearly all of it at one point."""
    match rng.randrange(5):
        case 0:
            weights = [1] * size
        case 1:
            weights = [rng.choice((1, 2, 4, 8)) for _ in range(size)]
        case 2:
            weights = [1] * size
            weights[rng.randrange(size)] = 99
        case 3 if zeros:
            weights = [rng.choice((0, 0, 1, 3)) for _ in range(size)]
            weights[rng.randrange(size)] += 1
        case _:
            weights = [rng.randint(1, 9) for _ in range(size)]
    return [str(Fraction(each, sum(weights))) for each in weights]


def laws(rng: Random, rows: int, size: int, zeros: bool = True) -> list[list[str]]:
    """As many laws, sometimes all the same one."""
    if not rng.randrange(6):
        return [law(rng, size, zeros)] * rows
    return [law(rng, size, zeros) for _ in range(rows)]


def labels(count: int, values: int) -> list[str]:
    """All sequences of so many digits, the last one changing fastest."""
    return ["".join(each) for each in product_of(map(str, range(values)), repeat=count)]


def matrix(rng: Random, size: int) -> list[list[str]]:
    """A transition matrix: sticky, turning, or any; irreducible enough for a stationary law."""
    if size == 2 and rng.randrange(3):
        a, b = (Fraction(1, rng.choice((2, 3, 10, 100))) for _ in range(2))
        if not rng.randrange(3):
            a, b = 1 - a, 1 - b
        return [[str(1 - a), str(a)], [str(b), str(1 - b)]]
    return laws(rng, size, size, zeros=False)


def records(rng: Random, count: int, values: int) -> Json:
    """Records whose values are numbers, with one or two of them secret."""
    alphabet = [str(each) for each in range(values)]
    secret = {rng.choice((1, count, (count + 1) // 2, rng.randint(1, count)))}
    if not rng.randrange(4):
        secret.add(rng.randint(1, count))
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": alphabet},
        "secrets": {
            f"x{each}={value}": {"record": each, "value": value} for each in sorted(secret) for value in alphabet
        },
        "pairs": [
            [f"x{each}={one}", f"x{each}={two}"]
            for each in sorted(secret)
            for one in alphabet
            for two in alphabet
            if one < two
        ],
    }


# Priors of records -------------------------------------------------------------------------------


def product(rng: Random, count: int, values: int) -> Json:
    return {"product": laws(rng, count, values)}


def chain(rng: Random, count: int, values: int) -> Json:
    initial = "stationary" if rng.randrange(3) else law(rng, values)
    return {"markov": {"initial": initial, "transition": matrix(rng, values)}}


def changing(rng: Random, count: int, values: int) -> Json:
    steps = [laws(rng, values, values) for _ in range(count - 1)]
    return {"markov": {"initial": law(rng, values), "transitions": steps}} if steps else chain(rng, count, values)


def any_start(rng: Random, count: int, values: int) -> Json:
    return {"markov": {"initial": "any", "transition": matrix(rng, values)}}


def box(rng: Random, count: int, values: int) -> Json:
    """A box of matrices around one; of two values also wide ones, and ones that reach 0."""
    middle = matrix(rng, values)
    width = Fraction(1, rng.choice((4, 10, 20, 50)))
    ends = [
        [[str(max(Fraction(x) - width, 0)) for x in row] for row in middle],
        [[str(min(Fraction(x) + width, 1)) for x in row] for row in middle],
    ]
    first = rng.choice(("any", "stationary", law(rng, values)))
    lower, upper = ends
    if first == "stationary":  # positive entries: one stationary law each
        lower = [[str(max(Fraction(x), Fraction(1, 100))) for x in row] for row in lower]
    found: Json = {"initial": first, "transition_lower": lower, "transition_upper": upper}
    if first != "stationary" and not rng.randrange(3):
        found["class"] = rng.choice(("time-varying", "history"))
    return {"markov": found}


def gap(rng: Random, count: int, values: int) -> Json:
    least = Fraction(1, values * rng.choice((2, 3, 10)))
    return {
        "markov": {
            "initial": "stationary",
            "pi_min": str(least),
            "eigengap": rng.choice(("1/10", "1/4", "1/2", "9/10")),
            "reversible": True,
        }
    }


def _parents(rng: Random, count: int, most: int) -> dict[str, list[str]]:
    return {
        str(each): [str(other) for other in sorted(rng.sample(range(1, each), min(each - 1, rng.randint(0, most))))]
        for each in range(1, count + 1)
    }


def _tables(rng: Random, parents: dict[str, list[str]], values: int) -> dict[str, Json]:
    found = {}
    for node, above in parents.items():
        found[node] = {key: law(rng, values) for key in labels(len(above), values)}
    return found


def tree(rng: Random, count: int, values: int) -> Json:
    parents = _parents(rng, count, 1)
    return {"bayes_net": {"parents": parents, "cpt": _tables(rng, parents, values)}}


def network(rng: Random, count: int, values: int) -> Json:
    parents = _parents(rng, count, 3)
    return {"bayes_net": {"parents": parents, "cpt": _tables(rng, parents, values)}}


def network_class(rng: Random, count: int, values: int) -> Json:
    parents = _parents(rng, count, 2)
    width = Fraction(1, rng.choice((4, 10, 50)))
    tables = _tables(rng, parents, values)
    ends = {}
    for name, sign in (("cpt_lower", -1), ("cpt_upper", 1)):
        ends[name] = {
            node: {key: [str(min(max(Fraction(x) + sign * width, 0), 1)) for x in row] for key, row in rows.items()}
            for node, rows in tables.items()
        }
    return {"bayes_net": {"parents": parents, **ends}}


def contacts(rng: Random, count: int, values: int) -> Json:
    edges = [[str(one), str(two)] for two in range(2, count + 1) for one in range(1, two) if rng.random() < 0.5]
    found: Json = {"edges": edges or [["1", "2"]], "base": rng.choice(("1/10", "1/2", "1/100"))}
    match rng.randrange(3):
        case 0:
            found["transmission"] = rng.choice(("1/2", "1/10", "9/10", "1"))
        case 1:
            found["transmission"] = rng.choice((["0", "1/2"], ["1/4", "1/2"], ["1/2", "1"]))
        case _:
            found |= {"transmission": rng.choice((["0", "1/2"], ["1/4", "3/4"])), "class": "own"}
    return {"contacts": found}


def hidden(rng: Random, count: int, values: int) -> Json:
    states = rng.choice((2, 3))
    return {
        "hidden_markov": {
            "initial": "stationary" if rng.randrange(2) else law(rng, states),
            "transition": matrix(rng, states),
            "emission": laws(rng, states, values),
        }
    }


# Mechanisms --------------------------------------------------------------------------------------


def noise(rng: Random) -> Json:
    scale = rng.choice(("1/4", "1/2", "1", "2", "5", "20", "1/log(2)", "3/log(3/2)"))
    match rng.randrange(6):
        case 0 | 1 | 2:
            return {"laplace": {"scale": scale}}
        case 3:
            return {"geometric": {"ratio": rng.choice(("1/2", "9/10", "1/10", "2/3"))}}
        case 4:
            return {"discrete_laplace": {"scale": scale}}
        case _:
            return {"gaussian": {"sigma": rng.choice(("1/2", "1", "3", "10"))}}


def query(rng: Random, count: int, values: int, queries: tuple[str, ...]) -> Json:
    name = rng.choice(queries)
    found: Json = {
        "format": "pufferproof-mechanism/1",
        "query": {"count": str(rng.randrange(values))} if name == "count" else name,
        "noise": noise(rng),
    }
    if count > 2 and not rng.randrange(3):
        found["segment"] = sorted((rng.randint(1, count), rng.randint(1, count)))
    return found


def local(rng: Random, count: int, values: int) -> Json:
    size = rng.choice((2, 2, 3))
    return {
        "format": "pufferproof-mechanism/1",
        "outputs": [f"u{each}" for each in range(size)],
        "local": [laws(rng, values, size) for _ in range(count)],
    }


def redaction(rng: Random, count: int, values: int) -> Json:
    chances = ("0", "1", "1/2", "1/4", "9/10")
    return {
        "format": "pufferproof-mechanism/1",
        "redaction": [[rng.choice(chances) for _ in range(values)] for _ in range(count)],
    }


def channel(rng: Random, databases: list[str]) -> Json:
    size = rng.choice((1, 2, 2, 3, 4))
    rows = laws(rng, len(databases), size)
    return {
        "format": "pufferproof-mechanism/1",
        "outputs": [f"y{each}" for each in range(size)],
        "channel": dict(zip(databases, rows)),
    }


def promise(rng: Random, others: bool = True) -> list[str]:
    """No level, a level, a level with a delta, an order."""
    level = ["--epsilon", rng.choice(LEVELS)]
    match rng.randrange(6 if others else 3):
        case 0:
            return []
        case 1 | 2:
            return level
        case 3 | 4:
            return [*level, "--delta", rng.choice(DELTAS)]
        case _:
            return [*level, "--renyi", rng.choice(ORDERS)]


def audited(framework: Json, mechanisms: list[Json], words: list[str]) -> Question:
    """One mechanism is audited, several are composed."""
    files = {f"m{number}.json": each for number, each in enumerate(mechanisms)}
    command = "audit" if len(files) == 1 else "compose"
    return Question((command, "f.json", *files, *words), {"f.json": framework, **files})


# Kinds -------------------------------------------------------------------------------------------


def listed(rng: Random) -> Question:
    """Databases that are listed, a channel, any promise."""
    databases = [f"d{each}" for each in range(rng.randint(2, 5))]
    cut = rng.randint(1, len(databases) - 1)
    shuffled = rng.sample(databases, len(databases))
    framework: Json = {
        "format": "pufferproof-framework/1",
        "databases": databases,
        "secrets": {"s": sorted(shuffled[:cut]), "t": sorted(shuffled[cut:])},
        "pairs": [["s", "t"]],
        "priors": {
            f"theta{each}": {"table": dict(zip(databases, law(rng, len(databases))))}
            for each in range(rng.randint(1, 3))
        },
    }
    if rng.randrange(2) and len(framework["priors"]) > 1:
        framework["closure"] = "convex"
    if rng.randrange(3):
        return audited(framework, [channel(rng, databases)], promise(rng))
    values = [str(Fraction(rng.randint(-3, 6), rng.choice((1, 2)))) for _ in databases]
    mechanism = {"format": "pufferproof-mechanism/1", "query": dict(zip(databases, values)), "noise": noise(rng)}
    if rng.randrange(3) == 0:
        mechanism["query"] = {each: [x, str(rng.randint(0, 3))] for each, x in zip(databases, values)}
    framework.pop("closure", None)
    return audited(framework, [mechanism], promise(rng))


def _sequences(
    prior: Callable[[Random, int, int], Json],
    lengths: tuple[int, ...],
    sizes: tuple[int, ...] = (2, 2, 3),
    queries: tuple[str, ...] = ("sum", "sum", "mean", "count", "histogram"),
    others: bool = True,
    people: bool = False,
) -> Drawn:
    """Noise on a query of records under a kind of prior; sometimes two releases together."""

    def drawn(rng: Random) -> Question:
        count, values = rng.choice(lengths), rng.choice(sizes)
        framework = records(rng, count, values)
        framework["priors"] = {
            f"theta{each}": prior(rng, count, values) for each in range(1 if rng.randrange(4) else 2)
        }
        if people:
            framework["people"] = rng.choice((1, 2, 3, 10))
        mechanisms = [query(rng, count, values, queries)]
        if not rng.randrange(5):
            mechanisms.append(query(rng, count, values, queries))
            return audited(framework, mechanisms, [])
        return audited(framework, mechanisms, promise(rng, others))

    return drawn


def weeks(rng: Random) -> Question:
    """Noise on counts of windows that follow each other, leave a gap, or overlap."""
    length, times, gap = rng.choice((5, 7, 12)), rng.choice((3, 4, 6)), rng.choice((0, 0, 1, -1))
    values, prior = rng.choice((2, 2, 3)), rng.choice((chain, chain, hidden))
    count = times * (length + gap) + rng.choice((1, 1, 9))
    framework = records(rng, count, values)
    framework["priors"] = {"theta": prior(rng, count, values)}
    name, same = rng.choice(("sum", "sum", "histogram")), query(rng, 1, values, ("sum",))["noise"]
    mechanisms = [
        {
            "format": "pufferproof-mechanism/1",
            "query": name,
            "noise": same if rng.randrange(6) else query(rng, 1, values, ("sum",))["noise"],
            "segment": [first, first + length - 1],
        }
        for first in range(1, 1 + times * (length + gap), length + gap)
    ]
    return audited(framework, mechanisms, [])


def _symbols(prior: Callable[[Random, int, int], Json], lengths: tuple[int, ...], sizes: tuple[int, ...]) -> Drawn:
    """A mechanism that changes or redacts each record by itself."""

    def drawn(rng: Random) -> Question:
        count, values = rng.choice(lengths), rng.choice(sizes)
        framework = records(rng, count, values)
        framework["priors"] = {"theta": prior(rng, count, values)}
        mechanism = rng.choice((local, redaction))(rng, count, values)
        return audited(framework, [mechanism], promise(rng, count <= 3))

    return drawn


def _asked(
    command: Callable[[Random, int], list[str]],
    priors: tuple[Callable[[Random, int, int], Json], ...],
    lengths: tuple[int, ...],
    sizes: tuple[int, ...] = (2, 2, 3),
) -> Drawn:
    """A command about a framework alone."""

    def drawn(rng: Random) -> Question:
        count, values = rng.choice(lengths), rng.choice(sizes)
        framework = records(rng, count, values)
        framework["priors"] = {"theta": rng.choice(priors)(rng, count, values)}
        name, *words = command(rng, count)
        return Question((name, "f.json", *words), {"f.json": framework})

    return drawn


def _influence(rng: Random, count: int, along: bool = True) -> list[str]:
    if count == 1 or not along or rng.randrange(2):
        return ["influence", "--curve", "--most", str(min(count, 5))]
    record, ends = rng.randint(1, count), []
    if record > 1 and (record == count or rng.randrange(3)):
        ends += ["--left", str(rng.randint(1, min(record - 1, 4)))]
    if record < count and (not ends or rng.randrange(3)):
        ends += ["--right", str(rng.randint(1, min(count - record, 4)))]
    return ["influence", "--record", str(record), *ends]


def _curve(rng: Random, count: int) -> list[str]:
    return _influence(rng, count, along=False)


def _calibrate(rng: Random, count: int) -> list[str]:
    words = ["calibrate", "--query", rng.choice(("sum", "mean", "histogram"))]
    words += ["--epsilon", rng.choice(LEVELS[1:])]
    names = ("wasserstein", "kantorovich", "plan-mean", "markov-quilt", "group-dp")
    match rng.randrange(4):
        case 0:
            return [*words, "--delta", rng.choice(DELTAS[1:])]
        case 1:
            return [*words, "--mechanism", "markov-quilt-approx", "--bound", rng.choice(BOUNDS)]
        case 2:
            return [*words, "--mechanism", rng.choice(names), "--tight"]
        case _:
            return [*words, "--mechanism", rng.choice(names)]


def _translate(rng: Random, count: int) -> list[str]:
    return ["translate", "--per-record-dp", rng.choice(LEVELS), "--runs", rng.choice("1123")]


def redact(rng: Random) -> Question:
    """Designs of redaction for one or two records of a binary chain."""
    count = rng.choice((1, 2, 3, 5, 12))
    words = ["redact", "--length", str(count), "--epsilon", rng.choice(LEVELS)]
    words += ["--private", str(rng.randint(1, count))]
    for name in ("--alpha", "--beta"):
        words += [name, rng.choice(("1/2", "1/10", "9/10", "1/100", "2/5", "3/4"))]
    return Question(tuple(words), {})


ONE_RELEASE: dict[str, Drawn] = {
    "listed": listed,
    "local-product": _symbols(product, (1, 2, 4), (2, 3)),
    "local-chain": _symbols(chain, (1, 2, 4, 9), (2, 3)),
    "local-chain-long": _symbols(chain, (20, 60, 200), (2,)),
    "local-network": _symbols(network, (2, 4, 6), (2, 3)),
    "local-box": _symbols(box, (2, 3, 5), (2, 3)),
    "noise-product": _sequences(product, (1, 2, 3, 5)),
    "noise-chain": _sequences(chain, (1, 2, 3, 5, 8)),
    "noise-chain-long": _sequences(chain, (20, 50, 120), queries=("sum", "count", "histogram")),
    "noise-weeks": weeks,
    "noise-changing": _sequences(changing, (1, 2, 4, 7)),
    "noise-people": _sequences(chain, (1, 2, 4), queries=("sum", "mean", "histogram"), people=True),
    "noise-hidden": _sequences(hidden, (1, 2, 4, 9)),
    "noise-tree": _sequences(tree, (2, 4, 8)),
    "noise-network": _sequences(network, (2, 4, 6)),
    "noise-contacts": _sequences(contacts, (2, 4, 6), (2,), ("sum", "count"), False),
    "noise-network-class": _sequences(network_class, (2, 3, 5), (2,), ("sum", "count"), False),
    "noise-any": _sequences(any_start, (1, 2, 4, 9)),
    "noise-box": _sequences(box, (1, 2, 3, 5), (2, 2, 2, 3), others=False),
    "noise-box-delta": _sequences(box, (2, 3, 5), (2,), ("sum", "count")),
    "noise-gap": _sequences(gap, (2, 3, 5), (2, 2, 3), others=False),
    "influence": _asked(_influence, (chain, product, any_start), (1, 2, 5, 9, 40)),
    "influence-network": _asked(_curve, (tree, network), (1, 2, 4, 7), (2, 2, 3)),
    "influence-box": _asked(_influence, (box, gap), (2, 3, 5), (2, 2, 2, 3)),
    "calibrate": _asked(_calibrate, (chain, chain, product, tree, changing), (1, 2, 5, 9)),
    "calibrate-class": _asked(_calibrate, (any_start, box, gap), (2, 5, 9), (2,)),
    "translate": _asked(_translate, (chain, product, tree, network, any_start), (1, 2, 3)),
    "redact": redact,
}
