"""Certificates that a search found before, kept beside the claims, so that they are checked and not
searched for again: searching is what costs.

`catalogue/certificates.json` has for every claim the proofs of its steps by the hash of the query,
and null where a search found none. A proof is put into the certificate of the formula at hand, and
is believed if the kernel accepts that; else it is searched for anew. Null is a reason not to search
for what has only ever been missed, while the programs that search are as they were: then a step has
no certificate, and rests on solvers alone.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from pufferproof.verify.proof import farkas, handelman
from pufferproof.verify.proof.implication import searched

PLACE = Path(__file__).resolve().parents[1] / "catalogue" / "certificates.json"
Section = Mapping[str, Any]
Result = Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """What is kept for a claim; it proposes certificates of its steps."""

    claim: str
    place: Path = PLACE

    def __call__(
        self, query: str, conclusion: object, assuming: tuple[object, ...], seconds: float
    ) -> Iterator[Mapping[str, Any] | None]:
        """Propose the proof that is kept, then what a search finds, unless one found nothing."""
        proof = self._proofs.get(digest(query), [])
        if proof:
            yield handelman.with_proof(conclusion, assuming, proof)
        if proof is not None:
            yield from searched(query, conclusion, assuming, seconds)

    @property
    def section(self) -> Section:
        """What the file has of the claim."""
        section: Section = sections(self.place).get(self.claim, {})
        return section

    @cached_property
    def _proofs(self) -> Mapping[str, Any]:
        """The proofs by queries; that none was found counts for the present search only."""
        present = self.section.get("searched by") == searching()
        proofs = self.section.get("proofs", {}).items()
        return {key: proof for key, proof in proofs if present or proof}


@cache
def sections(place: Path) -> Mapping[str, Section]:
    """Read what is kept of every claim."""
    return dict(json.loads(place.read_text(encoding="utf-8"))) if place.exists() else {}


@cache
def searching() -> str:
    """Return a hash of the programs that search."""
    sources = [Path(str(each.__file__)).read_bytes() for each in (farkas, handelman)]
    return hashlib.sha256(b"".join(sources)).hexdigest()[:16]


def digest(query: str) -> str:
    """Return under which key the proof of a query is kept."""
    return hashlib.sha256(query.encode()).hexdigest()[:16]


def to_keep(results: Sequence[Result]) -> dict[str, Section]:
    """Return what is to be kept of results, of those that were examined."""
    found = {result["id"]: dict(_proofs_of(result)) for result in results if not result["error"]}
    return {
        name: {"searched by": searching(), "proofs": dict(sorted(proofs.items()))}
        for name, proofs in found.items()
        if proofs
    }


def _proofs_of(result: Result) -> Iterator[tuple[str, object]]:
    """Yield the key and the proof of every step that a search was made for: not of those that a
    solver refutes.
    """
    for argument in (*result["readings"], *result["near_misses"]):
        for step in argument["steps"]:
            if step["query"] is not None and not step["refuted"]:
                certificate = step["certificate"]
                proof = None if certificate is None else certificate["claim"]["proof"]
                yield digest(step["query"]), proof


def written(kept: Mapping[str, Section]) -> str:
    """Return the text of the file: claims in order, each in a line."""
    compact = partial(json.dumps, separators=(",", ":"))
    lines = (f"{compact(name)}:{compact(kept[name])}" for name in sorted(kept))
    return "{\n" + ",\n".join(lines) + "\n}\n"
