"""What stands for a value: functions that take the value take this as well."""


class StandIn:
    """A value with a word on where it is from: a file, or an object of another library.

    >>> from pufferproof.models.files.reading import Loaded
    >>> issubclass(Loaded, StandIn)
    True
    """

    value: object


def value_of(given: object) -> object:
    """Return what a stand-in stands for, and anything else as it is.

    >>> value_of(3)
    3
    """
    return given.value if isinstance(given, StandIn) else given
