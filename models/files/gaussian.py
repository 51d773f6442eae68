"""Frameworks of truncated Gaussian priors from the files that describe them."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import pairs_of
from pufferproof.models.files.reading import Loaded, in_file, read_loaded
from pufferproof.models.priors.gaussian import Number, TruncatedGaussian
from pufferproof.models.priors.windows import GaussianFramework

if TYPE_CHECKING:
    from pufferproof.models.files import shapes as schema


def read_gaussian(path: str | Path) -> Loaded[GaussianFramework]:
    """Read a framework of truncated Gaussian priors. Raises `ModelError` as `read_framework` does,
    and unless priors are Gaussian.
    """
    from pufferproof.models.files.shapes import FrameworkFile

    loaded = read_loaded(path, FrameworkFile)
    with in_file(path):
        return loaded.holding(gaussian_of(loaded.value))


def gaussian_of(shape: "schema.FrameworkFile") -> GaussianFramework:
    """Return the framework that a file describes."""
    from pufferproof.models.files.shapes import GaussianPrior, WindowSecret

    if not shape.gaussian or shape.records is None:
        raise ModelError('expected "gaussian" priors', "priors")
    secrets: Mapping[str, tuple[int, Number, Number]] = {
        name: (held.record, held.between[0], held.between[1])
        for name, held in shape.secrets.items()
        if isinstance(held, WindowSecret)
    }
    priors = {
        name: _prior_of(name, prior)
        for name, prior in shape.priors.items()
        if isinstance(prior, GaussianPrior)
    }
    return GaussianFramework(shape.records.count, secrets, pairs_of(shape), priors, shape.closure)


def _prior_of(name: str, shape: "schema.GaussianPrior") -> TruncatedGaussian:
    try:
        if shape.normalize:
            raise ModelError("nothing to divide: a density has no rows that sum to 1", "normalize")
        law = shape.gaussian
        make = partial(TruncatedGaussian, law.box)
        if law.kernel is None:
            return make(covariance=law.covariance)
        return make(length=law.kernel.squared_exponential.length)
    except ModelError as error:
        raise error.within(f"priors.{name}") from None
