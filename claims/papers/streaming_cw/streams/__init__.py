"""Streams of releases and the worlds they come from. Read `blocks` first, then `cw`."""
