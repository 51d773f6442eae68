"""Record the answers to drawn questions anew, or compare what they cost: `python -m tests.same`.

`python -m tests.same record` writes `recorded.jsonl`: of each kind the first questions that are
answered within a second of CPU time, or within two if they are recorded already, and of a kind that
costs much fewer of them. Run it where answers are meant to change, and read what it says of them;
`python -m tests.same record KIND ..` writes these kinds only.
`python -m tests.same cost` compares the CPU time of each kind with the recorded one. Both are
divided by the time of a fixed computation on fractions, so that machines can differ.
"""

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.same.answers import RECORDED, Answer, answered, recorded, worse
from tests.same.kinds import KINDS, question
from tests.same.questions import ONE_RELEASE

COST = Path(__file__).with_name("cost.json")
EACH, OTHERS = 64, 32  # questions of each kind about one release, and of each other kind
LIBRARIES = (  # whose imports are not the cost of a question
    *("numpy", "scipy.optimize", "scipy.stats", "pandas", "highspy", "flint", "networkx"),
    *("opendp.prelude", "diffprivlib.mechanisms", "sympy", "z3", "cvc5", "jinja2"),
)
MOST_SECONDS = 1.0  # for one question: the whole of them has to run with every change
MOST_OF_A_KIND, LEAST = 6.0, 16  # seconds for a kind, which has at least so many questions
MOST_SLOWER = 1.2


def ask(kind: str, number: int) -> Answer:
    with TemporaryDirectory() as folder:
        return answered(question(kind, number), Path(folder))


def ask_within(seconds: float, kind: str, number: int) -> Answer | None:
    """Ask in a process of its own, which ends after so much CPU time: one that is interrupted may
    leave behind a precision or a rounding that later answers are not meant to have.
    """
    with TemporaryDirectory() as folder:
        asked, said = Path(folder, "asked"), Path(folder, "said.json")
        asked.mkdir()
        child = os.fork()
        if child == 0:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            found = answered(question(kind, number), asked)
            signal.setitimer(signal.ITIMER_PROF, 0)
            said.write_text(json.dumps([found, _modules()]), encoding="utf-8")
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status == -signal.SIGPROF:
            return None
        if status:
            sys.exit(f"{kind} {number}: the process that answers ended with {status}")
        answer, modules = json.loads(said.read_text(encoding="utf-8"))
    for module in modules:  # the next process has them
        import_module(module)
    return answer


def _modules() -> list[str]:
    return [each for each in sys.modules if each.startswith("pufferproof.")]


def record(kinds: Sequence[str]) -> None:
    """Write the answers of the first questions of kinds, and say what is worse than before."""
    before = {(kind, number): answer for kind, rows in recorded().items() for number, answer in rows}
    lines = []
    for library in LIBRARIES:
        import_module(library)
    for done, kind in enumerate(KINDS):
        if kind not in kinds:
            lines += _written([(kind, *row) for row in recorded().get(kind, [])])
            continue
        answers, number, slow, refused = [], 0, 0, 0
        most, start = EACH if kind in ONE_RELEASE else OTHERS, _spent()
        while len(answers) < LEAST or (len(answers) < most and _spent() - start < MOST_OF_A_KIND):
            known = before.get((kind, number))
            answer = ask_within(MOST_SECONDS * (2 if known else 1), kind, number)
            if answer is None:
                slow += 1
            elif "refused" in answer:
                refused += 1
                if "internal error" in answer["refused"]:
                    print(f"  {kind} {number}: {answer['refused'].strip()}")
            else:
                answers.append((kind, number, answer))
            if known and answer is not None:
                for line in worse(known, answer):
                    print(f"  {kind} {number}: {line}")
            number += 1
        lines += _written(answers)
        print(f"{done + 1}/{len(KINDS)} {kind}: left out {slow} slow, {refused} refused", flush=True)
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _spent() -> float:
    """CPU seconds of all processes that answered."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
