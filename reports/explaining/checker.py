"""The page that checks certificates: one file, for a reader who takes it from the project rather
than from the author of a certificate.

It holds the program that Coq extracts (`formal/browser/verified.js`), and needs no network. Its
content security policy names the hashes of both programs, so that nothing else runs in it.
"""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files

from markupsafe import Markup

from pufferproof.reports.console.labels import policy_hash, rendered

_MOST_BYTES = 64 * 1024  # of a certificate that is part of a page
_BROWSER = files("pufferproof") / "formal" / "browser"


def checker_page(certificates: Mapping[str, str] | None = None) -> str:
    """Return the page, with texts of certificates by their names for a button each: nothing says
    that one is accepted before the page has checked it.

    >>> "Content-Security-Policy" in checker_page()
    True
    """
    program = (_BROWSER / "verified.js").read_text(encoding="utf-8")
    built = json.loads((_BROWSER / "BUILT.json").read_text(encoding="utf-8"))
    places = files("pufferproof.reports") / "templates"
    style, buttons = ((places / name).read_text(encoding="utf-8") for name in ("checker.css", "checker.js"))
    context = {
        "style": Markup(style),
        "program": Markup(program),
        "buttons": Markup(buttons),
        "style_hash": _policy(style),
        "program_hash": _policy(program),
        "buttons_hash": _policy(buttons),
        "program_digest": hashlib.sha256(program.encode()).hexdigest(),
        "size": f"{len(program.encode()):,}",
        "tools": built["tools"],
        "version": version("pufferproof"),
        "certificates": [{"name": name, "text": _embedded(text)} for name, text in (certificates or {}).items()],
    }
    return rendered("checker.html.j2", context)


def _embedded(text: str) -> Markup | None:
    """Return a text as the content of a script that is none, None if it is too long."""
    few = len(text.encode()) <= _MOST_BYTES
    return Markup(text.replace("<", "\\u003c")) if few else None


def _policy(text: str) -> Markup:
    return Markup(f"'{policy_hash(text)}'")
