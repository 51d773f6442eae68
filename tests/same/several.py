"""Drawn questions about several releases, about mixtures of priors, and about single releases where
formulas have their corners: small frameworks, whose answers are mostly fractions.

Zeros in priors and mechanisms are common, as budgets that decide whether a secret can become
certain, and levels that are reached exactly.
"""

from random import Random

from tests.same.questions import (
    LEVELS,
    Drawn,
    Json,
    Question,
    chain,
    channel,
    labels,
    law,
    laws,
    local,
    network,
    noise,
    product,
    promise,
    query,
    records,
    redaction,
)

BUDGETS = ("0", "log(3/2)", "log(2)", "log(2)", "log(3)", "1", "log(4)")
ALPHAS = ("3/2", "2", "5/2", "3", "4", "8", "30")
CERTIFIED = ("--certificate", "certificate.json")


def few(rng: Random, priors: int = 2, least: int = 1) -> tuple[Json, list[str]]:
    """A framework of few databases, of which some are impossible, and its databases."""
    if not rng.randrange(3):
        return few_records(rng, priors, least)
    databases = [f"d{each}" for each in range(rng.randint(2, 5))]
    shuffled = rng.sample(databases, len(databases))
    secrets = rng.choice((2, 2, 3)) if len(databases) > 2 else 2
    cuts = [0, *sorted(rng.sample(range(1, len(databases)), secrets - 1)), len(databases)]
    framework: Json = {
        "format": "pufferproof-framework/1",
        "databases": databases,
        "secrets": {name: sorted(shuffled[first:last]) for name, first, last in zip("stu", cuts, cuts[1:])},
        "pairs": "disjoint" if rng.randrange(3) else [["s", "t"]],
        "priors": {
            f"theta{each}": {"table": dict(zip(databases, law(rng, len(databases))))}
            for each in range(rng.randint(least, priors))
        },
    }
    return framework, databases


def few_records(rng: Random, priors: int = 2, least: int = 1) -> tuple[Json, list[str]]:
    """The same of one to three records."""
    count, values = rng.choice(((1, 2), (1, 3), (2, 2), (2, 2), (2, 3), (3, 2)))
    framework = records(rng, count, values)
    framework["priors"] = {
        f"theta{each}": rng.choice((chain, product, network))(rng, count, values)
        for each in range(rng.randint(least, priors))
    }
    return framework, labels(count, values)


def some(rng: Random, words: list[str], of: int = 2) -> list[str]:
    """These words or none: one time of so many."""
    return [] if rng.randrange(of) else words


def per_record(rng: Random, framework: Json, of: int = 3) -> list[str]:
    """A level per record, where there are records."""
    if "records" not in framework:
        return []
    return some(rng, ["--per-record-dp", rng.choice(BUDGETS[1:])], of)


def loss(rng: Random, databases: list[str]) -> Json:
    """What a guess costs, for every database."""
    outputs = [f"y{each}" for each in range(rng.choice((2, 3)))]
    return {
        "format": "pufferproof-loss/1",
        "outputs": outputs,
        "loss": {x: [rng.choice(("0", "1", "1/2", "3")) for _ in outputs] for x in databases},
    }


def _releases(rng: Random, framework: Json, mechanisms: list[Json]) -> Question:
    """Compose mechanisms: runs, levels of each, a level of all, a certificate."""
    files = {f"m{number}.json": each for number, each in enumerate(mechanisms)}
    names = list(files) * (1 if len(files) > 1 or rng.randrange(3) else 2)
    words = ["--runs", rng.choice("11235" if len(names) > 1 else "2235")]
    match rng.randrange(5):
        case 0 | 1:
            for _ in names:
                words += ["--epsilon", rng.choice(LEVELS)]
            words += some(rng, ["--rate-certificate", "rate-certificate.json"], 3)
        case 2 | 3:
            words += ["--together", rng.choice(LEVELS)]
            words += some(rng, ["--delta", rng.choice(("1/100", "1/10", "1/2"))])
    if "--delta" not in words and "--rate-certificate" not in words:
        words += some(rng, [*CERTIFIED], 3)
    return Question(("compose", "f.json", *names, *words), {"f.json": framework, **files})


def compose(rng: Random) -> Question:
    """Tables of one or two mechanisms, released several times."""
    framework, databases = few(rng)
    return _releases(rng, framework, [channel(rng, databases) for _ in range(rng.choice((1, 1, 2)))])


def shown(rng: Random, count: int, values: int) -> Json:
    """Some records alone are released."""
    chosen = sorted(rng.sample(range(1, count + 1), rng.randint(1, count)))
    return {"format": "pufferproof-mechanism/1", "show": chosen}


def compose_records(rng: Random) -> Question:
    """Releases of a few records: tables, each record by itself, some records, or noise."""
    count, values = rng.choice(((1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (4, 2)))
    framework = records(rng, count, values)
    framework["priors"] = {"theta": rng.choice((chain, product, network))(rng, count, values)}
    if not rng.randrange(4):
        queries = ("sum", "mean", "count", "histogram")
        mechanisms = [query(rng, count, values, queries) for _ in range(rng.choice((1, 2)))]
        files = {f"m{number}.json": each for number, each in enumerate(mechanisms)}
        words = ["--runs", rng.choice("1123"), *some(rng, ["--together", rng.choice(LEVELS)])]
        return Question(("compose", "f.json", *files, *words), {"f.json": framework, **files})
    kinds = rng.choice(((local,), (redaction,), (local, shown), (shown, redaction)))
    mechanisms = [rng.choice(kinds)(rng, count, values) for _ in range(rng.choice((1, 2)))]
    if not rng.randrange(3):
        mechanisms[0] = channel(rng, labels(count, values))
    return _releases(rng, framework, mechanisms)


def mixtures(rng: Random) -> Question:
    """A promise for every mixture of two or three priors."""
    framework, databases = few(rng, priors=3, least=2)
    framework["closure"] = "convex"
    if rng.randrange(3):
        words = promise(rng)
        if "--renyi" in words:  # needs listed priors
            words = words[:2]
        words += [] if "--delta" in words else some(rng, [*CERTIFIED])
        files = {"f.json": framework, "m.json": channel(rng, databases)}
        return Question(("audit", "f.json", "m.json", *words), files)
    return _releases(rng, framework, [channel(rng, databases) for _ in range(rng.choice((1, 1, 2)))])


def orders(rng: Random) -> Question:
    """Renyi divergences of several orders, and what follows for other definitions."""
    framework, databases = few(rng)
    if rng.randrange(2):
        mechanism = channel(rng, databases)
    elif "records" in framework:
        values = len(framework["records"]["alphabet"])
        queries = ("sum", "mean", "count")
        mechanism = query(rng, framework["records"]["count"], values, queries)
    else:
        mechanism = {
            "format": "pufferproof-mechanism/1",
            "query": {each: rng.choice(("0", "1", "2", "1/2")) for each in databases},
            "noise": noise(rng),
        }
    level = some(rng, ["--epsilon", rng.choice(LEVELS)])
    match rng.randrange(6):
        case 0:
            words = ["--zcdp", *some(rng, [rng.choice(("1/100", "1/2", "1"))])]
        case 1 if "channel" not in mechanism:
            words = ["--gdp", *some(rng, [rng.choice(("1/2", "1", "2"))])]
        case _:
            words = ["--renyi", rng.choice(ALPHAS), *level]
    files = {"f.json": framework, "m.json": mechanism}
    return Question(("audit", "f.json", "m.json", *words), files)


def corners(rng: Random) -> Question:
    """One or two records of three values, zeros nearly everywhere, and levels reached exactly."""
    count, values = rng.choice(((1, 3), (2, 3), (1, 2), (2, 2)))
    framework = records(rng, count, values)
    rows = [law(rng, values) if rng.randrange(2) else _sure(rng, values) for _ in range(count)]
    prior = {"product": rows} if rng.randrange(2) else chain(rng, count, values)
    framework["priors"] = {"theta": prior}
    databases = labels(count, values)
    mechanism = rng.choice((_sparse, _sparse, channel))(rng, databases)
    files = {"f.json": framework, "m.json": mechanism}
    level = ["--epsilon", rng.choice(("0", "0", "log(2)", "log(3)"))]
    match rng.randrange(5):
        case 0:
            words = [*level, *some(rng, ["--delta", rng.choice(("0", "1/2", "1"))])]
        case 1:
            words = ["--profile", *level, "--delta", "0"]
        case 2:
            words = [*level, *CERTIFIED]
        case _:
            words = ["--corners", *some(rng, level)]
    return Question(("audit", "f.json", "m.json", *words), files)


def _sure(rng: Random, size: int) -> list[str]:
    """A law on two points at most."""
    places = rng.sample(range(size), 2)
    share = rng.choice((("1", "0"), ("1/2", "1/2"), ("1/3", "2/3")))
    return [share[places.index(each)] if each in places else "0" for each in range(size)]


def _sparse(rng: Random, databases: list[str]) -> Json:
    size = rng.choice((2, 3, 4))
    rows = {each: _sure(rng, size) for each in databases}
    outputs = [f"y{each}" for each in range(size)]
    return {"format": "pufferproof-mechanism/1", "outputs": outputs, "channel": rows}


def worst(rng: Random) -> Question:
    """The worst releases of one to three budgets."""
    framework, _ = few(rng)
    words = []
    for _ in range(rng.choice((1, 2, 2, 2, 3))):
        words += ["--budget", rng.choice(BUDGETS)]
    words += [*per_record(rng, framework), *some(rng, [*CERTIFIED], 3)]
    return Question(("worst", "f.json", *words), {"f.json": framework})


def critical(rng: Random) -> Question:
    """The budget from which on a secret can become certain."""
    framework, _ = few(rng)
    words = rng.choice(([], ["--runs", "2"], ["--runs", "2"], ["--runs", "3"]))
    return Question(("critical", "f.json", *words), {"f.json": framework})


def collapse(rng: Random) -> Question:
    """Releases that make a secret certain, by both engines that decide it exactly."""
    framework, databases = few(rng)
    files: Json = {"f.json": framework}
    words = ["--engine", rng.choice(("lp", "rays")), "--out", "found"]
    match rng.randrange(4):
        case 0:
            words += ["--budget", rng.choice(BUDGETS), "--budget", rng.choice(BUDGETS)]
        case _:
            words += ["--budget", rng.choice(BUDGETS), *some(rng, ["--runs-limit", "3"])]
    match rng.randrange(4):
        case 0:
            files["m.json"] = channel(rng, databases)
            words += ["--with", "m.json"]
        case 1:
            words += ["--above", rng.choice(LEVELS[1:])]
        case 2:
            words += some(rng, ["--shrink"])
    if "--with" not in words:
        words += per_record(rng, framework)
    return Question(("collapse", "f.json", *words), files)


def partner(rng: Random) -> Question:
    """What leaks most together with a table."""
    framework, databases = few(rng)
    words = ["--budget", rng.choice(BUDGETS), "--out", "partner.json"]
    words += [*per_record(rng, framework), *some(rng, [*CERTIFIED])]
    files = {"f.json": framework, "m.json": channel(rng, databases)}
    return Question(("partner", "f.json", "m.json", *words), files)


def conditions(rng: Random) -> Question:
    """The conditions under which levels of a table add up."""
    framework, databases = few(rng)
    words = some(rng, ["--epsilon", rng.choice(LEVELS)])
    words += some(rng, ["--runs", rng.choice("13")])
    files = {"f.json": framework, "m.json": channel(rng, databases)}
    return Question(("conditions", "f.json", "m.json", *words), files)


def reveal(rng: Random) -> Question:
    """How soon a secret is certain: tables with zeros, which rule databases out."""
    framework, databases = few(rng)
    mechanism = rng.choice((channel, _sparse, _sparse))(rng, databases)
    if "records" in framework and not rng.randrange(3):
        count, values = framework["records"]["count"], len(framework["records"]["alphabet"])
        mechanism = rng.choice((redaction, local, shown))(rng, count, values)
    files = {"f.json": framework, "m.json": mechanism}
    return Question(("reveal", "f.json", "m.json", "--runs", rng.choice("136")), files)


def optimal(rng: Random) -> Question:
    """The mechanism of least loss, alone, among those that compose, or beside another one."""
    framework, databases = few(rng)
    files: Json = {"f.json": framework, "loss.json": loss(rng, databases)}
    words = ["--epsilon", rng.choice(BUDGETS), "--loss", "loss.json", "--out", "best.json"]
    words += some(rng, ["--prior", rng.choice(list(framework["priors"]))], 3)
    match rng.randrange(5):
        case 0 | 1:
            words += ["--compose", rng.choice(("coupling", "independent", "one-hot"))]
        case 2:
            outputs = files["loss.json"]["outputs"]
            files["m.json"] = {
                "format": "pufferproof-mechanism/1",
                "outputs": outputs,
                "channel": dict(zip(databases, laws(rng, len(databases), len(outputs)))),
            }
            words += ["--compare", "m.json"]
        case _:
            words += [*per_record(rng, framework), *some(rng, [*CERTIFIED])]
    return Question(("optimal", "f.json", *words), files)


SEVERAL: dict[str, Drawn] = {
    "compose": compose,
    "compose-records": compose_records,
    "mixtures": mixtures,
    "orders": orders,
    "corners": corners,
    "worst": worst,
    "critical": critical,
    "collapse": collapse,
    "partner": partner,
    "conditions": conditions,
    "reveal": reveal,
    "optimal": optimal,
}
