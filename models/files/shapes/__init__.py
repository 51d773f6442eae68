"""The shape of the files people write, as pydantic models: the source of the published JSON
Schemas.

These models say which keys and types a file has. What the numbers mean (laws, rows, disjoint pairs)
is checked where the objects are made, so that Python callers and files are held to the same rules.
A file of this room has one kind of file, or a part that several share.
"""

from pufferproof.models.files.shapes.frameworks import FrameworkFile as FrameworkFile
from pufferproof.models.files.shapes.mechanisms import MECHANISM_FORMS as MECHANISM_FORMS
from pufferproof.models.files.shapes.mechanisms import CountShape as CountShape
from pufferproof.models.files.shapes.mechanisms import KernelsFile as KernelsFile
from pufferproof.models.files.shapes.mechanisms import LatticeShape as LatticeShape
from pufferproof.models.files.shapes.mechanisms import LossFile as LossFile
from pufferproof.models.files.shapes.mechanisms import MechanismFile as MechanismFile
from pufferproof.models.files.shapes.mechanisms import NoiseShape as NoiseShape
from pufferproof.models.files.shapes.mechanisms import Query as Query
from pufferproof.models.files.shapes.mechanisms import WeightsShape as WeightsShape
from pufferproof.models.files.shapes.objects import Number as Number
from pufferproof.models.files.shapes.objects import PointSecret as PointSecret
from pufferproof.models.files.shapes.objects import RecordSecret as RecordSecret
from pufferproof.models.files.shapes.objects import Shape as Shape
from pufferproof.models.files.shapes.objects import WindowSecret as WindowSecret
from pufferproof.models.files.shapes.priors import PRIOR_FORMS as PRIOR_FORMS
from pufferproof.models.files.shapes.priors import BayesNetPrior as BayesNetPrior
from pufferproof.models.files.shapes.priors import ContactsPrior as ContactsPrior
from pufferproof.models.files.shapes.priors import GaussianKernelShape as GaussianKernelShape
from pufferproof.models.files.shapes.priors import GaussianPrior as GaussianPrior
from pufferproof.models.files.shapes.priors import MarkovPrior as MarkovPrior
from pufferproof.models.files.shapes.priors import MarkovShape as MarkovShape
from pufferproof.models.files.shapes.priors import PriorShape as PriorShape
from pufferproof.models.files.shapes.priors import ProductPrior as ProductPrior
from pufferproof.models.files.shapes.priors import TablePrior as TablePrior
