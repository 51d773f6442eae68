"""Plots of an audit: `curves` first, which draws them by name; `listed` has those of pages, too."""
