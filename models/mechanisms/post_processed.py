"""A mechanism whose outputs an unknown function changes before they are shown: what is known of it
is an upper bound, because no function of the outputs adds to what they tell.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

_AUDITED = "audit bounds it; before has the mechanism before post-processing"


@dataclass(frozen=True)
class PostProcessed:
    """The mechanism `before` post-processing; only `audit` takes it, which answers with bounds.

    >>> from pufferproof.models.channel import Channel
    >>> PostProcessed(Channel.of({"a": {"u": 1}}))
    PostProcessed(Channel(1 databases, 1 outputs))
    """

    unnamed: ClassVar = True
    taken_by: ClassVar = dict.fromkeys(("Channel", "AdditiveNoise", "RecordQuery", "LocalMechanism"), _AUDITED)

    before: Any

    def __repr__(self) -> str:
        return f"PostProcessed({self.before!r})"
