"""`python -I bare.py`: an installation without extras is small, answers what an auditor asks, and
names the extra that anything else needs. It imports nothing of the checkout.
"""

import subprocess
import sys
import tempfile
from importlib.metadata import requires
from pathlib import Path

MOST = 250_000_000  # bytes on disk
AUDIT = ["audit", "mine/framework.toml", "mine/mechanism.toml", "--epsilon", "log(3)"]
PLAN = """format = "pufferproof-release/1"
framework = "mine/framework.toml"
budget = "1"
[[release]]
query = "sum"
noise = { laplace = { scale = "4" } }
records = { first = 1, every = 5, times = 1 }
"""
COUNT = """{"format": "pufferproof-mechanism/1",
 "query": "sum", "noise": {"laplace": {"scale": "4"}}}
"""
CALIBRATED = ["calibrate", "week.json", "--mechanism", "markov-quilt", "--query", "count=1"]
SESSION = [  # words, exit code, how the answer begins
    (["init", "mine"], 0, "framework mine/framework.toml"),
    (AUDIT, 1, "VIOLATES log(3)"),
    (["data", "days.csv", "--length", "7", "--private", "4", "--out", "week.json"], 0, "records "),
    (["audit", "week.json", "count.json", "--evidence", "week.zip"], 0, "leakage "),
    (["check", "week.zip"], 0, "certificate.json: accepted"),
    ([*CALIBRATED, "--epsilon", "1", "--tight"], 0, "scale "),
    (["release", "plan.toml"], 0, "SATISFIES 1 nat"),
    (["compose", *AUDIT[1:3], "--runs", "2"], 0, "single "),
]
REFUSED = [
    (["worst", "mine/framework.toml", "--budget", "1", "--budget", "1"], "solve"),
    ([*AUDIT, "--plot", "p.svg"], "plot"),
    (["prove", "lemma.mediant"], "theory"),
]


def main() -> None:
    """Check all of it in a new folder, and say how large the environment is."""
    size = sum(path.lstat().st_blocks * 512 for path in Path(sys.prefix).rglob("*"))
    assert size < MOST, f"{size} bytes in {sys.prefix}"
    assert not any("extra" not in each and "scipy" in each for each in requires("pufferproof") or [])
    with tempfile.TemporaryDirectory() as folder:
        days = "".join(f"{(day // 4) % 2}\n" for day in range(200))
        Path(folder, "days.csv").write_text(f"busy\n{days}", encoding="utf-8")
        Path(folder, "plan.toml").write_text(PLAN, encoding="utf-8")
        Path(folder, "count.json").write_text(COUNT, encoding="utf-8")
        for words, code, begins in SESSION:
            done = ran(folder, words)
            assert done.returncode == code, (words, done.stderr)
            assert done.stdout.startswith(begins), (words, done.stdout)
        for words, extra in REFUSED:
            done = ran(folder, words)
            assert (done.returncode, done.stdout) == (2, ""), words
            assert done.stderr.count("\n") == 1, done.stderr
            assert f'pip install "pufferproof[{extra}]"' in done.stderr, done.stderr
    print(f"{size / 1e6:.0f} MB; {len(SESSION)} commands answer, {len(REFUSED)} name their extra")


def ran(folder: str, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command of the installation in a folder."""
    command = [sys.executable, "-I", "-m", "pufferproof", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    main()
