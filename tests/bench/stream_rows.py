# SPDX-License-Identifier: Apache-2.0
"""Streams of an MGP server (MGP 12; tests/bench/stream_server.c) to a hundred readers at a time, all in one
conversation with it: how long ninety-nine of them take while the hundredth does not read, against the same when it
does; and what the gateway's memory grows by meanwhile.
"""

import json
import selectors
import shutil
import socket
import tempfile
import time
import urllib.request
from pathlib import Path

from processes import Failure, Server
from rows import plain_row

NAMES = ['streams']
STREAMS = 100
CHUNKS = 1000
OCTETS = 60
SLOW_OCTETS = 32 * 1024  # of a chunk of the stream that may stall: more than the sockets' buffers hold in all
PATIENCE = 60
PATH = '/mcp/servers/streams'
MEBI = 1024 * 1024


class Reader:
    """One call of a stream on a connection of its own."""

    def __init__(self, gateway, session, number, octets, buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(('127.0.0.1', int(gateway.port)))
        body = json.dumps({'jsonrpc': '2.0', 'id': number, 'method': 'tools/call', 'params': {
            'name': 'stream', 'arguments': {'chunks': CHUNKS, 'octets': octets, 'brief': True},
            '_mgp': {'stream': True}}}).encode()
        self.socket.sendall(b'\r\n'.join([
            f'POST {PATH} HTTP/1.1'.encode(), f'Host: 127.0.0.1:{gateway.port}'.encode(),
            b'Content-Type: application/json', b'Accept: application/json, text/event-stream',
            f'Mcp-Session-Id: {session}'.encode(), f'Content-Length: {len(body)}'.encode(), b'', body]))
        self.chunks = 0
        self.tail = b''
        self.is_over = False

    def read(self):
        octets = self.socket.recv(256 * 1024)
        if not octets:
            raise Failure('a stream ended without its answer')
        seen = self.tail + octets
        self.chunks += seen.count(b'mgp.stream.chunk') - self.tail.count(b'mgp.stream.chunk')
        self.is_over = b'\r\n0\r\n\r\n' in seen
        self.tail = seen[-32:]


def begin_session(gateway):
    def post(message, session=None):
        request = urllib.request.Request(f'http://127.0.0.1:{gateway.port}{PATH}', json.dumps(message).encode(), {
            'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream',
            **({'Mcp-Session-Id': session} if session else {})})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            answer.read()
            return answer.headers.get('Mcp-Session-Id')
    session = post({'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {
        'protocolVersion': '2025-06-18', 'clientInfo': {'name': 'bench', 'version': '1'},
        'capabilities': {'mgp': {'version': '0.2.0', 'extensions': ['streaming']}}}})
    post({'jsonrpc': '2.0', 'method': 'notifications/initialized'}, session)
    return session


def round_of(gateway, session, stalls):
    """Seconds until all but one have their answers, and the most that the gateway's private memory grew by."""
    before = most = gateway.memory()[1]
    slow = Reader(gateway, session, 1, SLOW_OCTETS, 8 * 1024)
    readers = [Reader(gateway, session, 2 + at, OCTETS) for at in range(STREAMS - 1)]
    selector = selectors.DefaultSelector()
    began = time.monotonic()
    try:
        for one in readers if stalls else [slow, *readers]:
            selector.register(one.socket, selectors.EVENT_READ, one)
        left = len(readers)
        while left:
            for key, _ in selector.select(1):
                key.data.read()
                if key.data.is_over:
                    selector.unregister(key.fileobj)
                    left -= key.data is not slow
            most = max(most, gateway.memory()[1])
            if time.monotonic() > began + PATIENCE:
                raise Failure(f'streams: {left} did not end within {PATIENCE} s: {gateway.said()}')
        took = time.monotonic() - began
        if missing := [one.chunks for one in readers if one.chunks != CHUNKS]:
            raise Failure(f'streams: {len(missing)} of those who read lack chunks: {missing[:5]}')
        while not slow.is_over:  # it has its answer, whatever was left out before
            slow.read()
            if time.monotonic() > began + 2 * PATIENCE:
                raise Failure('streams: the one that stalled never got its answer')
        return took, most - before
    finally:
        selector.close()
        for one in [slow, *readers]:
            one.socket.close()


def measure(build, wanted, times, rows):
    if 'streams' not in wanted:
        return
    folder = tempfile.mkdtemp(prefix='hustings-bench-')
    gateway = None
    try:
        config = Path(folder) / 'mgp.toml'
        config.write_text(f'[[servers]]\nid = "streams"\nshare = "all"\n'
                          f'command = {json.dumps(str(build / "tests" / "stream_server"))}\n')
        gateway = Server([str(build / 'hustings'), 'serve', '--listen', '127.0.0.1:0', '--config', str(config),
                          '--data', folder, '--log-level', 'error', '--open'])
        session = begin_session(gateway)
        round_of(gateway, session, False)  # buffers that grow once
        ratios, grown = [], []
        for _ in range(times):
            alone, _ = round_of(gateway, session, False)
            beside, more = round_of(gateway, session, True)
            ratios.append(beside / alone)
            grown.append(more / MEBI)
        rows += [plain_row('streams', 'streams: 99 readers beside one that stalls / beside one that reads', ratios, 'ratio', 1.25),
                 plain_row('streams', 'the same: growth of private memory', grown, 'MiB', 16, max)]
    finally:
        if gateway:
            gateway.close()
        shutil.rmtree(folder, ignore_errors=True)
