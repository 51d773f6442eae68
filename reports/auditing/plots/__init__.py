"""Plots of an audit: `curves` first, which draws them by name; `listed` has those of pages, too."""

NAMES = ("profile", "loss", "trade-off", "region", "odds", "outputs", "paths")  # what `--draw` takes
