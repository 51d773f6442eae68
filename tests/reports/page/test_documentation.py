"""The documentation as a site in a real browser: accessibility, keyboard, and no request
to anywhere. `make docs`, which `make pages` runs first, has written it.
"""

import json
import re
from pathlib import Path

import pytest
from tests.reports.page.conftest import served

pytestmark = pytest.mark.pages
SITE = Path(__file__).parents[3] / "build" / "docs"
CLAIMS = SITE.parents[1] / "claims"
SECTIONS = ["sections/song2017.mechanism.quilts.html", "sections/streaming_cw.streams.cw.html"]
"""Of the pages of documents a small one and a large one."""
PAGES = ["404.html", *SECTIONS] + [
    f"{path[:-3]}.html"
    for path in re.findall(
        r"^ +- (?:\w+: )?([\w/.-]+\.md)$", (SITE.parents[1] / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE
    )
]


@pytest.fixture(scope="module")
def documentation():
    if not (SITE / "index.html").is_file():
        pytest.skip("make docs has not written the site")
    with served(SITE) as found:
        yield found


@pytest.mark.parametrize(
    ("page", "scheme", "width"),
    [
        (page, *way)
        for page in PAGES
        for way in [("light", 1400), ("dark", 420)]
        if (page, way[0]) != ("reference/api.html", "light")  # of 25,000 coloured words: once
    ],
)
def test_axe_finds_nothing_on_any_page(chromium, documentation, faults, page, scheme, width):
    assert faults(chromium, f"{documentation}/{page}", scheme, width) == []


def test_every_page_of_the_site_is_looked_at(documentation):
    written = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")}
    of_documents = {page for page in written if page.startswith("sections/")}
    assert written - of_documents == {*PAGES} - of_documents
    assert {*SECTIONS} <= of_documents
    documents = [path.stem for path in CLAIMS.rglob("*.claims")]
    assert {page.rpartition(".html")[0].rpartition(".")[2] for page in of_documents} <= {*documents}


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("page", SECTIONS)
def test_a_page_of_a_document_fits_and_has_a_badge_and_formulas(chromium, documentation, page, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        chromium.get(f"{documentation}/{page}")
        wide = "return document.documentElement.scrollWidth"
        assert chromium.execute_script(wide) <= width
        claims = chromium.find_elements("css selector", "h2 ~ .section > .headline .badge")
        assert len(claims) == len(chromium.find_elements("css selector", "article h2"))
        assert chromium.find_elements("css selector", ".section .formula math")
        code = chromium.find_element("css selector", ".section details.source pre")
        assert not code.is_displayed()
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_scrolls_is_reached_by_keyboard_and_buttons_say_what_they_copy(start, documentation):
    waiting = pytest.importorskip("selenium.webdriver.support.ui")
    browser = start()
    narrow = {"width": 375, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
    browser.get(f"{documentation}/concepts/pufferfish.html")
    blocks = browser.find_elements("css selector", "pre > code")
    wide = "return arguments[0].scrollWidth > arguments[0].clientWidth"

    def reached(_):
        scrolling = [browser.execute_script(wide, each) for each in blocks]
        focused = [each.get_attribute("tabindex") == "0" for each in blocks]
        return any(scrolling) and focused == scrolling

    waiting.WebDriverWait(browser, 30).until(reached)
    buttons = browser.find_elements("css selector", ".md-code__button")
    names = [each.accessible_name for each in buttons]
    assert len(names) == len({*names}) == len(blocks)
    assert all(re.match(r"Copy to clipboard, block \d+: \w", name) for name in names)


def test_no_page_asks_for_anything_from_elsewhere(start, documentation):
    browser = start()
    for page in PAGES:
        browser.get(f"{documentation}/{page}")
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"}
    assert len(asked) > len(PAGES)
    ours = (f"{documentation}/", "data:", "chrome:", "chrome-untrusted:", "blob:")
    assert [url for url in asked if not url.startswith(ours)] == []
