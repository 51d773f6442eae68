"""What several commands are asked: a framework and a mechanism, databases and outputs listed."""

from dataclasses import dataclass

from pufferproof.models.channel import Channel
from pufferproof.models.files.frameworks import read_bounded, read_listed
from pufferproof.models.files.mechanisms import read_channel
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.telling import normalized_lines, priors_json, priors_lines


@dataclass(frozen=True)
class Question:
    """A framework and a mechanism as they were read; `normalize`: rows were to be divided by their
    sums.
    """

    framework: Loaded[Framework]
    mechanism: Loaded[Channel]
    normalize: bool

    @classmethod
    def read(
        cls,
        framework: str,
        mechanism: str,
        normalize: bool,
        databases: str | None,
        trust_code: bool,
        classes: bool = False,
    ) -> "Question":
        """Read both. Raises `ModelError` where a file is malformed, or too much to list, and for
        classes of chains unless the command takes them.
        """
        space = (read_bounded if classes else read_listed)(framework, normalize)
        listed = space.value.of_laws()
        channel = read_channel(mechanism, listed, normalize, databases, trust_code)
        return cls(space, channel, normalize)

    @property
    def known(self) -> JsonObject:
        """What an answer says of the files."""
        inputs = hashes(framework=self.framework, mechanism=self.mechanism)
        return {"inputs": inputs, **priors_json(self.framework.value.normalized)}

    def notes(self, certificate: str | None = None) -> list[str]:
        """Say which rows were divided by their sums."""
        priors = self.framework.value.normalized
        return [
            *normalized_lines(self.normalize, self.mechanism.path),
            *priors_lines(priors, self.framework.path, certificate),
        ]
