"""The page of the wheel: README with links that hold away from the checkout, and the addresses of
the project, which follow from `repository`, a setting of this hook in `pyproject.toml`.

Without an address a link to a file of the checkout is its text alone, as a page of an index has no
files beside it.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?://)([^)]+)\)\n*")
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?://|#)([^)]+)\)")
_PAGES = {"Source": "", "Documentation": "/blob/main/docs/index.md", "Changelog": "/blob/main/CHANGELOG.md"}


def page(readme: str, repository: str) -> str:
    """Return README with absolute links into the repository, or without pictures and links to
    files.
    """
    shown = rf"![\1]({repository}/raw/main/\2)\n\n" if repository else ""
    readme = _IMAGE.sub(shown, readme)
    absolute = rf"[\1]({repository}/blob/main/\2)" if repository else r"\1"
    return _LINK.sub(absolute, readme)


class WheelPage(MetadataHookInterface):
    """Writes the two dynamic fields of the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme` and `urls`."""
        repository = str(self.config.get("repository", "")).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(text, repository)}
        if repository:
            metadata["urls"] = {name: repository + path for name, path in _PAGES.items()}
