"""Linear Gaussian Bayesian networks: records that are numbers, each a linear function of its
parents plus independent normal noise.

    X_k = a_k + sum_(p parent of k) b_kp X_p + E_k,   E_k ~ N(0, v_k) independent, v_k >= 0

Jointly X ~ N(m, S). In an order in which parents come first, and for every j before k,

    m_k = a_k + sum_p b_kp m_p,   S_kj = sum_p b_kp S_pj,   S_kk = sum_p b_kp S_pk + v_k.

All of it is rational. A node without noise (v_k = 0) makes S singular, and S is a covariance still.
Source: Koller and Friedman, Probabilistic Graphical Models (2009), Theorem 7.3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, did_you_mean, quoted, shown
from pufferproof.models.priors.continuous.normal import MAX_WRITTEN, Mean, Normal, Number

# Normal laws whose covariance is a function of the distance of two records, by name.
#
#     squared_exponential   Cov(X_j, X_k) = exp(-(j - k)^2 / length)
#     exponential           Cov(X_j, X_k) = exp(-|j - k| / length), an AR(1), Matern of order 1/2
#
# These numbers are irrational. The law is the one whose numbers are rounded: exp(-1 / length) of an AR(1) to 60
# decimals, and entries of a matrix to 60, or twice as many until it has no negative variance, which is decided
# exactly.

MAX_SMOOTH = 60  # records of a matrix that is written out
_DIGITS = (60, 120, 240)
Kind = Literal["squared_exponential", "exponential"]


def normal_of_kernel(kind: Kind, length: Number, count: int, mean: Mean = 0) -> Normal:
    """Return the law of so many records, variance 1.

    >>> law = normal_of_kernel("squared_exponential", 1, 2)
    >>> f"{float(law.covariance_of(1, 2)):.6f}"
    '0.367879'
    >>> f"{float(normal_of_kernel('exponential', 2, 9).coefficient):.6f}"
    '0.606531'

    Raises `ModelError` unless the length is above 0, and 240 decimals are enough.
    """
    scale = exact(length)
    if scale <= 0:
        raise ModelError(f"expected a length above 0, found {brief(scale)}", f"{kind}.length")
    if kind == "exponential":
        return Normal(mean, coefficient=_rounded(1 / scale, _DIGITS[0]), variance=1)
    if count > MAX_SMOOTH:
        raise ModelError(f"expected at most {MAX_SMOOTH} records, found {count}; exponential takes more", kind)
    for digits in _DIGITS:
        near = [_rounded(d * d / scale, digits) for d in range(count)]
        rows = [[near[abs(j - k)] for k in range(count)] for j in range(count)]
        try:
            return Normal(mean, rows)
        except ModelError as error:
            if "semidefinite" not in error.what:
                raise
    raise ModelError(
        f"expected a length for which {_DIGITS[-1]} decimals tell the records apart, found "
        f"{brief(scale)} for {count} records: nearly all is decided by few of them",
        f"{kind}.length",
    )


def _rounded(exponent: Fraction, digits: int) -> Fraction:
    """Return exp(-exponent) to so many decimals."""
    scale = 10**digits
    if exponent > 4 * digits:  # below half a unit of the last
        return Fraction(0)
    lower, upper = exp_bounds(-exponent, 4 * digits + 16)
    return Fraction(round((lower + upper) / 2 * scale), scale) if exponent else Fraction(1)


_INTERCEPT = "(Intercept)"  # as R writes it
_KEYS = {"nodes", "arcs", "cpds"}
JSON_FORM = (
    'expected a linear Gaussian network as pgmpy and bnlearn write it in JSON, {"nodes": [..], '
    '"arcs": [..], "cpds": {..}}'
)


@dataclass(frozen=True, init=False)
class LinearNode:
    """One node: the law N(intercept + sum_p coefficient_p X_p, variance) given its parents.

    >>> LinearNode(1, {"smoke": "1/2"}, "0.25").variance
    Fraction(1, 4)

    Raises `ModelError` unless the variance is 0 or above.
    """

    intercept: Fraction
    coefficients: Mapping[str, Fraction] = field(hash=False)
    variance: Fraction

    def __init__(self, intercept: Number, coefficients: Mapping[str, Number], variance: Number) -> None:
        coefficients = check_type(coefficients, Mapping[str, Number], "coefficients")
        spread = exact(check_type(variance, Number, "variance"))
        if spread < 0:
            raise ModelError(f"expected a variance of 0 or above, found {brief(spread)}", "variance")
        hold(
            self,
            intercept=exact(check_type(intercept, Number, "intercept")),
            coefficients={parent: exact(each) for parent, each in coefficients.items()},
            variance=spread,
        )


@dataclass(frozen=True, init=False)
class LinearGaussianNetwork:
    """A linear Gaussian Bayesian network: name -> node.

    >>> network = LinearGaussianNetwork({"smoke": LinearNode(1, {}, 1), "lung": LinearNode(0, {"smoke": 2}, "1/2")})
    >>> network.joint().mean, network.joint().covariance_of(1, 2)
    ((Fraction(1, 1), Fraction(2, 1)), Fraction(2, 1))

    Raises `ModelError` unless all parents are nodes, without a cycle, and there are 1 to 200 nodes.
    """

    nodes: Mapping[str, LinearNode] = field(hash=False)

    def __init__(self, nodes: Mapping[str, LinearNode]) -> None:
        nodes = dict(check_type(nodes, Mapping[str, LinearNode], "nodes"))
        if not 1 <= len(nodes) <= MAX_WRITTEN:
            raise ModelError(f"expected 1 to {MAX_WRITTEN} nodes, found {len(nodes)}", "network")
        for name, node in nodes.items():
            if odd := next((each for each in node.coefficients if each not in nodes), None):
                raise ModelError(f"unknown parent {quoted(odd)}{did_you_mean(odd, nodes)}", f"network.{name}")
        hold(self, nodes=nodes)
        _ = self._order()

    def joint(self, order: Sequence[str] | None = None) -> Normal:
        """Return the joint law of the nodes as records in this order, by default that of the
        mapping. Raises `ModelError` unless it has every node once.
        """
        order = list(self.nodes) if order is None else list(order)
        if sorted(order) != sorted(self.nodes):
            odd = next((name for name in order if name not in self.nodes), None)
            lacking = next((name for name in self.nodes if name not in order), None)
            said = f"no record for node {quoted(str(lacking))}"
            if odd is not None:
                said = f"no node {quoted(odd)}{did_you_mean(odd, self.nodes)}"
            raise ModelError(f"{said}: expected a record for every node, by its name", "network")
        mean: dict[str, Fraction] = {}
        spread: dict[tuple[str, str], Fraction] = {}
        for name in self._order():
            node = self.nodes[name]
            above = node.coefficients.items()
            for other in mean:
                shared = sum((b * spread[parent, other] for parent, b in above), Fraction(0))
                spread[name, other] = spread[other, name] = shared
            own = sum((b * spread[parent, name] for parent, b in above), node.variance)
            spread[name, name] = own
            mean[name] = sum((b * mean[parent] for parent, b in above), node.intercept)
        matrix = [[spread[one, other] for other in order] for one in order]
        return Normal.of_moments([mean[name] for name in order], matrix)

    def _order(self) -> list[str]:
        """Return the nodes with parents first. Raises `ModelError` at a cycle."""
        graph = {name: list(node.coefficients) for name, node in self.nodes.items()}
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            around = " -> ".join(quoted(str(name)) for name in error.args[1])
            raise ModelError(f"expected parents without a cycle, found {around}", "network") from None


def network_in_document(document: object) -> LinearGaussianNetwork:
    """Return the network of a JSON document that pgmpy's `save`, or bnlearn's repository, wrote.

        {"nodes": ["a", "b"], "arcs": [["a", "b"]],
         "cpds": {"b": {"coefficients": {"(Intercept)": [0.5], "a": [2]}, "variance": [1],
                        "parents": ["a"]}, ..}}

    A number may stand in a list of one. Numbers are exact decimals, as the document was parsed
    without floats. Raises `ModelError` unless nodes, arcs, parents and coefficients agree.
    """
    if not isinstance(document, Mapping) or not _KEYS <= document.keys():
        raise ModelError(JSON_FORM)
    if odd := next((str(key) for key in document if key not in _KEYS), None):
        raise ModelError(f"unknown key {quoted(odd)}: {JSON_FORM}")
    names, cpds = _texts(document["nodes"], "nodes"), document["cpds"]
    if not isinstance(cpds, Mapping):
        raise ModelError(f"expected an object, found {shown(cpds)}", "cpds")
    if odd := next((name for name in names if name not in cpds), None):
        raise ModelError(f"no law of node {quoted(odd)}", "cpds")
    if odd := next((name for name in cpds if name not in names), None):
        raise ModelError(f"unknown node {quoted(odd)}{did_you_mean(odd, names)}", "cpds")
    arcs = _arcs(document["arcs"])
    nodes = {name: _node(cpds[name], f"cpds.{name}") for name in names}
    for name, node in nodes.items():
        into = {one for one, other in arcs if other == name}
        if into != set(node.coefficients):
            raise ModelError(
                f"expected coefficients of {shown(sorted(into))}, from which there are arcs, found "
                f"{shown(sorted(node.coefficients))}",
                f"cpds.{name}.coefficients",
            )
    if odd := next((other for _, other in arcs if other not in nodes), None):
        raise ModelError(f"unknown node {quoted(odd)}{did_you_mean(odd, names)}", "arcs")
    return LinearGaussianNetwork(nodes)


def _node(law: object, where: str) -> LinearNode:
    """Return the law of a node in a document."""
    keys = {"coefficients", "variance", "parents"}
    if not isinstance(law, Mapping) or not law.keys() <= keys or not keys - {"parents"} <= {*law}:
        raise ModelError(f'expected "coefficients", "variance" and "parents", found {shown(law)}', where)
    given = law["coefficients"]
    if not isinstance(given, Mapping) or _INTERCEPT not in given:
        raise ModelError(f'expected an object with "{_INTERCEPT}", found {shown(given)}', f"{where}.coefficients")
    numbers = {name: _number(each, f"{where}.coefficients.{name}") for name, each in given.items()}
    intercept = numbers.pop(_INTERCEPT)
    if "parents" in law and sorted(_texts(law["parents"], f"{where}.parents")) != sorted(numbers):
        raise ModelError(
            f"expected the parents {shown(sorted(numbers))}, which have coefficients, found {shown(law['parents'])}",
            f"{where}.parents",
        )
    spread = _number(law["variance"], f"{where}.variance")
    try:
        return LinearNode(intercept, numbers, spread)
    except ModelError as error:
        raise error.within(where) from None


def _number(value: object, where: str) -> Fraction:
    """Return a number, which may stand in a list of one."""
    if isinstance(value, list):
        if len(value) != 1:
            raise ModelError(f"expected one number, found {len(value)}", where)
        (value,) = value
    if not isinstance(value, str | int | Fraction) or isinstance(value, bool):
        raise ModelError(f"expected a number, found {shown(value)}", where)
    try:
        return exact(value)
    except ModelError as error:
        raise error.within(where) from None


def _texts(value: object, where: str) -> list[str]:
    """Return names, each once; a name alone stands for a list of one, as R writes it."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"expected a list of names, found {shown(value)}", where)
    if twice := next((name for at, name in enumerate(names) if name in names[:at]), None):
        raise ModelError(f"{quoted(twice)} occurs twice", where)
    return names


def _arcs(value: object) -> list[tuple[str, str]]:
    """Return arcs from parents to children."""
    if not isinstance(value, list):
        raise ModelError(f"expected a list of arcs, found {shown(value)}", "arcs")
    arcs = []
    for index, arc in enumerate(value):
        if not isinstance(arc, list) or len(arc) != 2 or not all(isinstance(x, str) for x in arc):
            raise ModelError(f"expected [parent, child], found {shown(arc)}", f"arcs[{index}]")
        arcs.append((arc[0], arc[1]))
    return arcs
