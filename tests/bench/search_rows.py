# SPDX-License-Identifier: Apache-2.0
"""The index of tools: how long a question takes over made-up catalogues of 3,000 and 100,000 tools, and
what the index takes of memory (bench_search). Where $HUSTINGS_DISCOVERY names a folder with catalogues
and queries, each a folder with tools.json and queries.json, how often the right tool is found there: the
share of right tools among the first five, by the source of the query.
"""

import json
import math
import os
import subprocess
from pathlib import Path

from processes import Failure
from rows import plain_row

NAMES = ['search', 'search-found']
SIZES = [(3000, 0.5), (100000, 10)]
BUILT_MS = 10000
OCTETS = 1536
FIRST = 5


def asked(program, words, text=None):
    done = subprocess.run([program, *words], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f'{Path(program).name} failed: {done.stderr.strip()}')
    return done.stdout


def speed_rows(build, times):
    rows = []
    program = build / 'tests' / 'bench_search'
    for size, bound in SIZES:
        said = [json.loads(asked(program, [str(size), '1000'])) for _ in range(min(times, 3))]
        # CPU time; what else the machine does can only add to it, so the least of them counts.
        rows.append(plain_row(f'search-{size}', f'question to {size:,} tools, 95th percentile',
                              [one['p95_ms'] for one in said], 'ms', bound, min))
        rows.append(plain_row(f'search-{size}-octets', f'index of {size:,} tools, for each',
                              [one['octets_each'] for one in said], 'octets', OCTETS))
        if size == SIZES[-1][0]:
            rows.append(plain_row(f'search-{size}-built', f'index of {size:,} tools, built',
                                  [one['build_ms'] for one in said], 'ms', BUILT_MS, min))
    return rows


def found(query, answer):
    """The share of what was to be found, and how early: items of one group stand for each other."""
    group = {(one['server_id'], one['name']): one.get('group', 1000 + at)
             for at, one in enumerate(query['relevant'])}
    seen, gain = set(), 0
    for rank, tool in enumerate(answer['tools'][:FIRST]):
        of = group.get((tool['server_id'], tool['name']))
        if of is not None and of not in seen:
            seen.add(of)
            gain += 1 / math.log2(rank + 2)
    count = len(set(group.values()))
    return len(seen) / count, gain / sum(1 / math.log2(rank + 2) for rank in range(min(count, FIRST)))


def found_rows(build, folder):
    rows = []
    for catalogue in sorted(folder.iterdir()):
        if not (catalogue / 'tools.json').is_file() or not (catalogue / 'queries.json').is_file():
            continue
        queries = json.loads((catalogue / 'queries.json').read_text(encoding='utf-8'))
        lines = ''.join(json.dumps({'id': str(at), 'query': query['query'], 'k': FIRST}) + '\n'
                        for at, query in enumerate(queries))
        said = asked(build / 'tests' / 'toolsearch', ['--tools', str(catalogue / 'tools.json')], lines)
        answers = [json.loads(line) for line in said.splitlines()]
        by_source = {}
        for query, answer in zip(queries, answers):
            by_source.setdefault(query.get('source', 'all'), []).append(found(query, answer))
        for source, values in by_source.items():
            for which, word in ((0, f'among the first {FIRST}'), (1, f'nDCG@{FIRST}')):
                mean = sum(value[which] for value in values) / len(values)
                rows.append(plain_row(f'search-found-{source}', f'{catalogue.name}, {source}, {word}', [mean], 'share', None))
    return rows


def measure(build, wanted, times, rows):
    if 'search' in wanted:
        rows += speed_rows(build, times)
    folder = os.environ.get('HUSTINGS_DISCOVERY')
    if 'search-found' in wanted and folder:
        rows += found_rows(build, Path(folder))
