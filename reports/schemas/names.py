"""JSON Schemas by name: of every file people write, and of what every command prints."""

from importlib import import_module

from pydantic import BaseModel

from pufferproof.counterexamples.exploration.conjectures.asked import FormulaFile
from pufferproof.counterexamples.exploration.family import FamilyFile
from pufferproof.lp.accounting.ledger import LedgerFile
from pufferproof.models.errors import ModelError
from pufferproof.models.files.queries import UtilityFile
from pufferproof.models.files.shapes import (
    FrameworkFile,
    KernelsFile,
    LossFile,
    MechanismFile,
    PlanFile,
    StreamFile,
)
from pufferproof.models.numbers.text import did_you_mean
from pufferproof.reports.schemas.audit import Audit, AuditLine, Check, CheckBets, CheckZip, Estimate
from pufferproof.reports.schemas.certificates import Certificate
from pufferproof.reports.schemas.composition import (
    Collapse,
    Compose,
    ComposeSampled,
    Conditions,
    Optimal,
    Partner,
    Reveal,
    Worst,
)
from pufferproof.reports.schemas.correlation import Calibrate, Explore, Influence, Translate
from pufferproof.reports.schemas.fit import Fit
from pufferproof.reports.schemas.page import Ledger
from pufferproof.reports.schemas.proofs import Prove
from pufferproof.reports.schemas.redaction import AnyRedact
from pufferproof.reports.schemas.release import Release
from pufferproof.reports.schemas.stream import Stream

_MODELS: dict[str, type[BaseModel] | str] = {  # a text is a place, imported when asked for
    "framework": FrameworkFile,
    "mechanism": MechanismFile,
    "audit": Audit,
    "audit-line": AuditLine,
    "estimate": Estimate,
    "compose": Compose,
    "compose-sampled": ComposeSampled,
    "reveal": Reveal,
    "partner": Partner,
    "worst": Worst,
    "collapse": Collapse,
    "critical": "pufferproof.reports.composition.critical:Critical",
    "optimal": Optimal,
    "conditions": Conditions,
    "redact": AnyRedact,
    "influence": Influence,
    "calibrate": Calibrate,
    "translate": Translate,
    "plan": PlanFile,
    "release": Release,
    "stream-file": StreamFile,
    "stream": Stream,
    "explore": Explore,
    "family": FamilyFile,
    "formula": FormulaFile,
    "fit": Fit,
    "reproduce": "pufferproof.examples.reproduce.schemas:Reproduce",
    "ledger-file": LedgerFile,
    "loss": LossFile,
    "kernels": KernelsFile,
    "utility": UtilityFile,
    "check": Check,
    "check-zip": CheckZip,
    "check-bets": CheckBets,
    "ledger": Ledger,
    "certificate": Certificate,
    "prove": Prove,
}


def json_schema(name: str) -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) called `name`. Raises `ModelError` unless there is
    one.
    """
    if name not in _MODELS:
        hint = did_you_mean(name, _MODELS) or f", expected one of {', '.join(_MODELS)}"
        raise ModelError(f'unknown schema "{name}"{hint}')
    model = _MODELS[name]
    if isinstance(model, str):
        module, _, attribute = model.partition(":")
        model = getattr(import_module(module), attribute)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
