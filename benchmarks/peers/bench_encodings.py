"""Levels of hidden Markov models beside the encoding of FAIER for Z3.

    is there a word w_1 .. w_k with P(w | s) > c P(w | t)?

Symbols are unknowns, the emission of a symbol is a choice by cases, and the forward recursion is
written out for both secrets, as in Liu, Wang and Zhang, "Verifying Pufferfish privacy in hidden
Markov models" (VMCAI 2022); written here from the paper. A query per ordered pair. Every model is
asked at the level that it really leaks, which it keeps, and just below it, which it does not.
Nothing here asserts a time.
"""

import json
from fractions import Fraction
from pathlib import Path

import z3
from benchmarks.peers.beside import beside, packaged, timed

from pufferproof import HiddenMarkovMechanism, audit, read_framework

HIDDEN = Path(__file__).parents[2] / "examples" / "hidden"
BELOW = 1 - Fraction(1, 10**6)
MODELS = ["hidden-noisy-max", "hidden-geometric", "hidden-exponential", "above-threshold"]


def released(name):
    """Return a model as the mechanism that the example has in its file."""
    found = json.loads((HIDDEN / name / "mechanism.json").read_text(encoding="utf-8"))
    model = found["hidden_markov"]
    rows = (model[key] for key in ("initial", "transition", "emission"))
    return HiddenMarkovMechanism(*rows, found["outputs"], model["length"])


def start(framework, law, secret, model):
    """Return the law of the first state given a secret, or None if the secret never holds."""
    held = framework.secrets[secret]
    total = law.mass(held)
    place = {name: index for index, name in enumerate(model.databases)}
    if not total:
        return None
    return [
        sum(Fraction(law.weights[x], total) * model.start[place[framework.databases[x]]][state] for x in held)
        for state in range(len(model.states))
    ]


def number(value):
    return z3.RealVal(str(value))


def likelihood(model, first, word):
    """Return P(word) as a term of Z3."""
    # P(symbol | state)
    chosen = [[by_cases(symbol, row) for row in model.shows] for symbol in word]
    alpha = [number(p) * shown for p, shown in zip(first, chosen[0])]
    for shows in chosen[1:]:
        moved = [
            z3.Sum(number(0), *(a * number(row[j]) for a, row in zip(alpha, model.moves) if row[j]))
            for j in range(len(alpha))
        ]
        alpha = [each * shown for each, shown in zip(moved, shows)]
    return z3.simplify(z3.Sum(*alpha))


def by_cases(symbol, row):
    term = number(0)
    for place, probability in enumerate(row):
        term = z3.If(symbol == place, number(probability), term)
    return term


def queries(framework, model):
    """Yield the two likelihoods of every prior and ordered pair."""
    word = [z3.Int(f"w{t}") for t in range(model.length)]
    known = [z3.And(each >= 0, each < len(model.symbols)) for each in word]
    for law in framework.laws.values():
        terms = {}
        for secret in framework.secrets:
            first = start(framework, law, secret, model)
            terms[secret] = None if first is None else likelihood(model, first, word)
        for s, t in framework.pairs:
            if terms[s] is not None and terms[t] is not None:
                yield from ((known, terms[s], terms[t]), (known, terms[t], terms[s]))


def keeps(framework, model, ratio):
    """Whether Z3 finds no word of any pair that breaks a level, and how often it was asked."""
    asked = 0
    for known, one, other in queries(framework, model):
        solver = z3.Solver()
        solver.add(*known, one > number(ratio) * other)
        asked += 1
        answer = solver.check()
        assert answer in (z3.sat, z3.unsat)
        if answer == z3.sat:
            return False, asked
    return True, asked


def cases():
    """Yield the frameworks of the examples, each with the model that is written for it."""
    for name in MODELS:
        for path in sorted((HIDDEN / name).glob("framework-*.json")):
            if path.stem != "framework-clinic":  # which has another model
                yield read_framework(path).value, released(name)


def test_noisy_maximum(benchmark):
    framework = read_framework(HIDDEN / "hidden-noisy-max" / "framework-dp.json").value
    setup = lambda: ((framework, released("hidden-noisy-max"), "log(2)"), {})  # noqa: E731
    found = benchmark.pedantic(audit, setup=setup, rounds=5, warmup_rounds=1)
    seconds, (kept, asked) = timed(lambda: keeps(framework, released("hidden-noisy-max"), Fraction(2)))
    assert found.leakage.ratio == 2
    assert (kept, asked) == (True, 2 * len(framework.pairs))
    what = f"noisy maximum of three counts, {len(framework.pairs)} pairs of neighbours, at log(2)"
    peer = f"{packaged('z3-solver')}, the encoding of FAIER"
    beside(benchmark, what, peer, seconds, f"the same verdict; none of {asked} queries has a word")


def test_levels_of_models(benchmark):
    every = list(cases())

    def ours():
        return [audit(framework, model, "log(2)").leakage.ratio for framework, model in every]

    ratios = benchmark.pedantic(ours, rounds=3)

    def theirs():
        return [
            keeps(framework, model, ratio * factor)[0]
            for (framework, model), ratio in zip(every, ratios)
            for factor in (1, BELOW)
        ]

    seconds, found = timed(theirs)
    apart = sum(verdict != expected for verdict, expected in zip(found, [True, False] * len(every)))
    assert apart == 0
    what = f"exact leakage of {len(every)} hidden Markov models under their priors"
    peer = f"{packaged('z3-solver')}, the encoding of FAIER, at the exact level and just below"
    beside(benchmark, what, peer, seconds, f"{apart} of {len(found)} verdicts differ")
