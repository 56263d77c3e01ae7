# SPDX-License-Identifier: Apache-2.0
"""The figures of tools/call: the gateway with a stdio server behind it (tests/bench/echo_server.c),
beside a forwarder that checks nothing (tests/bench/bare_forwarder.c), the same server called directly,
and other gateways, which npm installs into the build folder.
"""

import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from packages import find_node, take_from_npm
from processes import Failure, Server, ask, environment, say, side_by_side
from rows import plain_row

# name, what, bound; the client's words. Before the kernel's gates: with them see gate_rows.py.
CPU = {
    'call-cpu': ('CPU of a call, 16 in flight, no gates, /mcp/servers/ID / forwarder', 2.0,
                 '/mcp/servers/echo', ['--tool', 'echo']),
    'call-cpu-all': ('the same, /mcp', 2.0, '/mcp', ['--tool', 'echo__echo']),
    'call-cpu-modern': ('the same, a client of 2026-07-28', 2.0, '/mcp/servers/echo',
                        ['--tool', 'echo', '--modern']),
}
NAMES = [*CPU, 'call-time', 'call-rivals', 'call-large', 'call-slow']
RIVALS = {'mcp-proxy': '6.7.19', 'supergateway': '4.0.0', 'mcp-hub': '4.2.1'}
CALLS = 50000       # of a repetition
SEQUENTIAL = 3000
RIVAL_CALLS = 3000
LARGE = 10 * 1024 * 1024
SLOW = 64
PATIENCE = 60


NO_GATES = ['--set', 'kernel.gates=false']


def call_words(hustings, server, path, more):
    return [hustings, 'bench', 'call', '--json', '--url', f'http://127.0.0.1:{server.port}{path}',
            '--pid', str(server.process.pid), *more]


def start_gateway(build, folder, more):
    """A gateway with the echo server and the data folder `folder`."""
    config = Path(folder) / 'mgp.toml'
    config.write_text(f'[[servers]]\nid = "echo"\ncommand = {json.dumps(str(build / "tests" / "echo_server"))}\n')
    return Server([str(build / 'hustings'), 'serve', '--listen', '127.0.0.1:0', '--config', str(config),
                   '--data', str(folder), '--log-level', 'error', *more])


class Calls:
    """Gateways with the echo server, one with the gates and one without, and the words of a client."""

    def __init__(self, build):
        self.hustings = str(build / 'hustings')
        self.echo = str(build / 'tests' / 'echo_server')
        self.forwarder = str(build / 'tests' / 'bare_forwarder')
        self.folder = tempfile.mkdtemp(prefix='hustings-bench-')
        self.no_gates = str(Path(self.folder) / 'no-gates')
        self.server = self.ungated = self.bare = None
        try:
            os.mkdir(self.no_gates)
            self.server = start_gateway(build, self.folder, ['--open'])
            self.ungated = start_gateway(build, self.no_gates, ['--open', *NO_GATES])
            self.bare = Server([self.forwarder, self.echo])
            # The server's first start is nobody's call.
            for server in (self.server, self.ungated):
                ask(self.words(server, '/mcp/servers/echo', ['--calls', '1']), server.said)
        except BaseException:
            self.close()
            raise

    def words(self, server, path, more):
        return call_words(self.hustings, server, path, more)

    def ask(self, more, path='/mcp/servers/echo'):
        return ask(self.words(self.server, path, more), self.server.said)

    def close(self):
        for server in (self.server, self.ungated, self.bare):
            if server:
                server.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def cpu_row(calls, name, times):
    what, bound, path, words = CPU[name]
    load = ['--in-flight', '16', '--calls', str(CALLS)]
    bare = [word for word in words if word != '--modern']
    ratios, costs, against = [], [], []
    for _ in range(times):
        answers = side_by_side({
            'gateway': calls.words(calls.ungated, path, words + load),
            'bare forwarder': calls.words(calls.bare, '/mcp', ['--tool', 'echo'] + bare[2:] + load),
        }, lambda client: '')
        costs.append(answers['gateway']['server_cpu_each_ns'])
        against.append(answers['bare forwarder']['server_cpu_each_ns'])
        ratios.append(costs[-1] / against[-1])
    row = plain_row(name, what, ratios, 'ratio', bound)
    row['nanoseconds'] = round(statistics.median(costs))
    row['against_nanoseconds'] = round(statistics.median(against))
    return row


def descendants(process):
    """Of /proc: the process, its children, theirs."""
    parents = {}
    for entry in Path('/proc').glob('[0-9]*/stat'):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(')')[2].split()[1])
        except OSError:
            continue  # it has ended meanwhile
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def keep_to(process, processors):
    """The process with all its threads and descendants."""
    for one in descendants(process):
        for thread in Path(f'/proc/{one}/task').glob('[0-9]*'):
            os.sched_setaffinity(int(thread.name), processors)


def time_rows(calls, times):
    """One call at a time; the direct call, the gateway and the bare forwarder in turn. The client has
    a processor of its own and the servers another: left to itself the system puts a client and a
    server on one or on two as it likes, and a direct call takes 6 or 36 us."""
    load = ['--calls', str(SEQUENTIAL)]
    processors = sorted(os.sched_getaffinity(0))
    client, servers = (['taskset', '-c', str(processors[at])] for at in (0, -1))
    for server in (calls.server, calls.bare):
        keep_to(server.process.pid, {processors[-1]})
    ratios, beside = [], []
    for _ in range(times):
        direct = ask([*client, calls.hustings, 'bench', 'call', '--json', *load, '--', *servers, calls.echo], str)
        ours = ask([*client, *calls.words(calls.server, '/mcp', ['--tool', 'echo__echo', *load])],
                   calls.server.said)
        bare = ask([*client, *calls.words(calls.bare, '/mcp', load)], calls.bare.said)
        ratios.append(ours['p50_us'] / direct['p50_us'])
        beside.append(ours['p50_us'] / bare['p50_us'])
    for server in (calls.server, calls.bare):
        keep_to(server.process.pid, processors)
    return [plain_row('call-time', 'time of a call, one at a time, /mcp / direct on stdio (p50)', ratios,
                      'ratio', 4),
            plain_row('call-time', 'the same, /mcp / bare forwarder', beside, 'ratio', None)]


def peak(server):
    status = Path(f'/proc/{server.process.pid}/status').read_text()
    return int(re.search(r'VmHWM:\s+(\d+) kB', status)[1]) * 1024


def large_row(calls, times):
    """By how much a result makes the gateway's memory grow at most."""
    before = peak(calls.server)
    calls.ask(['--tool', 'large', '--arguments', json.dumps({'octets': LARGE}), '--warm-up', '0',
               '--calls', str(times)])
    return plain_row('call-large', 'memory for a result of 10 MiB / its size', [(peak(calls.server) - before) / LARGE],
                     'ratio', 2)


def slow_row(calls, times):
    load = ['--calls', str(SEQUENTIAL), '--warm-up', '500']
    ratios = []
    for _ in range(times):
        alone = calls.ask(load)['p50_us']
        slow = subprocess.Popen(
            calls.words(calls.server, '/mcp/servers/echo', [
                '--tool', 'slow', '--arguments', '{"ms":1000}', '--in-flight', str(SLOW), '--warm-up', '0',
                '--calls', '1000000']),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        try:
            time.sleep(0.3)
            ratios.append(calls.ask(load)['p50_us'] / alone)
        finally:
            slow.kill()
            slow.wait()
    return plain_row('call-slow', f'time of a call beside {SLOW} slow callers / alone (p50)', ratios, 'ratio', 2)


class Rival:
    """Another gateway with the echo server, in a process group of its own."""

    def __init__(self, name, command, url, words, folder):
        self.name, self.url, self.words = name, url, words
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        cwd=folder, env=environment(), start_new_session=True)

    def said(self):
        self.log.seek(0)
        return self.log.read()[-400:].decode(errors='replace')

    def close(self):
        for end in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, end)
                self.process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self.process.wait()


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def install(build):
    """The folder of the rivals' programs, and the Node they run on."""
    node = find_node(build)
    return take_from_npm(build / 'bench', RIVALS) / '.bin', node


def start_rival(name, calls, programs, node):
    port = free_port()
    url = f'http://127.0.0.1:{port}/mcp'
    program = [node, str((programs / name).resolve())]
    if name == 'mcp-proxy':
        return Rival(name, [*program, '--host', '127.0.0.1', '--port', str(port), '--server', 'stream', '--',
                            calls.echo], url, [], calls.folder)
    if name == 'supergateway':
        return Rival(name, [*program, '--stdio', calls.echo, '--outputTransport', 'streamableHttp', '--stateful',
                            '--port', str(port), '--logLevel', 'none'], url, [], calls.folder)
    config = Path(calls.folder) / 'mcp-hub.json'
    config.write_text(json.dumps({'mcpServers': {'echo': {'command': calls.echo, 'args': []}}}))
    return Rival(name, [*program, '--port', str(port), '--config', str(config)], url,
                 ['--sse', '--tool', 'echo__echo'], calls.folder)


def ask_rival(calls, rival, more):
    return ask([calls.hustings, 'bench', 'call', '--json', '--url', rival.url, *rival.words, *more], rival.said)


def wait_for(calls, rival):
    until = time.monotonic() + PATIENCE
    while True:
        try:
            ask_rival(calls, rival, ['--calls', '1', '--warm-up', '0'])
            return
        except Failure:
            if time.monotonic() > until or rival.process.poll() is not None:
                raise
            time.sleep(0.5)


def rival_rows(calls, build, times):
    programs, node = install(build)
    rates = {'hustings': []}
    medians = {}
    for name in RIVALS:
        rates[name] = []
        rival = start_rival(name, calls, programs, node)
        try:
            wait_for(calls, rival)
            medians[name] = ask_rival(calls, rival, ['--calls', '500', '--warm-up', '200'])['p50_us']
            for _ in range(min(times, 3)):
                rates[name].append(ask_rival(calls, rival, ['--in-flight', '16', '--calls', str(RIVAL_CALLS),
                                                            '--warm-up', '500'])['rate_per_s'])
                rates['hustings'].append(calls.ask(['--tool', 'echo__echo', '--in-flight', '16', '--calls',
                                                    str(CALLS)], '/mcp')['rate_per_s'])
        finally:
            rival.close()
    ours = statistics.median(rates.pop('hustings'))
    best = max(rates, key=lambda name: max(rates[name]))
    for name, found in rates.items():
        say(f'bench: {name} {RIVALS[name]}: {max(found):,.0f} calls/s at 16 in flight, '
            f'{medians[name]:,.0f} us one at a time')
    say(f'bench: hustings: {ours:,.0f} calls/s at 16 in flight')
    return [plain_row('call-rivals', f'calls/s at 16 in flight, best rival ({best}) / ours',
                      [rate / ours for rate in rates[best]], 'ratio', 0.333, max)]


def measure(build, wanted, times, rows):
    if not wanted:
        return
    calls = Calls(build)
    try:
        if 'call-large' in wanted:  # first, as long as nothing else has made it grow
            rows.append(large_row(calls, times))
        rows += [cpu_row(calls, name, times) for name in CPU if name in wanted]
        if 'call-time' in wanted:
            rows += time_rows(calls, times)
        if 'call-slow' in wanted:
            rows.append(slow_row(calls, times))
        if 'call-rivals' in wanted:
            rows += rival_rows(calls, build, times)
    finally:
        calls.close()
