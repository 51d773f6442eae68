"""Turn one pytest-benchmark run into the table of README.md: medians with the least time of all
rounds, and ratios within the run.
"""

import json
import platform
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent / "README.md"
COLUMNS = ["what", "time (least)", "compared with", "ratio", "target"]
PEERS = ["asked", "here", "peer", "its time", "we are", "answers"]

OF_ALL_ROOMS = ("test_certified_audit", "test_all_claims_cold", "test_rays_beside")


class Seconds(float):
    """A median, with the least time of all rounds where there was more than one."""

    least: float | None = None


def seconds_of(entry: dict) -> Seconds:
    """Return the time of a benchmark; where it measured itself, what it says."""
    info, stats = entry["extra_info"], entry["stats"]
    scale = info.get("scale", 1)
    found = Seconds(info.get("seconds", stats["median"] * scale))
    if "seconds" not in info and stats["rounds"] > 1:
        found.least = stats["min"] * scale
    return found


def commit() -> str:
    """Return the commit that was measured, and whether anything differed from it."""
    git = lambda *words: subprocess.run(  # noqa: E731
        ["git", *words], cwd=README.parent, check=True, capture_output=True, text=True
    ).stdout.strip()
    written = [f":!{README.name}", ":!quilt_search.svg"]  # by the run itself
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", *written)
    return f"commit {git('rev-parse', '--short=10', 'HEAD')}" + " with changes" * bool(changed)


def main(results: str) -> None:
    """Replace the table in README.md by the results in a JSON file of pytest-benchmark."""
    found = {entry["name"]: entry for entry in json.loads(Path(results).read_text())["benchmarks"]}
    median = {name: seconds_of(entry) for name, entry in found.items()}
    text = README.read_text(encoding="utf-8")
    whole = all(any(name.startswith(each) for name in found) for each in OF_ALL_ROOMS)
    rows = _described_rows(found, median)
    if whole:
        rows = [
            *_kernel_rows(found, median),
            *_memory_rows(found, median),
            *_claim_rows(found, median),
            *_rate_rows(found, median),
            *rows,
        ]
    for name, columns, measured in (("table", COLUMNS, rows), ("peers", PEERS, _peer_rows(found, median))):
        if measured:
            said = _measured(found)
            if not whole:
                said, measured = _among_others(_inside(text, name), said, measured)
            text = between(text, name, f"{said}\n\n{table(columns, measured)}")
    README.write_text(text, encoding="utf-8")
    print(text)


def _among_others(text: str, said: str, rows: list[str]) -> tuple[str, list[str]]:
    """Put the rows of some rooms in the places of those that they measure again, and say of what
    run the others are.
    """
    inside = text.split("\n\n")
    new = {_asked(row): row for row in rows}
    old = inside[-1].splitlines()[2:]
    kept = [new.pop(_asked(row), row) for row in old]
    others = inside[0].removeprefix("Rows of some rooms: ").partition(" Other rows: ")
    before = others[2] or others[0]
    return f"Rows of some rooms: {said} Other rows: {before}", [*kept, *new.values()]


def _asked(row: str) -> tuple[str, ...]:
    """Return what a row asks, with the peer of one that has an answer, without its version."""
    first, *cells = row.strip("|").split(" | ")
    if len(cells) < len(PEERS) - 1:
        return (first.strip(),)
    kind = "" if re.fullmatch(r"[\d.]+ m?s", cells[0]) else cells[0]
    return first.strip(), kind, re.sub(r"[\d.]+", "", cells[1])


def _inside(text: str, name: str) -> str:
    return text.partition(f"<!-- {name} -->")[2].partition(f"<!-- end of {name} -->")[0].strip()


def _measured(found: dict[str, dict]) -> str:
    return (
        f"Measured on {commit()}, {platform.machine()}, Python {platform.python_version()}, "
        f"{len(found)} benchmarks in one run."
    )


def between(text: str, name: str, inside: str) -> str:
    """Return a text with everything between two marks replaced."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    head, _, rest = text.partition(start)
    return f"{head}{start}\n\n{inside}\n\n{end}{rest.partition(end)[2]}"


def table(columns: list[str], rows: list[str]) -> str:
    return "\n".join([f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *rows])


def _peer_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    """Return the rows of the benchmarks that name a peer: same inputs, both times, answers."""
    rows = []
    for name, entry in found.items():
        info = entry["extra_info"]
        if "peer" in info:
            other = info["peer_seconds"]
            cells = (info["asked"], _time(median[name]), info["peer"], _time(other))
            cells += (_compared(other / median[name]), info["answers"])
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def _compared(ratio: float) -> str:
    """Say how much faster we are, or slower, given a peer's time over ours."""
    times = max(ratio, 1 / ratio)
    shown = f"{times:,.0f}" if times >= 10 else f"{times:.2g}"
    return f"{shown} x {'faster' if ratio >= 1 else 'slower'}"


def _kernel_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    checked, seconds = found["test_kernel"]["extra_info"]["checked"], median["test_kernel"]
    certified, exact = median["test_certified_audit"], median["test_audit_again"]
    return [
        _row(
            "certified audit, 512 x 512, 32 pairs (written and checked)",
            certified,
            f"the audit alone, again, {_time(exact)}",
            f"{certified / exact:,.0f} x the time",
            "at most 200 x",
        ),
        _row(
            f"kernel, {checked:,} inequalities of that certificate",
            seconds,
            "",
            f"{checked / seconds:,.0f} a second",
            "",
        ),
    ]


def _memory_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    rows = []
    for name, entry in found.items():
        if name.startswith("test_memory_of_a_large_float_matrix"):
            peak, matrix = entry["extra_info"]["peak_mb"], entry["extra_info"]["matrix_mb"]
            what = f"2,048 x 2,048 `.npy`, {name.partition('[')[2].rstrip(']').replace('_', ' ')}"
            limit = 4 * matrix + 200
            rows.append(
                _row(what, median[name], f"matrix of {matrix:.0f} MB", f"peak {peak:.0f} MB", f"at most {limit:.0f} MB")
            )
    return rows


def _claim_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    cold, cached, report = (
        median[f"test_{name}"] for name in ("all_claims_cold", "all_claims_cached", "report_of_two_hundred_claims")
    )
    claims, peak = (found["test_all_claims_cold"]["extra_info"][key] for key in ("claims", "peak_mb"))
    return [
        _row(
            f"`prove`, all {claims} claims, cold",
            cold,
            "largest process",
            f"peak {peak:.0f} MB",
            "under 5 min and 2 GB",
        ),
        _row(
            f"`prove`, all {claims} claims, cached",
            cached,
            f"cold, {_time(cold)}",
            f"{cold / cached:.0f} x faster",
            "under 3 s",
        ),
        _row("proof-check report of 200 claims", report, "", "", "under 10 s"),
    ]


def _rate_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    rows = []
    for size, shown, per_second in (("16x16", "16 x 16", "at least 200 a second"), ("64x64", "64 x 64", "")):
        raw, rate, nfc, judged = (
            median[f"test_{name}[{size}]"]
            for name in ("raw_highs", "composition_rate", "nfc_at_the_rate", "kernel_of_rates")
        )
        count = found[f"test_raw_highs[{size}]"]["extra_info"]["programs"]
        highs = f"HiGHS alone, {_time(raw)}"
        most = "at most 2 x" if size == "64x64" else ""
        what = f"composition rate, {shown}, 32 pairs, {count:,} games with bounds"
        rows += [
            _row(what, rate, highs, f"{rate / raw:.1f} x the time", most),
            _row("the same", rate, "", f"{count / rate:,.0f} games a second", per_second),
            _row(f"NfC at that rate, {shown}", nfc, highs, f"{nfc / raw:.1f} x the time", most),
            _row(
                f"certificate of the rate, {shown}, written and checked",
                judged,
                f"the rate, {_time(rate)}",
                f"{judged / rate:.1f} x the time",
                "",
            ),
            _row(
                f"the rate with its certificate, {shown}",
                Seconds(rate + judged),
                highs,
                f"{(rate + judged) / raw:.1f} x the time",
                "at most 2 x" if size == "16x16" else "",
            ),
        ]
    return rows


def _described_rows(found: dict[str, dict], median: dict[str, float]) -> list[str]:
    """Return the rows of the benchmarks that say themselves, in `extra_info`, what they time
    and compare with.
    """
    described = [(name, entry["extra_info"]) for name, entry in found.items() if "what" in entry["extra_info"]]
    return [
        _row(info["what"], median[name], *(info.get(key, "") for key in ("compared", "ratio", "target")))
        for name, info in described
    ]


def _row(what: str, seconds: float, other: str, ratio: str, target: str) -> str:
    least = getattr(seconds, "least", None)
    time = _time(seconds) + (f" ({_time(least)})" if least is not None else "")
    return f"| {what} | {time} | {other} | {ratio} | {target} |"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"


if __name__ == "__main__":
    main(sys.argv[1])
