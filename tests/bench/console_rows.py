# SPDX-License-Identifier: Apache-2.0
"""How the console scrolls through a room of 10,000 envelopes in a browser without a window: what a frame takes in the
median second (50 frames a second are 20 ms). console_scroll.mjs measures.
"""

from pathlib import Path

from budget_rows import asked
from processes import say
from rows import plain_row

NAMES = ['console-scroll']
BOUND_MS = 20
PROGRAM = Path(__file__).resolve().parent / 'console_scroll.mjs'


def measure(build, wanted, rows):
    if 'console-scroll' not in wanted:
        return
    said = asked(build, PROGRAM)
    say(f'console: {said["items"]:,} items of {said["envelopes"]:,} envelopes scroll at {said["median"]} frames a second, '
        f'{said["least"]} in the worst one; of 100 gaps between frames one is over {said["p99_ms"]} ms')
    rows.append(plain_row('console-scroll', 'console: a frame while 10,000 envelopes scroll', [1000 / said['median']], 'ms', BOUND_MS))
