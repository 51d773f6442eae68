"""A redaction profile of one's own, read from a mechanism file of form "redaction": [[r_t(0),
r_t(1)], ..].
"""

from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import local_of
from pufferproof.models.files.reading import in_file, read_loaded
from pufferproof.models.files.shapes import MechanismFile
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction


def read_profile(path: str, chain: BinaryChain) -> LocalRedaction:
    """Read the profile of a chain's records.

    Raises `ModelError` naming file and record unless there are two probabilities, r_t(0) and
    r_t(1), for every record.
    """
    shape = read_loaded(path, MechanismFile).value
    with in_file(path):
        if shape.redaction is None:
            raise ModelError('expected a mechanism given by "redaction"', "mechanism")
        mechanism = local_of(shape, Records(chain.length, ("0", "1")), False)
        if mechanism.redaction is None:
            raise AssertionError("a mechanism given by its redaction has one")
        return LocalRedaction(mechanism.redaction)
