"""Certificates of composition rates and of NfC, as the kernel checks them (see
CERTIFICATES.md).
"""

from fractions import Fraction

from pufferproof.lp.rates.nfc import NfC, Rate
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.certificates.writing import Inputs, level_json, statement
from pufferproof.verify.decision import Decision

Betas = tuple[tuple[str, dict[str, Fraction]], ...]


def rate_certificate(rate: Rate, inputs: Inputs) -> JsonObject:
    """Return the certificate of a rate: a beta for every game, an alpha, and both bounds."""
    alpha = [_weights(rate.alpha)]
    claim = {**_bounds(rate), **rate.place.as_json(), "alpha": alpha, "betas": _betas(rate.betas)}
    return statement("rate", claim, rate.framework, [rate.mechanism], inputs)


def nfc_certificate(nfc: NfC, inputs: Inputs) -> dict[str, object]:
    """Return the certificate of NfC at levels, or of its failure.

    Raises `CertificateError` unless it was decided, for supports prior by prior.
    """
    levels = [level_json(level) for level in nfc.levels]
    if nfc.supports != "prior":
        raise CertificateError("certificates of NfC compare supports prior by prior")
    if nfc.answer is Decision.HOLDS:
        claim = {"levels": levels, "betas": _betas(nfc.betas)}
        return statement("nfc", claim, nfc.framework, nfc.mechanisms, inputs)
    if nfc.answer is Decision.UNDECIDED or nfc.place is None:
        raise CertificateError("NfC is undecided at this level: there is nothing to certify")
    alpha: list[dict[str, Fraction]] = [{} for _ in nfc.mechanisms]
    for i, output, weight in nfc.alpha:
        alpha[i][output] = weight
    claim = {"levels": levels, **nfc.place.as_json(), "alpha": [_weights(part) for part in alpha]}
    return statement("nfc-violation", claim, nfc.framework, nfc.mechanisms, inputs)


def _bounds(rate: Rate) -> dict[str, object]:
    if rate.lower is None or rate.upper is None:
        return {"lower": "inf", "upper": "inf"}
    if rate.exact is not None and rate.exact[1] == 1:
        bound = level_json(Level.log(rate.exact[0]))
        return {"lower": bound, "upper": bound}
    shown = rate.as_json()
    return {"lower": {"nats": shown["lower"]}, "upper": {"nats": shown["upper"]}}


def _betas(betas: Betas) -> list[dict[str, object]]:
    return [{"database": database, "beta": _weights(beta)} for database, beta in betas]


def _weights(weights: dict[str, Fraction]) -> dict[str, str]:
    return {name: text_of(weight) for name, weight in weights.items()}
