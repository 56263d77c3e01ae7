# SPDX-License-Identifier: Apache-2.0
"""What tools cost in a client's context (MGP 16.3): 60 tools of published servers and a task of three calls by
an official client. The figure is the share of tokens that the search face takes of those of listing all: its
list and the answers of its three finds, and the same with the found tools in its list. Tokens are characters
over four; nothing here is a time. budget.mjs measures.
"""

import json
import subprocess
from pathlib import Path

from packages import ROOT, find_node
from processes import Failure, environment, say
from rows import plain_row

NAMES = ['budget']
BOUND = 0.20
PROGRAM = Path(__file__).resolve().parent / 'budget.mjs'


def run(words, what, **more):
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600, **more)
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise Failure(f'{what}: {failure}') from failure
    if done.returncode != 0:
        raise Failure(f'{what}: {done.stderr.strip()[-500:]}')
    return done.stdout


def asked(build, program=PROGRAM):
    """The JSON object that a program of Node prints, on the packages of tests/package.json."""
    if not (ROOT / 'tests' / 'node_modules').exists():
        say('bench: taking the packages of tests/package.json from npm')
        run(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error', '--omit-lockfile-registry-resolved'],
            'tests/package.json', cwd=ROOT / 'tests')
    lines = run([find_node(build), program], program.stem, env={**environment(), 'HUSTINGS_BUILD': str(build)}).splitlines()
    return json.loads(next(line for line in reversed(lines) if line.startswith('{')))


def measure(build, wanted, rows):
    if 'budget' not in wanted:
        return
    said = asked(build)
    say(f'budget: {said["tools"]} tools are {said["all"]:,} tokens; a task of three calls takes {said["search"]:,} by '
        f'the search face, {said["listed"]:,} with found tools listed')
    rows.append(plain_row('budget', f'tokens of 3 finds / of listing {said["tools"]} tools',
                          [said['search'] / said['all']], 'share', BOUND))
    rows.append(plain_row('budget-listed', 'the same, found tools listed as well',
                          [said['listed'] / said['all']], 'share', None))
