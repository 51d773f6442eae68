"""Versions of libraries that are known to draw or to claim something wrong, and versions that were
tried: one table.

A constructor that draws by another law than its parameters say is refused. A claim that is wrong
leaves the law as it is: the constructor is read, and the fault is noted in the `source` of answers.
Versions newer than those tried are read, with a note.
"""

import re
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.parameters import Parameters

Version = tuple[int, ...]


@dataclass(frozen=True)
class Fault:
    """What is wrong with constructors of a library before a version, or up to now if `fixed` is
    None; with all constructors if none are named.
    """

    library: str
    constructors: tuple[str, ...]
    fixed: Version | None
    what: str
    source: str
    refused: bool

    def concerns(self, library: str, constructor: str, version: Version) -> bool:
        """Whether a constructor of a version has the fault."""
        return (
            self.library == library
            and (not self.constructors or constructor in self.constructors)
            and (self.fixed is None or version < self.fixed)
        )


_OPENDP = "github.com/opendp/opendp/issues"
_DIFFPRIVLIB = "github.com/IBM/differential-privacy-library/issues"
_THRESHOLDS = ("make_gaussian_threshold", "make_laplace_threshold", "make_noise_threshold")
FAULTS = [
    Fault("opendp", (), (0, 14, 2), "its samplers of discrete noise divide wrongly", f"{_OPENDP}/2638", refused=True),
    Fault(
        "opendp",
        ("make_randomized_response_bitvec",),
        (0, 15, 0),
        "it never flips the last bit",
        f"{_OPENDP}/2707",
        refused=True,
    ),
    Fault(
        "opendp",
        ("make_report_noisy_max_gumbel",),
        (0, 16, 0),
        "it returns the noisy minimum",
        f"{_OPENDP}/2912",
        refused=True,
    ),
    Fault(
        "opendp",
        _THRESHOLDS,
        None,
        "the delta that it claims leaves out the threshold itself",
        f"{_OPENDP}/2922",
        refused=False,
    ),
    Fault(
        "opendp",
        ("make_randomized_response_bitvec",),
        None,
        "what it claims holds for bit vectors of one length",
        f"{_OPENDP}/2930",
        refused=False,
    ),
    Fault(
        "diffprivlib",
        ("LinearRegression",),
        None,
        "it takes the lower bound of the data for both bounds, so that its noise may be too small",
        f"{_DIFFPRIVLIB}/104, 105, 110",
        refused=True,
    ),
]
TRIED: dict[str, tuple[Version, ...]] = {
    "diffprivlib": ((0, 6, 6),),
    "opendp": ((0, 14, 2), (0, 15, 1), (0, 16, 0)),
    "pipeline_dp": ((0, 3, 1),),
    "pydp": ((1, 1, 5),),
    "snsql": ((1, 0, 10),),
    "tmlt": ((0, 20, 0),),
}


def expect_right(library: str, version: str, constructor: str, parameters: Parameters) -> None:
    """Note what is known of a constructor of a version.

    Raises `ModelError` if the version is not known, or the constructor draws by another law.
    """
    numbers = _numbers(version)
    if not numbers:
        raise ModelError(
            f"{library} of unknown version is not read: expected a package that was installed", "mechanism"
        )
    for fault in FAULTS:
        if fault.concerns(library, constructor, numbers):
            if fault.refused:
                raise _refused(fault, version, constructor)
            parameters.note(f"{fault.what}, {fault.source}")
    newest = max(TRIED.get(library, ((),)))
    if newest and numbers > newest:
        parameters.note(f"{library} {version} was not tried, only up to {_text(newest)}: check=True compares its draws")


def _refused(fault: Fault, version: str, constructor: str) -> ModelError:
    instead = (
        f"expected {fault.library}>={_text(fault.fixed)}" if fault.fixed else "estimate bounds it from its own draws"
    )
    return ModelError(
        f"{constructor} of {fault.library} {version} is not read, because {fault.what} ({fault.source}): {instead}",
        "mechanism",
    )


def _numbers(text: str) -> Version:
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(each) for each in found[0].split(".")) if found else ()


def _text(version: Version) -> str:
    return ".".join(map(str, version))
