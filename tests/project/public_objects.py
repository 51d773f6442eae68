"""One small object of every kind that the public functions take, and a call of each function
that works.
"""

from fractions import Fraction
from tempfile import TemporaryDirectory

import pandas
from scipy.stats import bernoulli

import pufferproof as pp

TABLE = pp.Table({"a": "1/2", "b": "1/4", "c": "1/4"})
FRAMEWORK = pp.Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": TABLE})
CHANNEL = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/3", "2/3"]}, ["u", "v"])
CHAIN = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
BOX = pp.IntervalChain("any", [["1/2", "1/4"], ["1/4", "1/2"]], [["3/4", "1/2"], ["1/2", "3/4"]])
RECORDS = pp.Records(3, ("0", "1"))
SECRETS = {"x1=0": (1, "0"), "x1=1": (1, "1")}
SEQUENCES = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN})
LONG = pp.Framework.of_records(pp.Records(1000, RECORDS.alphabet), SECRETS, "disjoint", {"theta": CHAIN})
LISTED = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN})
NOISE = pp.Noise("laplace", 1)
RECORD_QUERY = pp.RecordQuery("sum", NOISE, RECORDS)
QUERY = pp.AdditiveNoise({"a": 0, "b": 1, "c": "1/2"}, NOISE)
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
LOCAL = pp.LocalMechanism("01", "01", [COIN] * 3)
LONG_LOCAL = pp.LocalMechanism("01", "01", [COIN] * 1000)
BINARY = pp.BinaryChain("1/4", "1/2", 3)
REDACTION = pp.LocalRedaction([[1, 1], [1, 1], ["1/2", 1]])
LOSS = pp.error_probability({"a": "yes", "b": "no", "c": "no"})
HIDDEN = (["1/2", "1/2"], [["1/2", "1/2"], ["1/2", "1/2"]], [["1", "0"], ["1/4", "3/4"]])
NETWORK = ({"1": [], "2": ["1"]}, {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]}})
WINDOWS = pp.Channel.of({"0": COIN[0], "1": COIN[1]}, ["u", "v"])
BLOCKS = pp.BlockStream(["0", "1"], COIN[0], 1, WINDOWS, COIN)
HALVES = [["1/2", "1/2"], ["1/4", "3/4"]]
SERIES = pandas.Series({"a": 0.5, "b": 0.5})
FEW = ("quilt", "3r-exact")
FOLDER = TemporaryDirectory(prefix="pufferproof-")  # removed when this process ends
LEDGER = f"{FOLDER.name}/day.json"
pp.Accountant(SEQUENCES).spend("0.5").save(LEDGER)

CALLS = {
    "Accountant": {"framework": SEQUENCES, "adaptive": False},
    "Accountant.load": {"path": LEDGER, "framework": SEQUENCES, "adaptive": False},
    "Accountant.remaining": {"budget": "0.5"},
    "AdditiveNoise": {"values": {"a": 0}, "noise": NOISE},
    "AdditiveNoise.of_records": {"query": "sum", "records": RECORDS, "noise": NOISE},
    "AllPairs": {"secrets": ["s", "t"]},
    "BayesianNetwork": {"parents": NETWORK[0], "cpt": NETWORK[1]},
    "BinaryChain.of": {"chain": CHAIN, "length": 3},
    "BinaryChain": {"alpha": "1/4", "beta": "1/2", "length": 3, "initial": "stationary"},
    "Channel.by_value": {"values": {"a": 0}, "row": {0: [1, 0]}.get, "outputs": ["u", "v"]},
    "Channel.from_array": {"matrix": [[0.5, 0.5]], "databases": ["a"], "outputs": ["u", "v"], "normalize": False},
    "BlockStream": {
        "values": ["0", "1"],
        "blocks": COIN[0],
        "window": 1,
        "mechanism": WINDOWS,
        "alt": COIN,
        "draws": "once",
    },
    "Channel.of": {"rows": {"a": ["1/2", "1/2"]}, "outputs": ["u", "v"], "normalize": False},
    "Framework": {
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": [("s", "t")],
        "priors": {"theta": pp.Table({"a": "1/2", "b": "1/2"})},
        "closure": "list",
        "one_sided": False,
    },
    "Definition.differential_privacy": {"records": RECORDS},
    "Definition.dependent": {"records": RECORDS, "blocks": [[1, 2], [3]]},
    "Definition.noiseless": {"records": RECORDS, "priors": {"theta": CHAIN}},
    "Definition.blowfish": {"records": RECORDS, "edges": [("0", "1")], "allowed": ["000", "011"]},
    "Definition.pufferfish": {
        "records": RECORDS,
        "secrets": SECRETS,
        "pairs": [("x1=0", "x1=1")],
        "priors": {"theta": CHAIN},
    },
    "Definition.inferential": {"records": RECORDS, "priors": {"theta": CHAIN}},
    "Definition.conditional_inference": {"records": RECORDS, "priors": {"theta": CHAIN}, "radius": 1},
    "Definition.partial_knowledge": {"records": RECORDS, "priors": {"theta": CHAIN}, "record": 1},
    "Definition.bayesian": {"records": RECORDS, "priors": {"theta": CHAIN}},
    "Definition.distribution": {"records": RECORDS, "priors": {"theta": CHAIN}},
    "Framework.of_definition": {"definition": pp.Definition.differential_privacy(RECORDS)},
    "Framework.of_binary": {"chain": BINARY, "private": 2},
    "Framework.of_records": {
        "records": RECORDS,
        "secrets": SECRETS,
        "pairs": "disjoint",
        "priors": {"theta": CHAIN},
        "closure": "list",
        "one_sided": False,
    },
    "HiddenMarkovMechanism": {
        "initial": {"a": ["1/2", "1/2"], "b": ["1", "0"], "c": ["0", "1"]},
        "transition": [["1/2", "1/2"], ["1/2", "1/2"]],
        "emission": [["1", "0"], ["1/4", "3/4"]],
        "symbols": ["u", "v"],
        "length": 2,
        "states": ["g", "h"],
        "normalize": False,
    },
    "ParametricMechanism": {
        "initial": {"a": {"h": 1}, "b": {"h": 1}, "c": {"h": 1}},
        "transition": {},
        "emission": {"h": ["p", "1 - p"]},
        "symbols": ["u", "v"],
        "length": 2,
        "parameters": {"p": [0, 1]},
        "states": ["h"],
    },
    "ChangingChain": {"initial": ["1/2", "1/2"], "transitions": [[["1/2", "1/2"], ["1/4", "3/4"]]], "normalize": False},
    "HiddenMarkovModel": dict(zip(("initial", "transition", "emission"), HIDDEN)),
    "IntervalChain": {
        "initial": "any",
        "lower": [["1/2", "1/4"], ["1/4", "1/2"]],
        "upper": [["3/4", "1/2"], ["1/2", "3/4"]],
        "normalize": False,
    },
    "Level": {"level": "log(2)"},
    "Level.coerce": {"value": "log(2)"},
    "Level.coerce_all": {"values": ["log(2)"], "where": "budgets"},
    "Level.log": {"ratio": "3/2"},
    "Level.of_nats": {"epsilon": "1/2"},
    "Level.parse": {"text": "0.5"},
    "LocalMechanism": {"alphabet": "01", "outputs": "01", "records": [COIN], "normalize": False},
    "LocalMechanism.of": {"alphabet": "01", "outputs": "01", "records": [COIN], "normalize": False},
    "LocalMechanism.redacting": {"alphabet": "01", "records": [["1", "1/2"]]},
    "LocalRedaction": {"rows": [[1, "1/2"]]},
    "LocalRedaction.releasing": {"records": [1], "length": 2},
    "Loss": {"outputs": ["yes"], "table": {"a": [0]}},
    "Loss.of": {"outputs": ["yes"], "table": {"a": [0]}},
    "MarkovChain": {"initial": "stationary", "transition": COIN},
    "MarkovChain.from_array": {"matrix": [[0.5, 0.5]] * 2, "initial": COIN[0], "normalize": False},
    "MarkovChain.of_counts": {"counts": [[3, 1], [0, 2]], "initial": [2, 0], "smoothing": "1/2"},
    "Noise": {"kind": "laplace", "parameter": 1},
    "Noise.discrete_laplace": {"scale": 1},
    "Noise.discrete_gaussian": {"sigma2": 1},
    "Noise.gaussian": {"sigma": 1},
    "Noise.geometric": {"ratio": "1/2"},
    "Noise.laplace": {"scale": 1},
    "Observer": {"framework": FRAMEWORK, "mechanism": CHANNEL},
    "Observer.database": {"label": "a", "prior": "theta", "runs": 3},
    "Observer.given": {"prior": "theta", "secret": "s", "pair": ("s", "t"), "runs": 3},
    "Observer.possible": {"prior": "theta"},
    "Observer.rows": {"runs": 3},
    "Observer.secret": {"label": "a", "pair": ("s", "t"), "prior": "theta", "runs": 3},
    "Product": {"rows": [["1/2", "1/2"]]},
    "Sample": {"poisson": "1/10"},
    "SampledQuery": {"query": RECORD_QUERY, "sample": pp.Sample(fixed=2)},
    "RecordQuery": {"query": "sum", "noise": NOISE, "records": RECORDS, "segment": (1, 2)},
    "Records.named": {"values": {"a": ["y", "n"], "b": ["0", "1"]}, "order": ["b", "a"]},
    "Records": {"count": 3, "alphabet": ("0", "1")},
    "Table": {"probabilities": {"a": 1}},
    "absolute_error": {"query": {"a": 0, "b": 1}, "outputs": ["0", "1"]},
    "adaptive_compose": {"first": CHANNEL, "then": {"u": CHANNEL, "v": CHANNEL}},
    "assert_composes": {"framework": FRAMEWORK, "mechanisms": [CHANNEL, CHANNEL], "epsilon": "log(9)", "runs": 1},
    "assert_pufferfish": {"framework": FRAMEWORK, "mechanism": CHANNEL, "epsilon": "log(3)"},
    "assert_translates": {"framework": SEQUENCES, "levels": ["log(2)"], "epsilon": "log(8)", "runs": 1},
    "agrees": {
        "source": {"a": bernoulli(0.75), "b": bernoulli(0.25)},
        "reading": pp.Channel.of({"a": ["1/4", "3/4"], "b": ["3/4", "1/4"]}, ["0", "1"]),
        "inputs": None,
        "query": None,
        "seconds": 1.0,
        "draws": 5,
        "error": "1/100",
    },
    "as_mechanism": {
        "source": HALVES,
        "inputs": ["a", "b"],
        "query": None,
        "exactly": {},
        "normalize": False,
        "check": False,
        "windows": None,
    },
    "as_prior": {"source": SERIES, "order": None, "normalize": False},
    "audit": {"framework": FRAMEWORK, "mechanism": CHANNEL, "epsilon": "log(3)", "delta": "1/2"},
    "audit_many": {"questions": [(FRAMEWORK, CHANNEL)], "epsilon": "log(3)", "jobs": 1},
    "check_nfc": {"framework": FRAMEWORK, "mechanisms": CHANNEL, "levels": "log(3)", "supports": "prior"},
    "collapse": {
        "framework": FRAMEWORK,
        "budgets": ["log(2)"],
        "with_mechanism": CHANNEL,
        "engine": "lp",
        "runs_limit": 2,
        "seconds": 5.0,
        "per_record": None,
    },
    "compose": {"framework": FRAMEWORK, "mechanisms": [CHANNEL, CHANNEL], "runs": 1},
    "composition_conditions": {"framework": FRAMEWORK, "mechanism": CHANNEL, "level": "log(3)"},
    "composition_rate": {"framework": FRAMEWORK, "mechanism": CHANNEL},
    "critical_ratio": {"framework": FRAMEWORK, "runs": 2, "per_record": None, "width": Fraction(1, 100), "limit": 5.0},
    "error_probability": {"query": {"a": "yes", "b": "no"}, "outputs": ["yes", "no"]},
    "estimate": {
        "framework": FRAMEWORK,
        "sampler": lambda database, size, rng: rng.integers(0, 1, size=size),  # no luck shows
        "epsilon": "log(3)",
        "samples": 200,
        "seed": 1,
        "confidence": "95%",
        "seconds": None,
        "resume": None,
        "independent_draws": False,
        "trust_store": False,
        "delta": None,
        "zcdp": None,
        "gdp": None,
    },
    "estimate_neighbours": {
        "sampler": lambda database, size, rng: rng.integers(0, 1, size=size),
        "databases": [["0", "1"]],
        "relation": "add-remove",
        "epsilon": "log(3)",
        "samples": 200,
        "seed": 1,
        "confidence": "999999/1000000",
        "examples": 4,
        "independent_draws": False,
        "delta": None,
        "zcdp": None,
        "gdp": None,
    },
    "fit": {
        "data": ["dry", "wet", "dry", "dry", "wet", "wet"],
        "column": None,
        "group": [1, 1, 1, 2, 2, 2],
        "order": 1,
        "smoothing": "1/2",
        "confidence": "95%",
        "initial": "any",
        "states": ["dry", "wet"],
        "length": 3,
        "private": [1, 3],
    },
    "influence_curve": {"framework": SEQUENCES, "most": 2},
    "largest_level": {"framework": SEQUENCES, "level": "0.5"},
    "leakage_table": {"framework": FRAMEWORK, "channel": CHANNEL},
    "markov_quilt": {"chains": CHAIN, "length": 20, "level": "1", "records": [1, 2], "lipschitz": 1},
    "markov_quilt_of_class": {"box": BOX, "length": 20, "level": "1", "records": [1, 2], "lipschitz": 1},
    "max_influence": {
        "chain": CHAIN,
        "length": 20,
        "record": 10,
        "left": 2,
        "right": 2,
        "arithmetic": "exact",
        "any_start": False,
    },
    "mix": {"weights": ["1/2", "1/2"], "mechanisms": [CHANNEL, CHANNEL], "normalize": False},
    "most_conservative": {"mechanisms": [REDACTION, REDACTION]},
    "optimal_mechanism": {
        "framework": FRAMEWORK,
        "level": "log(2)",
        "loss": LOSS,
        "prior": "theta",
        "per_record": None,
        "close": [(0, 1)],
    },
    "optimality_gap": {
        "framework": FRAMEWORK,
        "mechanism": pp.Channel.of({x: {"yes": "1/2", "no": "1/2"} for x in "abc"}),
        "level": "log(2)",
        "loss": LOSS,
        "prior": "theta",
        "per_record": None,
    },
    "post_process": {"mechanism": CHANNEL, "processing": pp.Channel.of({"u": {"w": 1}, "v": {"w": 1}})},
    "quilt_redaction": {"chain": BINARY, "private": 1, "level": "log(2)"},
    "alphabet_redactions": {
        "chain": CHAIN,
        "length": 3,
        "private": 1,
        "epsilon": "1",
        "names": ["data-independent"],
        "grid": 2,
    },
    "redaction_designs": {"chain": BINARY, "private": 1, "level": "0.5", "names": FEW},
    "redaction_leakage": {"chain": BINARY, "mechanism": REDACTION, "private": 1, "precision": 64},
    "redaction_set_designs": {"chain": BINARY, "private": [1, 3], "level": "0.5", "names": FEW},
    "published_bounds": {"together": pp.compose(SEQUENCES, [LOCAL, LOCAL])},
    "repeat": {"mechanism": CHANNEL, "runs": 2},
    "repeated_leakage": {"framework": FRAMEWORK, "channel": CHANNEL, "runs": 3},
    "simulate_redaction": {
        "chain": BINARY,
        "mechanism": REDACTION,
        "private": 1,
        "runs": 50,
        "seed": 1,
        "risk": Fraction(1, 100),
        "sampler": None,
    },
    "release": {
        "framework": pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": CHAIN}),
        "queries": pp.RecordQuery("sum", pp.Noise.laplace(1), RECORDS),
        "budget": "1",
        "trust_code": False,
    },
    "renyi_divergence": {"framework": FRAMEWORK, "channel": CHANNEL, "alpha": 2},
    "smallest_delta": {"framework": FRAMEWORK, "channel": CHANNEL, "level": "0.5"},
    "smallest_noise": {"framework": FRAMEWORK, "query": QUERY, "epsilon": "0.5", "renyi": 2, "noise": "laplace"},
    "squared_error": {"query": {"a": 0, "b": 1}, "outputs": ["0", "1"]},
    "stream_leakage": {"stream": BLOCKS, "steps": 2},
    "three_regions": {"chain": BINARY, "private": 1, "left": "0.5", "right": "0.5", "q": "1/8"},
    "translate": {"framework": SEQUENCES, "levels": ["log(2)", "0.5"], "runs": 2, "domain": "product"},
    "wasserstein_mechanism": {"framework": FRAMEWORK, "query": QUERY, "level": "log(3)"},
    "worst_composition": {
        "framework": FRAMEWORK,
        "budgets": ["log(2)", "0.5"],
        "per_record": None,
        "seconds": 5.0,
        "max_rays": 100,
    },
    "worst_partner": {"framework": FRAMEWORK, "mechanism": CHANNEL, "budget": "log(2)", "per_record": None},
}
