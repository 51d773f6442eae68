"""What `check --explain` says of an accepted certificate, in words: what it proves, from what, and
what it leaves out.
"""

from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.words import counted
from pufferproof.reports.explaining.kinds import listed, query_text, said
from pufferproof.verify.kernel import KINDS
from pufferproof.verify.kernel.reading import Accepted

_LONGEST = 400
_COMMON = ("__init__.py", "__main__.py", "files.py", "reading.py")


def explained(document: JsonObject, accepted: Accepted) -> dict[str, str]:
    """Return what is said of an accepted certificate, by labels."""
    sentences = said(document)
    family = KINDS[accepted.kind].__module__.rpartition(".")[2]
    return {
        "proved": sentences.proved,
        "means": sentences.means,
        "about": about(document),
        "from": _source(document, accepted),
        "exactly": _short(accepted.statement),
        "believe": f"rule {accepted.kind} in verify/kernel/CERTIFICATES.md, and its program: "
        f"{', '.join(_COMMON)} and {family} (README has the list)",
        "unsaid": sentences.unsaid,
    }


def about(document: JsonObject) -> str:
    """Say what a certificate carries: the framework and mechanisms, a chain, or formulas."""
    if "framework" in document:
        return "; ".join([_framework(document["framework"]), *_mechanisms(document["mechanisms"])])
    if "chain" in document:
        return f"a binary chain of {counted(document['chain']['length'], 'record')}, written out"
    return "formulas alone, without a framework"


def _framework(framework: JsonObject) -> str:
    secrets, records = framework["secrets"], framework.get("records")
    space = (
        counted(len(framework["databases"]), "database")
        if records is None
        else f"{counted(int(records['count']), 'record')} with values {listed(records['alphabet'])}"
    )
    return (
        f"{space}, {counted(len(secrets), 'secret')} "
        f"({listed(list(secrets))}), {counted(len(framework['priors']), 'prior')} "
        f"({listed(list(framework['priors']))})"
    )


def _mechanisms(mechanisms: list[JsonObject]) -> list[str]:
    return [f"mechanism {index} with {_form(mechanism)}" for index, mechanism in enumerate(mechanisms, 1)]


def _form(mechanism: JsonObject) -> str:
    if "noise" in mechanism:
        return f"a noisy {query_text(mechanism['query'])}"
    bounded = "bounds of the probabilities of " * ("bounds" in mechanism)
    return bounded + counted(len(mechanism["outputs"]), "output")


def _source(document: JsonObject, accepted: Accepted) -> str:
    checked = f"{counted(accepted.checked, 'fact')}, each derived again by the kernel"
    if "inputs" not in document:
        return checked
    if accepted.inputs == "matched":
        return f"{checked}; the files given are those it was made from"
    return f"{checked}; the files it was made from were not given, so what it carries counts"


def _short(statement: str) -> str:
    return statement if len(statement) <= _LONGEST else f"{statement[:_LONGEST]} ..."
