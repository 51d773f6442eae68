"""Certificates of composition rates and of NfC, as the kernel checks them (see
CERTIFICATES.md).
"""

from fractions import Fraction
from typing import Any

from pufferproof.lp.rates.at_level import Answer
from pufferproof.lp.rates.nfc import NfC, Rate
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.grammar import text_of
from pufferproof.models.numbers.level import Level
from pufferproof.verify.certificates.writing import Inputs, level_json, statement

Betas = tuple[tuple[str, dict[str, Fraction]], ...]


def rate_certificate(found: Rate, inputs: Inputs) -> dict[str, Any]:
    """Return the certificate of a composition rate: a beta for every game, an alpha for one,
    and both bounds.
    """
    alpha = [_weights(found.alpha)]
    claim = {
        **_bounds(found),
        **found.place.as_json(),
        "alpha": alpha,
        "betas": _betas(found.betas),
    }
    return statement("rate", claim, found.framework, [found.mechanism], inputs)


def nfc_certificate(found: NfC, inputs: Inputs) -> dict[str, Any]:
    """Return the certificate of NfC at levels, or of its failure.

    Raises `CertificateError` unless it was decided, for supports prior by prior.
    """
    levels = [level_json(level) for level in found.levels]
    if found.supports != "prior":
        raise CertificateError("certificates of NfC compare supports prior by prior")
    if found.answer is Answer.HOLDS:
        claim = {"levels": levels, "betas": _betas(found.betas)}
        return statement("nfc", claim, found.framework, found.mechanisms, inputs)
    if found.answer is Answer.UNDECIDED or found.place is None:
        raise CertificateError("NfC is undecided at this level: there is nothing to certify")
    alpha: list[dict[str, Fraction]] = [{} for _ in found.mechanisms]
    for i, output, weight in found.alpha:
        alpha[i][output] = weight
    claim = {"levels": levels, **found.place.as_json(), "alpha": [_weights(part) for part in alpha]}
    return statement("nfc-violation", claim, found.framework, found.mechanisms, inputs)


def _bounds(found: Rate) -> dict[str, Any]:
    if found.lower is None or found.upper is None:
        return {"lower": "inf", "upper": "inf"}
    if found.exact is not None and found.exact[1] == 1:
        bound = level_json(Level.log(found.exact[0]))
        return {"lower": bound, "upper": bound}
    shown = found.as_json()
    return {"lower": {"nats": shown["lower"]}, "upper": {"nats": shown["upper"]}}


def _betas(betas: Betas) -> list[dict[str, Any]]:
    return [{"database": database, "beta": _weights(beta)} for database, beta in betas]


def _weights(weights: dict[str, Fraction]) -> dict[str, str]:
    return {name: text_of(weight) for name, weight in weights.items()}
