"""Asking Coq about the counterexamples of a report, where that was asked for."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.reproving import FORMAL
from pufferproof.reports.proofs.counterexamples.again import STATED, Again
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal.building import version
from pufferproof.verify.certificates.formal.exported import proved, theory

Asked = JsonObject
AT_ONCE = 2


def asked(again: Again) -> Asked:
    """Return what a page shows of a theorem; what Coq says of it is not known yet. Only a theorem
    that states what is false may have a badge.
    """
    return {
        "again": again,
        "files": [name for name, _ in again.files],
        "badge": again.state in STATED,
        "coq": "",
        "refused": "",
    }


def ask_coq(views: Sequence[View]) -> list[str]:
    """Have Coq prove the theorems of all counterexamples of these claims, and note on each what it
    said; return what it refused, a line each.

    Raises `ModelError` where there is no Coq, or no sources of the theory.
    """
    shown = [each for view in views for each in proved_again(view)]
    if not FORMAL.is_dir():
        raise ModelError(f"expected the sources of the theory in {FORMAL}")
    try:
        place, release = theory(FORMAL), version()
    except NotChecked as error:
        raise ModelError(str(error)) from None
    different = {each["again"].text: each["again"] for each in shown}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        said = dict(zip(different, pool.map(lambda each: _said(each, place), different.values())))
    for each in shown:
        axioms, refused = said[each["again"].text]
        names = ", ".join(axiom.rpartition(".")[2] for axiom in axioms) or "none"
        each["refused"] = refused
        words = "re-proved in" if each["badge"] else "accepted by"
        each["coq"] = "" if refused else f"{words} Coq {release} (axioms: {names})"
    return [f"{each['again'].name}.v: {each['refused']}" for each in shown if each["refused"]]


def proved_again(view: View) -> list[Asked]:
    """Return what a claim's page shows of theorems about its counterexamples."""
    found = (reading["counterexample"] for reading in view["readings"])
    return [each for one in found if one is not None for each in one["proved_again"]()]


def _said(again: Again, place: Path) -> tuple[list[str], str]:
    """Return the axioms that Coq names, and why it refused, if it did."""
    try:
        if again.certificate is not None:
            tables.compare(again.text, again.certificate.encode())
        with TemporaryDirectory() as scratch:
            return proved(place, again.text, Path(scratch)), ""
    except NotChecked as reason:
        return [], str(reason)
