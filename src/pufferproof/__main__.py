"""`python -m pufferproof`: the command line, without the working directory that `-m` puts first on
the path of modules.

What Python itself imports from there before this file runs cannot be kept out here: `python -P -m
pufferproof` keeps it out.
"""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    from pufferproof.reports.cli import main

    main()
