"""Runs a command that the kernel kills when the process that asked for it dies, however it dies.

`python die_with_parent.py PARENT_PID COMMAND...` becomes the command, under the same process id. It imports nothing of
ours: it is run by its path, once for every broker that is started.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":  # elsewhere there is no such call, and Cluster.close() is all there is
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the kernel was told
            sys.exit(1)
    os.execvp(command[0], command)
