"""Inputs that reach new code of the readers, by atheris, which is installed by hand.

    pip install atheris
    python -m tests.models.files.fuzz.covered FORMAT [-max_total_time=600 ...]

Each input is judged as those of the other runs are; one that crashes, hangs or is read as another
ends the run, and libFuzzer writes it into a file. Begins with the files of the corpus.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


def main(words: Sequence[str]) -> int:
    try:
        import atheris  # type: ignore[import-not-found]
    except ImportError:
        print("expected atheris: pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(
        include=["pufferproof.models.files", "pufferproof.models.numbers"]
    ):
        from tests.models.files.fuzz.formats import FORMATS
        from tests.models.files.fuzz.units import BAD, bases, verdict
    if not words or words[0] not in FORMATS:
        print(f"expected one of {', '.join(FORMATS)}", file=sys.stderr)
        return 2
    name, *options = words
    suffix = bases(name)[0][0]

    def once(data: bytes) -> None:
        told = verdict(name, suffix, data)
        if told.partition(":")[0] in BAD:
            raise RuntimeError(told)

    with tempfile.TemporaryDirectory() as folder:
        for number, (ending, data) in enumerate(bases(name)):
            if ending == suffix:
                (Path(folder) / str(number)).write_bytes(data)
        atheris.Setup([sys.argv[0], folder, *options], once)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
