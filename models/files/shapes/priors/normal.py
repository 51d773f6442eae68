"""Normal laws and linear Gaussian networks as priors, of records that are numbers."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import Discriminator, Field, PrivateAttr, StrictStr, Tag, model_validator

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.models.files.shapes.objects import Number, Row, Shape, list_or_other, wrong
from pufferproof.models.files.shapes.priors.forms import PriorShape
from pufferproof.models.priors.continuous.gaussian import NO_DATABASES
from pufferproof.models.priors.continuous.network import (
    JSON_FORM,
    LinearGaussianNetwork,
    LinearNode,
    network_in_document,
)
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import NO_DATABASES as NOT_LISTED
from pufferproof.models.priors.laws import Prior as Law


class SquaredExponentialShape(Shape):
    """Sigma_jk = exp(-(j - k)^2 / length)."""

    length: Number


class ExponentialShape(Shape):
    """Sigma_jk = exp(-|j - k| / length)."""

    length: Number


class GaussianKernelShape(Shape):
    """How the covariance of two records depends on their numbers; `exponential` without a box."""

    squared_exponential: SquaredExponentialShape | None = None
    exponential: ExponentialShape | None = None

    @model_validator(mode="after")
    def _one(self) -> "GaussianKernelShape":
        if (self.squared_exponential is None) == (self.exponential is None):
            raise wrong('expected one of "squared_exponential" and "exponential"')
        return self


class AutoregressionShape(Shape):
    """A stationary autoregression of order 1: Cov(X_j, X_k) = variance * coefficient^|j - k|."""

    coefficient: Number
    variance: Number


class LinearNodeShape(Shape):
    """A node of a linear Gaussian network: its law is normal around `intercept`, 0 if left out,
    plus the sum of `coefficients` times its parents, by name, with this `variance`.
    """

    intercept: Number = Fraction(0)
    coefficients: dict[StrictStr, Number] = Field(default_factory=dict)
    variance: Number


class GaussianShape(Shape):
    """A normal law on numbers: its covariance, by a matrix, a `kernel` or `ar1`; or a linear
    Gaussian `network`, by the law of every node, or the name of a JSON file of pgmpy beside this
    one. The nodes are the records, by name.

    With a `box`, the same for every record, it has mean 0 and is truncated to that; without one it
    is not truncated, and has a `mean`, one number or one for each record, 0 if left out.
    """

    kernel: GaussianKernelShape | None = None
    covariance: list[Row] | None = None
    ar1: AutoregressionShape | None = None
    mean: (
        Annotated[Annotated[Row, Tag("@list")] | Annotated[Number, Tag("@other")], Discriminator(list_or_other)] | None
    ) = None
    box: Annotated[Row, Field(min_length=2, max_length=2)] | None = None
    network: (
        Annotated[
            Annotated[dict[StrictStr, LinearNodeShape], Tag("@object")] | Annotated[StrictStr, Tag("@name")],
            Discriminator(lambda value: "@name" if isinstance(value, str) else "@object"),
        ]
        | None
    ) = None
    _content: bytes | None = PrivateAttr(None)
    _names: tuple[str, ...] | None = PrivateAttr(None)

    def hold(self, content: bytes) -> None:
        """Keep what the file of the network holds; who reads the framework file reads it too."""
        self._content = content

    def call(self, names: Sequence[str]) -> None:
        """Keep the names of the records."""
        self._names = tuple(names)

    def joint(self) -> Normal:
        """Return the joint law of the network's nodes, in the order of the records. Raises
        `ModelError` unless it is a network, and records have the names of the nodes.
        """
        if self._names is None:
            raise ModelError(
                'a network has nodes with names: expected "records": {"names": [..]}, or {"from": '
                "FILE} where the network is a file",
                "gaussian.network",
            )
        try:
            return self._network().joint(self._names)
        except ModelError as error:
            raise error.within("gaussian") from None

    def _network(self) -> LinearGaussianNetwork:
        if isinstance(self.network, str):
            if self._content is None:
                raise ModelError("expected a framework that is read from a file", "network")
            with in_file(self.network):
                return linear_network_in(self._content)
        nodes = {}
        for name, node in (self.network or {}).items():
            try:
                nodes[name] = LinearNode(node.intercept, node.coefficients, node.variance)
            except ModelError as error:
                raise error.within(f"network.{name}") from None
        return LinearGaussianNetwork(nodes)

    @model_validator(mode="after")
    def _one_covariance(self) -> "GaussianShape":
        ways = (self.kernel, self.covariance, self.ar1, self.network)
        given = [each for each in ways if each is not None]
        if len(given) != 1:
            raise wrong('expected one of "kernel", "covariance", "ar1" and "network"')
        if self.network is not None and (self.box is not None or self.mean is not None):
            beside = "mean" if self.box is None else "box"
            raise wrong(f'"{beside}" cannot be combined with "network"')
        if self.box is not None and self.ar1 is not None:
            raise wrong('"ar1" cannot be combined with "box": expected "kernel" or "covariance"')
        if self.box is not None and self.kernel is not None and self.kernel.exponential:
            raise wrong('kernel "exponential" cannot be combined with "box": expected "squared_exponential"')
        if self.box is not None and self.mean is not None:
            raise wrong('"mean" cannot be combined with "box": truncated laws have mean 0')
        return self


class GaussianPrior(PriorShape):
    """A normal law over records that are numbers: with a box for `influence --curve`, without one
    for noise on linear queries.
    """

    gaussian: GaussianShape

    def prior(self, normalize: bool) -> Law:
        raise ModelError(NO_DATABASES if self.gaussian.box is not None else NOT_LISTED)


def linear_network_in(content: bytes) -> LinearGaussianNetwork:
    """Return the linear Gaussian network that a JSON file holds."""
    if not content.lstrip().startswith(b"{"):
        raise ModelError(JSON_FORM)
    return network_in_document(document_of("", content))
