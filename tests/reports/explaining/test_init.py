"""`init` writes files that every line of a first session takes, and replaces nothing."""

from pathlib import Path

from pufferproof.verify.kernel import check


def test_what_is_written_is_audited_and_certified(save, run):
    code, out, err = run("init", "mine")
    assert (code, err) == (0, "")
    framework, mechanism = "mine/framework.toml", "mine/mechanism.toml"
    assert f'pufferproof audit {framework} {mechanism} --epsilon "log(3)"' in out
    line = ("audit", framework, mechanism, "--epsilon", "log(3)", "--certificate", "c.json")
    code, out, _ = run(*line)
    assert code == 1
    assert "leakage   log(34992/961)" in out
    assert check("c.json").kind == "leakage-witness"


def test_independent_days_keep_the_level_that_the_comment_says(save, run):
    run("init", ".")
    file = Path("framework.toml")
    text = file.read_text(encoding="utf-8")
    start, end = text.index("[priors.spells"), text.index("[priors.independent]")
    file.write_text(text[:start] + text[end:], encoding="utf-8")
    code, out, _ = run("audit", "framework.toml", "mechanism.toml", "--epsilon", "log(3)")
    assert (code, out.splitlines()[1]) == (0, "leakage   log(3) ≈ 1.09861228867 nats")


def test_nothing_is_replaced(save, run):
    save("mechanism.toml", "mine")
    code, out, err = run("init")
    assert (code, out) == (2, "")
    assert err == "pufferproof: mechanism.toml: is there already, and init replaces nothing\n"
    assert not Path("framework.toml").exists()


def test_every_setting_has_a_comment_before_it(save, run):
    run("init")
    for name in ("framework.toml", "mechanism.toml"):
        paragraphs = Path(name).read_text(encoding="utf-8").strip().split("\n\n")
        assert all(paragraph.startswith("#") for paragraph in paragraphs)
