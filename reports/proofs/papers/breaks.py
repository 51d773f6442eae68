"""What breaks when a printed claim is false: the guarantee of a theorem first, misprints last.

`print.toml` says what a claim breaks, with a reason, wherever the kind of the claim does not: a
theorem, lemma or algorithm breaks itself, a proof step or closed form a proof, and all else is a
remark.
"""

import re

from pufferproof.claims.language.printed import BREAKS
from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.proofs.sentences import View

TITLES = {
    "guarantee": "What a theorem promises is false",
    "theorem": "Theorems, lemmas and algorithms that are false as printed",
    "step": "Steps of proofs",
    "remark": "Remarks in the text",
    "display": "Displays beside a proof",
}
_RELIED_ON = re.compile("theorem|lemma|proposition|corollary|algorithm")
_OF_A_PROOF = re.compile("proof steps?|closed form")


def breaks_of(result: Result) -> str:
    """Return what breaks if a printed claim is false, as `print.toml` says, else by its kind.

    >>> [breaks_of({"kind": kind}) for kind in ("lemma", "lemma (proof step)", "table")]
    ['theorem', 'step', 'remark']
    """
    printed: JsonObject = result.get("print") or {}
    if printed.get("breaks"):
        return str(printed["breaks"])
    if is_relied_on(result):
        return "theorem"
    return "step" if _OF_A_PROOF.search(result["kind"]) else "remark"


def is_relied_on(view: Result) -> bool:
    """Whether a claim is one that readers rest a guarantee on: no step of a proof is.

    >>> is_relied_on({"kind": "lemma"}), is_relied_on({"kind": "lemma (proof step)"})
    (True, False)
    """
    kind = view["kind"]
    return _RELIED_ON.search(kind) is not None and "proof step" not in kind


def rank(view: View) -> int:
    """Return the place of a false claim in the order of what breaks."""
    return BREAKS.index(view["breaks"])
