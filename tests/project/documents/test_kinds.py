"""The leakages of kinds of groups in the guide on data are those of its own example."""

import re
from math import log
from pathlib import Path

import pytest

from pufferproof import Noise, RecordQuery, audit, fit

GUIDE = (Path(__file__).parents[3] / "docs" / "guides" / "data.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)`[^|]*\|[^|]*\| (at most )?([\d.]+) nats \|$", GUIDE, re.MULTILINE)


@pytest.fixture(scope="module")
def homes():
    """Run the example; return its values, and the home of each."""
    (code,) = re.findall(r"^```python\n(from random import Random.*?)^```$", GUIDE, re.M | re.S)
    names = {}
    exec(code.partition("found = fit")[0], names)
    return names["active"], names["homes"]


def test_the_table_has_every_kind():
    assert [kinds for kinds, *_ in ROWS] == ["pooled", "2", "each", "box"]


@pytest.mark.parametrize(("kinds", "most", "said"), ROWS)
def test_kinds_leak_what_the_table_says(homes, kinds, most, said):
    active, groups = homes
    found = fit(active, group=groups, length=96, private=24, kinds=kinds)
    query = RecordQuery("count", Noise.laplace(10), found.records, counted="1")
    leakage = audit(found.framework, query).leakage
    digits = len(said.partition(".")[2])
    assert f"{log(leakage.upper):.{digits}f}" == said
    assert bool(most) == (found.box is not None)
