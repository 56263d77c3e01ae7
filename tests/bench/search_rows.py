# SPDX-License-Identifier: Apache-2.0
"""The index of tools: how long a question takes over made-up catalogues of 3,000 and 100,000 tools, and
what the index takes of memory (bench_search). Where $HUSTINGS_DISCOVERY names a folder with catalogues
and queries, each a folder with tools.json and queries.json, how often the right tool is found there: the
share of right tools among the first and within a budget of tokens, by the source of the query.
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
ANSWERS = 20
BUDGET = 3000
VECTORS = (3000, 1536, 5)


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
    count, dimensions, bound = VECTORS
    said = [json.loads(asked(program, ['--vectors', str(count), str(dimensions)])) for _ in range(min(times, 3))]
    rows.append(plain_row('search-vectors', f'a vector beside {count:,} others of {dimensions:,} numbers, 95th percentile',
                          [one['p95_ms'] for one in said], 'ms', bound, min))
    return rows


def tokens(tool):
    """What a tool costs in an agent's context: characters over four of what is told of it."""
    told = {name: tool[name] for name in ('name', 'server_id', 'description', 'inputSchema')}
    return len(json.dumps(told, ensure_ascii=False, separators=(',', ':'))) / 4


def fitting(answer, costs):
    """So many of the first tools fit into what discovery may take (MGP 16.8)."""
    used = 0
    for rank, tool in enumerate(answer['tools']):
        used += costs[tool['server_id'], tool['name']]
        if used > BUDGET:
            return rank
    return len(answer['tools'])


def found(query, answer, costs):
    """How much of what was to be found came, and how early: items of one group stand for each other."""
    group = {(one['server_id'], one['name']): one.get('group', 1000 + at)
             for at, one in enumerate(query['relevant'])}
    ranks = {}
    for rank, tool in enumerate(answer['tools'], 1):
        of = group.get((tool['server_id'], tool['name']))
        if of is not None:
            ranks.setdefault(of, rank)
    count = len(set(group.values()))

    def share(most):
        return sum(rank <= most for rank in ranks.values()) / count

    gain = sum(1 / math.log2(rank + 1) for rank in ranks.values() if rank <= FIRST)
    return {
        'among the first 1': share(1),
        f'among the first {FIRST}': share(FIRST),
        'among the first 10': share(10),
        f'nDCG@{FIRST}': gain / sum(1 / math.log2(rank + 2) for rank in range(min(count, FIRST))),
        'MRR': 1 / min(ranks.values()) if ranks else 0,
        f'in {BUDGET:,} tokens': share(fitting(answer, costs)),
        f'tokens of the first {FIRST}': sum(costs[tool['server_id'], tool['name']] for tool in answer['tools'][:FIRST]),
    }


def answers_of(build, catalogue, queries):
    lines = ''.join(json.dumps({'id': str(at), 'query': query['query'], 'k': ANSWERS}) + '\n'
                    for at, query in enumerate(queries))
    said = asked(build / 'tests' / 'toolsearch', ['--tools', str(catalogue / 'tools.json')], lines)
    return [json.loads(line) for line in said.splitlines()]


def mean_of(figures):
    return {word: sum(one[word] for one in figures) / len(figures) for word in figures[0]}


def rows_of(name, figures):
    return [plain_row(f'search-found-{name}', f'{name}, {word}', [value],
                      'tokens' if word.startswith('tokens') else 'share', None) for word, value in figures.items()]


def found_rows(build, folder):
    rows, by_source = [], {}
    for catalogue in sorted(folder.iterdir()):
        if not (catalogue / 'tools.json').is_file() or not (catalogue / 'queries.json').is_file():
            continue
        queries = json.loads((catalogue / 'queries.json').read_text(encoding='utf-8'))
        costs = {(tool['server_id'], tool['name']): tokens(tool)
                 for tool in json.loads((catalogue / 'tools.json').read_text(encoding='utf-8'))}
        for query, answer in zip(queries, answers_of(build, catalogue, queries)):
            by_source.setdefault(f"{catalogue.name} {query.get('source', 'all')}", []).append(found(query, answer, costs))
    means = {source: mean_of(figures) for source, figures in by_source.items()}
    for source, figures in means.items():
        rows += rows_of(source, figures)
    return rows + (rows_of('mean of all sources', mean_of(list(means.values()))) if means else [])


def measure(build, wanted, times, rows):
    if 'search' in wanted:
        rows += speed_rows(build, times)
    folder = os.environ.get('HUSTINGS_DISCOVERY')
    if 'search-found' in wanted and folder:
        rows += found_rows(build, Path(folder))
