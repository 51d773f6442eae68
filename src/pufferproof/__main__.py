"""`python -m pufferproof`, and the command `pufferproof`: the command line, without the working
directory that `-m` puts first on the path of modules.

What Python itself imports from there before this file runs cannot be kept out here: `python -P -m
pufferproof` keeps it out. Ctrl-C is answered from the first import of ours on.
"""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and exit; code 130, with one line, where Ctrl-C comes while modules are
    imported.
    """
    gc.disable()  # until a command runs: what imports make stays
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if default:
        signal.signal(signal.SIGINT, _interrupted)
    try:
        from pufferproof.reports import cli

        if default:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        cli.main()
    except KeyboardInterrupt:
        _interrupted()
    finally:
        gc.freeze()  # the process ends without looking for garbage


def _interrupted(*_: object) -> None:
    os.write(2, b"pufferproof: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    main()
