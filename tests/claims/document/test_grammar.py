"""The grammar for editors colours the words that documents have, and no others."""

import json
import re
from pathlib import Path

from pufferproof.claims.document import arguments, reader, statements
from pufferproof.claims.document.programs import blocks

GRAMMAR = Path(__file__).parents[3] / "docs" / "reference" / "claims.tmLanguage.json"
PATTERNS = json.loads(GRAMMAR.read_text("utf-8"))["patterns"]


def coloured(line):
    """Whether a pattern but those of numbers and signs matches at the beginning of a line."""
    return any(re.match(each.get("match", each.get("begin")), line) for each in PATTERNS[:-2])


def test_every_field_is_coloured():
    assert all(coloured(f"{each}: x") for each in reader.FIELDS)
    of_steps = {x for each in reader.OF_STEPS.values() for x in each}
    of_objects = {*statements.ONCE, *statements.SEVERAL}
    inner = {*reader.STEPS, *of_steps, *arguments.KEYS, *blocks.FIELDS, *of_objects}
    assert [each for each in sorted(inner) if not coloured(f"  {each}: x")] == []
    assert coloured("reading one | all :: PROGRAM")
    assert coloured("## own.a | Lemma 1 | lemma")


def test_prose_and_unknown_words_are_not():
    assert not any(map(coloured, ("Let it be.", "thn: a = b", "  flase: here", "programs are")))
