"""Commands that are imported when they are run: `--help` and `--version` import none of them."""

import gc
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from pufferproof.models.errors import ModelError
from pufferproof.reports.console.streams import aside

EXIT_CODES = "0 done, 1 violated, refused or different, 2 bad input, 3 undecided"


@dataclass(frozen=True)
class Place:
    """Where the function of a command stands, `module:function`, what the first paragraph of its
    help says, and its last: an example, and the guide in `docs/`.
    """

    path: str
    says: str
    example: str
    guide: str
    groups: Mapping[str, str] = field(default_factory=dict)  # titles, and the options below each

    @property
    def last_words(self) -> str:
        """What help ends with, line by line as it stands."""
        return (
            f"\b\nExample:     pufferproof {self.example}\n"
            f"Exit codes:  {EXIT_CODES}\n"
            f"Guide:       docs/{self.guide}"
        )

    def command(self, name: str) -> Any:
        """Import the function and make a command of it."""
        module, _, function = self.path.partition(":")
        alone = typer.Typer(rich_markup_mode=None, add_completion=False)
        plain = alone.command(name, cls=GroupedCommand, epilog=self.last_words)
        plain(getattr(_imported(module), function))
        made: Any = typer.main.get_command(alone)
        made.groups = self.groups
        from pufferproof.reports.console.options import replacing_option

        made.params += replacing_option(made.params)
        for argument in made.params:
            if argument.param_type_name == "argument":
                _name_plainly(argument)
        return made


class GroupedCommand(TyperCommand):
    """A command whose help has its options by groups; options of no group come last."""

    groups: Mapping[str, str] = {}

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless it would end at a zip that exists already. What others print
        meanwhile is no part of its answer.
        """
        from pufferproof.reports.console.options import expect_new_evidence

        expect_new_evidence(ctx.params)
        with aside():
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then every group of options under its title."""
        known = [
            (param, record)
            for param in self.get_params(ctx)
            if (record := param.get_help_record(ctx)) is not None
        ]
        titles = {option: title for title, said in self.groups.items() for option in said.split()}
        rows: dict[str, list[Any]] = {"Arguments": [], **{title: [] for title in self.groups}}
        for param, record in known:
            is_argument = param.param_type_name == "argument"
            title = "Arguments" if is_argument else titles.get(param.opts[0], "Options")
            rows.setdefault(title, []).append(record)
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class LaterCommand(TyperCommand):
    """A name and one line of help, until the command is run or completed."""

    def __init__(self, name: str, place: Place) -> None:
        super().__init__(name, help=place.says)
        self.place = place

    @cached_property
    def command(self) -> Any:
        """The command itself."""
        return self.place.command(self.name or "")

    def make_context(
        self, info_name: object, args: object, parent: object = None, **extra: object
    ) -> Any:
        """Make the context of the command itself, which parses the arguments."""
        return self.command.make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """The commands of a table; help lists them by their groups, with whole sentences."""

    table: ClassVar[dict[str, Place]] = {}
    groups: ClassVar[dict[str, str]] = {}
    replaced: ClassVar[dict[str, str]] = {}  # an old name, and what to type instead

    def __init__(self, **settings: Any) -> None:
        later = {name: LaterCommand(name, place) for name, place in self.table.items()}
        super().__init__(**{**settings, "commands": later})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of the first word. Raises `ModelError`, which says what to type in
        place of an old name.
        """
        if args and args[0] in self.replaced:
            raise ModelError(f"{args[0]} is now `pufferproof {self.replaced[args[0]]}`")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write every group of commands under its title."""
        for title, names in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name, self.table[name].says) for name in names.split()])


def _name_plainly(argument: Any) -> None:
    """Let help call an argument by its name alone: `FRAMEWORK`, `[FOLDER]`, `MECHANISM...`."""
    said, name = argument.get_help_record, argument.metavar or argument.name.upper()
    optional = not argument.required and not name.startswith("[")
    argument.get_help_record = lambda context: (name, said(context)[1])
    argument.get_usage_pieces = lambda context: [f"[{name}]" if optional else name]


def _imported(name: str) -> ModuleType:
    """Import a module without looking for garbage meanwhile: what an import makes stays."""
    if name in sys.modules or not gc.isenabled():
        return import_module(name)
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()
