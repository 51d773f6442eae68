"""Laws of dependent records that definitions ask about: given known records, with one record
independent of the rest, or with one record taken out.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.priors.definitions.neighbours import Values, values_of
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records

Weights = dict[str, Fraction]
Laws = dict[str, Weights]
_HALF = Fraction(1, 2)


def laws_of(records: Records, priors: Mapping[str, Prior]) -> Laws:
    """Return the probability of every table under every prior, zeros left out. Raises `ModelError`
    unless there is one, and each is a law on few enough tables.
    """
    records = check_type(records, Records, "records")
    priors = check_type(priors, Mapping[str, Prior], "priors")
    if not priors:
        raise ModelError("expected at least one prior, found none", "priors")
    labels, laws = records.labels(), {}
    for name, prior in priors.items():
        try:
            law = prior.law(labels, records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None
        laws[name] = {labels[x]: Fraction(law.weights[x], law.total) for x in law.support}
    return laws


def conditioned(records: Records, laws: Laws, most: int) -> Laws:
    """Return every law given the values of every proper subset of the records.

    Raises `ModelError` where they have more than so many entries.
    """
    values, found, entries = values_of(records), {}, 0
    places = range(records.count)
    for name, weights in laws.items():
        for known in (each for size in places for each in combinations(places, size)):
            parts = _split(weights, values, known)
            entries += len(weights)
            if entries > most:
                raise ModelError(f"more than {most} entries: take fewer records", "records")
            for at, part in parts.items():
                said = "".join(f", x{i + 1}={value}" for i, value in zip(known, at))
                found[f"{name}{said}"] = _normalized(part)
    return found


def independent_of_rest(records: Records, laws: Laws, record: int) -> Laws:
    """Return the law of the record times that of all others, of every prior."""
    values, place = values_of(records), record - 1
    rest = tuple(other for other in range(records.count) if other != place)
    found: Laws = {}
    for name, weights in laws.items():
        alone, others = (
            {at: sum(part.values(), Fraction(0)) for at, part in parts.items()}
            for parts in (_split(weights, values, (place,)), _split(weights, values, rest))
        )
        found[name] = {
            label: alone[(each[place],)] * others[tuple(each[i] for i in rest)]
            for label, each in values.items()
            if (each[place],) in alone and tuple(each[i] for i in rest) in others
        }
    return found


def with_absent(records: Records, wider: Records, laws: Laws, absent: str) -> Laws:
    """Return, for every law, record and value, that law given the value, half of it with the
    record taken out.
    """
    values = values_of(records)
    labels = {each: label for label, each in values_of(wider).items()}
    found: Laws = {}
    for name, weights in laws.items():
        for place in range(records.count):
            for (value,), part in _split(weights, values, (place,)).items():
                mixed: Weights = {}
                for label, weight in _normalized(part).items():
                    each = values[label]
                    mixed[labels[each]] = weight * _HALF
                    mixed[labels[(*each[:place], absent, *each[place + 1 :])]] = weight * _HALF
                found[f"{name}, x{place + 1}={value} or absent"] = mixed
    return found


def _split(
    weights: Weights, values: Mapping[str, Values], known: tuple[int, ...]
) -> dict[Values, Weights]:
    """Return the tables of a law by the values of known records."""
    parts: dict[Values, Weights] = {}
    for label, weight in weights.items():
        parts.setdefault(tuple(values[label][i] for i in known), {})[label] = weight
    return parts


def _normalized(weights: Weights) -> Weights:
    total = sum(weights.values(), Fraction(0))
    return {label: weight / total for label, weight in weights.items()}
