"""`--plot` of the commands whose answer is more than one number: what a picture says it shows,
equal bytes, and what is drawn against computations of its own.
"""

import re
from html import unescape

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from pufferproof.models.interface.tabular import new_figure, styled, titled
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.reports.console.drawing import Bar, rendered

THREE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a", "b"], "t": ["c"]},
    "pairs": [["s", "t"]],
    "priors": {"any": {"table": {"a": "1/4", "b": "1/4", "c": "1/2"}}},
}
CHANNEL = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["1/3", "2/3"]},
}
STICKY = [["9/10", "1/10"], ["1/10", "9/10"]]
CHAIN = {
    "format": "pufferproof-framework/1",
    "records": {"count": 4, "alphabet": ["0", "1"]},
    "secrets": {"zero": {"record": 2, "value": "0"}, "one": {"record": 2, "value": "1"}},
    "pairs": [["zero", "one"]],
    "priors": {"theta": {"markov": {"initial": "stationary", "transition": STICKY}}},
}
SAMPLER = "def draw(database, size, rng):\n    return rng.random(size) < (database == 'c') / 2\n"
COMMANDS = {
    "worst three.json --budget log(2) --budget 0.5": (0, "The worst joint leakage within the budgets log(2), 0.5 nats"),
    "conditions three.json channel.json --epsilon log(2)": (
        0,
        "The weakest condition that composes and is met at log(2) is nfc",
    ),
    "translate chain.json --per-record-dp log(2)": (0, "With log(2) for every record the largest leakage is "),
    "compose three.json channel.json --runs 3": (0, "channel.json: 3 runs leak "),
    "reveal three.json channel.json --runs 3": (
        0,
        "By run 3, the secret is certain with probability 0 in the worst case.",
    ),
    "influence chain.json --record 2 --widest 1": (0, "A quilt at distance 1 has influence 4.39 nats."),
    "influence chain.json --curve": (0, "Hiding 1 record leaves "),
    "redact --alpha 1/4 --beta 1/2 --length 3 --private 2 --epsilon 1 --strategy 3r-constant": (
        0,
        "At level 1 nat 3r-constant has the largest utility, ",
    ),
    "fit days.csv --column day --out week.json": (0, "Transitions of a chain of order 1 on 2 values, from 5 records"),
    "estimate three.json draw:draw --epsilon 1 --samples 4000 --trust-code": (
        1,
        "nats, which is more than the level 1 nat, with confidence 95%, from ",
    ),
}


@pytest.fixture
def run(run, save):
    for name, what in (("three", THREE), ("channel", CHANNEL), ("chain", CHAIN)):
        save(f"{name}.json", what)
    save("days.csv", "day\ndry\ndry\nwet\nwet\ndry\n")
    save("draw.py", SAMPLER)
    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture_says_what_it_shows(run, tmp_path, command):
    expected, finding = COMMANDS[command]
    code, out, err = run(*command.split(), "--plot", "one.svg")
    assert (code, err) == (expected, "")
    assert out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out)  # in a pipe
    assert finding in unescape((tmp_path / "one.svg").read_text(encoding="utf-8"))


def test_the_same_input_gives_the_same_picture_and_answer(run, tmp_path):
    command = ["compose", "three.json", "channel.json", "--runs", "3"]
    said = [run(*command, "--plot", name) for name in ("one.svg", "two.svg")]
    assert said == [run(*command)] * 2
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture_that_cannot_be_is_refused_first(run, tmp_path, command):
    before = sorted(tmp_path.iterdir())
    code, out, err = run(*command.split(), "--plot", "picture.gif")
    assert (code, out) == (2, "")
    assert "expected a plot file ending in .svg, .png, .pdf, found '.gif'" in err
    code, out, err = run(*command.split(), "--plot", command.split()[1])
    assert code == 2
    assert "expected a plot file" in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("ends", "number"),
    [
        (("0.5", "0.5"), "0.5"),
        (("0.1", "0.2"), "0.1 to 0.2"),
        (("0.1", "inf"), "at least 0.1"),
        (("inf", "inf"), "infinite"),
        (("0.30000000001", "0.30000000002"), "0.3"),
    ],
)
def test_the_number_of_a_bar(ends, number):
    assert Bar.of("", Enclosure(*ends), "").text == number


def test_levels_of_records_that_differ_are_not_drawn(run, tmp_path):
    (tmp_path / "levels.txt").write_text("0.1\n0.2\n0.1\n0.2\n", encoding="utf-8")
    code, out, err = run("translate", "chain.json", "--levels", "levels.txt", "--plot", "p.svg")
    assert (code, out) == (2, "")
    assert "--plot: expected one level for all records" in err


@pytest.mark.parametrize(
    ("place", "command"),
    [
        ("composition.worst.worst_composition", "worst three.json --budget 1 --out new"),
        ("composition.conditions.composition_conditions", "conditions three.json channel.json"),
        ("composition.worst.worst_plot", "worst three.json --budget 1 --certificate c.json"),
        ("correlation.translate.translation_plot", "translate chain.json 1 --out m.json"),
        ("auditing.samplers.command.estimate_plot", "estimate three.json draw:draw --trust-code"),
    ],
)
def test_an_interruption_ends_with_one_line_and_nothing_written(run, tmp_path, monkeypatch, place, command):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(f"pufferproof.reports.{place}", interrupted)
    code, out, err = run(*command.split(), "--plot", "picture.svg")
    assert (code, out, err) == (130, "", "pufferproof: interrupted\n")
    assert sorted(path for path in tmp_path.iterdir() if path.name != "__pycache__") == before


@pytest.mark.parametrize("words", [1, 9, 60])
@pytest.mark.parametrize("panels", [1, 2])
def test_a_title_is_whole_and_over_everything_else(words, panels):
    with styled():
        figure, _ = new_figure(3)
        figure.clear()
        for axes in figure.subplots(panels, 1, squeeze=False).flat:
            axes.plot([0, 1], [1, 2], label="a curve")
        figure.legend(loc="outside upper left")
        for _ in range(2):  # a title is written once
            titled(figure, " ".join(["influence"] * words))
        figure.get_layout_engine().execute(figure)
        drawn = FigureCanvasAgg(figure).get_renderer()
        (title,), (legend,) = figure.texts, figure.legends
        assert title.get_text().split() == ["influence"] * words
        box, key = title.get_window_extent(drawn), legend.get_window_extent(drawn)
        assert 0 < box.x0 < box.x1 < figure.bbox.x1
        assert max(axes.get_tightbbox(drawn).y1 for axes in figure.axes) < key.y0
        assert key.y1 < box.y0 < box.y1 < figure.bbox.y1


def test_ids_of_a_drawing_do_not_depend_on_the_last_digits_of_places():
    """Processors differ in these; matplotlib hashes all of them."""

    def drawn(shift):
        with styled():
            figure, axes = new_figure(3)
            axes.scatter([1, 2 + shift, 3], [1, 2, 3], s=[3, 9, 27])
            axes.fill_between([0, 1], [0, 1 + shift])
        return rendered(figure, "x.svg", "a finding").decode()

    text = drawn(0.0)
    assert text == drawn(2**-50)
    names = re.findall(r' id="([^"]*)"', text)
    assert len(names) == len({*names})
    assert {*re.findall(r'(?:url\(#|href="#)([^)"]*)', text)} <= {*names}
    assert not [name for name in names if re.search("[0-9a-f]{10}", name)]
