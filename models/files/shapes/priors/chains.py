"""Markov chains, classes of them, and hidden Markov models as priors."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Discriminator, Field, PrivateAttr, StrictBool, Tag, model_validator

from pufferproof.models.errors import ModelError
from pufferproof.models.files.shapes.objects import Number, Row, Shape, keys_of, list_or_other, wrong
from pufferproof.models.files.shapes.priors.forms import PriorShape
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.chains.changing import ChangingChain
from pufferproof.models.priors.chains.gap import unlisted
from pufferproof.models.priors.laws import Prior as Law
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

_CLASSES = "not supported here: expected one law, found {}"
_FROM_A_LAW = (
    'expected a list of probabilities beside "transitions", found "{}": a chain that changes with '
    "time has no stationary law"
)
_GAP = ("pi_min", "eigengap", "reversible")  # of a class of chains


class MarkovShape(Shape):
    """Markov chains over the records: the law of the first record, and the transitions.

    `initial` is a law, "stationary", or "any": all laws. In place of `transition` a box of matrices
    may be given, by the least and largest probability of every transition; or, from a law,
    `transitions`: a matrix for every record but the first, of a chain that changes with time; or,
    from the stationary law, `pi_min` and `eigengap`: all chains with stationary probabilities of at
    least the one, and eigenvalues of size at most 1 - the other, `reversible` ones.

    `class` says of which chains a box consists: of one matrix for all steps ("homogeneous"), of one
    for every step ("time-varying"), or of rows that may depend on all records before ("history").
    """

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary", "any"], Tag("@other")],
        Discriminator(list_or_other),
    ]
    transition: list[Row] | None = None
    transitions: list[list[Row]] | None = None
    transition_lower: list[Row] | None = None
    transition_upper: list[Row] | None = None
    pi_min: Number | None = None
    eigengap: Number | None = None
    reversible: StrictBool | None = None
    kind: Literal["homogeneous", "time-varying", "history"] = Field("homogeneous", alias="class")
    _space: tuple[int, tuple[str, ...]] = PrivateAttr((0, ()))

    @property
    def space(self) -> tuple[int, tuple[str, ...]]:
        """How many records there are, and their values; who reads the framework file tells it."""
        return self._space

    def hold(self, count: int, alphabet: Sequence[str]) -> None:
        """Keep how many records there are, and their values."""
        self._space = count, tuple(alphabet)

    @property
    def one_chain(self) -> bool:
        """Whether this is one chain, not a class of them."""
        if self.transitions is not None:
            return True
        return self.transition is not None and self.initial != "any"

    @model_validator(mode="before")
    @classmethod
    def _one_matrix_or_box(cls, value: object) -> object:
        if isinstance(value, Mapping):
            bounds = [name for name in ("transition_lower", "transition_upper") if value.get(name) is not None]
            if any(value.get(name) is not None for name in _GAP):
                return _expect_gap(value)
            if value.get("class", "homogeneous") != "homogeneous":
                _expect_changing(value, bounds)
            ways = ("transition", "transitions")
            if _is_one_matrix(value.get("transitions")):
                said = '"transitions" has a matrix for every record but the first, of a chain that'
                raise wrong(f'{said} changes, found one matrix: did you mean "transition"?')
            given = [*(name for name in ways if value.get(name) is not None), *bounds]
            if len(given) > 1 and given != bounds:
                raise wrong(f'expected "{given[0]}" or "{given[1]}", found both')
            if len(bounds) == 1:
                raise wrong(f'expected "transition_lower" and "transition_upper" together, found "{bounds[0]}" alone')
            if not given and not value.keys() - keys_of(cls):
                raise wrong('missing key "transition"')
        return value


def _is_one_matrix(value: object) -> bool:
    """Whether a value is a list of rows of numbers, where a list of matrices is expected."""
    rows = value if isinstance(value, list) else []
    is_row = [isinstance(row, list) and not any(isinstance(x, list) for x in row) for row in rows]
    return bool(is_row) and all(is_row)


def _expect_changing(value: Mapping[str, object], bounds: Sequence[str]) -> None:
    """Raise an error unless chains that change with time have bounds, and no stationary law."""
    kind = value["class"]
    if not bounds:
        raise wrong(f'expected "transition_lower" and "transition_upper" beside "{kind}"')
    if value.get("initial") == "stationary":
        raise wrong(f'expected a law or "any" beside "{kind}", found "stationary"')


def _expect_gap(value: Mapping[str, object]) -> Mapping[str, object]:
    """Raise an error unless a class is told by its eigengap alone."""
    given = [name for name in value if value[name] is not None]
    if missing := [name for name in _GAP[:2] if name not in given]:
        raise wrong(f'expected "pi_min" and "eigengap" together, found no "{missing[0]}"')
    others = [name for name in given if name not in ("initial", *_GAP)]
    if others:
        raise wrong(f'expected "{others[0]}" or "eigengap", found both')
    if value.get("initial", "stationary") != "stationary":
        raise wrong(f'expected "initial": "stationary" beside "eigengap", found {shown(value["initial"])}')
    return value


class MarkovPrior(PriorShape):
    """A Markov chain over the records."""

    by_records = True
    markov: MarkovShape

    def prior(self, normalize: bool) -> Law:
        chain = self.markov
        if chain.transitions is not None:
            if isinstance(chain.initial, str):
                raise ModelError(_FROM_A_LAW.format(chain.initial), "markov.initial")
            return ChangingChain(chain.initial, chain.transitions, normalize)
        if chain.pi_min is not None:
            raise unlisted("a class by pi_min and eigengap")
        if chain.transition is None:
            raise ModelError(_CLASSES.format("a box of priors"))
        if chain.initial == "any":
            raise ModelError(_CLASSES.format('the class of all initial laws ("any")'))
        return MarkovChain(chain.initial, chain.transition, normalize)


class HiddenMarkovShape(Shape):
    """A hidden Markov model whose symbols are the records: hidden states with transitions, and
    what each of them shows.
    """

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary"], Tag("@other")], Discriminator(list_or_other)
    ]
    transition: list[Row]
    emission: list[Row]


class HiddenMarkovPrior(PriorShape):
    """A hidden Markov model over the records."""

    by_records = True
    hidden_markov: HiddenMarkovShape

    def prior(self, normalize: bool) -> Law:
        model = self.hidden_markov
        return HiddenMarkovModel(model.initial, model.transition, model.emission, normalize)
