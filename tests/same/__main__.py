"""Record the answers to drawn questions anew, or compare what they cost: `python -m tests.same`.

`python -m tests.same record` writes `recorded.jsonl`: of each kind the first questions that are
answered within a second of CPU time. Run it where answers are meant to change, and read what it
says of them; `python -m tests.same record KIND ..` writes these kinds only.
`python -m tests.same cost` compares the CPU time of each kind with the recorded one. Both are
divided by the time of a fixed computation on fractions, so that machines can differ.
"""

import json
import signal
import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from tests.same.answers import RECORDED, Answer, answered, recorded, worse
from tests.same.kinds import KINDS, question
from tests.same.questions import ONE_RELEASE

COST = Path(__file__).with_name("cost.json")
EACH, OTHERS = 64, 32  # questions of each kind about one release, and of each other kind
LIBRARIES = (  # whose imports are not the cost of a question, and cannot be interrupted
    *("numpy", "scipy.optimize", "scipy.stats", "pandas", "highspy", "flint", "networkx"),
    *("opendp.prelude", "diffprivlib.mechanisms", "sympy", "z3", "cvc5"),
)
MOST_SECONDS = 1.0  # for one question: the whole of them has to run with every change
MOST_SLOWER = 1.2


class TooSlow(BaseException):
    """A question takes too long to be asked with every change; no `except Exception` holds it."""


def _stop(signum: int, frame: FrameType | None) -> None:
    raise TooSlow


def ask(kind: str, number: int) -> Answer:
    with TemporaryDirectory() as folder:
        return answered(question(kind, number), Path(folder))


def record(kinds: Sequence[str]) -> None:
    """Write the answers of the first questions of kinds, and say what is worse than before."""
    before = {
        (kind, number): answer for kind, rows in recorded().items() for number, answer in rows
    }
    lines = []
    for library in LIBRARIES:
        import_module(library)
    signal.signal(signal.SIGPROF, _stop)
    for done, kind in enumerate(KINDS):
        if kind not in kinds:
            lines += _written([(kind, *row) for row in recorded().get(kind, [])])
            continue
        answers, number, slow, refused = [], 0, 0, 0
        while len(answers) < (EACH if kind in ONE_RELEASE else OTHERS):
            signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
            try:
                answer = ask(kind, number)
            except TooSlow:
                slow += 1
            else:
                if "refused" in answer:
                    refused += 1
                    if "internal error" in answer["refused"]:
                        print(f"  {kind} {number}: {answer['refused'].strip()}")
                else:
                    answers.append((kind, number, answer))
                if (kind, number) in before:
                    for line in worse(before[kind, number], answer):
                        print(f"  {kind} {number}: {line}")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            number += 1
        lines += _written(answers)
        print(
            f"{done + 1}/{len(KINDS)} {kind}: left out {slow} slow, {refused} refused", flush=True
        )
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _written(rows: Sequence[tuple[str, int, Answer]]) -> list[str]:
    return [json.dumps(row, separators=(",", ":")) for row in rows]


def _unit() -> float:
    """CPU seconds of a fixed computation: sums of fractions, as most answers are."""
    start = time.process_time()
    for _ in range(20):
        sum((Fraction(1, each * each) for each in range(1, 400)), Fraction(0))
    return time.process_time() - start


def cost(write: bool) -> bool:
    """Say how the CPU time of each kind compares with the recorded one; False if all is slower."""
    before = json.loads(COST.read_text(encoding="utf-8")) if COST.exists() else {}
    now = {}
    for library in LIBRARIES:
        import_module(library)
    ask("listed", 0)  # what it imports is not its cost either
    for kind, rows in recorded().items():
        unit, start = _unit(), time.process_time()
        for number, _ in rows:
            ask(kind, number)
        now[kind] = round((time.process_time() - start) / min(unit, _unit()), 2)
        if kind in before:
            print(f"{kind:22} {now[kind]:8} recorded {before[kind]:8}", flush=True)
    if write:
        COST.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return True
    ratio = sum(now.values()) / sum(before.values())
    print(f"all kinds: {ratio:.3f} of the recorded cost, at most {MOST_SLOWER}")
    return ratio <= MOST_SLOWER


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", *kinds] if {*kinds} <= {*KINDS}:
            record(kinds or list(KINDS))
        case ["cost"]:
            sys.exit(not cost(write=False))
        case ["cost", "--record"]:
            cost(write=True)
        case _:
            sys.exit("say: python -m tests.same record [KIND ..], cost, or cost --record")
