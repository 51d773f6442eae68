"""A redaction profile of one's own, read from a mechanism file of form "redaction": [[r_t(0), r_t(1)], ..]."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pufferproof.models.binary_chain import BinaryChain
from pufferproof.models.errors import ModelError
from pufferproof.models.files import read_shape
from pufferproof.models.mechanisms.redaction import LocalRedaction


class RedactionFile(BaseModel):
    """A mechanism file of form "redaction" for values 0 and 1."""

    model_config = ConfigDict(extra="forbid")
    format: Literal["pufferproof-mechanism/1"]
    redaction: list[list[str | int]]


def read_profile(path: str, chain: BinaryChain) -> LocalRedaction:
    """Read the profile of a chain's records.

    Raises `ModelError` naming file and record unless there are two probabilities, r_t(0) and r_t(1), for every record.
    """
    shape = read_shape(path, RedactionFile)
    try:
        mechanism = LocalRedaction(shape.redaction)
        mechanism.fits(chain)
    except ModelError as error:
        raise error.within(path) from None
    return mechanism
