"""A headless Chromium with a fresh profile, and the site served on this machine only.

Skipped with a reason where Chromium, its driver or npm (for axe-core alone) is not installed.
"""

import shutil
import subprocess
import tarfile
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.reports import results as synthetic

from pufferproof.reports.page.site import write_report
from pufferproof.reports.page.start import Checking, RecordedPaper, StartPage
from pufferproof.reports.proofs.site import write_proof_report

ROOT = Path(__file__).parents[3]
EXAMPLES, BENCHMARKS = ROOT / "examples", ROOT / "benchmarks" / "README.md"
HOME = "../index.html"

BROWSERS = ("chromium", "google-chrome", "chromium-browser")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--window-size=1280,1000",
)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@contextmanager
def served(folder):
    """Serve a folder on this machine while the body runs, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Return the folder of both reports."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def site(folder):
    """Return the address of the folder of both reports."""
    with served(folder) as found:
        yield found


@pytest.fixture(scope="session")
def audits(folder, site, tmp_path_factory):
    """Return the address of an audit report of three examples, with the gallery."""
    place = tmp_path_factory.mktemp("examples")
    for name in ("limits/collapse-pair", "textbook/randomized-response", "limits/zero-probability"):
        shutil.copytree(EXAMPLES / name, place / name)
    write_report(str(place), folder / "audits", with_gallery=True, home=HOME)
    return f"{site}/audits"


@pytest.fixture(scope="session")
def address(folder, site):
    """Return the address of a report of synthetic results."""
    catalogue = {"paper": ["paper.refuted", "paper.later"], "elsewhere": ["elsewhere.thm1"]}
    results = synthetic.every_kind()
    write_proof_report(results, folder / "proofs", catalogue=catalogue, partial=True, home=HOME)
    return f"{site}/proofs"


@pytest.fixture(scope="session")
def home(folder, site, audits, address):
    """Return the address of the page that leads to both reports."""
    StartPage.of(folder, BENCHMARKS).write()
    return f"{site}/index.html"


@pytest.fixture(scope="session")
def checking(folder, site):
    """Return the address of a start page that was written while claims were checked."""
    place = folder / "checking"
    place.mkdir()
    recorded = {"PROVED": 4, "DEFINITION": 1}
    papers = [RecordedPaper("A paper", "Somebody 2020", 5, 1)]
    when = "13:05:11 UTC on 27 November 2026"
    found = Checking(when, 3, 5, ["paper.one"], recorded, papers, "proofs")
    StartPage.of(place, BENCHMARKS).write(found)
    return f"{site}/checking/index.html"


@pytest.fixture(scope="session")
def start(tmp_path_factory):
    """Return a function that starts a browser with a fresh profile."""
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip(f"{'Chromium' if browser is None else 'chromedriver'} is not installed")
    started = []

    def start_browser(scripts=True):
        options = selenium.ChromeOptions()
        options.binary_location = browser
        for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if not scripts:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        started.append(selenium.Chrome(options=options, service=selenium.ChromeService(driver)))
        started[-1].set_script_timeout(110)  # of the names of the package there is a long page
        return started[-1]

    yield start_browser
    for each in started:
        each.quit()


@pytest.fixture(scope="session")
def chromium(start):
    return start()


@pytest.fixture(scope="session")
def faults(axe):
    """Return a function that lists what axe finds on a page, all of it unfolded, in light, dark or
    print, at the width of a window or another one; of every impact, best practices too.
    """

    def violations(browser, page, scheme, width=None):
        printed = scheme == "print"
        media = {"media": "print" if printed else ""}
        media["features"] = [{"name": "prefers-color-scheme", "value": "light" if printed else scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        if width is not None:
            command = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", command)
        try:
            return _violations(browser, page, axe)
        finally:
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
            browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    return violations


def _violations(browser, page, axe):
    browser.get(page)
    browser.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; });")
    browser.execute_script(axe)
    found = browser.execute_async_script(
        "axe.run(document).then(arguments[0], (e) => arguments[0]({error: String(e)}))"
    )
    assert "error" not in found, found
    assert found["passes"]
    return [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"]) for each in found["violations"]
    ]


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """Return the source of axe-core, fetched from the npm registry for this run only."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("npm, which brings axe-core, is not installed")
    command = [npm, "pack", "--silent", "axe-core@4"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        pytest.skip(f"npm cannot fetch axe-core: {done.stderr.strip()[:200]}")
    with tarfile.open(next(folder.glob("axe-core-*.tgz"))) as archive:
        source = archive.extractfile("package/axe.min.js")
        return source.read().decode()
