"""Both reports in a real browser: filters, proofs and evidence that unfold, links, no request
to anywhere, accessibility.
"""

import json
import re
import tarfile
from io import BytesIO
from urllib.request import urlopen

import pytest
from tests.reports import results as synthetic

pytestmark = pytest.mark.pages
VERDICTS = [result["verdict"] for result in synthetic.every_kind()]
PAGES = [
    "index.html",
    "claims/lemma.solvers.html",
    "claims/lemma.kernel.html",
    "claims/paper.refuted.html",
    "claims/paper.broken.html",
    "papers/paper.html",
]
AUDIT_PAGES = ["index.html", "gallery.html"]


def all_of(browser, selector):
    return browser.find_elements("css selector", selector)


def first(browser, selector):
    return browser.find_element("css selector", selector)


def shown_rows(browser):
    return [row for row in all_of(browser, ".claim") if row.is_displayed()]


@pytest.fixture
def index(chromium, address):
    chromium.get(f"{address}/index.html")
    return chromium


def choose(browser, identifier, value):
    first(browser, f"#{identifier} option[value='{value}']").click()


def unfold(browser):
    """Open the list of claims of every paper."""
    for summary in all_of(browser, "details.group > summary"):
        summary.click()


def test_every_claim_has_a_row(index):
    assert shown_rows(index) == []
    unfold(index)
    assert len(shown_rows(index)) == len(VERDICTS)
    assert first(index, "#shown").text == f"{len(VERDICTS)} of {len(VERDICTS)} claims shown"


@pytest.mark.parametrize("verdict", sorted(set(VERDICTS)))
def test_the_verdict_filter_narrows_the_rows(index, verdict):
    choose(index, "verdict", verdict)
    assert len(shown_rows(index)) == VERDICTS.count(verdict)
    assert all(verdict in first(row, ".badge").text for row in shown_rows(index))


def test_the_paper_filter_and_the_search_narrow_the_rows(index):
    choose(index, "paper", "lemma")
    shown = {row.get_attribute("data-id").partition(".")[0] for row in shown_rows(index)}
    assert shown == {"lemma"}
    assert len([group for group in all_of(index, "details.group") if group.is_displayed()]) == 1
    assert index.current_url.endswith("#paper=lemma")
    choose(index, "paper", "")
    first(index, "#search").send_keys("theorem REFUTED")
    assert [row.get_attribute("data-id") for row in shown_rows(index)] == ["paper.refuted", "paper.x-question"]
    assert [first(row, "a").text for row in shown_rows(index)] == ["“Theorem 2”", "“beside Theorem 2”"]
    first(index, "#search").send_keys(" nowhere")
    assert shown_rows(index) == []
    assert first(index, "#shown").text == f"0 of {len(VERDICTS)} claims shown"


def archived(browser, address, member):
    """Return what a file of the archive says that a claim's page offers for download."""
    link = first(browser, "#files ~ p a[download]").get_attribute("href")
    assert link.startswith(f"{address}/files/")
    with urlopen(link) as answer, tarfile.open(fileobj=BytesIO(answer.read())) as archive:
        return archive.extractfile(member).read().decode()


def test_a_proof_step_unfolds_by_keyboard_and_names_its_query(chromium, address):
    chromium.get(f"{address}/claims/lemma.solvers.html")
    step = first(chromium, "#step-1-1 details")
    formula, query = first(step, "math"), first(step, "a[href='#files']")
    assert not formula.is_displayed()
    assert not query.is_displayed()
    first(step, "summary").send_keys("\ue007")
    assert formula.size["height"] > 10
    assert query.is_displayed()
    assert "check-sat" in archived(chromium, address, f"lemma.solvers/{query.text}")


def test_from_the_errors_to_the_counterexample_and_to_the_repair(index, address):
    first(index, "table.papers a[href='papers/paper.html#verdict=ERROR']").click()
    assert index.current_url == f"{address}/papers/paper.html#verdict=ERROR"
    first(index, ".errors a").click()
    assert index.current_url == f"{address}/claims/paper.refuted.html"
    assert first(index, ".counterexample h2").is_displayed()
    assert "pufferproof audit" in first(index, ".counterexample pre").text
    link = first(index, ".counterexample a[download]").get_attribute("href")
    with urlopen(link) as answer:
        assert json.load(answer)["format"] == "pufferproof-framework/1"
    first(index, ".facts a").click()
    assert index.current_url == f"{address}/claims/lemma.solvers.html"


def test_a_counterexample_has_pictures_that_say_their_numbers(chromium, address):
    chromium.get(f"{address}/claims/paper.refuted.html")
    pictures = all_of(chromium, ".counterexample figure svg[role=img]")
    assert [picture.size["height"] > 30 for picture in pictures] == [True, True]
    assert "corners (0, 1)" in pictures[0].get_attribute("aria-label")


def test_a_certificate_is_downloaded_beside_the_command_that_checks_it(chromium, address):
    chromium.get(f"{address}/claims/lemma.kernel.html")
    first(chromium, "#step-1-1 summary").click()
    name = f"lemma.kernel/{first(chromium, '#step-1-1 a').text}"
    assert first(chromium, "#files ~ pre").text.split("\n") == [
        "python -m tarfile -e files/lemma.tar.xz ../taken-out",
        f"python kernel ../taken-out/{name}",
    ]
    assert json.loads(archived(chromium, address, name))["kind"] == "farkas"


def test_markup_in_a_claim_does_not_run(chromium, address):
    chromium.get(f"{address}/index.html")
    unfold(chromium)
    link = next(link for link in all_of(chromium, ".claim a") if "script" in link.text)
    assert synthetic.ATTACK in link.text
    link.click()
    assert chromium.title != "run"
    assert all_of(chromium, "script") == []
    assert synthetic.ATTACK in first(chromium, "h1").text


def test_nothing_is_logged_and_nothing_is_requested_from_elsewhere(start, address):
    browser = start()
    for page in PAGES:
        browser.get(f"{address}/{page}")
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    browsers_own = ("data:", "chrome:", "chrome-untrusted:")  # a new tab shows a page of its own
    ours = {url for url in asked if not url.startswith(browsers_own)}
    assert {url.removeprefix(f"{address}/") for url in ours} == {*PAGES, "style.css"}


def test_without_javascript_every_row_is_there(start, address):
    browser = start(scripts=False)
    browser.get(f"{address}/index.html")
    unfold(browser)
    assert len(shown_rows(browser)) == len(VERDICTS)
    assert not first(browser, "#filter").is_displayed()
    browser.get(f"{address}/claims/lemma.solvers.html")
    first(browser, "#step-1-1 summary").click()
    assert first(browser, "#step-1-1 a[href='#files']").is_displayed()


def width_of(browser, page, width):
    command = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", command)
    browser.get(page)
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return wide


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_no_wider_than_the_window(chromium, address, page, width):
    assert width_of(chromium, f"{address}/{page}", width) <= width


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("page", AUDIT_PAGES)
def test_a_page_of_the_audit_report_is_no_wider_than_the_window(chromium, audits, page, width):
    assert width_of(chromium, f"{audits}/{page}", width) <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_faults(chromium, address, faults, page, scheme):
    assert faults(chromium, f"{address}/{page}", scheme) == []


@pytest.fixture
def phone(chromium):
    """Return the browser with the window of a phone."""
    command = {"width": 420, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", command)
    yield chromium
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def top_of(browser, element):
    """Return where an element begins in the window, from its upper edge."""
    return browser.execute_script("return arguments[0].getBoundingClientRect().top", element)


def test_a_filtered_address_shows_its_filter_and_the_first_claim_on_a_phone(phone, address):
    phone.get(f"{address}/index.html#verdict=REFUTED")
    assert -1 <= top_of(phone, first(phone, "#filter")) < 450
    assert 0 < top_of(phone, shown_rows(phone)[0]) < 900
    assert first(phone, "#verdict").get_attribute("value") == "REFUTED"


def test_a_filter_comes_back_with_the_address_and_a_place_on_the_page_keeps_it(index):
    choose(index, "verdict", "REFUTED")
    first(index, "#search").send_keys("theorem")
    assert index.current_url.endswith("#verdict=REFUTED&search=theorem")
    shown = [row.text for row in shown_rows(index)]
    assert shown
    index.refresh()
    assert [row.text for row in shown_rows(index)] == shown
    index.execute_script("location.hash = 'claims'")
    assert [row.text for row in shown_rows(index)] == shown
    index.execute_script("location.hash = 'verdict=nonsense&paper=&search='")
    assert first(index, "#verdict").get_attribute("value") == ""
    assert first(index, "#shown").text == f"{len(VERDICTS)} of {len(VERDICTS)} claims shown"


def test_verdicts_come_first_on_a_phone(phone, address):
    phone.get(f"{address}/papers/paper.html")
    row = first(phone, "tr.claim")
    assert top_of(phone, first(row, ".badge")) < top_of(phone, first(row, "th"))


def is_seen(element):
    return element.parent.execute_script("return arguments[0].checkVisibility()", element)


def test_paper_shows_steps_and_no_navigation(chromium, address):
    chromium.get(f"{address}/claims/lemma.solvers.html")
    formula, navigation = first(chromium, "#step-1-1 math"), first(chromium, "nav")
    assert (is_seen(formula), is_seen(navigation)) == (False, True)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
    try:
        assert (is_seen(formula), is_seen(navigation)) == (True, False)
        colour = "return getComputedStyle(document.documentElement).backgroundColor"
        assert chromium.execute_script(colour) == "rgb(255, 255, 255)"
    finally:
        chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


@pytest.mark.parametrize("width", [360, 1280])
def test_the_start_page_is_no_wider_than_the_window(chromium, home, width):
    assert width_of(chromium, home, width) <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_start_page(chromium, home, faults, scheme):
    assert faults(chromium, home, scheme) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 360)])
def test_the_start_page_while_claims_are_checked_fits_and_is_accessible(chromium, checking, faults, scheme, width):
    assert faults(chromium, checking, scheme, width) == []
    assert width_of(chromium, checking, width) <= width
    assert first(chromium, "progress").get_attribute("value") == "3"


def test_from_the_start_page_to_every_report_and_back(chromium, home, audits, address):
    ways = {
        f"{audits}/index.html": "header nav a",
        f"{audits}/gallery.html": None,
        f"{address}/index.html": "header nav a",
        f"{address}/papers/paper.html": None,
    }
    for place, back in ways.items():
        chromium.get(home)
        link = place.removeprefix(home.removesuffix("index.html"))
        first(chromium, f"main a[href='{link}']").click()
        assert chromium.current_url == place
        if back:
            first(chromium, back).click()
            assert chromium.current_url == home


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", 420), ("print", 800)])
@pytest.mark.parametrize("page", AUDIT_PAGES)
def test_axe_finds_nothing_in_the_audit_report(chromium, audits, faults, page, scheme, width):
    assert faults(chromium, f"{audits}/{page}", scheme, width) == []


def test_a_counter_of_the_audits_filters_table_sections_and_ledger(chromium, audits):
    chromium.get(f"{audits}/index.html")
    everything = len(shown_rows(chromium))
    first(chromium, "a[href='#verdict=VIOLATES']").click()
    shown = shown_rows(chromium)
    assert 0 < len(shown) < everything
    assert {each.get_attribute("data-verdict") for each in shown} == {"VIOLATES"}
    assert {each.tag_name for each in shown} == {"tr", "article"}
    assert first(chromium, "#shown").text.endswith("audits and joint releases shown")
    first(chromium, "#search").send_keys("siblings")
    assert {each.get_attribute("data-id") for each in shown_rows(chromium)} == {"randomized-response-3"}
    assert chromium.current_url.endswith("#verdict=VIOLATES&search=siblings")


def opened(browser):
    """The audits that are not folded."""
    folds = all_of(browser, ".claim > details.fold[open] > summary > h3")
    return [each.get_attribute("id") for each in folds]


def test_audits_are_folded_until_they_are_looked_for_or_linked_to(chromium, audits):
    chromium.get(f"{audits}/index.html")
    assert opened(chromium) == []
    said = first(chromium, "#randomized-response-3").find_element("xpath", "..").text
    assert re.fullmatch(r"✗ VIOLATES\s+mechanism-records.json at log\(3\) .* Leakage log.* nats", said)
    witness = first(chromium, "article[data-id='randomized-response-3'] figure")
    assert not is_seen(witness)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert is_seen(witness)
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    first(chromium, "#search").send_keys("siblings")
    assert opened(chromium) == ["randomized-response-3"]
    assert is_seen(witness)
    first(chromium, "#search").clear()
    first(chromium, "#search").send_keys(" ")
    assert opened(chromium) == []
    first(chromium, "tr a[href='#randomized-response-4']").click()
    assert opened(chromium) == ["randomized-response-4"]
    chromium.get(f"{audits}/gallery.html")
    chromium.get(f"{audits}/index.html#randomized-response-3")
    assert opened(chromium) == ["randomized-response-3"]
    assert -1 <= top_of(chromium, first(chromium, "#randomized-response-3")) < 100


def test_audits_are_cards_with_the_verdict_first_on_a_phone(phone, audits):
    phone.get(f"{audits}/index.html")
    row = first(phone, "tr.claim")
    assert top_of(phone, first(row, ".badge")) < top_of(phone, first(row, "th"))


def test_from_the_summary_to_a_counterexample_and_its_evidence(chromium, audits):
    chromium.get(f"{audits}/index.html")
    first(chromium, "header a[href='gallery.html']").click()
    assert chromium.current_url == f"{audits}/gallery.html"
    first(chromium, "a[href='#smallest-pair']").click()
    entry = first(chromium, "section[aria-labelledby='smallest-pair']")
    assert [row.text for row in entry.find_elements("css selector", ".tables > div:nth-child(2) tbody tr")] == [
        "a 1/2 1/2",
        "b 0 1",
        "c 1 0",
    ]
    evidence = first(entry, "details")
    assert not first(evidence, "pre").is_displayed()
    first(evidence, "summary").send_keys("\ue007")
    assert first(evidence, "pre").is_displayed()
    with urlopen(first(evidence, "a").get_attribute("href")) as answer:
        assert json.load(answer)["format"] == "pufferproof-certificate/1"


def test_a_joint_release_shows_when_the_secret_is_certain_and_what_any_mechanism_could_do(chromium, audits):
    chromium.get(f"{audits}/index.html")
    chromium.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    release = first(chromium, "article[aria-labelledby='collapse-pair-compose-1']")
    assert "infinite: finitely many runs leak everything" in first(release, "tbody").text
    curve = release.find_elements("css selector", "figure svg[role=img]")[1]
    assert "expected" not in curve.get_attribute("aria-label")
    assert "the secret is certain after 7/2 = 3.5 runs on average" in curve.get_attribute("aria-label")
    assert curve.size["height"] > 100
    worst = first(chromium, "article[aria-labelledby='collapse-pair-any']")
    assert "REVEALS ALL" in first(worst, "tbody .badge").text
