# SPDX-License-Identifier: Apache-2.0
"""What is measured, as processes: servers, and clients that take turns."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TURN_SECONDS = 0.02
TURNS_SECONDS = 90


class Failure(Exception):
    pass


class Server:
    """A running gateway or rival; its process and its port."""

    def __init__(self, command, folder=None):
        self.errors = tempfile.TemporaryFile()
        self.folder = folder
        began = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True, env=environment())
        line = self.process.stdout.readline()
        self.ready_ms = (time.monotonic() - began) * 1000
        found = re.match(r'ready (?:http://[^ ]*:)?(\d+)', line)
        if not found:
            self.close()
            raise Failure(f'{" ".join(command)} did not come up: {line}{self.said()}')
        self.port = found[1]

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors='replace')

    def memory(self):
        """Resident octets, and of them the private ones of no file, of /proc/PID/status."""
        text = Path(f'/proc/{self.process.pid}/status').read_text()
        return [int(re.search(name + r':\s+(\d+) kB', text)[1]) * 1024
                for name in ('VmRSS', 'RssAnon')]

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def take_turns(processes):
    """Lets one of the stopped processes run at a time until all have ended."""
    until = time.monotonic() + TURNS_SECONDS
    while running := [process for process in processes if process.poll() is None]:
        if time.monotonic() > until:
            raise Failure(f'the clients did not end within {TURNS_SECONDS} s')
        for process in running:
            process.send_signal(signal.SIGCONT)
            time.sleep(TURN_SECONDS)
            process.send_signal(signal.SIGSTOP)


def environment():
    return {name: value for name, value in os.environ.items()
            if not name.startswith(('HUSTINGS_', 'MGP_'))}


def say(text):
    print(text, file=sys.stderr, flush=True)


def side_by_side(commands, said):
    """The answers of clients that run side by side: one of them runs at a time and the others stand
    still, a few milliseconds each. said(name): what the server of that client has to say."""
    clients = {}
    try:
        for name, command in commands.items():
            clients[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, text=True, env=environment())
            clients[name].send_signal(signal.SIGSTOP)
        take_turns(list(clients.values()))
        answers = {}
        for name, client in clients.items():
            answer, errors = client.communicate(timeout=60)
            if client.returncode != 0:
                raise Failure(f'{name}: {errors.strip()} {said(name)}')
            answers[name] = json.loads(answer)
        return answers
    finally:
        for client in clients.values():
            client.kill()


def ask(command, said):
    """The answer of one client."""
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                         check=False, env=environment())
    if ran.returncode != 0:
        raise Failure(f'{" ".join(command)}: {ran.stderr.strip()} {said()}')
    return json.loads(ran.stdout)
