"""A small framework of every form of the schema, and a mechanism of every form, as files."""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]
WORDS = ["00", "01", "10", "11"]
_F, _M = {"format": "pufferproof-framework/1"}, {"format": "pufferproof-mechanism/1"}
_HALF = ["1/2", "1/2"]
_ROWS = [["2/3", "1/3"], ["1/3", "2/3"]]
_MARKOV = {"initial": _HALF, "transition": _ROWS}
_TABLE = {"table": dict(zip(WORDS, ["1/2", "1/6", "1/12", "1/4"]))}
_NUMBERS = dict(zip(WORDS, ["0", "1", "1", "2"]))
_LAPLACE = {"laplace": {"scale": "4"}}
PRIORS: dict[str, Json] = {
    "table": _TABLE,
    "product": {"product": [_HALF, ["1/3", "2/3"]]},
    "markov": {"markov": _MARKOV},
    "markov, stationary": {"markov": {"initial": "stationary", "transition": _ROWS}},
    "markov, divided": {"markov": {"initial": [1, 1], "transition": _ROWS}, "normalize": True},
    "markov, changing": {"markov": {"initial": _HALF, "transitions": [_ROWS]}},
    "markov, a box": {
        "markov": {
            "initial": "stationary",
            "transition_lower": [["1/2", "1/4"], ["1/4", "1/2"]],
            "transition_upper": [["3/4", "1/2"], ["1/2", "3/4"]],
        }
    },
    "bayes_net": {
        "bayes_net": {"parents": {"1": [], "2": ["1"]}, "cpt": {"1": {"": _HALF}, "2": {"0": _ROWS[0], "1": _ROWS[1]}}}
    },
    "contacts": {"contacts": {"edges": [["1", "2"]], "transmission": "1/4", "base": "1/4"}},
    "hidden_markov": {"hidden_markov": {"initial": _HALF, "transition": _ROWS, "emission": _ROWS}},
    "gaussian": {"gaussian": {"mean": ["0", "0"], "covariance": [["1", "1/2"], ["1/2", "1"]]}},
}
_RECORDS = {"records": {"count": 2, "alphabet": ["0", "1"]}}
_ASKED = {"secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}}, "pairs": [["s", "t"]]}
_EVERY = {x: [x] for x in WORDS}
FRAMEWORKS: dict[str, Json] = {
    **{name: _F | _RECORDS | _ASKED | {"priors": {"p": prior}} for name, prior in PRIORS.items()},
    "databases": _F
    | {"databases": WORDS, "secrets": {"s": WORDS[:2], "t": WORDS[2:]}, "pairs": "disjoint"}
    | {"priors": {"p": _TABLE}},
    "closure": _F | _RECORDS | _ASKED | {"priors": {"p": _TABLE, "q": PRIORS["product"]}, "closure": "convex"},
    "people": _F | _RECORDS | _ASKED | {"priors": {"p": {"markov": _MARKOV}}, "people": 2},
    "metric": _F
    | {"databases": WORDS, "secrets": _EVERY, "priors": {"p": _TABLE}}
    | {"metric": {"per": "1", "positions": dict(zip(WORDS, "0123"))}},
    "levels": _F | _RECORDS | _ASKED | {"pairs": [["s", "t", "1"]], "priors": {"p": _TABLE}},
    "neighbours": _F | _RECORDS | {"neighbours": "add-remove"},
    "neighbours, substitute": _F | _RECORDS | {"neighbours": "substitute"},
    "neighbours, databases": _F | {"databases": WORDS, "neighbours": "substitute"},
    "neighbours, table": _F | _RECORDS | {"neighbours": "substitute", "priors": {"p": _TABLE}},
    "neighbours, product": _F
    | _RECORDS
    | {"neighbours": {"relation": "substitute", "changes": 2}}
    | {"priors": {"p": PRIORS["product"]}},
    "neighbours, markov": _F | _RECORDS | {"neighbours": "substitute", "priors": {"p": PRIORS["markov"]}},
    "neighbours, bayes_net": _F | _RECORDS | {"neighbours": "substitute", "priors": {"p": PRIORS["bayes_net"]}},
    "neighbours, convex": _F | _RECORDS | {"neighbours": "substitute", "priors": {"p": _TABLE}, "closure": "convex"},
}
_LOCAL = [[["3/4", "1/4"], ["1/4", "3/4"]], [_HALF, _HALF]]
_CHANNEL = {"outputs": ["u", "v"], "channel": dict(zip(WORDS, (_ROWS[0], _HALF, _HALF, _ROWS[1])))}
MECHANISMS: dict[str, Json | str] = {
    "channel": _M | _CHANNEL,
    "local": _M | {"outputs": ["0", "1"], "local": _LOCAL},
    "redaction": _M | {"redaction": [["1/3", "1/3"], ["1/2", "1/2"]]},
    "show": _M | {"show": [2]},
    "hidden_markov": _M
    | {
        "outputs": ["u", "v"],
        "hidden_markov": {
            "states": ["a", "b"],
            "initial": dict.fromkeys(WORDS, _HALF) | {"11": ["1/3", "2/3"]},
            "transition": {"a": _ROWS[0], "b": _ROWS[1]},
            "emission": {"a": _ROWS[0], "b": _ROWS[1]},
            "length": 2,
        },
    },
    "bounds": _M | {"outputs": ["u", "v"], "bounds": {x: [["1/4", "3/4"]] * 2 for x in WORDS}},
    "query": _M | {"query": _NUMBERS, "noise": _LAPLACE},
    "query, sum": _M | {"query": "sum", "noise": _LAPLACE},
    "query, count": _M | {"query": {"count": "1"}, "noise": {"geometric": {"ratio": "1/2"}}},
    "query, histogram": _M | {"query": "histogram", "noise": _LAPLACE},
    "query, gaussian": _M | {"query": "sum", "noise": {"gaussian": {"sigma": "4"}}},
    "segment": _M | {"query": "sum", "segment": [1, 1], "noise": _LAPLACE},
    "noise": _M | {"query": _NUMBERS, "noise": dict.fromkeys(WORDS, _LAPLACE)},
    "round": _M | {"query": _NUMBERS, "noise": _LAPLACE, "round": True},
    "clamp": _M | {"query": _NUMBERS, "noise": _LAPLACE, "round": True, "clamp": ["0", "2"]},
    "threshold": _M | {"query": _NUMBERS, "noise": _LAPLACE, "threshold": "1"},
    "sample": _M | {"query": "sum", "noise": {"gaussian": {"sigma": "4"}}, "sample": {"poisson": "1/10"}},
    "csv": "database,u,v\n" + "".join(f"{x},3/4,1/4\n" for x in WORDS),
    "a program": "forms_code:rational",
    "a program, irrational": "forms_code:irrational",
    "a program with noise": "forms_code:noise",
}
CODE = """\
def rational(database, rng):
    return database.count("1") if rng.random() < 0.5 else int(rng.integers(3))


def irrational(database, rng):
    return database.count("1") + rng.laplace(scale=8) > 1


def noise(database, rng):
    return database.count("1") + rng.laplace(scale=4)
"""


def written(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Write all files, and return the names of frameworks and mechanisms by their forms."""
    (folder / "forms_code.py").write_text(CODE, encoding="utf-8")
    frameworks = {form: f"f{k}.json" for k, form in enumerate(FRAMEWORKS)}
    for form, name in frameworks.items():
        (folder / name).write_text(json.dumps(FRAMEWORKS[form]), encoding="utf-8")
    mechanisms = {}
    for k, (form, content) in enumerate(MECHANISMS.items()):
        if isinstance(content, str) and "\n" not in content:
            mechanisms[form] = content
            continue
        text = content if isinstance(content, str) else json.dumps(content)
        mechanisms[form] = f"m{k}.csv" if form == "csv" else f"m{k}.json"
        (folder / mechanisms[form]).write_text(text, encoding="utf-8")
    return frameworks, mechanisms
