"""What a redaction of a short binary chain says about one record, by enumeration."""

from itertools import pairwise, product
from math import prod
from typing import Any

from flint import fmpq
from tests.kernel.slow.numbers import Level, Unjudged, decided, expect, integer, law, more, number

RECORDS = 6  # of a chain whose sequences and outputs are enumerated
Pair = tuple[fmpq, fmpq]  # of an output, given 0 and given 1
Law = dict[str, fmpq]


def sequences(chain: Any) -> Law:
    """The law of all sequences of values."""
    alpha, beta, length = number(chain["alpha"]), number(chain["beta"]), integer(chain["length"])
    if length > RECORDS:
        raise Unjudged
    expect(0 < alpha < 1 and 0 < beta < 1 and length > 0)
    steps = {"00": 1 - alpha, "01": alpha, "10": beta, "11": 1 - beta}
    one = alpha / (alpha + beta)
    stays = chain["initial"] == "stationary"
    start = [1 - one, one] if stays else law(chain["initial"], 2)
    words = ("".join(each) for each in product("01", repeat=length))
    return {x: start[int(x[0])] * prod((steps[a + b] for a, b in pairwise(x)), start=fmpq(1)) for x in words}


def likelihoods(certificate: Any) -> dict[str, Pair]:
    """P(output | 0) and P(output | 1) of the private record, for all outputs."""
    law_of, private = sequences(certificate["chain"]), integer(certificate["private"])
    length = len(next(iter(law_of)))
    rows = profile(certificate["redaction"], length)
    return given(law_of, private, {x: shown(x, rows) for x in law_of})


def profile(runs: Any, length: int) -> list[Pair]:
    """The probabilities of redacting each record."""
    found = [(number(a), number(b)) for count, a, b in runs for _ in range(integer(count))]
    expect(len(found) == length and all(0 <= r <= 1 for row in found for r in row))
    return found


def shown(x: str, rows: list[Pair]) -> Law:
    """The law of the output of a sequence."""
    hidden, found = [row[int(value)] for row, value in zip(rows, x)], Law()
    for stars in product((True, False), repeat=len(x)):
        name = "".join("*" if star else value for value, star in zip(x, stars))
        found[name] = prod((r if star else 1 - r for r, star in zip(hidden, stars)), start=fmpq(1))
    return found


def given(weights: Law, private: int, laws: dict[str, Law]) -> dict[str, Pair]:
    """P(output | 0) and P(output | 1) of the private record, for all outputs that are possible."""
    expect(1 <= private <= len(next(iter(weights))))
    masses = [sum((p for x, p in weights.items() if x[private - 1] == v), fmpq(0)) for v in "01"]
    expect(min(masses) > 0)
    found: dict[str, list[fmpq]] = {}
    for x, p in weights.items():
        value = int(x[private - 1])
        for name, share in laws[x].items():
            found.setdefault(name, [fmpq(0), fmpq(0)])[value] += p * share / masses[value]
    return {name: (a, b) for name, (a, b) in found.items() if a != 0 or b != 0}


def leakage(certificate: Any) -> bool:
    """The leakage, or the ratio of one output, stands in a relation to a level."""
    claim, every = certificate["claim"], likelihoods(certificate)
    relation, output = claim["relation"], claim["output"]
    expect(relation in ("<=", "=", ">=", ">") and (output is None or output in every))
    expect(output is None or relation != "<=")
    asked = [every[output]] if output is not None else [*every.values()]
    if claim["level"] == "inf":
        expect(relation in ("=", ">="))
        return any(a == 0 or b == 0 for a, b in asked)
    level = Level(claim["level"])

    def signs(pairs: list[Pair]) -> int | None:
        """The sign of the largest ratio, either way round, less R."""
        found = [level.sign(x, y) for a, b in pairs for x, y in ((a, b), (b, a))]
        return 1 if 1 in found else None if None in found else max(found)

    def holds() -> bool | None:
        most, shown = signs([*every.values()]), signs(asked)
        if None in (most, shown):
            return None
        above = {"<=": True, "=": shown >= 0, ">=": shown >= 0, ">": shown > 0}[relation]
        return above and (relation in (">=", ">") or most <= 0)

    return decided(holds)


def designs(certificate: Any) -> bool:
    """What mechanisms leak and release; what none of a class exceeds is held against windows."""
    chain, private, claim = (certificate[key] for key in ("chain", "private", "claim"))
    weights, level, open_ = sequences(chain), Level(claim["level"]), False
    length = len(next(iter(weights)))
    expect(chain["initial"] == "stationary" and claim["designs"])
    for each in claim["designs"]:
        form = each["redaction"]
        if isinstance(form, dict):
            expect(form.keys() == weights.keys())
            laws = {x: dict(zip(row, law([*row.values()]))) for x, row in form.items()}
        else:
            laws = {x: shown(x, profile(form, length)) for x in weights}
        low, high = map(number, each["leakage"])
        most, released = largest(given(weights, integer(private), laws)), utility(weights, laws)
        expect(most is not None and low <= most <= high and keeps(level, most))
        expect(released == number(each["utility"]["lower"]))
        if (bound := each["utility"]["upper"]) is not None:
            open_ = True
            if each["name"] in ("data-independent", "local-optimal", "central-lp"):
                expect(number(bound) >= best_window(weights, integer(private), level))
    if open_:
        raise Unjudged
    return True


def keeps(level: Level, ratio: fmpq) -> bool:
    return not decided(lambda: more(level.sign(ratio, fmpq(1))))


def largest(every: dict[str, Pair]) -> fmpq | None:
    """e^leakage, None if it is infinite."""
    if any(a == 0 or b == 0 for a, b in every.values()):
        return None
    return max(max(a / b, b / a) for a, b in every.values())


def utility(weights: Law, laws: dict[str, Law]) -> fmpq:
    """The expected fraction of records that are shown."""
    total = fmpq(0)
    for x, p in weights.items():
        for name, share in laws[x].items():
            total += p * share * (len(x) - name.count("*"))
    return total / len(next(iter(weights)))


def best_window(weights: Law, private: int, level: Level) -> fmpq:
    """The most that a mechanism within the level releases which shows some records always."""
    length, best = len(next(iter(weights))), fmpq(0)
    for stars in product("01", repeat=length):
        rows = [(fmpq(int(star)),) * 2 for star in stars]
        laws = {x: {k: p for k, p in shown(x, rows).items() if p != 0} for x in weights}
        most = largest(given(weights, private, laws))
        if most is not None and keeps(level, most):
            best = max(best, utility(weights, laws))
    return best
