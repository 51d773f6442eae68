"""Pages from templates: every text is escaped, and no sign hides or moves others.

jinja2 is imported when a page is written.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pufferproof.reports.console.labels import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$#&])")


def rendered(template: str, context: Mapping[str, Any]) -> str:
    """Fill a template; everything but our own plots and formulas is escaped in HTML."""
    return str(_environment().get_template(template).render(context))


def own_script() -> dict[str, object]:
    """Return our own script for a page, with the hash by which the page's policy lets it run,
    and nothing else.
    """
    from markupsafe import Markup

    source = files("pufferproof.reports").joinpath("templates/proofs/filter.js")
    script = source.read_text(encoding="utf-8")
    return {"script": Markup(script), "script_hash": policy_hash(script)}


def policy_hash(text: str) -> str:
    """Return the hash by which a content security policy names a script or a style.

    >>> policy_hash("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def markdown(value: object) -> str:
    """Escape text for Markdown, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) or not isinstance(value, str) else visible(value),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["markdown"] = markdown
    return environment
