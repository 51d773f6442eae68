"""`python hidden.py WORDS...`: the command line where modules, functions and signals of Unix are
missing, as on Windows.
"""

import os
import signal
import sys

for name in ("fork", "forkpty", "killpg", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "getuid"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGPROF", "setitimer", "ITIMER_PROF", "ITIMER_REAL"):
    delattr(signal, name)
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None

if __name__ == "__main__":  # processes that it starts run this file too
    del sys.path[0]
    from pufferproof.reports.cli import main

    main()
