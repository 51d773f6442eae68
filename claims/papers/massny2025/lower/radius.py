"""The redaction radius, and the lower bound for deterministic redactions that it states.

Source: massny2025, definition 5 and corollary 2.
"""

from pufferproof.claims.papers.massny2025.lower import statements
from pufferproof.claims.papers.massny2025.said import data_independent
from pufferproof.claims.registry import Check, claim

LIMITED = "j limited to [p-Dl, p] and [p, p+Dr]"
BOUNDED = "0 <= Dl <= p-1, 0 <= Dr <= n-p, j limited"


@claim(
    "massny2025.radius",
    where="Definition 5",
    statement="Redaction radius (Dl,Dr) of a DIM: Dl is the largest integer with j not in R_rel "
    "for all j >= p-Dl; Dr the largest integer with j not in R_rel for all j <= p+Dr.",
    kind="definition",
    repair="massny2025.radius-repaired",
    says=statements.LIMITED,
)
def radius(check: Check) -> None:
    """Refute that there is a largest integer where a whole side is redacted, by its trial."""
    with check.reading(LIMITED, "one counterexample"):
        pass


@claim(
    "massny2025.radius-repaired",
    where="Definition 5, repaired",
    statement="If X_p is redacted there are a unique largest Dl in 0..p-1 with [p-Dl,p] n R_rel "
    "empty and a unique largest Dr in 0..n-p with [p,p+Dr] n R_rel empty; if Dl < p-1 then "
    "p-Dl-1 is released, and if Dr < n-p then p+Dr+1 is.",
    kind="repair of massny2025.radius",
    says={BOUNDED: statements.RADIUS},
)
def radius_repaired(check: Check) -> None:
    """Prove it for one side; the other is its mirror image.

    The window grows: Either the window of D is empty and g = D, or g < D and p-g-1 is released. For
    D = 0 the window is {p}. For D + 1: if the window of D is empty, p-D-1 = p-g-1 is redacted (e =
    1) and h = D + 1, or it is released (e = 0) and h = g; a window that is not empty stays so.
    Unique: two largest ones bound each other.
    """


@claim(
    "massny2025.cor2",
    where="Corollary 2",
    statement="Let Dl+Dr be even or Dl=p-1. A mechanism with deterministic redactions and radius "
    "(Dl,Dr) is eps-private only if eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1), where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="corollary",
    says=data_independent.COR_2,
)
def cor2(check: Check) -> None:
    """Prove it, with the radius that exists (`massny2025.radius-repaired`), for chances of
    redaction, of which certainty is one; the bound is the leakage.
    """
    check.stated("the radius of massny2025.radius-repaired")


@claim(
    "massny2025.x-cor2-converse",
    where="Corollary 2, converse",
    statement="With deterministic redactions that redact X_p and have the radius (Dl,Dr), of any "
    "parity, eps >= 1(Dl<p-1) i1(Dl+1) + 1(Dr<n-p) i1(Dr+1) is enough for eps-privacy, where "
    "1(..) is 1 if the condition holds and 0 otherwise.",
    kind="converse of massny2025.cor2",
    says=data_independent.COR_2_CONVERSE,
)
def cor2_converse(check: Check) -> None:
    """Prove that the bound of Corollary 2 is enough, for chances of redaction too."""
    check.stated("as stated")
