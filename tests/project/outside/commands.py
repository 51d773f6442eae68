"""One short run of every command of the table, in a process of its own and a folder like the
checkout.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
METER = "examples/correlated/smart-meter"
PAIR = "examples/limits/collapse-pair"
TEXTBOOK = "examples/textbook/randomized-response"
CHAIN = "examples/correlated/chain-count/framework.json"
DAYS = "examples/correlated/seattle-weather/wet-days.csv"

WITHOUT_JSON = {  # they write files, and say which
    "init": ["mine"],
    "export": ["certificate.json", "--coq", "certificate.v"],
    "schema": ["framework"],
    "report": ["few", "--out", "report"],
    "audit-list": ["list.txt"],  # JSON without the option
}
WITH_JSON = {
    "audit": [f"{METER}/framework.json", f"{METER}/mechanism-response.json"],
    "estimate": [f"{METER}/framework.json", "day:release", "--samples", "500", "--trust-code"],
    "compose": [f"{METER}/framework.json", *2 * [f"{METER}/mechanism-response.json"]],
    "check": ["certificate.json", f"{TEXTBOOK}/framework.toml", f"{TEXTBOOK}/mechanism.csv"],
    "ledger": ["few"],
    "prove": ["bai2026.ab", "--no-cache"],
    "reveal": [f"{PAIR}/framework.json", f"{PAIR}/mechanism.json", "--runs", "3"],
    "partner": [
        f"{METER}/framework.json", f"{METER}/mechanism-count.json", "--budget", "log(2)",
        "--out", "partner.json",
    ],
    "worst": [f"{PAIR}/framework.json", "--budget", "log(3/2)", "--budget", "log(3/2)"],
    "optimal": [
        f"{TEXTBOOK}/framework.toml", "--epsilon", "log(3)", "--loss", "loss.json",
        "--out", "best.json",
    ],
    "conditions": [f"{METER}/framework.json", f"{METER}/mechanism-count.json", "--runs", "2"],
    "collapse": [f"{PAIR}/framework.json", "--budget", "log(1)", "--out", "found"],
    "critical": [f"{PAIR}/framework.json", "--runs", "2"],
    "redact": [
        "--alpha", "1/4", "--beta", "1/2", "--length", "2", "--private", "1",
        "--epsilon", "log(3/2)", "--strategy", "3r-exact",
    ],
    "influence": [CHAIN, "--record", "500", "--left", "9", "--right", "9"],
    "calibrate": [CHAIN, "--mechanism", "markov-quilt", "--query", "sum", "--epsilon", "1"],
    "release": ["plan.toml"],
    "stream": ["examples/streams/meter.json"],
    "translate": [f"{TEXTBOOK}/framework-siblings.json", "--per-record-dp", "log(2)"],
    "explore": ["few.toml", "--jobs", "1"],
    "fit": [DAYS, "--column", "day", "--length", "4", "--private", "2", "--out", "week.json"],
    "reproduce": ["bai2026.table6"],
}  # fmt: skip
FILES = {
    "list.txt": f"{METER}/framework.json {METER}/mechanism-response.json\n",
    "day.py": "def release(database, size, rng):\n    return database.count('1') + rng.laplace(scale=1, size=size)\n",
    "loss.json": '{"format": "pufferproof-loss/1", "outputs": ["a", "b", "c", "d"], "loss": {'
    '"a": ["0", "1", "1", "1"], "b": ["1", "0", "1", "1"], '
    '"c": ["1", "1", "0", "1"], "d": ["1", "1", "1", "0"]}}',
    "plan.toml": 'format = "pufferproof-release/1"\n'
    f'framework = "{CHAIN}"\nbudget = "1"\n'
    '[[release]]\nquery = "sum"\nnoise = { laplace = { scale = "4" } }\n'
    "records = { first = 1, every = 500, times = 2 }\n",
    "few.toml": 'format = "pufferproof-family/1"\nper_record_dp = ["1"]\n'
    '[parameters]\nstay = ["9/10"]\n[framework]\npairs = "disjoint"\n'
    '[framework.records]\ncount = 3\nalphabet = ["0", "1"]\n'
    '[framework.secrets]\nout = {record = 2, value = "0"}\nhome = {record = 2, value = "1"}\n'
    '[framework.priors.chain.markov]\ninitial = "stationary"\n'
    'transition = [["9/10", "1/10"], ["= 1 - stay", "= stay"]]\n',
}


def prepared(folder):
    """Fill a folder with what the commands read."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "verify").symlink_to(ROOT / "verify")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "few").mkdir()
    (folder / "few" / "examples").symlink_to(ROOT / TEXTBOOK)
    files = [f"{TEXTBOOK}/framework.toml", f"{TEXTBOOK}/mechanism.csv"]
    made = ran(folder, "audit", *files, "--certificate", "certificate.json", "--epsilon", "log(3)")
    assert made.returncode == 0, made.stderr
    return folder


def ran(folder, *words, program=("-m", "pufferproof"), **environment):
    """Run a command in a process of its own, and return what it printed."""
    return subprocess.run(
        [sys.executable, *program, *words],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
