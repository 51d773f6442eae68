"""Plots inside a page: a caption, what is seen in words for who cannot see it, and the SVG."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.drawing import (
    inline_svg,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure(
    name: str, caption: str, told: str, draw: "Callable[[], Figure]"
) -> dict[str, Any] | None:
    """Return a plot as SVG with a caption, None where it is not defined."""
    try:
        drawn = draw()
    except ModelError:
        return None
    return {"caption": caption, "svg": Markup(inline_svg(drawn, name, f"{caption}. {told}."))}
