"""Forged certificates: statements from random parts, with a level right beside the truth that the
slow kernel computes, and numbers at the edges of how the kernel represents them: powers of 2,
decays within 2^-bits of them, long units, the fewest bits.

Most levels are just below the truth, so that the kernel has to refuse; some are just above.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from flint import arb, ctx, fmpq
from tests.kernel.slow.deltas import delta_of
from tests.kernel.slow.finite import Bounded, Statement
from tests.kernel.slow.numbers import Level, Number, Unjudged, Wrong
from tests.kernel.slow.records import Records, asked_of, likelihoods
from tests.kernel.slow.redaction import likelihoods as redacted

INVERSE = "1.44269504088896340735992468100189213742664595415298593413544940693110921"  # 1 / log 2
BITS = (32, 32, 33, 40, 63, 64, 65, 128, 256, 1024)
FEW = 4_000  # outputs times values of the queries
Json = dict[str, Any]


# --- numbers ---


def share(draw: Random) -> fmpq:
    """A number from 0 to 1, often at an edge."""
    power = fmpq(1, 2 ** draw.choice((1, 1, 2, 3, 7, 8, 15, 16, 31)))
    return draw.choice(
        (
            power,
            1 - power,
            fmpq(draw.randint(0, 12), 12),
            fmpq(draw.randint(1, 2**8 - 2), 2**8 - 1),
            fmpq(draw.randint(1, 2**8), 2**8 + 1),
            fmpq(draw.randint(0, 1)),
        )
    )


def row(draw: Random, size: int) -> list[str]:
    """A law of so many values."""
    left, found = fmpq(1), list[fmpq]()
    for _ in range(size - 1):
        found.append(left * share(draw))
        left -= found[-1]
    found.append(left)
    draw.shuffle(found)
    return [str(x) for x in found]


def around(draw: Random, probability: str) -> list[str]:
    """Bounds of a probability, which it often is itself."""
    p = fmpq(*map(int, probability.split("/")))
    least, most = (draw.choice((fmpq(0), fmpq(0), share(draw) * fmpq(1, 8))) for _ in "lu")
    return [str(max(fmpq(0), p - least)), str(min(fmpq(1), p + most))]


def near(draw: Random, bits: int) -> fmpq:
    """A factor just below or just above 1, by as little as such bits may lose."""
    by = draw.choice((fmpq(1, 10**6), fmpq(1, 10**12), fmpq(1, 2 ** (bits // 2)), fmpq(1, 2**20)))
    return 1 - by if draw.random() < 0.8 else 1 + by


def rational(x: Number) -> fmpq:
    """A rational number within 2^-80 of a number."""
    if isinstance(x, fmpq):
        return x
    mantissa, exponent = x.mid().man_exp()
    return fmpq(int(mantissa)) * fmpq(2) ** int(exponent)


def level(draw: Random, ratio: Number, bits: int) -> Json:
    """A level beside the log of a ratio, or below it by some powers of 2."""
    known = rational(ratio)
    if draw.random() < 0.3:
        return {"log": short(max(fmpq(1), known / 2 ** draw.randint(1, 6)))}
    factor = near(draw, bits)
    if draw.random() < 0.6:
        return {"log": short(max(fmpq(1), known * factor))}
    return {"nats": short(max(fmpq(0), rational(arb(known).log()) * factor))}


def short(x: fmpq) -> str:
    """A decimal fraction close to a number, not above it by more than 1e-40."""
    return f"{int((x * 10**40).floor())}e-40"


# --- noise ---


def decays(draw: Random) -> list[Json]:
    """Noise of one release or two, whose decay is often a power of 2 or next to it."""
    two = 2 ** draw.randint(1, 6)
    beside = fmpq(draw.choice((-1, 1)), 2 ** draw.randint(30, 80))
    digits = draw.randint(8, 70)
    once = draw.choice(
        (
            {"geometric": {"ratio": f"1/{two}"}},
            {"geometric": {"ratio": str(fmpq(1, two) + beside)}},
            {"geometric": {"ratio": str(1 - fmpq(1, two))}},
            {"geometric": {"ratio": str(fmpq(draw.randint(1, 30), 31))}},
            {"discrete_laplace": {"scale": f"{draw.choice(('1', '2', '1/2'))}/log(4)"}},
            {"discrete_laplace": {"scale": INVERSE[:digits]}},
            {"laplace": {"scale": f"1/log({two})"}},
            {"laplace": {"scale": INVERSE[:digits]}},
            {"laplace": {"scale": draw.choice(("1", "2", "7/3", "1/40", "1e3"))}},
        )
    )
    if once == {"geometric": {"ratio": "1/2"}} and draw.random() < 0.3:
        return [{"geometric": {"ratio": "3/4"}}, {"geometric": {"ratio": "2/3"}}]
    return [once, once] if draw.random() < 0.15 else [once]


def records(draw: Random) -> Json:
    """A certificate of noise without a claim."""
    size = draw.choice((2, 2, 3, 3))
    count = draw.randint(1, 4 if size == 2 else 3)
    alphabet = draw.choice(([*"012"], [*"201"], ["-1", "3", "4"]))[:size]
    priors = {}
    for name in draw.choice(("p", "p", "pq")):
        rows = [row(draw, size) for _ in alphabet]
        priors[name] = {"markov": {"initial": row(draw, size), "transition": rows}}
    record = draw.randint(1, count)
    secrets = {f"s{v}": {"record": record, "value": v} for v in alphabet}
    space = {"records": {"count": count, "alphabet": alphabet}, "secrets": secrets}
    space |= {"pairs": "disjoint", "priors": priors, "closure": "list"}
    if draw.random() < 0.15:
        space["people"] = 2
    segments: list[Any] = [None]
    if draw.random() < 0.4:
        segments = [sorted(draw.choices(range(1, count + 1), k=2))]
    if size == 2 and count > 1 and draw.random() < 0.3:
        cut = draw.randint(1, count - 1)
        segments = [[1, cut], [cut + 1, count]]
    query = draw.choice(("histogram", "histogram", "sum", {"count": alphabet[-1]}))
    noise = decays(draw)
    mechanisms = [{"query": query, "segment": each, "noise": one} for each in segments for one in noise]
    inputs = {"framework": None, "mechanisms": [None] * len(mechanisms)}
    head = {"format": "pufferproof-certificate/1", "kind": "", "framework": space}
    return head | {"mechanisms": mechanisms, "inputs": inputs}


def noise(draw: Random) -> Json:
    """A statement about noise."""
    base, bits = records(draw), draw.choice(BITS)
    known, space = Records(base, FEW), base["framework"]
    kinds = ["leakage-at-most"] * 4 + ["leakage-witness", "class-at-most"]
    one = len({*known.ends}) == 1
    scalar = base["mechanisms"][0]["query"] != "histogram" or len(known.alphabet) == 2
    kind = draw.choice([*kinds, *["delta-at-most", "delta-witness"] * (one and scalar)])
    asked = asked_of(known)
    width = draw.choice((None, *range(1, known.count + 2))) if one else None
    if kind.startswith("delta"):
        claim: Json = {"level": {"log": str(draw.choice((1, 2, fmpq(9, 8))))}, "bits": bits}
        name = draw.choice([*known.priors])
        laws = known.laws(known.priors[name])
        s, t = draw.choice([two for two in known.pairs if laws.keys() >= {*two}])
        pairs = asked if kind == "delta-at-most" else [(laws[s], laws[t])]
        found = [delta_of(known, *two, Level(claim["level"]))[0] for two in pairs]
        most = max(map(rational, found))
        away = draw.choice((near(draw, bits), 2 - near(draw, bits)))
        claim["delta"] = short(min(fmpq(1), most * away))
        if kind == "delta-at-most":
            claim |= {"width": width, "cuts": []}
        else:
            claim |= {"prior": name, "pair": [s, t], "outputs": []}
    elif kind == "leakage-witness":
        name = draw.choice([*known.priors])
        laws = known.laws(known.priors[name])
        s, t = draw.choice([two for two in known.pairs if laws.keys() >= {*two}])
        shown = {}
        for each, ends in zip(known.mechanisms, known.ends):
            many = each["query"] == "histogram" and len(known.alphabet) > 2
            sequence = draw.choice(known.every)
            numbers = [n * known.people for n in known.numbers(each, ends, sequence)]
            shown[ends] = [str(n) for n in numbers] if many else str(numbers[-1])
        output = [shown[ends] for ends in sorted(shown)]
        output = output if len(output) > 1 else output[0]
        place = known.output(output)
        ((a,), (b,)) = (known.densities(laws[x], place).values() for x in (s, t))
        claim = {"prior": name, "pair": [s, t], "output": output, "bits": bits}
        claim["exceeds"] = level(draw, a / b * (2 if draw.random() < 0.2 else 1), bits)
    else:
        ratio = max(rational(a / b) for a, b in likelihoods(known, asked))
        claim = {"level": level(draw, ratio, bits), "bits": bits}
        if kind == "class-at-most":
            cells = {name: draw.choice((".", "a..", "b.a..", "s..")) for name in known.priors}
            claim["cells"] = cells
            space["closure"] = "list"
        else:
            claim["width"] = width
    return base | {"kind": f"noise-{kind}", "claim": claim}


# --- mechanisms with finitely many outputs, and redaction ---


def finite(draw: Random) -> Json:
    """A statement about mechanisms with few outputs."""
    databases, outputs = [*"abcd"][: draw.randint(2, 4)], [*"uvw"][: draw.randint(2, 3)]
    cut = draw.randint(1, len(databases) - 1)
    secrets = {"s": databases[:cut], "t": databases[cut:]}
    priors = {name: dict(zip(databases, row(draw, len(databases)))) for name in draw.choice(("p", "pq", "pqr"))}
    space = {"databases": databases, "secrets": secrets, "pairs": [["s", "t"]], "priors": priors}
    space["closure"] = draw.choice(("list", "list", "convex"))
    mechanisms = [
        {"outputs": outputs, "channel": {x: row(draw, len(outputs)) for x in databases}}
        for _ in range(draw.choice((1, 1, 2)))
    ]
    count = len(mechanisms)
    inputs = {"framework": None, "mechanisms": [None] * count, "normalized": [False] * count}
    base: Json = {"format": "pufferproof-certificate/1", "framework": space}
    base |= {"mechanisms": mechanisms, "inputs": inputs}
    releases = {"releases": [*range(count)]} if count > 1 else {}
    bounded = draw.random() < 0.3
    if bounded:
        for mechanism in mechanisms:
            rows = mechanism.pop("channel")
            mechanism["bounds"] = {x: [around(draw, p) for p in law] for x, law in rows.items()}
    known = (Bounded if bounded else Statement)(base | {"claim": releases})
    ratios = [
        (a * q / (p * b), known_at)
        for known_at, (a, p, b, q) in zip(places(known), known.points())
        if p * b != 0 and q != 0
    ]
    ratio, (name, (s, t), shown) = max(ratios, key=lambda each: each[0])
    kind = "leakage" if count > 1 else draw.choice(("leakage", "leakage", "delta"))
    kind = "joint-" * (count > 1) + "bounded-" * bounded + kind
    place = {"prior": name, "pair": [s, t]}
    if kind.endswith("delta"):
        space["closure"] = "list"
        log, found = draw.choice((fmpq(1), fmpq(2), fmpq(5, 4))), fmpq(0)
        points = [*zip(places(known), known.points())]
        for prior, pair in {(at[0], at[1]) for at, _ in points}:
            total = fmpq(0)
            for at, (a, p, b, q) in points:
                if at[:2] == (prior, pair) and p != 0 and q != 0:
                    total += max(fmpq(0), a / p - log * b / q)
            found = max(found, total)
        claim = {"level": {"log": str(log)}, "delta": str(min(fmpq(1), found * near(draw, 64)))}
        return base | {"kind": f"{kind}-at-most", "claim": claim}
    if bounded or draw.random() < 0.6:
        claim = releases | {"level": level(draw, ratio, 64)}
        claim |= {} if bounded else {"attained": None}
        return base | {"kind": f"{kind}-at-most", "claim": claim}
    above = level(draw, ratio * near(draw, 64) ** -2, 64)
    claim = releases | place | {"exceeds": above}
    claim |= {"outputs": list(shown)} if count > 1 else {"output": shown[0]}
    return base | {"kind": f"{kind}-witness", "claim": claim}


def places(known: Statement) -> list[Any]:
    return [(name, pair, shown) for name in known.priors for pair in known.pairs for shown in known.every_output()]


def redaction(draw: Random) -> Json:
    """A statement about a redaction of a short chain."""
    length = draw.randint(1, 4)
    chain = {"alpha": str(share(draw)), "beta": str(share(draw)), "length": length}
    chain["initial"] = draw.choice(("stationary", row(draw, 2)))
    rows = [[1, str(share(draw)), str(share(draw))] for _ in range(length)]
    base = {"format": "pufferproof-certificate/1", "kind": "redaction-leakage", "chain": chain}
    base |= {"private": draw.randint(1, length), "redaction": rows}
    base |= {"precision": draw.choice((None, 16, 17, 64))}
    base["inputs"] = {"framework": None, "mechanism": None}
    every = redacted(base)
    output = draw.choice((None, draw.choice([*every])))
    relation = draw.choice((*(("<=", "<=") if output is None else ()), "=", ">=", ">"))
    shown = [*every.values()] if output is None else [every[output]]
    ratios = [x / y for a, b in shown for x, y in ((a, b), (b, a)) if y != 0]
    stated = level(draw, max(ratios), 32)
    if relation in (">=", ">"):
        stated = level(draw, max(ratios) * draw.choice((1, 2, 4)) * near(draw, 32), 32)
    return base | {"claim": {"relation": relation, "level": stated, "output": output}}


FORGERS: dict[str, Callable[[Random], Json]] = {
    "forged-noise": noise,
    "forged-leakage": finite,
    "forged-redaction": redaction,
}


def forged(family: str, draw: Random) -> bytes:
    """A certificate of random parts: the next one for which there is a truth."""
    while True:
        try:
            with ctx.workprec(128):
                return json.dumps(FORGERS[family](draw)).encode()
        except (Unjudged, Wrong, ValueError, IndexError, ZeroDivisionError):
            continue  # the parts do not fit: there is nothing to compare, or much
