"""Certificates of programs whose probabilities are irrational, or of which paths are left.

Where they keep a level, the kernel gets rational bounds of every probability, and proves that no
law within them exceeds it. They do not show a level that is reached exactly. Where they break a
level, it gets a table of rationals that leaks less at the witness.

    t(E | x) <= P(E | x) for x in s,    t(E | x) >= P(E | x) for x in s',

for an event E of outputs: one of them, the outputs that a delta counts, or the numbers y with
p(y) > e^epsilon q(y). Then P(E | s) >= t(E | s) and P(E | s') <= t(E | s'), so that what the table
breaks the program breaks. What is left counts for s' as a whole.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import ctx

from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import BoundsTable, PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, text_of
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.certificates.writing import (
    Inputs,
    certified_text,
    level_json,
    no_delta_over_mixtures,
    statement,
)
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise.ratio.densities import overlaps, signs
from pufferproof.verify.noise.ratio.partial import Mixtures, PartialDelta, as_partial, partial_leakage, stretched

REST = "other outputs"
_LEAST, _DIGITS, _FEW = Fraction(1, 10**9), 12, 7
_BITS = (96, 192, 384)  # of bounds of probabilities


@dataclass(frozen=True)
class Event:
    """Some outputs, and parts of the numbers in others, that are likelier given a secret."""

    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    parts: tuple[tuple[str, Any, Any], ...]  # an output, and an interval of its number
    level: Level | None
    delta: Fraction = Fraction(0)

    def mass(self, table: PartialTable, row: int) -> ExponentialSum:
        """Return its listed probability given a database, times the total of the row."""
        mass = ExponentialSum([])
        for output in self.outputs:
            mass += table.entries[row][table.outputs.index(output)]
        for output, low, high in self.parts:
            mass += table.densities[output][row].clipped(low, high).total()
        return mass


def bounds_law(audit: Audit) -> bool:
    """Whether an audit is certified by a table that bounds the law of the mechanism."""
    return isinstance(audit.mechanism, PowerTable | PartialTable)


def is_bounded(audit: Audit) -> bool:
    """Whether a certificate of an audit is about bounds of all probabilities: a level is kept, or
    no level was asked for and the leakage is finite.
    """
    asked = audit.renyi is None and audit.of is None and audit.smallest is None
    finite = audit.level is None and not audit.leakage.infinite and audit.leakage.upper is not None
    return asked and (audit.kept is Decision.HOLDS or finite)


def bounding_table(audit: Audit) -> Channel | BoundsTable:
    """Return the bounds of all probabilities where a level is kept, and where one is broken the
    table of the event and all other outputs.

    Raises `CertificateError` unless a level is kept, or broken, by more than rounding.
    """
    return _bounded(audit, Inputs())[1] if is_bounded(audit) else _bounding(audit)[1]


def bounded_event(audit: Audit) -> Event:
    """Return the event that the first output of the table stands for."""
    return _bounding(audit)[0]


def bounding_certificate(audit: Audit, inputs: Inputs) -> JsonObject:
    """Return the certificate of an audit: that its level is kept, or without a level that no more
    is leaked than a number just above the leakage; or that its level is broken.

    Raises `CertificateError` unless a level is kept, or broken, by more than rounding.
    """
    if is_bounded(audit):
        return _bounded(audit, inputs)[0]
    event, channel = _bounding(audit)
    place = {"prior": event.prior, "pair": list(event.pair)}
    output = channel.outputs[0]
    if audit.delta is not None and audit.level is not None:
        bound = {"level": level_json(audit.level), "delta": text_of(event.delta)}
        claim = {**bound, **place, "outputs": [output]}
        return statement("delta-witness", claim, audit.framework, [channel], inputs)
    exceeds = "inf" if audit.level is None else level_json(audit.level)
    claim = {**place, "output": output, "exceeds": exceeds}
    return statement("leakage-witness", claim, audit.framework, [channel], inputs)


def joint_bounding_certificate(together: Composition, inputs: Inputs) -> tuple[JsonObject, list[BoundsTable]]:
    """Return the certificate that releases, some of them with irrational laws, leak together no
    more than a number just above their leakage, and the bounds of each.

    Raises `CertificateError` if the leakage is infinite, or known from below alone.
    """
    if not is_bounded(together.joint):
        raise CertificateError(
            "some probabilities are irrational, and the leakage is infinite or known from below "
            "alone: there is no certificate of a joint release"
        )
    tables = [_partial(each.mechanism) for each in together.single]
    claim = {"releases": list(together.releases), "level": level_json(_above(together.joint))}
    kind = "joint-bounded-leakage-at-most"
    return _accepted(kind, claim, together.joint, tables, inputs)


def _bounded(audit: Audit, inputs: Inputs) -> tuple[JsonObject, BoundsTable]:
    """Return the certificate that a level is kept, and its bounds."""
    kind = "bounded-leakage-at-most"
    claim: JsonObject = {"level": level_json(audit.level or _above(audit))}
    if audit.delta_bound is not None:
        kind, claim = "bounded-delta-at-most", claim | {"delta": text_of(audit.delta_bound)}
        no_delta_over_mixtures(audit.framework)
    table = _partial(audit.mechanism)
    if isinstance(table, NormalTable):
        table = table.plain()
    certificate, (bounds,) = _accepted(kind, claim, audit, [table], inputs)
    return certificate, bounds


def _partial(form: Any) -> PartialTable:
    return form if isinstance(form, PartialTable) else as_partial(form)


def _above(audit: Audit) -> Level:
    """Return a level just above a finite leakage."""
    most = Fraction(audit.leakage.enclosure().upper)
    return Level.of_nats(Fraction(at_most(most + max(most, _LEAST) * _LEAST, _DIGITS)))


def _accepted(
    kind: str, claim: JsonObject, audit: Audit, tables: Sequence[PartialTable], inputs: Inputs
) -> tuple[JsonObject, list[BoundsTable]]:
    """Return a certificate about bounds that the kernel accepts, with as few bits as it needs."""
    space = audit.framework
    labels = [space.databases[x] for x in sorted(space.support)]
    for bits in _BITS:
        try:
            bounds = [BoundsTable.of(table, labels, bits) for table in tables]
        except ModelError as error:
            text = "there is a certificate only that a level is violated"
            raise CertificateError(f"{error.what}: {text}") from None
        certificate = statement(kind, claim, space, bounds, inputs)
        try:
            certified_text(certificate)
        except CertificateError as refusal:
            if " exceeded at " not in str(refusal) and " up to delta " not in str(refusal):
                raise
        else:
            return certificate, bounds
    most = at_most(Fraction(audit.leakage.enclosure().upper) * (1 + _LEAST), _FEW)
    larger = "--delta" if "delta" in claim else f"--epsilon {most}"
    raise CertificateError(
        "irrational probabilities, of which the kernel has bounds, reach the level exactly or "
        f"nearly so: a slightly larger one has a certificate ({larger})"
    )


def _bounding(audit: Audit) -> tuple[Event, Channel]:
    broken = audit.kept is Decision.FAILS or (audit.level is None and audit.leakage.infinite)
    if not broken or audit.renyi is not None or audit.of is not None:
        raise CertificateError(
            "probabilities are irrational, or some paths were not run: there is a certificate only "
            "that a level (--epsilon, with or without --delta) is kept or violated, or of the "
            "leakage"
        )
    form: Any = audit.mechanism
    table = as_partial(form) if isinstance(form, PowerTable) else form
    if isinstance(table, NormalTable):
        if not table.rounded:
            raise CertificateError(
                "there is no certificate of Gaussian noise that is clamped, hidden below a threshold, "
                'or of its own for every database: expected "round" beside it'
            )
        table = table.plain()  # its listed outputs alone
        if audit.delta is None:
            if audit.level is None:
                raise CertificateError("outputs far out have any ratio: expected a level (--epsilon)")
            audit = replace(audit, largest=partial_leakage(audit.framework, table))
    event = _event_of(audit, table)
    for bits in _BITS:
        channel = _table(audit.framework, table, event, bits)
        if _breaks(audit.framework, channel, event):
            return event, channel
    raise CertificateError("the level is exceeded by too little to be certified")


def _event_of(audit: Audit, table: PartialTable) -> Event:
    laws = Mixtures(audit.framework, table)
    if isinstance(audit.delta, PartialDelta):
        widest = max(audit.delta.places, key=lambda place: place.ends()[0])
        prior, pair = widest.prior, widest.pair
        labels = [output for output in widest.outputs if output not in table.densities]
        numbers = [output for output in widest.outputs if output in table.densities]
    else:
        prior, pair, shown = str(audit.witness.prior), audit.witness.pair, audit.witness.output
        whole = not any(rest.terms for rest in table.left)
        numbers = [y for y in table.densities if whole and shown.startswith(f"{y} at ")]
        numbers = numbers or [y for y in table.densities if whole and shown == y]
        labels = [] if numbers else [shown]
    # one event shows infinite leakage, and that any level is violated
    level = None if audit.leakage.infinite and audit.delta is None else audit.level
    parts = tuple(part for output in numbers for part in _parts(laws, (prior, pair, output), level))
    delta = audit.delta_bound or Fraction(0)
    return Event(prior, pair, tuple(labels), parts, audit.level, delta)


def _parts(laws: Mixtures, place: tuple[str, Pair, str], level: Level | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield the intervals on which the density of a number exceeds e^epsilon times another."""
    prior, pair, output = place
    first, second = (laws.density(prior, secret, output) for secret in pair)
    for low, high, p, q in overlaps(first, second):
        if q is None or not q.terms:
            yield output, low, high
        elif level is not None:
            with ctx.workprec(_BITS[1]):
                parts = list(signs(p - stretched(level, q), low, high))
            yield from ((output, part.low, part.high) for part in parts if part.sign > 0)


def _table(framework: Framework, table: PartialTable, event: Event, bits: int) -> Channel:
    """Return the table: rounded down for the first secret, and up for the second."""
    second = set(framework.secrets[event.pair[1]])
    rows: dict[str, Sequence[Fraction]] = {}
    impossible = [table.impossible.get(output, frozenset()) for output in event.outputs]
    for x in sorted(framework.support):
        label = framework.databases[x]
        row = table.databases.index(label)
        mass = event.mass(table, row)
        with ctx.workprec(bits):
            total = table.total(row)
            if x in second and not event.parts and all(label in nowhere for nowhere in impossible):
                share = Fraction(0)
            elif x in second:
                most = dyadic(((mass + table.left[row]).ball() / total.ball()).upper())
                share = min(most, Fraction(1)) if (mass + table.left[row]).terms else Fraction(0)
            else:
                least = dyadic((mass.ball() / total.ball()).lower())
                share = max(least, Fraction(0))
        rows[label] = [share, 1 - share]
    named = [*dict.fromkeys([*event.outputs, *(output for output, _, _ in event.parts)])]
    name = named[0] if len(named) == 1 else f"one of {len(named)} outputs"
    return Channel.of(rows, [name + (" at some values" if event.parts else ""), REST])


def _breaks(framework: Framework, channel: Channel, event: Event) -> bool:
    law = framework.laws[event.prior]
    sides = []
    for secret in event.pair:
        held = [x for x in framework.secrets[secret] if law.weights[x]]
        mass = sum(law.weights[x] for x in held)
        shares = [
            Fraction(law.weights[x], mass) * channel.probability(framework.databases[x], channel.outputs[0])
            for x in held
        ]
        sides.append(sum(shares, Fraction(0)))
    above, below = sides
    if event.level is None:
        return above > 0 and not below
    return event.level.sign(above - event.delta, below) > 0
