"""Whether a document is as the schema of its kind says; each schema is read and checked once."""

from functools import cache
from typing import Any

import jsonschema

from pufferproof.reports.auditing.schema import json_schema


@cache
def validator(name: str) -> Any:
    schema = json_schema(name)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def expect_valid(document: Any, name: str) -> None:
    """Raise `jsonschema.ValidationError` unless a document is as the schema says."""
    error = jsonschema.exceptions.best_match(validator(name).iter_errors(document))
    if error is not None:
        raise error
