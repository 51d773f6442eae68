"""The command `schema`: the JSON Schema of a file format, or of what a command prints, by the names
of the table of commands.
"""

import json
from importlib import import_module
from typing import Annotated

import typer
from pydantic import BaseModel

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import did_you_mean
from pufferproof.reports.commands import COMMANDS
from pufferproof.reports.console.lazy import stands
from pufferproof.reports.console.streams import answer_stream

SCHEMAS = {  # where the model stands, which is imported when it is asked for
    "framework": "pufferproof.models.files.shapes.frameworks:FrameworkFile",
    "mechanism": "pufferproof.models.files.shapes.mechanisms:MechanismFile",
    "kernels": "pufferproof.models.files.shapes.mechanisms:KernelsFile",
    "certificate": "pufferproof.reports.schemas.certificates:Certificate",
    **{name: path for each in COMMANDS.values() if stands(each.path) for name, path in each.schemas.items()},
}


def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="framework, mechanism, loss, kernels, certificate, or a command with --json"
        ),
    ],
) -> None:
    """Print the JSON Schema of a file format or of a command's --json output."""
    print(json.dumps(json_schema(name), indent=2), file=answer_stream())


def json_schema(name: str) -> dict[str, object]:
    """Return the JSON Schema (draft 2020-12) called `name`. Raises `ModelError` unless there is
    one.
    """
    if name not in SCHEMAS:
        hint = did_you_mean(name, SCHEMAS) or f", expected one of {', '.join(SCHEMAS)}"
        raise ModelError(f'unknown schema "{name}"{hint}')
    module, _, attribute = SCHEMAS[name].partition(":")
    model: type[BaseModel] = getattr(import_module(module), attribute)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
