"""Outputs of many databases, sorted by what they are for: a secret, or a database of its own.

Databases come one by one in a random order. So a sampler whose law changes from call to call, or
that remembers, meets every secret alike. Where the user gives their word that draws are independent
all outputs of one database are drawn in one call, and the calls come in a random order.
"""

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import quoted
from pufferproof.verify.simulation.estimation.canonical import text_of
from pufferproof.verify.simulation.estimation.outputs import Labels, Outputs, joined, outputs_of
from pufferproof.verify.simulation.estimation.samplers import Asked, Function, Sampler, SamplerError, Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOSSES = 512  # of one hash


@dataclass(frozen=True)
class Coins:
    """A secret number of a run, of which all coins, databases and their order are made. No two runs
    have the same, and the sampler cannot tell the next from those that it has seen: the seed of
    each bundle of calls is a hash of the secret and the place of the bundle.
    """

    secret: str

    @classmethod
    def new(cls) -> "Coins":
        """Return a secret of 128 bits from the operating system."""
        return cls(token_hex(16))

    @property
    def commitment(self) -> str:
        """The hash of the secret, which a file shows until the run has ended."""
        return f"sha256:{hashlib.sha256(self.secret.encode()).hexdigest()}"

    def seed(self, *place: int) -> int:
        """Return the seed of the stream at a place."""
        text = f"{self.secret}:{','.join(map(str, place))}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest())

    def tosses(self, size: int, bets: str, before: int) -> "NDArray[np.bool_]":
        """Return so many tosses of a fair coin after those `before`. 512 of them are the bits, the
        lowest of each byte first, of SHA-512 of a hash of the bets, the secret, and a number. So
        bets that somebody changes after the calls are not on these coins. True is the first secret.

        >>> int(Coins("a secret").tosses(1000, "bets", 0).sum())
        496
        """
        import numpy as np

        first, skipped = divmod(before, _TOSSES)
        last = -(-(before + size) // _TOSSES)
        texts = [f"{bets}:{self.secret}:{place}".encode() for place in range(first, last)]
        drawn = np.frombuffer(b"".join(hashlib.sha512(text).digest() for text in texts), np.uint8)
        bits = np.unpackbits(drawn, bitorder="little").astype(bool)
        return bits[skipped : skipped + size]


@dataclass
class Bundle:
    """Databases of some bins in the order in which a sampler is asked for them: of each its bin,
    its label, and of how many calls; `values` are the outputs so far.
    """

    sampler: Sampler
    bins: Sequence[Asked]
    order: "NDArray[np.int64]"
    values: list[Any] = field(default_factory=list)
    coins: "NDArray[np.bool_] | None" = None

    @classmethod
    def of(
        cls, sampler: Sampler, bins: Sequence[Asked], seed: int, coins: "NDArray[np.bool_] | None" = None
    ) -> "Bundle":
        """Return the databases of bins in an order that is drawn by a seed. Call by call the bin is
        the one that a coin shows, of two, the first if it is true.
        """
        import numpy as np
        from numpy.random import PCG64, Generator

        bundle = cls(sampler, bins, np.arange(0), coins=coins)
        places = np.arange(len(bundle.asked))
        if not bundle.grouped:
            places = np.repeat(places, [count for _, _, count in bundle.asked])
        bundle.order = Generator(PCG64(seed)).permutation(places)
        if coins is not None and not bundle.grouped:
            firsts = np.array([bin_ == 0 for bin_, _, _ in bundle.asked], dtype=bool)[bundle.order]
            mixed, bundle.order = bundle.order, np.empty_like(bundle.order)
            bundle.order[coins], bundle.order[~coins] = mixed[firsts], mixed[~firsts]
        return bundle

    @cached_property
    def asked(self) -> list[tuple[int, str, int]]:
        """Every database with its bin, and how often it is asked for."""
        return [(bin_, *each) for bin_, held in enumerate(self.bins) for each in held if each[1]]

    @property
    def grouped(self) -> bool:
        """Whether all outputs of a database are drawn in one call."""
        return isinstance(self.sampler, Function) and self.sampler.grouped

    def draw(self, seed: Seed) -> None:
        """Call the sampler. Raises `SamplerError`; what it gave until then stays in `values`."""
        asked = [self.asked[place][1:] for place in self.order.tolist()]
        if isinstance(self.sampler, Function) and self.grouped:
            self.sampler.draw(asked, seed, self.values)
        else:
            self.sampler.each([label for label, _ in asked], seed, self.values)

    def __iter__(self) -> Iterator[tuple[int, str, Any]]:
        """Yield every known output with its bin and its database, in order."""
        for place, value in zip(self.order.tolist(), self.values):
            bin_, label, _ = self.asked[place]
            sized = isinstance(self.sampler, Function) and self.sampler.sized
            yield from ((bin_, label, each) for each in (value if sized else [value]))

    @property
    def calls(self) -> list[int]:
        """Of how many calls of each bin the outputs are known."""
        totals = [0] * len(self.bins)
        for place in self.order[: len(self.values)].tolist():
            bin_, _, count = self.asked[place]
            totals[bin_] += count if self.grouped else 1
        return totals

    @property
    def unknown(self) -> int:
        """How many calls the sampler was asked for without an output that is known: all that are
        left, or of one that is asked call by call those of the next.
        """
        left = self.order[len(self.values) :].tolist()
        counts = [self.asked[place][2] if self.grouped else 1 for place in left]
        return sum(counts[:1] if self.sampler.call_by_call else counts)

    def outputs(self) -> list[Outputs]:
        """Return the known outputs of every bin. Raises `SamplerError` if they cannot be used."""
        import numpy as np

        owners = np.array([bin_ for bin_, _, _ in self.asked], dtype=np.int64)
        owners = owners[self.order[: len(self.values)]]
        if not self.grouped and isinstance(self.sampler, Function) and self.sampler.sized:
            known = joined(self.values) if self.values else []
        else:
            known = self.values
        if isinstance(known, np.ndarray):
            parts: list[Any] = [known[owners == bin_] for bin_ in range(len(self.bins))]
        else:
            parts = [[] for _ in self.bins]
            for bin_, value in zip(owners.tolist(), known):
                parts[bin_].append(value)
        if self.grouped:
            parts = [joined(part) if part else part for part in parts]
        return [_outputs(part, held) for part, held in zip(parts, self.bins)]


def sampled(sampler: Sampler, bins: Sequence[Asked], coins: int, seed: Seed, record: list[Bundle]) -> list[Outputs]:
    """Return the outputs of the databases of every bin, asked for in an order that is drawn by
    `coins`; `seed` is the sampler's own. Appends the calls to a record. Raises `SamplerError`.
    """
    bundle = Bundle.of(sampler, bins, coins)
    bundle.draw(seed)
    record.append(bundle)
    return bundle.outputs()


def repeats(sampler: Sampler, databases: Asked, seed: Seed) -> bool:
    """Whether a sampler gives the same outputs again for the same databases and seed."""
    import numpy as np

    texts = []
    for _ in range(2):
        bundle = Bundle.of(sampler, [databases], 0)
        bundle.draw(seed)
        plain = [value.tolist() if hasattr(value, "tolist") else _ordered(value) for value in bundle.values]
        with np.printoptions(threshold=sys.maxsize):
            texts.append(repr(plain))
    return texts[0] == texts[1]


def _ordered(value: object) -> object:
    """Return dicts and sets by their text, as these may be in another order."""
    return text_of(value) if isinstance(value, set | frozenset | dict) else value


def same_kind(drawn: Sequence[Outputs], names: Sequence[str]) -> list[Outputs]:
    """Return outputs. Raises `SamplerError` where those of a database are of another kind."""
    known = [(name, each.kind) for name, each in zip(names, drawn) if each.kind is not None]
    for name, kind in known:
        if kind != known[0][1]:
            raise SamplerError(
                f"outputs are {kind}, expected {known[0][1]} as on database {quoted(known[0][0])}",
                f"sampler: database {quoted(name)}",
            )
    return list(drawn)


def _outputs(values: Any, asked: Asked) -> Outputs:
    if not len(values):
        return Labels(Counter(), None)
    try:
        return outputs_of(values)
    except ModelError as error:
        named = f": database {quoted(asked[0][0])}" if len(asked) == 1 else ""
        raise SamplerError(error.what, f"sampler{named}") from None
