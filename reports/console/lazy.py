"""Commands that are imported when they are run: `--help` and `--version` import none of them.

Options of a command may stand in groups: a dataclass whose fields are options is one argument of
its function, and a title in its help.
"""

import gc
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cached_property, wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

import pufferproof
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import did_you_mean, in_json, quoted
from pufferproof.reports.console.streams import aside

if TYPE_CHECKING:
    from pufferproof.reports.console.options import CommandParameter

_NO_COMMAND = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
_EXTRA = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)
_NO_CHOICE = re.compile(r".*'(.*)' is not one of (.*)", re.DOTALL)
_INSTEAD = {"help": "COMMAND --help", "version": "--version"}
_OURS = {  # words of ours for those of pydantic
    "Input should be a valid integer": "expected a whole number",
    "Input should be a valid number": "expected a number",
    "Input should be": "expected",
    "greater than or equal to": "at least",
}
_SHORT = len("-x")
_SHORTEST = len("--x")
EXIT_CODES = "0 done, 1 violated or refused, 2 bad input, 3 undecided"


def stands(path: str) -> bool:
    """Whether the module of a path is there."""
    return pufferproof._stands(path.partition(":")[0].removeprefix("pufferproof."))


@dataclass(frozen=True)
class CommandPlace:
    """Where the function of a command stands, `module:function`, what the first paragraph of its
    help says, and its last: an example, and the guide in `docs/`; and where the schemas of its
    answers and of its own files stand, by name.
    """

    path: str
    says: str
    example: str
    guide: str
    schemas: Mapping[str, str] = field(default_factory=dict)

    @property
    def last_words(self) -> str:
        """What help ends with, line by line as it stands."""
        return f"\b\nExample:     pufferproof {self.example}\nExit codes:  {EXIT_CODES}\nGuide:       docs/{self.guide}"

    def command(self, name: str) -> Any:
        """Import the function and make a command of it."""
        module, _, function = self.path.partition(":")
        alone = typer.Typer(rich_markup_mode=None, add_completion=False)
        plain = alone.command(name, cls=GroupedCommand, epilog=self.last_words)
        whole, titles = ungrouped(getattr(_imported(module), function))
        plain(whole)
        made: Any = typer.main.get_command(alone)
        from pufferproof.reports.console.options import replacing_option

        made.params += replacing_option(made.params)
        made.titles = {**titles, "replace": "Write"}
        for argument in made.params:
            if argument.param_type_name == "argument":
                _name_plainly(argument)
        return made


class GroupedCommand(TyperCommand):
    """A command whose help has its options by groups; options of no group come last."""

    titles: Mapping[str, str] = {}  # of groups, by the name of an option

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless a file that it is to write cannot be written. What others print
        meanwhile is no part of its answer.
        """
        from pufferproof.reports.console.options import expect_all_outputs

        expect_all_outputs(str(self.name), self.params, ctx.params)
        if not gc.isenabled():  # since this process began
            gc.freeze()
            gc.enable()
        with aside():
            return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then every group of options under its title."""
        rows: dict[str, list[Any]] = {"Arguments": []}
        for param in self.get_params(ctx):
            is_argument = param.param_type_name == "argument"
            title = "Arguments" if is_argument else self.titles.get(param.name, "Options")
            if record := param.get_help_record(ctx):
                rows.setdefault(title, []).append(record)
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class LaterCommand(TyperCommand):
    """A name and one line of help, until the command is run or completed."""

    def __init__(self, name: str, place: CommandPlace) -> None:
        super().__init__(name, help=place.says)
        self.place = place

    @cached_property
    def command(self) -> Any:
        """The command itself."""
        return self.place.command(self.name or "")

    def make_context(self, info_name: object, args: object, parent: object = None, **extra: object) -> Any:
        """Make the context of the command itself, which parses the arguments."""
        return self.command.make_context(info_name, args, parent, **extra)


class LazyGroup(TyperGroup):
    """The commands that are there, by titles of help, in which they stand with whole sentences."""

    groups: ClassVar[dict[str, dict[str, CommandPlace]]] = {}
    replaced: ClassVar[dict[str, str]] = {}  # an old name, and what to type instead
    also: ClassVar[dict[str, str]] = {}  # a newer name of a command, by which help lists it

    def __init__(self, **settings: Any) -> None:
        every = (item for named in self.groups.values() for item in named.items())
        later = {name: LaterCommand(name, place) for name, place in every if stands(place.path)}
        super().__init__(**{**settings, "commands": later})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of the first word, by the name that was typed.

        Raises `ModelError`, which says what to type instead of an old name.
        """
        words = {argument.partition("=")[0] for argument in args[1:]}
        for old, new in self.replaced.items():
            command, *options = old.split()
            if args[:1] == [command] and words.issuperset(options):
                raise ModelError(f"{old} is now `pufferproof {new}`")
        first = [self.also.get(name, name) for name in args[:1]]
        name, *known = super().resolve_command(ctx, [*first, *args[1:]])
        return (args[0] if name in self.also.values() else name, *known)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write every group of commands under its title."""
        newer = {old: new for new, old in self.also.items()}
        for title, named in self.groups.items():
            there = [(name, place) for name, place in named.items() if name in self.commands]
            rows = [(newer.get(name, name), place.says) for name, place in there]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def ungrouped(function: Callable[..., Any]) -> tuple[Callable[..., Any], Mapping[str, str]]:
    """Return a function with every option of its groups as a parameter, which typer reads, and
    the title of the group of each.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> import typer
    >>> @dataclass(frozen=True)
    ... class Show:
    ...     table: Annotated[bool, typer.Option("--table")] = False
    >>> def audit(framework: str, show: Show) -> str:
    ...     return f"{framework}, {show.table}"
    >>> plain, titles = ungrouped(audit)
    >>> plain(framework="f", table=True), titles
    ('f, True', {'table': 'Show'})
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    if not groups:
        return function, {}
    parameters: list[Parameter] = []
    for name, each in signature(function).parameters.items():
        owner = groups.get(name)
        own = get_type_hints(owner, include_extras=True) if owner else hints
        for parameter in signature(owner).parameters.values() if owner else [each]:
            known = parameter.replace(annotation=own[parameter.name], kind=Parameter.KEYWORD_ONLY)
            parameters.append(known)

    @wraps(function)
    def plain(**values: Any) -> Any:
        made = {
            name: kind(**{field.name: values.pop(field.name) for field in fields(kind)})
            for name, kind in groups.items()
        }
        return function(**values, **made)

    read: Any = plain
    read.__signature__ = Signature(parameters)
    read.__annotations__ = {each.name: each.annotation for each in parameters}
    titles = {
        name: getattr(owner, "title", owner.__name__)
        for kind in groups.values()
        for owner in reversed(kind.__mro__)
        for name in vars(owner).get("__annotations__", ())
    }
    return plain, titles


def misused(error: Any, words: Sequence[str]) -> str:
    """Return what is wrong with the words of a command, and what to do: what was likely meant, else
    the help to read.
    """
    kind, context, message = type(error).__name__, getattr(error, "ctx", None), str(error.message)
    if kind == "NoSuchOption":
        meant = _meant_option(error, words)
        if meant is None:
            said = f"{error.option_name}: no such option"
        else:
            given = meant[0] if len(error.option_name) == _SHORT else error.option_name
            said = f"{given}: no such option, did you mean {meant[1]}?"
    elif kind == "MissingParameter":
        help_text = getattr(error.param, "help", None)
        said = f"missing {_called(error.param)}{f': {help_text}' if help_text else ''}"
    elif kind == "BadOptionUsage":
        takes = "takes no value" if "does not take" in message else "expected a value after it"
        said = f"{error.option_name}: {takes}"
    elif name := _NO_COMMAND.match(message):
        typed, known = name[1], context.command.list_commands(context) if context else []
        if instead := _INSTEAD.get(typed):
            said = f"{quoted(typed)} is no command; type `pufferproof {instead}`"
        else:
            said = f"{quoted(typed)} is no command{did_you_mean(typed, known)}"
    elif extra := _EXTRA.match(message):
        said = f"unexpected {quoted(extra[1])}"
    else:
        return _no_value(error)
    if context is None or said.endswith(("?", "`")):
        return said
    return f"{said}; see `{context.command_path} --help`"


def _no_value(error: Any) -> str:
    """Return what is wrong with the value of an option or an argument, in our words."""
    said = str(error.message).partition(", unable to parse")[0].rstrip(".")
    for theirs, ours in _OURS.items():
        said = said.replace(theirs, ours)
    details = getattr(error.__cause__, "errors", None)
    if choice := _NO_CHOICE.match(said):
        names = re.findall("'([^']*)'", choice[2])
        said = f"expected {' or '.join(names)}, found {quoted(choice[1])}"
        said += did_you_mean(choice[1], names)
    elif callable(details):
        found = details(include_url=False)[0]["input"]
        plain = isinstance(found, str) and found.lstrip("-").replace(".", "").isdigit()
        said += f", found {found}" if plain else f", found {in_json(found)}"
    param = getattr(error, "param", None)
    return said if param is None else f"{_called(param)}: {said}"


def _called(param: "CommandParameter") -> str:
    """Name an option or an argument as it is typed."""
    if param.param_type_name == "argument":
        return str(param.metavar or param.name.upper()).strip("[].")
    return str(param.opts[0])


def _meant_option(error: Any, words: Sequence[str]) -> tuple[str, str] | None:
    """Return what was typed as an option and the option that was likely meant, or None."""
    known = [option for param in error.ctx.command.params for option in param.opts]
    if error.option_name.lower() == "-v" and "--version" in known:
        return error.option_name, "--version"
    given = [error.option_name, *(word.partition("=")[0] for word in words)]
    for word in given:
        if not word.startswith("-") or word in known:
            continue
        name = f"--{word.lstrip('-')}".replace("_", "-").lower()
        begin = [option for option in known if option.startswith(name) and len(name) > _SHORTEST]
        like = [name] if name in known else begin or get_close_matches(name, known, 1, 0.8)
        if like:
            return word, like[0]
    return None


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
