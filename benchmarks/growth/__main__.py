"""Measure every subject, or those named, and write what was measured: `sizes.json`, the table of
README.md, `sizes.svg`, and the practical limits in the pages of docs/.

    python -m benchmarks.growth [NAME...]    measure these, or all
    python -m benchmarks.growth --write      write again what was measured
"""

import sys

from benchmarks.growth.drawing import draw
from benchmarks.growth.measuring import kept, measured, stored
from benchmarks.growth.subjects import SUBJECTS
from benchmarks.growth.writing import pages


def main(words: list[str]) -> None:
    curves = kept()
    for subject in [] if words == ["--write"] else SUBJECTS:
        if not words or subject.name in words:
            curves[subject.name] = measured(subject)
            print(f"{subject.name}: {curves[subject.name].exponent:.1f}", flush=True)
    curves = {each.name: curves[each.name] for each in SUBJECTS}
    stored(curves)
    for path, text in pages(curves).items():
        path.write_text(text, encoding="utf-8")
    draw(curves)


main(sys.argv[1:])
