"""Every command asks for the names of its outputs before it reads or computes anything."""

import click
import pytest
import typer

from pufferproof.models.errors import ModelError
from pufferproof.reports import cli
from pufferproof.reports.console import options
from pufferproof.reports.console.options import expect_all_outputs

READ = {"--databases", "--check", "--claims", "--loss", "--sequence", "--profile", "--levels"}
READ |= {"--formula", "--data", "--benchmarks", "--start", "--query", "--utility"}
KEPT = {"--resume", "--ledger"}  # what a command goes on with


def commands():
    group = typer.main.get_command(cli.app)
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield name, getattr(command, "command", command)


def options_of(command):
    return [each for each in command.params if each.param_type_name == "option"]


def names_a_place(option):
    return any(word in str(option.metavar or "") for word in ("FILE", "DIR", "STORE", "FOLDER"))


OUTPUTS = [
    (name, command, option) for name, command in commands() for option in options_of(command) if options._writes(option)
]


def test_every_option_that_names_a_place_is_read_or_written():
    for _, command in commands():
        for option in filter(names_a_place, options_of(command)):
            assert options._writes(option) != (option.opts[0] in READ | KEPT), option.opts
    assert len(OUTPUTS) > 40


@pytest.mark.parametrize(("name", "command", "option"), OUTPUTS, ids=[f"{n} {o.opts[0]}" for n, _, o in OUTPUTS])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_read(tmp_path, name, command, option):
    values = {each.name: None for each in command.params}
    folder = "DIR" in option.metavar
    taken, blocked = tmp_path / "taken.svg", tmp_path / "taken.svg" / "x.svg"
    folder_there = tmp_path / "there.svg"
    folder_there.mkdir()
    taken.write_text("somebody's")
    bad = [blocked, taken] if folder else [blocked, taken, folder_there, tmp_path / "no" / "x.svg"]
    for path in bad:
        with pytest.raises(ModelError) as error:
            expect_all_outputs(name, command.params, values | {option.name: str(path)})
        assert error.value.where == str(path)
    fine = tmp_path / "new.svg"
    expect_all_outputs(name, command.params, values | {option.name: str(fine)})
    read = [each for each in command.params if each.param_type_name == "argument"]
    if read and not folder:
        values |= {option.name: str(taken), read[0].name: str(taken)}
        with pytest.raises(ModelError, match="already read or written"):
            expect_all_outputs(name, command.params, values)
    assert sorted(tmp_path.iterdir()) == [taken, folder_there]
    assert taken.read_text() == "somebody's"


def test_two_outputs_in_one_file_are_refused_and_replace_overwrites(tmp_path):
    (command,) = [command for name, command in commands() if name == "audit"]
    values = {each.name: None for each in command.params}
    path = str(tmp_path / "x")
    with pytest.raises(ModelError, match="already read or written"):
        expect_all_outputs("audit", command.params, values | {"csv": path, "certificate": path})
    (tmp_path / "x").write_text("an earlier one")
    options.allow_replacing(True)
    try:
        expect_all_outputs("audit", command.params, values | {"csv": path})
    finally:
        options.allow_replacing(False)


def test_the_kind_of_a_plot_is_asked_first(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("audit", "no.json", "neither.json", "--plot", "x.qqq")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "expected a plot file" in err


@pytest.mark.parametrize("option", ["--certificate", "--evidence", "--csv", "--out"])
def test_commands_ask_first(run, monkeypatch, tmp_path, option):
    (tmp_path / "x" if option != "--out" else tmp_path / "x" / "y").parent.mkdir(exist_ok=True)
    place = tmp_path / "x"
    (place / "y" if option == "--out" else place).write_text("somebody's")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("audit", "no.json", "neither.json", option, "x")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--replace" in err  # and not that no.json is missing
