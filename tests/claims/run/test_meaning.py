"""What decides the meaning of a claim is in its digest, and the layout of its file is not."""

import pytest

from pufferproof.claims import registry
from pufferproof.claims.registry import load_extra
from pufferproof.claims.run.meaning import meaning_of

TEXT = """# Digests

family two: Two numbers from -3 to 3.
  a = below(7) - 3
  give: a; b = below(7) - 3

hypothesis LARGER: a is larger :: a > b

program SUMS over two
  needs: LARGER
  holds (less=0): a - b > less
  not one: less = 1
  edges: [dict(a=1, b=0)]

## dig.program | Lemma 1

The difference is positive.

assumes: numbers are whole
reading as stated :: SUMS

## dig.formula | Lemma 2

if: 0 <= x <= 1; y >= 0
then: x*y <= y
"""


def meanings(tmp_path, monkeypatch, old, new):
    """Return the digests of a document in which something was replaced."""
    assert old in TEXT
    path = tmp_path / f"document{len(list(tmp_path.iterdir()))}.claims"
    path.write_text(TEXT.replace(old, new))
    monkeypatch.setattr(registry, "_CLAIMS", {})
    load_extra([path])
    return {name: meaning_of(registry._CLAIMS[name]) for name in ("dig.program", "dig.formula")}


@pytest.mark.parametrize(
    ("old", "new", "of"),
    [
        ("numbers are whole", "numbers are real", "program"),
        ("from -3 to 3", "from -4 to 4", "program"),
        ("a = below(7) - 3", "a = below(9) - 4", "program"),
        ("a is larger", "a is smaller", "program"),
        (":: a > b", ":: a >= b", "program"),
        ("a - b > less", "a - b >= less", "program"),
        ("<= x <= 1", "<= x <= 2", "formula"),
        ("x*y <= y", "x*y < y", "formula"),
        ("edges: [dict(a=1, b=0)]", "edges: [dict(a=2, b=0)]", ""),
        ("0 <= x <= 1;", "0<=x <= 1 ;", ""),
    ],
)
def test_a_digest_changes_with_what_a_claim_means_alone(tmp_path, monkeypatch, old, new, of):
    before, after = (meanings(tmp_path, monkeypatch, old, x) for x in (old, new))
    assert [name for name in before if before[name] != after[name]] == ([f"dig.{of}"] if of else [])
