"""The releases of a stream written out: a framework and a mechanism that every other command
takes.
"""

from fractions import Fraction

from pufferproof.models.channel import Channel, limit_entries
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.priors.laws import Table
from pufferproof.verify.sequences.streams.blocks import BlockStream
from pufferproof.verify.sequences.streams.passes import passes


def stream_tables(stream: BlockStream, steps: int) -> tuple[Framework, Channel]:
    """Return a framework whose secrets are the windows and the scrubbed windows, a pair for every
    value z of the later blocks, and the mechanism that shows t outputs: its leakage is theirs.

    >>> from pufferproof import Channel, audit
    >>> rows = {"00": [1, 0], "01": [1, 0], "10": ["1/2", "1/2"], "11": ["1/2", "1/2"]}
    >>> mechanism = Channel.of(rows, ["u", "v"])
    >>> stream = BlockStream(["0", "1"], ["1/2", "1/2"], 2, mechanism, [[0, 1], [0, 1]])
    >>> audit(*stream_tables(stream, 2)).leakage.ratio
    Fraction(4, 1)

    Raises `TooLargeError` where there are too many sequences of outputs to write out.
    """
    stream = check_type(stream, BlockStream, "stream")
    steps = check_type(steps, int, "steps")
    worlds = passes(stream)
    names = stream.mechanism.outputs
    limit_entries(2 * len(worlds[0].ends), len(names) ** min(steps, 64))
    sequences = [("", worlds[0].start, worlds[1].start)]
    for _ in range(steps):
        sequences = [
            (f"{said},{name}", worlds[0].after(top, y), worlds[1].after(bottom, y))
            for said, top, bottom in sequences
            for y, name in enumerate(names)
        ]
    rows: dict[str, list[Fraction]] = {}
    secrets, pairs = {}, []
    for given in sorted(worlds[0].ends):
        masses = [
            [worlds[0].at(top, given) for _, top, _ in sequences],
            [worlds[1].at(bottom, given) for _, _, bottom in sequences],
        ]
        if total := sum(masses[0]):
            later = f" given {stream.named(given)}" if given else ""
            two = (f"windows{later}", f"scrubbed{later}")
            for name, found in zip(two, masses):
                rows[name] = [Fraction(mass, total) for mass in found]
                secrets[name] = [name]
            pairs.append(two)
    even = Table({name: Fraction(1, len(rows)) for name in rows})
    framework = Framework([*rows], secrets, pairs, {"even": even})
    return framework, Channel.of(rows, [said[1:] for said, _, _ in sequences])
