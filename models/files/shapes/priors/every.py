"""Every form of a prior, and how a file tells which it has."""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Discriminator, Tag

from pufferproof.models.files.shapes.objects import one_of, wrong
from pufferproof.models.files.shapes.priors.chains import HiddenMarkovPrior, MarkovPrior
from pufferproof.models.files.shapes.priors.forms import NORMALIZE, PriorShape, ProductPrior, TablePrior
from pufferproof.models.files.shapes.priors.networks import BayesNetPrior, ContactsPrior
from pufferproof.models.files.shapes.priors.normal import GaussianPrior
from pufferproof.models.numbers.text import did_you_mean, quoted
from pufferproof.models.priors.records import preview

_SHAPES: tuple[type[PriorShape], ...] = (
    TablePrior,
    ProductPrior,
    MarkovPrior,
    BayesNetPrior,
    ContactsPrior,
    HiddenMarkovPrior,
    GaussianPrior,
)
PRIOR_FORMS = {shape.form(): shape for shape in _SHAPES}


def _known_prior(value: object) -> object:
    kinds = [key for key in value if key != NORMALIZE] if isinstance(value, Mapping) else []
    if len(kinds) > 1 and "transition" in kinds:
        raise wrong(f'expected {{"markov": {{..}}}} around {preview(kinds)}')
    if len(kinds) != 1:
        raise wrong(one_of(list(PRIOR_FORMS), value))
    (kind,) = kinds
    if kind not in PRIOR_FORMS:
        forms = preview(list(PRIOR_FORMS), 20)
        hint = did_you_mean(kind, PRIOR_FORMS) or f", expected one of {forms}"
        raise wrong(f"unknown key {quoted(kind)}{hint}")
    return value


if TYPE_CHECKING:
    Prior = PriorShape
else:
    Prior = Annotated[
        Annotated[
            reduce(or_, (Annotated[shape, Tag(f"@{form}")] for form, shape in PRIOR_FORMS.items())),
            Discriminator(lambda value: f"@{next(key for key in value if key != NORMALIZE)}"),
        ],
        BeforeValidator(_known_prior),
    ]
