"""What the package needs at run time, and what its extras add: versions and licences, from the
metadata of what is installed.

    python docs/site/dependencies.py           # prints the table, as Markdown
    python docs/site/dependencies.py --check   # fails where a licence is not allowed

At run time, with the extras of `RUN_TIME` too, all licences are permissive, but those of `KNOWN`,
each with the reason. Under the GPL are other extras alone, which nobody needs.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

PERMISSIVE = re.compile(r"\b(MIT(-0|-CMU)?|BSD|0BSD|BSD-[23]-Clause|[23]-clause BSD|Apache|PSF|Python Software|ISC)\b")
COPYLEFT = re.compile(r"\b(L?GPL|AGPL|MPL|Lesser|General Public|EUPL|CDDL|EPL)", re.IGNORECASE)
LIBRARIES = "under the LGPL, as libraries of their own"
KNOWN = {
    "python-flint": f"its wheels bring FLINT, GMP and MPFR, {LIBRARIES}",
    "cvc5": f"BSD-3-Clause, by COPYING; its wheels bring GMP, MPFR and libpoly, {LIBRARIES}",
}
RUN_TIME = ("solve", "plot", "theory")  # what commands import when they are asked for more
EXTRAS = (*RUN_TIME, "testing", "dask", "pandas", "parquet", "opendp", "diffprivlib", "hmmlearn", "pgmpy")


def named(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needs(found: Distribution, extras: tuple[str, ...] = ()) -> Iterator[str]:
    """The names of what a package requires here, with some of its extras."""
    from packaging.requirements import Requirement

    for text in found.requires or []:
        each = Requirement(text)
        asked = [{"extra": extra} for extra in extras] or [{"extra": ""}]
        if each.marker is None or any(each.marker.evaluate(more) for more in asked):
            yield named(each.name)


def closure(extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """All that is installed with the package, with some of its extras."""
    found: dict[str, Distribution] = {}
    left = [*needs(distribution("pufferproof"), extras), *needs(distribution("pufferproof"))]
    while left:
        name = left.pop()
        if name not in found:
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:  # an extra that is not installed
                continue
            left += needs(found[name])
    return dict(sorted(found.items()))


def licence(found: Distribution) -> str:
    """The licence as the metadata say it, in a few words."""
    said = found.metadata
    classifiers = [
        each.rpartition(" :: ")[2]
        for each in said.get_all("Classifier") or []
        if each.startswith("License ::") and each != "License :: OSI Approved"
    ]
    text = said.get("License-Expression") or "; ".join(classifiers)
    return text or (said.get("License") or "").strip().split("\n")[0][:60]


def wrong(names: dict[str, Distribution]) -> list[str]:
    """What is neither permissive nor known."""
    said = {name: licence(found) for name, found in names.items()}
    return [
        f"{name}: expected a permissive licence, found {text or 'none'}"
        for name, text in said.items()
        if name not in KNOWN and (COPYLEFT.search(text) or not PERMISSIVE.search(text))
    ]


def table() -> Iterator[str]:
    """The page: what is needed, then what extras add."""
    needed, every = closure(), closure(EXTRAS)
    yield "| package | version | licence | needed by |\n|---|---|---|---|"
    for name, found in every.items():
        by = "the package" if name in needed else "an extra"
        note = f" ({KNOWN[name]})" if name in KNOWN else ""
        yield f"| {name} | {found.version} | {licence(found)}{note} | {by} |"


def main(words: list[str]) -> int:
    if words == ["--check"]:
        needed = closure(RUN_TIME)
        found = wrong(needed)
        print(*found or [f"{len(needed)} packages at run time: no licence in the way"], sep="\n")
        return int(bool(found))
    print(*table(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
