"""Run `pufferproof reproduce` as a program of its own, with the same arguments."""

import sys

from pufferproof.reports.cli import main

if __name__ == "__main__":
    main(["reproduce", *sys.argv[1:]])
