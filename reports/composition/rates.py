"""Composition rates and claimed levels of joint releases, and runs that break linear composition:
what `compose` computes, certifies and prints of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pufferproof.counterexamples.breaking_runs import RESTS_ON as BREAKING_RESTS_ON
from pufferproof.counterexamples.breaking_runs import Breaking, breaking_certificate, search_breaking
from pufferproof.lp.rates.nfc import (
    RATES_REST_ON,
    NfC,
    Place,
    Rate,
    check_nfc,
    composition_rate,
    nfc_certificate,
    rate_certificate,
)
from pufferproof.models.channel import Channel
from pufferproof.models.errors import MissingPackageError, ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, brief, rounded
from pufferproof.reports.console.words import leakage_text, level_nats
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.writing import Inputs
from pufferproof.verify.decision import Decision, united

_MOST_GAMES = 500_000
_SHOWN = 6  # outputs named in one line


@dataclass(frozen=True)
class Claimed:
    """What became of claimed levels: every mechanism alone, NfC, and, where it fails, the runs
    that break composition. NfC is None of probabilities that are not rational.
    """

    levels: tuple[Level, ...]
    audits: tuple[Audit, ...]
    nfc: NfC | None
    breaking: Breaking | None

    def as_json(self) -> JsonObject:
        """Return `{"claimed", "nfc"}`."""
        claimed = [
            {"level": str(level), "verdict": audit.verdict.value if audit.verdict else None}
            for level, audit in zip(self.levels, self.audits)
        ]
        if self.nfc is None:
            return {"claimed": claimed, "nfc": None}
        breaking = None if self.breaking is None else self.breaking.as_json()
        return {"claimed": claimed, "nfc": {**self.nfc.as_json(), "breaking": breaking}}

    @property
    def trust(self) -> list[str]:
        """What the verdicts at the claimed levels rest on."""
        return list(dict.fromkeys(trust for audit in self.audits for trust in audit.trust))

    @property
    def rests_on(self) -> list[str]:
        """The claims that they rest on, and NfC with the runs that break it."""
        broken = BREAKING_RESTS_ON if self.breaking else ()
        rates = () if self.nfc is None else RATES_REST_ON
        return [*united(rates, broken, *(audit.rests_on for audit in self.audits))]

    @property
    def decisions(self) -> tuple[Decision | None, ...]:
        """Whether every mechanism keeps its level, and NfC holds."""
        kept = tuple(audit.kept for audit in self.audits)
        return kept if self.nfc is None else (*kept, self.nfc.answer)


def claimed_levels(
    framework: Framework, mechanisms: Sequence[Channel | PowerTable | PartialTable], levels: Sequence[Level]
) -> Claimed:
    """Return what becomes of levels claimed for mechanisms."""
    audits = tuple(audit(framework, each, level) for each, level in zip(mechanisms, levels))
    channels = [each for each in mechanisms if isinstance(each, Channel)]
    if len(channels) < len(mechanisms):
        return Claimed(tuple(levels), audits, None, None)
    nfc = check_nfc(framework, channels, levels)
    listed = nfc.place is not None and nfc.place.priors[0] == nfc.place.priors[1]
    breaking = search_breaking(nfc) if nfc.answer is Decision.FAILS and listed else None
    return Claimed(tuple(levels), audits, nfc, breaking)


def rates_affordable(framework: Framework) -> bool:
    """Say whether there are not too many games: one per prior, ordered pair and database of its
    first secret.
    """
    sizes = {name: len(secret) for name, secret in framework.secrets.items()}
    priors = len(framework.priors) ** (2 if framework.closure == "convex" else 1)
    return priors * sum(sizes[s] + sizes[t] for s, t in framework.pairs) <= _MOST_GAMES


def affordable_rates(framework: Framework, channels: Sequence[Channel]) -> tuple[list[Rate], str]:
    """Return the composition rate of every mechanism, or none and the reason: too many games,
    probabilities that are not rational, or a solver that is not installed.
    """
    if not all(isinstance(each, Channel) for each in channels):
        return [], "probabilities are not rational"
    if not rates_affordable(framework):
        return [], f"more than {_MOST_GAMES} games to solve"
    try:
        return [composition_rate(framework, channel) for channel in channels], ""
    except MissingPackageError as error:
        return [], str(error)


def rate_documents(
    rates: Sequence[Rate],
    no_rates: str,
    claimed: Claimed | None,
    inputs: Inputs,
    rate: str | None,
    breaking: str | None,
) -> dict[str, dict[str, object]]:
    """Return the certificates asked for, by path. Raises `ModelError` when there are no
    breaking runs to certify.
    """
    documents = {}
    if claimed is not None and claimed.nfc is None and (rate or breaking):
        raise ModelError("needs rational probabilities, found others", rate or breaking or "")
    if rate is not None and not claimed and not rates:
        raise ModelError(f"no composition rate: {no_rates}", rate)
    if rate is not None:
        documents[rate] = (
            nfc_certificate(claimed.nfc, inputs)
            if claimed is not None and claimed.nfc is not None
            else rate_certificate(rates[0], inputs)
        )
    if breaking is not None:
        if claimed is None or claimed.breaking is None:
            raise ModelError("no runs were found that break linear composition: nothing to certify", breaking)
        documents[breaking] = breaking_certificate(claimed.breaking, inputs)
    return documents


def claimed_lines(audits: Iterable[Audit], names: Iterable[str]) -> list[str]:
    """Say of every mechanism whether it keeps the level claimed for it, violations first."""
    said = [(audit, name) for audit, name in zip(audits, names) if audit.verdict is not None]
    said.sort(key=lambda one: one[0].kept is not Decision.FAILS)
    return [
        f"{audit.verdict.value if audit.verdict else ''} {level_nats(audit.level)}  "
        f"{name}, released once" + (f": leakage {leakage_text(audit.leakage)}" if audit.kept is Decision.FAILS else "")
        for audit, name in said
    ]


def rate_lines(rates: Iterable[Rate], names: Iterable[str]) -> list[str]:
    """Say how fast the leakage of each mechanism grows when it is run again and again, and by
    which outputs.
    """
    lines = []
    for rate, name in zip(rates, names):
        lines.append(f"rate      {rate_phrase(rate)}  {name}")
        if rate.upper != 0:
            ranked = sorted(rate.alpha.items(), key=lambda item: -item[1])
            outputs = ", ".join(f'"{w}"' + (f" {brief(k, 8)}" if k != 1 else "") for w, k in ranked[:_SHOWN])
            outputs += f" and {len(ranked) - _SHOWN} more" if len(ranked) > _SHOWN else ""
            lines.append(f"          by outputs {outputs}, {place_text(rate.place)}")
    return lines


def rate_phrase(rate: Rate) -> str:
    """Say a rate: `log(3) ≈ 1.09861228867 nats a run`, `infinite`, or the digits that are
    certain.
    """
    if rate.lower is None or rate.upper is None:
        return "infinite (these outputs leak everything)"
    if rate.upper == 0:
        return "0 nats a run (more runs leak no more than a constant)"
    bounds = rate.enclosure()
    if rate.exact is not None:
        q, d = rate.exact
        return f"log({brief(q)}){f'/{d}' * (d > 1)} ≈ {rounded(bounds.lower)} nats a run"
    return f"{rounded(bounds.lower)} nats a run, at most {at_most(bounds.upper, 12)}"


def nfc_lines(nfc: NfC | None, breaking: Breaking | None, names: Sequence[str]) -> list[str]:
    """Say whether the claimed levels can add up over any number of runs, and which runs show
    that they do not.
    """
    if nfc is None:
        return ["nfc       none: probabilities are not rational"]
    levels = ", ".join(map(str, nfc.levels))
    if nfc.answer is Decision.HOLDS:
        return [f"nfc       holds at {levels}: any runs leak at most the sum of their levels, plus a constant"]
    where = place_text(nfc.place) if nfc.place is not None else ""
    if nfc.answer is Decision.UNDECIDED:
        return [f"nfc       undecided at {levels}: too close to tell, {where}"]
    lines = [f"nfc       fails at {levels}, {where}"]
    if breaking is None:
        return [*lines, "          no number of runs was found that exceeds the sum of the levels"]
    least = "the fewest" if breaking.minimum else "not known to be the fewest"
    several = len(nfc.mechanisms) > 1
    outputs = ", ".join(
        f'"{output}"' + (f" of {names[i]}" if several else "") + (f" {times} times" if times > 1 else "")
        for i, output, times in breaking.outputs
    )
    lines.append(f"breaking  {breaking.runs} run{'s' * (breaking.runs > 1)} ({least}): outputs {outputs}")
    above, below = breaking.pair
    leaked = "everything" if breaking.leakage.infinite else leakage_text(breaking.leakage)
    if breaking.level.ratio is None or breaking.level.ratio == 1:
        level_text = f"{breaking.level} nats" if breaking.level.ratio is None else "0"
    else:
        level_text = f"log({brief(breaking.level.ratio)}) ≈ {rounded(breaking.level.enclosure().lower)} nats"
    lines.append(f"          leak {leaked}, more than {level_text},")
    lines.append(f'          for "{above}" against "{below}", prior "{breaking.prior}"')
    return lines


def place_text(place: Place) -> str:
    """Say where a game stands."""
    same = place.priors[0] == place.priors[1]
    prior = f'prior "{place.priors[0]}"' if same else f'mixtures of the priors "{place.priors[0]}", "{place.priors[1]}"'
    return f'database "{place.database}" of "{place.pair[0]}" against "{place.pair[1]}", {prior}'
