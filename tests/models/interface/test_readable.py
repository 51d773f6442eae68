"""Answers in notebooks: the picture of their numbers."""

import math
import re
import sys
from xml.etree import ElementTree

import pytest

import pufferproof as pp
from pufferproof.models.interface.readable import Bar, bars
from pufferproof.models.numbers.enclosures import INFINITE


def test_a_notebook_draws_numbers_beside_the_level_without_matplotlib(monkeypatch):
    framework = pp.Framework(
        list("ab"), {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": pp.Table(dict.fromkeys("ab", "1/2"))}
    )
    channel = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    shown = pp.audit(framework, channel, "log(2)")._repr_html_()
    picture = ElementTree.fromstring(re.search(r"<svg.*</svg>", shown)[0])
    assert picture.find("title").text == "leakage: 1.1"
    assert [each.text for each in picture.iter("text")] == ["leakage", "1.1", "level log(2)"]
    low, high = (float(each.get("width")) for each in picture.iter("rect"))
    assert low == high
    line = float(picture.find("line").get("x1"))
    start = float(picture.find("rect").get("x"))
    assert (line - start) / low == pytest.approx(math.log(2) / math.log(3), abs=0.01)


def test_a_picture_of_many_numbers_is_columns_and_infinite_ones_reach_its_end():
    several = [Bar(f"<{n}>", pp.Level(str(n)).enclosure()) for n in range(1, 14)]
    picture = ElementTree.fromstring(bars([*several, Bar("all", INFINITE)], several[12]))
    heights = [float(each.get("height")) for each in picture.iter("rect")][1::2]
    assert heights == sorted(heights)
    assert heights[:2] == pytest.approx([heights[-1] / 13 / 1.05 * n for n in (1, 2)], abs=0.1)
    assert [each.text for each in picture.iter("text")] == ["<1>", "all", "<13>"]
