"""The command `translate`: what mechanisms that are differentially private per record promise under
a framework with correlated records.

The exact worst case over all mechanisms of the given levels, beside the published bounds; the
computation is `lp/translation/translate.py`.

This file also says what `translate` answers for normal records that are not truncated.

This file also has the worst case of a level per record drawn against that level, beside the
published bound and the sum of the levels.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, NoReturn

import typer

from pufferproof.lp.accounts.guarantees import Guarantee
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.bits import ENDLESS_RESTS_ON, EXACT_CLAIMS, endless_kernels, endless_ratio
from pufferproof.lp.translation.listed import Domain
from pufferproof.lp.translation.published import UNTRIED, PublishedTranslation, least, published_bounds, some_untried
from pufferproof.lp.translation.sets import WorstCase, enclosed
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.reading import Loaded, hashes, read_levels
from pufferproof.models.files.writing import MECHANISM, indented, local_file, mechanism_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, outward, rounded, text_of
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.reports.auditing.any_form import read_point_framework, refuse_at_points
from pufferproof.reports.auditing.points.joint import leakage_words
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    Axis,
    Curve,
    Panel,
    Part,
    Plot,
    plot_file,
    strip,
)
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, PlotOut, parsed_level
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import exit_code, priors_json, priors_lines, tell
from pufferproof.reports.console.words import counted, leakage_text, level_nats, nats_text, trust_line
from pufferproof.reports.correlation.accounts import AccountTranslation, Neighbours, guarantee_of
from pufferproof.reports.schemas.correlation import TranslatedGuarantee, TranslatedLevels
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.normal.audit import TRANSLATION_RESTS_ON as RESTS_ON
from pufferproof.verify.noise.normal.audit import translated
from pufferproof.verify.noise.normal.points import PointLeakage, leakage_of

# What `translate` answers: the worst case over all mechanisms of per-record levels, and the published bounds.

ENDLESS_CLAIMS = [*united(EXACT_CLAIMS, ENDLESS_RESTS_ON)]


@dataclass(frozen=True)
class Translation:
    """A framework, the level of every record summed over releases, and what follows."""

    framework: Framework
    levels: RecordLevels
    domain: Domain = "product"
    infinite: bool = False

    @cached_property
    def worst(self) -> WorstCase | None:
        """The worst case, None for an endless chain."""
        return None if self.infinite else worst_case(self.framework, self.levels, self.domain)

    @cached_property
    def exact(self) -> Leakage | None:
        """The largest leakage, or None if only bounds are known."""
        if self.worst is not None:
            return self.worst.leakage if self.worst.exact else None
        if not self.levels.equal:
            raise ModelError("expected one level for all records of an endless chain", "--levels")
        ends = [endless_ratio(kernel, self.levels.largest) for kernel in endless_kernels(self.framework)]
        if any(high is None for _, high in ends):
            return Leakage(None, None)
        lows, highs = ([end or Fraction(1) for end in side] for side in zip(*ends))
        return Leakage(max(lows), max(highs))

    @cached_property
    def published(self) -> tuple[list[PublishedTranslation], str | None]:
        """The published bounds, and why there are none."""
        if self.domain == "possible":
            return [], "group privacy needs a domain with all sequences of values"
        if self.infinite:
            return [], "the influence curve is computed for chains of given length"
        try:
            return published_bounds(self.framework, self.levels), None
        except ModelError as error:
            return [], error.what

    @property
    def claims(self) -> list[str]:
        """The claims that the exact number, or the bound, rests on."""
        return claims_of(self.worst)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, those of the published bounds included."""
        return united(self.claims, *(bound.claims for bound in self.published[0]))

    def as_json(self) -> JsonObject:
        """Return what the answer says of leakages."""
        bounds = [
            {"name": "published", "hidden": bound.hidden, "epsilon": bound.enclosure().as_json()}
            for bound in self.published[0]
        ]
        if bounds:
            best = least(self.published[0])
            bounds.append({"name": "best", "hidden": best.hidden, "epsilon": best.enclosure().as_json()})
        worst, exact = self.worst, self.exact
        if worst is not None and exact is None:
            upper = enclosed(Leakage.of(worst.leakage.upper), (worst.ends[1], worst.ends[1]))
            bounds.append({"name": worst.bound, "hidden": None, "epsilon": upper.as_json()})
        return {
            "bounds": bounds,
            "exact": exact and exact.as_json(),
            "at_least": self.at_least,
            "attained": worst and worst.attained,
            "prior": worst and worst.prior,
            "pair": worst and list(worst.pair),
            "domain": self.domain,
            "records": "infinite" if self.infinite else self.levels.count,
            "level": self.levels.largest.enclosure().as_json(),
            "claims": self.claims,
            "trust": self.trust,
            "rests_on": self.rests_on,
        }

    @property
    def at_least(self) -> JsonObject | None:
        """What a mechanism that was found leaks, where the largest leakage is not known: the
        leakage object of the file formats.
        """
        if self.worst is None or self.worst.exact:
            return None
        told, level = Leakage.of(self.worst.leakage.lower or Fraction(1)), self.worst.ends[0]
        if level is None:
            return told.as_json()
        return {"ratio": None, "epsilon": level.enclosure().as_json()}

    @property
    def trust(self) -> list[str]:
        """What the exact number, or the bound, rests on besides the claims."""
        exact = self.exact
        closed = exact is not None and (exact.infinite or exact.ratio is not None)
        return ["EXACT"] if closed else ["EXACT", "INTERVAL"]


def claims_of(worst: WorstCase | None) -> list[str]:
    """Return the claims that a worst case rests on, that of an endless chain if None."""
    return ENDLESS_CLAIMS if worst is None else list(worst.claims)


_SHARES = 8  # points, the last of which is the level asked for
_SHORT = 1 << 20  # the denominator of e to a share, where that is no longer than floats are
_MOST_NATS = 30
_BY = {
    "count": "a noisy count, or randomised response for every record",
    "alternating count": "a noisy count in which every second record is inverted",
    "signed count": "a noisy count in which some records are inverted",
    "randomised response": "randomised response: each says whether a record has one of some values",
    "linear program": "one of two outputs, whose column solves the linear program",
}


def translate(
    framework: FrameworkFile,
    more: Annotated[list[str] | None, typer.Argument(metavar="[LEVEL]...", help="levels of further releases")] = None,
    per_record: Annotated[
        list[str] | None,
        typer.Option(
            "--per-record-dp",
            metavar="LEVEL",
            help="level of a release for every record: log(N), log(N/M) or nats; repeat the option for more releases",
        ),
    ] = None,
    levels: Annotated[
        str | None, typer.Option("--levels", metavar="FILE", help="file with the level of every record, one per line")
    ] = None,
    runs: Annotated[int, typer.Option("--runs", metavar="K", help="number of releases of each level")] = 1,
    per_record_delta: Annotated[
        list[str] | None,
        typer.Option(
            "--per-record-delta",
            metavar="LEVEL,P",
            help="level of a release for every record, and its delta; repeat it for more points of one guarantee",
        ),
    ] = None,
    per_record_gdp: Annotated[
        str | None,
        typer.Option("--per-record-gdp", metavar="MU", help="Gaussian privacy of a release for every record"),
    ] = None,
    neighbours: Annotated[
        Neighbours,
        typer.Option(
            "--neighbours",
            metavar="NAME",
            help="what the guarantee with a delta compares: replace (a record takes another value) or "
            "add-remove (a record is added or removed)",
        ),
    ] = "replace",
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon", metavar="LEVEL", help="with a delta per record: tell the largest delta at this level"
        ),
    ] = None,
    delta: Annotated[
        str | None,
        typer.Option("--delta", metavar="P", help="with a delta per record: tell the least level at this delta"),
    ] = None,
    domain: Annotated[
        Literal["product", "possible"],
        typer.Option(
            "--domain",
            metavar="NAME",
            help="databases that count as neighbours: product (all sequences) or possible "
            "(those of positive probability)",
        ),
    ] = "product",
    infinite: Annotated[
        bool, typer.Option("--infinite", help="take an inner record of a chain without ends, in closed form")
    ] = False,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="file for a mechanism that leaks this much")
    ] = None,
    plot: PlotOut = None,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Translate levels per record into the level that all mechanisms with these levels keep."""
    asked = {"--epsilon": epsilon, "--delta": delta, "--neighbours": neighbours != "replace"}
    if per_record_delta or per_record_gdp is not None:
        plain = {"--per-record-dp": per_record, "LEVEL": more, "--levels": levels, "--infinite": infinite}
        refuse_beside({**plain, "--domain": domain != "product", "--plot": plot, "--out": out})
        guarantee = guarantee_of(per_record_delta, per_record_gdp, runs, neighbours)
        _with_delta(framework, guarantee, neighbours, epsilon, delta, normalize, as_json)
    for option in (name for name, value in asked.items() if value):
        raise ModelError("needs --per-record-delta or --per-record-gdp as well", option)
    points = read_point_framework(framework)
    if points is not None:
        refuse_at_points({"--infinite": infinite, "--plot": plot, "--domain": domain != "product"})
        every = [*(per_record or []), *(more or [])]
        _at_points(points, every, levels, runs, out, as_json)
    with working("computing the worst case of the levels"):
        space = read_valued(framework, normalize)
        file = None if levels is None else read_levels(levels)
        known = _levels(space.value.expect_records().count, [*(per_record or []), *(more or [])], file, runs)
        translation = Translation(space.value, known, domain, infinite)
        answer = translation.as_json()
        written = {} if out is None else {out: _mechanism(translation)}
        written |= plot_file(plot, lambda: translation_plot(translation))
        write_outputs(written, out, plot, inputs=[framework, levels])
    read = {"framework": space} | ({} if file is None else {"levels": file})
    answer |= {"mechanism": out, "inputs": hashes(**read)}
    answer |= priors_json(space.value.normalized)
    notes = priors_lines(space.value.normalized, framework)
    _tell(answer, _lines(translation, out), notes, as_json)


def refuse_beside(options: Mapping[str, object]) -> None:
    """Raise `ModelError` if an option is given that guarantees with a delta do not take."""
    for name, value in options.items():
        if value:
            raise ModelError("not with --per-record-delta or --per-record-gdp", name)


def _with_delta(
    framework: str,
    guarantee: Guarantee,
    neighbours: Neighbours,
    epsilon: str | None,
    delta: str | None,
    normalize: bool,
    as_json: bool,
) -> NoReturn:
    """Tell the worst case of a guarantee with a delta."""
    if epsilon is None and delta is None:
        raise ModelError("expected --epsilon, --delta or both: the level or the delta to ask for", "--epsilon")
    with working("computing the worst case of the guarantee"):
        space = read_valued(framework, normalize)
        level = parsed_level(epsilon)
        known = None if delta is None else probability(delta, "--delta")
        translation = AccountTranslation(space.value, guarantee, neighbours, level, known)
        fields = translation.as_json()
    fields |= {"inputs": hashes(framework=space)} | priors_json(space.value.normalized)
    answer = TranslatedGuarantee.model_validate(fields)
    lines = [*translation.lines(), trust_line(answer.trust)]
    decision = translation.decision
    code = 0 if decision is None else exit_code(decision)
    tell(answer, lines, priors_lines(space.value.normalized, framework), as_json, code=code)


def _tell(fields: JsonObject, lines: list[str], notes: list[str], as_json: bool) -> NoReturn:
    answer = TranslatedLevels.model_validate(fields)
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    tell(answer, [*lines, trust], notes, as_json)


def _at_points(
    loaded: Loaded[PointFramework], every: list[str], levels: str | None, runs: int, out: str | None, as_json: bool
) -> NoReturn:
    """Tell the worst case of normal records that are not truncated."""
    file = None if levels is None else read_levels(levels)
    translation = PointTranslation(loaded.value, _levels(loaded.value.count, every, file, runs))
    answer = translation.as_json() | {"mechanism": out}
    written = {} if out is None else {out: translation.mechanism()}
    write_outputs(written, out, inputs=[loaded.path, levels])
    read = {"framework": loaded} | ({} if file is None else {"levels": file})
    answer |= {"inputs": hashes(**read)}
    _tell(answer, translation.lines(out), [], as_json)


def _levels(count: int, every: list[str], file: Loaded[tuple[Level, ...]] | None, runs: int) -> RecordLevels:
    """Return the level of every record, summed over releases."""
    if runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")
    if not every and file is None:
        raise ModelError("expected the level of a release, or --levels", "--per-record-dp")
    read = [parsed_level(text, "--per-record-dp") for text in every]
    if file is None:
        return RecordLevels.uniform(count, read, runs)
    if len(file.value) != count:
        raise ModelError(f"expected {counted(count, 'level')}, one per record, found {len(file.value)}", file.path)
    return RecordLevels.of(file.value, runs).plus(Total.of(read, runs))


def _mechanism(translation: Translation) -> bytes:
    worst = translation.worst
    if worst is None or worst.mechanism is None:
        raise ModelError("no mechanism attains the supremum over all lengths", "--out")
    made = worst.mechanism()
    return mechanism_file(made)[0] if isinstance(made, Channel) else local_file(made)


def _lines(translation: Translation, out: str | None) -> list[str]:
    worst, exact = translation.worst, translation.exact
    lines = [f"level     {level_nats(translation.levels.text)} for every record, over all releases"]
    if exact is not None:
        over = "stationary chains of any length and mechanisms" if worst is None else "mechanisms"
        lines.append(f"exact     {leakage_text(exact)}, the largest over all {over} of this level")
    elif worst is not None:
        lines.append(f"bound     {nats_text(worst.enclosure())} for the largest leakage")
    if worst is not None and worst.attained is not None:
        lines.append(f"attained  by {_BY[worst.attained]}")
    if worst is not None:
        one, other = worst.pair
        lines.append(f'worst     prior "{worst.prior}", "{one}" against "{other}"')
    bounds, reason = translation.published
    if not bounds:
        published_lines = [f"published none: {reason or 'every set of records leaves an infinite influence'}"]
    else:
        best = least(bounds)
        hidden = counted(best.hidden, "record")
        untried = f"; {UNTRIED}" if some_untried(bounds) else ""
        published_lines = [f"published {nats_text(best.enclosure())}, with {hidden} hidden{untried}"]
    return [*lines, *published_lines, *([f"written   {out}"] if out else [])]


@dataclass(frozen=True)
class PointTranslation:
    """A framework of normal priors, and the level of every record, in nats for a unit of it."""

    framework: PointFramework
    levels: RecordLevels

    @cached_property
    def leakage(self) -> PointLeakage:
        """The largest leakage of releases of these levels."""
        totals = [total for length, total in self.levels.runs for _ in range(length)]
        return leakage_of(translated(self.framework, [(total.ratio, total.nats) for total in totals]))

    def as_json(self) -> JsonObject:
        """Return what the answer says of leakages."""
        leakage = self.leakage
        return {
            "bounds": [],
            "exact": leakage.as_json(),
            "at_least": None,
            "attained": "signed sum",
            "prior": leakage.shift.prior,
            "pair": list(leakage.shift.pair),
            "domain": "product",
            "records": self.levels.count,
            "level": self.levels.largest.enclosure().as_json(),
            "claims": [],
            "trust": ["EXACT" if leakage.rational else "INTERVAL", "PROSE"],
            "rests_on": RESTS_ON,
        }

    def mechanism(self) -> bytes:
        """Return the file of a mechanism that leaks this much. Raises `ModelError` unless it is one
        sum with one kind of noise.
        """
        if len(self.leakage.shift.queries) > 1:
            raise ModelError("several levels need a sum each: expected one level", "--out")
        (query,) = self.leakage.shift.queries
        rows = [list(map(text_of, row)) for row in query.rows]
        noise = {"laplace": {"scale": query.noise.text}}
        document = {"format": MECHANISM, "query": {"weights": rows}, "noise": noise}
        return (indented(document) + "\n").encode()

    def lines(self, out: str | None) -> list[str]:
        """What is printed on a terminal."""
        one, other = self.leakage.shift.pair
        level = level_nats(self.levels.text)
        return [
            f"level     {level} for every unit of every record, over all releases",
            f"exact     {leakage_words(self.leakage)}, the largest over all releases of this level",
            "attained  by noisy sums of the records with the signs of their correlations",
            f'worst     prior "{self.leakage.shift.prior}", "{one}" against "{other}"',
            *([f"written   {out}"] if out else []),
        ]


@dataclass(frozen=True)
class LevelPoint:
    """What is known at one level per record, in nats: bounds of the worst case, the published
    bound where there is one.
    """

    level: float
    low: float
    high: float
    published: float | None


def points(translation: Translation) -> list[LevelPoint]:
    """Compute the worst case at shares of the level. Raises `ModelError` unless all records have
    the same level.
    """
    levels = translation.levels
    if not levels.equal:
        raise ModelError("expected one level for all records, along which is drawn", "--plot")
    curve = [_point(_shared(translation, share)) for share in range(1, _SHARES)]
    return [*curve, _point(translation)]


def _shared(translation: Translation, share: int) -> Translation:
    """Return the question at a share of the level, e to it a short rational number."""
    nats = translation.levels.largest.nats_approx * share / _SHARES
    ratio = Fraction(1)
    if nats <= _MOST_NATS:
        ratio = Fraction(max(round(math.exp(nats) * _SHORT), _SHORT + 1), _SHORT)
    total = Total(ratio, Fraction(nats if ratio == 1 else 0))
    levels = RecordLevels(((translation.levels.count, total),))
    return Translation(translation.framework, levels, translation.domain, translation.infinite)


def _point(translation: Translation) -> LevelPoint:
    worst = translation.exact if translation.worst is None else translation.worst.leakage
    ends = None if worst is None else worst.enclosure()
    low, high = (math.nan, math.nan) if ends is None else (float(ends.lower), float(ends.upper))
    bounds, _ = translation.published
    published = float(least(bounds).leakage.enclosure().upper) if bounds else None
    return LevelPoint(translation.levels.largest.nats_approx, low, high, published)


def translation_plot(translation: Translation) -> Plot:
    """Return the worst case against the level per record, from 0 on, or the strip it lies in; the
    published bound, and what records would leak that tell nothing of each other.
    """
    curve, exact = points(translation), translation.exact is not None
    xs = [0.0, *(point.level for point in curve)]
    lows, highs = ([0.0, *(_cut(getattr(point, end)) for point in curve)] for end in ("low", "high"))
    parts: list[Part] = [] if exact else [strip("", xs, lows, highs)]
    parts.append(Curve(f"worst case, {'exact' if exact else 'at most'}", xs, highs, FOR, "o-"))
    if not exact:
        parts.append(Curve("worst case, at least", xs, lows, FOR, "o:", size=3))
    if any(point.published is not None for point in curve):
        ys = [math.nan if point.published is None else point.published for point in curve]
        parts.append(Curve("published bound", xs[1:], ys, AGAINST, "s--"))
    parts.append(Curve("independent records", xs, xs, FAINT, ":"))
    parts.append(Curve("", xs[-1:], highs[-1:], INK, "o", size=6))
    along = Axis("level of every record, over all releases (nats)", 0, xs[-1] * 1.03)
    panel = Panel(parts, along, Axis("leakage (nats)", 0))
    return Plot(_finding(translation), [panel], columns=2)


def _cut(nats: float) -> float:
    return nats if math.isfinite(nats) else math.nan


def _finding(translation: Translation) -> str:
    level, worst = level_nats(translation.levels.text), translation.exact
    if worst is None and translation.worst is not None:
        worst = translation.worst.leakage
    said = f"With {level} for every record the largest leakage"
    if worst is None:
        return f"{said} is not known."
    ends = worst.enclosure()
    if worst.infinite:
        return f"{said} is infinite."
    if ends.upper == "inf":
        return f"{said} is at least {outward(ends.lower, ends.upper, 3)[0]} nats."
    low, high = (rounded(end, 3) for end in (ends.lower, ends.upper))
    if low == high:
        return f"{said} is {low} nats."
    low, high = outward(ends.lower, ends.upper, 3)
    return f"{said} lies between {low} and {high} nats."
