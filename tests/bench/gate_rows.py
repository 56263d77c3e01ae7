# SPDX-License-Identifier: Apache-2.0
"""What the kernel's gates and the audit cost an allowed tools/call: a gateway with them beside one
without (kernel.gates = false), both open; then one that is not open, with a token and a grant, beside
the one without, to which the client brings a token as well. The tool of tests/bench/echo_server.c has
annotations and a schema.
"""

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import urllib.request
from pathlib import Path

from call_rows import CALLS, NO_GATES, call_words, keep_to, start_gateway
from processes import Failure, Server, ask, environment, side_by_side
from rows import plain_row

NAMES = ['gates-time', 'gates-cpu']
PATH = '/mcp/servers/echo'
SEQUENTIAL = 4000
AGENT = 'bench'


class Gated:
    """A gateway, and the token of an agent that may use its server, if the client brings one."""

    def __init__(self, build, more, has_token):
        self.hustings = str(build / 'hustings')
        self.folder = tempfile.mkdtemp(prefix='hustings-bench-')
        self.server = None
        self.token = []
        try:
            self.server = start_gateway(build, self.folder, more)
            if has_token:
                self.token = ['--token', self.make_token()]
            if '--open' not in more:
                self.grant()
            ask(self.words(['--calls', '1']), self.server.said)
        except BaseException:
            self.close()
            raise

    def make_token(self):
        ran = subprocess.run([self.hustings, 'token', 'create', '--id', AGENT, '--kind', 'agent', '--privilege', 'full',
                              '--data', self.folder], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60, check=False, env=environment())
        if ran.returncode != 0:
            raise Failure(f'no token: {ran.stderr.strip()}')
        return ran.stdout.strip()

    def grant(self):
        admin = (Path(self.folder) / 'admin.token').read_text().strip()
        body = json.dumps({'entry_type': 'server_grant', 'agent_id': AGENT, 'server_id': 'echo', 'permission': 'allow'})
        request = urllib.request.Request(f'http://127.0.0.1:{self.server.port}/admin/grants', body.encode(),
                                         {'Authorization': f'Bearer {admin}', 'Content-Type': 'application/json'})
        try:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60).close()
        except OSError as error:
            raise Failure(f'no grant: {error}') from error

    def words(self, more):
        return call_words(self.hustings, self.server, PATH, self.token + more)

    def close(self):
        if self.server:
            self.server.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Four:
    """Both ways in, each with the gates and without, and the bare forwarder."""

    def __init__(self, build):
        self.bare = None
        self.gated = {}
        try:
            for name, more, has_token in (
                    ('off', ['--open', *NO_GATES], False), ('on', ['--open'], False),
                    ('token off', ['--open', *NO_GATES], True), ('token on', [], True)):
                self.gated[name] = Gated(build, more, has_token)
            self.bare = Server([str(build / 'tests' / 'bare_forwarder'), str(build / 'tests' / 'echo_server')])
        except BaseException:
            self.close()
            raise

    def side_by_side(self, names, load, before=()):
        """What the clients of these found; 'bare' is the forwarder's."""
        commands = {name: [*before, *self.gated[name].words(load)] for name in names if name != 'bare'}
        if 'bare' in names:
            commands['bare'] = [*before, *call_words(self.gated['on'].hustings, self.bare, '/mcp', load)]
        return side_by_side(commands, lambda name: (self.bare if name == 'bare' else self.gated[name].server).said())

    def close(self):
        for one in self.gated.values():
            one.close()
        if self.bare:
            self.bare.close()


def time_rows(four, times):
    """One call at a time. The client has a processor of its own and the servers another, as in
    call_rows.time_rows(); the clients of a pair take turns, in the other order each time."""
    processors = sorted(os.sched_getaffinity(0))
    client = ['taskset', '-c', str(processors[0])]
    for one in four.gated.values():
        keep_to(one.server.process.pid, {processors[-1]})
    open_ratios, token_ratios = [], []
    for at in range(2 * times):
        names = ['off', 'on', 'token off', 'token on']
        found = four.side_by_side(names if at % 2 else names[::-1], ['--calls', str(SEQUENTIAL)], client)
        open_ratios.append(found['on']['p50_us'] / found['off']['p50_us'])
        token_ratios.append(found['token on']['p50_us'] / found['token off']['p50_us'])
    for one in four.gated.values():
        keep_to(one.server.process.pid, processors)
    return [plain_row('gates-time', 'gates: p50 of an allowed call, on over off', open_ratios, 'ratio', 1.15),
            plain_row('gates-time', 'the same, with a token and a grant', token_ratios, 'ratio', 1.15)]


def cpu_rows(four, times):
    load = ['--in-flight', '16', '--calls', str(CALLS)]
    costs = {name: [] for name in ('on', 'token on', 'bare')}
    for _ in range(times):
        for name, answer in four.side_by_side(list(costs), load).items():
            costs[name].append(answer['server_cpu_each_ns'])
    rows = []
    for name, what in (('on', 'CPU of a call at 16 in flight, with gates, over the bare forwarder'),
                       ('token on', 'the same, with a token and a grant')):
        row = plain_row('gates-cpu', what, [cost / bare for cost, bare in zip(costs[name], costs['bare'])], 'ratio', 3)
        row['nanoseconds'] = round(statistics.median(costs[name]))
        row['against_nanoseconds'] = round(statistics.median(costs['bare']))
        rows.append(row)
    return rows


def measure(build, wanted, times, rows):
    if not wanted:
        return
    four = Four(build)
    try:
        if 'gates-time' in wanted:
            rows += time_rows(four, times)
        if 'gates-cpu' in wanted:
            rows += cpu_rows(four, times)
    finally:
        four.close()
