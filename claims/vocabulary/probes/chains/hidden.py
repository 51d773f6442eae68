"""Probes of records of a chain that are hidden around one of them."""

from collections.abc import Callable, Iterator

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps, hidden
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, chains, loose_chains
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.gaps import i, n
from pufferproof.claims.vocabulary.probes.chains.powers import A, b, ratio, v, w
from pufferproof.claims.vocabulary.terms import Entry, letter

F = Fraction


def hiding(draws: Draws, most: int = 4) -> Instance:
    """Two or three values, steps with zeros, a first law with zeros, one record up to four of two
    values or three of three, one of them, how many are hidden, and R, often the least of some
    block, or close to it.
    """
    size = 2 + rarely(draws)
    number = 1 + draws.below(most + 2 - size)
    place = draws.below(number)
    count = 1 + draws.below(number)
    found: Instance = {
        **{"A": size, "n": number, "i": place, "b": count},
        **{"m": [*draws.law(size, 3)], "P": [[*draws.law(size, 3)] for _ in range(size)]},
        **{"v": draws.below(size), "w": draws.below(size)},
    }
    low = min(draws.below(place + 1), number - count)
    ends = found["m"], found["P"], number, low, low + count
    compared = gaps.QUILT_WITHIN.value(F(1), *ends, place, found["v"], found["w"], size)
    least = max((left / right for left, right in compared if right > 0), default=F(1))
    return {**found, "ratio": least * draws.among([*CLOSE])}


def of_class(draws: Draws, most: int = 4) -> Instance:
    """One to three chains on two or three values, with zeros, whose steps may change once, one
    record up to four of two values or three of three, one of them, how many are hidden, often two
    of three with the middle one, and R, often the least of some block under all chains, or of a
    block for each chain, or close to it.
    """
    found = dict(hiding(draws, most))
    size = found["A"]
    if size == 2 and draws.whether():
        found |= {"n": 3, "i": 1, "b": 2}
    chains = [ChainOf(found.pop("m"), [found.pop("P")])]
    for _ in range(draws.below(3)):
        steps = [[[*draws.law(size, 3)] for _ in range(size)] for _ in range(1 + draws.below(2))]
        chains.append(ChainOf([*draws.law(size, 3)], steps))
    asked = [found[name] for name in ("n", "i", "v", "w")]
    blocks = hidden.blocks_of(found["n"], found["i"], found["b"])
    told = [[_least(chain, shown, *asked) for chain in chains] for shown in blocks]
    own = max(map(min, zip(*told))) if draws.whether() else max(draws.among(told))
    return {**found, "class": chains, "ratio": own * draws.among([*CLOSE])}


def _least(chain: ChainOf, shown: hidden.Shown, *asked: int) -> Fraction:
    both = hidden.compared(chain, shown, *asked)
    return max((left / right for left, right in both if right > 0), default=F(1))


def loose(draws: Draws) -> Instance:
    """As above, of up to three records, but at times weights that are no laws, or a record or a
    number of them that there is not.
    """
    found = dict(of_class(draws, 3))
    first, *others = found["class"]
    if rarely(draws):
        first = first._replace(first=vector(draws, found["A"]))
    if rarely(draws):
        first = first._replace(steps=[[vector(draws, found["A"]) for _ in range(found["A"])]])
    if rarely(draws):
        found |= {"i": draws.below(4), "b": draws.below(4)}
    return {**found, "class": [first, *others]}


def _own(entry: Entry) -> Callable[..., Iterator[bool]]:
    """Return whether each chain has records of its own that can be hidden."""
    return lambda R, chains, *at: (all(next(entry.value(R, [chain], *at)) for chain in chains) for _ in range(1))


C = letter("class", chains("A"), "C")
LOOSE = letter("class", loose_chains("A"))
USING = "Chains Powers Spectra Tables HiddenBlocks"
PROBES = [
    Probe(entry.name, entry(ratio, LOOSE, n, i, b, v, w, A), "A", loose, {entry.name: _own(entry)}, USING)
    for entry in (hidden.HIDING, hidden.BLOCK)
]
