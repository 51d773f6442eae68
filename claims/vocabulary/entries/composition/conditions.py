"""Conditions that compose: weighted geometric means, and releases one after another: Means.v."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import lcm, prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, PROCESS, Rows
from pufferproof.claims.vocabulary.terms import entry

ONE = Fraction(1)


@dataclass(frozen=True, eq=False)
class Root:
    """A real number that is known by a power of it: `factor` times the root of `power`, which is
    not negative.
    """

    power: Fraction
    degree: int
    factor: Fraction = ONE

    def __mul__(self, times: Fraction) -> "Root":
        return Root(self.power, self.degree, self.factor * times)

    __rmul__ = __mul__

    def __add__(self, nothing: Fraction) -> "Root":
        return self if nothing == 0 else NotImplemented

    def _against(self, number: Fraction) -> tuple[Fraction, Fraction]:
        return self.power * _odd(self.factor, self.degree), _odd(number, self.degree)

    def __le__(self, number: Fraction) -> bool:
        own, other = self._against(number)
        return own <= other

    def __lt__(self, number: Fraction) -> bool:
        own, other = self._against(number)
        return own < other

    def __ge__(self, number: Fraction) -> bool:
        own, other = self._against(number)
        return own >= other

    def __gt__(self, number: Fraction) -> bool:
        own, other = self._against(number)
        return own > other


def _odd(number: Fraction, degree: int) -> Fraction:
    """Return a power with the sign of its base, so that order is kept."""
    return number**degree if number >= 0 else -((-number) ** degree)


def geometric(weights: Sequence[Fraction], number: Callable[[int], Fraction]) -> Root:
    """Return a weighted geometric mean as Coq has it: x^0 = 1, and x^b = 0 for other x <= 0."""
    degree = lcm(*(weight.denominator for weight in weights))
    numbers = [number(place) for place in range(len(weights))]
    powers = [
        (each ** int(weight * degree) if each > 0 else Fraction(0)) for weight, each in zip(weights, numbers) if weight
    ]
    return Root(prod(powers, start=ONE), degree)


class Joint:
    """The joint law of releases with independent randomness: of each database and list of outputs,
    0 if the list is longer or shorter.
    """

    def __init__(self, mechanisms: Sequence[Rows]) -> None:
        self.mechanisms = mechanisms

    def __getitem__(self, database: int) -> "JointRow":
        return JointRow([each[database] for each in self.mechanisms])


class JointRow:
    """The joint law of releases on one database."""

    def __init__(self, rows: Sequence[Sequence[Fraction]]) -> None:
        self.rows = rows

    def __getitem__(self, outputs: Sequence[int]) -> Fraction:
        if len(outputs) != len(self.rows):
            return Fraction(0)
        return prod((row[w] for row, w in zip(self.rows, outputs)), start=ONE)


def _run_by_run(levelled: Sequence[tuple[Rows, Fraction]], kernels: Sequence[Rows]) -> list[Rows]:
    return [PROCESS.value(M, K) for (M, _), K in zip(levelled, kernels)]


def _zero_or_one(weights: Sequence[Fraction]) -> Iterator[bool]:
    return (each in (0, 1) for each in weights)


LEVELLED = f"list (({CHANNEL}) * R)"
GEO = entry(
    "geometric mean",
    takes=("'D -> R", "'D -> R"),
    gives="R",
    words="prod_[b1] ([1])^([0]_[b1])",
    tex=r"\textstyle\prod_{[b1]} ([1])^{[0]_[b1]}",
    coq="Means.geo [0] (fun [b1] : [t1] => [1])",
    value=geometric,
    meaning="In products 0^0 = 1.",
)
ZERO_OR_ONE = entry(
    "one-hot",
    takes=("'D -> R",),
    words="every entry of [0] is 0 or 1",
    tex=r"[0] \in \{0, 1\}",
    coq=r"forall u_, [0] u_ = 0 \/ [0] u_ = 1",
    value=_zero_or_one,
    precedence=200,
    relation="truth",
)
RELEASES = entry(
    "releases",
    takes=(f"list ({CHANNEL})",),
    gives="'D -> list 'W -> R",
    words="[0]",
    tex=r"\textstyle\bigotimes [0]",
    coq="Means.releases [0]",
    value=Joint,
    meaning="A list of mechanisms stands for their joint release, with independent randomness.",
)
MECHANISMS_OF = entry(
    "mechanisms of",
    takes=(LEVELLED,),
    gives=f"list ({CHANNEL})",
    words="[0]",
    tex="[0]",
    coq="List.map fst [0]",
    value=lambda levelled: [M for M, _ in levelled],
)
PRODUCT_OF_LEVELS = entry(
    "product of levels",
    takes=(LEVELLED,),
    gives="R",
    words="(prod_i E_i)",
    tex=r"\textstyle\prod_i E_i",
    coq="Means.prod (List.map snd [0]) (fun E_ => E_)",
    value=lambda levelled: prod((E for _, E in levelled), start=ONE),
)
MECHANISM_OF = entry(
    "mechanism of",
    takes=(f"({CHANNEL}) * R",),
    gives=CHANNEL,
    words="M_[0]",
    tex="M_{[0]}",
    coq="fst [0]",
    value=lambda pair: pair[0],
)
LEVEL_OF = entry(
    "ratio of",
    takes=(f"({CHANNEL}) * R",),
    gives="R",
    words="E_[0]",
    tex="E_{[0]}",
    coq="snd [0]",
    value=lambda pair: pair[1],
)
RUN_BY_RUN = entry(
    "processed run by run",
    takes=(LEVELLED, "list ('W -> 'V -> R)"),
    gives="list ('D -> 'V -> R)",
    words="(M_i followed by [1]_i)_i",
    tex=r"([1]_i \circ M_i)_i",
    coq="List.map (fun MK_ => Pufferfish.process (fst (fst MK_)) (snd MK_)) (List.combine [0] [1])",
    value=_run_by_run,
)
