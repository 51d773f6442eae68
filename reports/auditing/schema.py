"""The command `schema`: the JSON Schema of a file format, or of what a command prints."""

import json
from typing import Annotated

import typer

from pufferproof.reports.console.streams import answer_stream
from pufferproof.reports.schemas.names import json_schema


def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="framework, mechanism, loss, kernels, certificate, or a command with --json",
        ),
    ],
) -> None:
    """Print the JSON Schema of a file format or of a command's --json output."""
    print(json.dumps(json_schema(name), indent=2), file=answer_stream())
