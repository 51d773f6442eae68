"""Outputs of many databases, sorted by what they are for: a secret, or a database of its own.

Databases come one by one in a random order. So a sampler whose law changes from call to call, or
that remembers, meets every secret alike. Where the user gives their word that draws are independent
all outputs of one database are drawn in one call, and the calls come in a random order.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import quoted
from pufferproof.verify.simulation.draws import Words
from pufferproof.verify.simulation.estimation.outputs import (
    Labels,
    Outputs,
    joined,
    outputs_of,
)
from pufferproof.verify.simulation.estimation.samplers import (
    Asked,
    Function,
    Sampler,
    SamplerError,
    Seed,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def heads(tosses: int, words: Words) -> int:
    """Return how many of so many tosses of a fair coin are heads.

    >>> 400 < heads(1000, Words(1)) < 600
    True
    """
    import numpy as np

    whole, rest = divmod(tosses, 64)
    drawn = int(np.bitwise_count(words.draw(whole)).sum()) if whole else 0
    return drawn + (int(words.draw(1)[0]) >> 64 - rest).bit_count() if rest else drawn


def sampled(sampler: Sampler, bins: Sequence[Asked], seed: Seed) -> list[Outputs]:
    """Return the outputs of the databases of every bin. Raises `SamplerError`."""
    asked = [(place, *each) for place, held in enumerate(bins) for each in held if each[1]]
    if isinstance(sampler, Function) and sampler.grouped:
        values = _in_groups(sampler, asked, len(bins), seed)
    else:
        values = _one_by_one(sampler, asked, len(bins), seed)
    return [_outputs(each, held) for each, held in zip(values, bins)]


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


def _one_by_one(
    sampler: Sampler, asked: Sequence[tuple[int, str, int]], bins: int, seed: Seed
) -> list[Any]:
    import numpy as np

    counts = [count for _, _, count in asked]
    order = _permuted(np.repeat(np.arange(len(asked)), counts), seed)
    labels = [label for _, label, _ in asked]
    values = sampler.each([labels[place] for place in order.tolist()], (*seed, 1))
    owners = np.array([place for place, _, _ in asked], dtype=np.int64)[order]
    if isinstance(values, np.ndarray):
        return [values[owners == place] for place in range(bins)]
    sorted_values: list[list[object]] = [[] for _ in range(bins)]
    for place, value in zip(owners.tolist(), values):
        sorted_values[place].append(value)
    return sorted_values


def _in_groups(
    sampler: Function, asked: Sequence[tuple[int, str, int]], bins: int, seed: Seed
) -> list[Any]:
    import numpy as np

    order = _permuted(np.arange(len(asked)), seed).tolist()
    parts: list[list[object]] = [[] for _ in range(bins)]
    drawn = sampler.draw([asked[place][1:] for place in order], (*seed, 1))
    for place, values in zip(order, drawn):
        parts[asked[place][0]].append(values)
    return [joined(each) for each in parts]


def _permuted(values: "NDArray[np.int64]", seed: Seed) -> "NDArray[np.int64]":
    from numpy.random import PCG64, Generator

    found: NDArray[np.int64] = Generator(PCG64((*seed, 2))).permutation(values)
    return found


def _outputs(values: object, asked: Asked) -> Outputs:
    if not any(count for _, count in asked):
        return Labels(Counter(), None)
    try:
        return outputs_of(values)
    except ModelError as error:
        named = f": database {quoted(asked[0][0])}" if len(asked) == 1 else ""
        raise SamplerError(error.what, f"sampler{named}") from None
