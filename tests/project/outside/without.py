"""`python without.py MODULE,MODULE.. WORDS...`: the command line where these modules are not
installed; with `pytest` as the first word, pytest.
"""

import sys


def hide(modules):
    """Make imports of modules, and of what is in them, fail as where they are not installed."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in modules:
            del sys.modules[name]
    sys.modules.update(dict.fromkeys(modules))


if __name__ == "__main__":  # processes that it starts run this file too
    hide(sys.argv.pop(1).split(","))
    del sys.path[0]
    if sys.argv[1] == "pytest":
        import pytest

        sys.exit(pytest.main(sys.argv[2:]))
    from pufferproof.reports.cli import main

    main()
