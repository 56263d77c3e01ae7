# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own: its screen goes to our stdout, our stdin is what is typed.
When our stdin ends nothing more is typed; the exit status is the command's (128 + N for signal N)."""

import os
import pty
import select
import sys


def main():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    watched = [terminal, 0]
    while True:
        ready, _, _ = select.select(watched, [], [])
        if 0 in ready:
            typed = os.read(0, 4096)
            if typed:
                os.write(terminal, typed)
            else:
                watched.remove(0)
        if terminal in ready:
            try:
                shown = os.read(terminal, 4096)
            except OSError:  # the other end was closed
                shown = b''
            if not shown:
                break
            os.write(1, shown)
    _, status = os.waitpid(pid, 0)
    sys.exit(os.waitstatus_to_exitcode(status) % 256)


main()
