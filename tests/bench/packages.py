# SPDX-License-Identifier: Apache-2.0
"""Rivals that npm has, installed into the build folder when a row first wants them, and the Node they run on."""

import platform
import subprocess
from pathlib import Path

from processes import Failure, say

ROOT = Path(__file__).resolve().parents[2]


def find_node(build):
    found = subprocess.run([ROOT / 'tools' / 'find-node', build], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise Failure(f'no Node for the rivals: {found.stderr.strip()}')
    return str(Path(found.stdout.strip()) / 'node')


def take_from_npm(folder, wanted, *options):
    """The node_modules of `folder` with {name: version} of `wanted` in it."""
    words = [f'{name}@{version}' for name, version in wanted.items()]
    mark = folder / 'installed'
    if not mark.exists() or mark.read_text() != ' '.join(words):
        say(f'bench: taking {", ".join(words)} from npm into {folder}')
        folder.mkdir(parents=True, exist_ok=True)
        ran = subprocess.run(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error',
                              *options, *words], capture_output=True, text=True, timeout=600, check=False)
        if ran.returncode != 0:
            raise Failure(f'the rivals cannot be installed: {ran.stderr.strip()[-400:]}')
        mark.write_text(' '.join(words))
    return folder / 'node_modules'


# A build of uWebSockets.js that npm has, with binaries for Node 16, 18 and 20; its makers' own is not there.
UWS = {'@trufflesuite/uws-js-unofficial': '20.30.0-unofficial.0'}
UWS_NODE = '20.20.2'


def uws_command(build, more):
    """The words that start tests/bench/bare_uws.mjs, on a Node that the binary is made for."""
    machine = {'x86_64': 'x64', 'aarch64': 'arm64'}.get(platform.machine(), platform.machine())
    modules = take_from_npm(build / 'bench-uws', UWS, '--ignore-scripts', '--omit=optional')
    node = find_node(build)
    binary = uws_binary(modules, machine, node)
    if not binary.exists():
        name = f'node-linux-{machine}'
        node = str(take_from_npm(build / 'bench-node', {name: UWS_NODE}) / name / 'bin' / 'node')
        binary = uws_binary(modules, machine, node)
    return [node, str(Path(__file__).with_name('bare_uws.mjs')), str(binary.resolve()), *more]


def uws_binary(modules, machine, node):
    ran = subprocess.run([node, '-p', 'process.versions.modules'], capture_output=True, text=True, check=True)
    return modules / next(iter(UWS)) / 'binaries' / f'uws_linux_{machine}_{ran.stdout.strip()}.node'
