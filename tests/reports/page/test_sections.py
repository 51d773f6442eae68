"""Pages of documents in a browser: they fit a phone, formulas are drawn, and code is folded."""

import pytest
from tests.reports.proofs.test_sections import OWN

from pufferproof.reports import cli

pytestmark = pytest.mark.pages


@pytest.fixture(scope="module")
def section(folder, site):
    """Return the address of the page of a user's document."""
    (folder / "own.claims").write_text(OWN)
    command = ["prove", "--trust-code", "--claims", str(folder / "own.claims"), "--out", str(folder / "own")]
    assert cli._run(command) == 0
    return f"{site}/own/sections/own.html"


def all_of(browser, selector):
    return browser.find_elements("css selector", selector)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 400)])
def test_a_page_of_a_document_fits_and_axe_finds_nothing(chromium, section, faults, scheme, width):
    assert faults(chromium, section, scheme, width) == []
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        chromium.get(section)
        wide = chromium.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_formulas_are_drawn_code_is_folded_and_markup_does_not_run(chromium, section):
    chromium.get(section)
    assert all(each.size["height"] > 3 for each in all_of(chromium, ".formula math"))
    code = all_of(chromium, "details.source pre")
    assert len(code) == 5
    assert not any(each.is_displayed() for each in code)
    all_of(chromium, "details.source > summary")[-1].click()
    assert code[-1].is_displayed()
    assert chromium.title != "run"
    assert len(all_of(chromium, ".headline .badge")) == 2


def test_from_a_theorem_to_its_claim_and_back(chromium, section):
    chromium.get(section)
    all_of(chromium, ".headline .id a")[1].click()
    assert chromium.current_url.endswith("/claims/own.squares.html")
    all_of(chromium, "header a[href*='sections/']")[0].click()
    assert chromium.current_url == f"{section}#own.squares"
