// SPDX-License-Identifier: Apache-2.0
// MCP servers on stdin and stdout that misbehave: node odd_server.mjs MANNER. Each first says who it is, but for
// those whose manner is not to; all answer a tool "echo" otherwise.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const manner = process.argv[2];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (id, words) => send({ id, result: { content: [{ type: 'text', text: words }] } });
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' } });
const MIB = 1024 * 1024;

const beginnings = {
	// Garbage of all kinds instead of JSON-RPC.
	garbage: () => {
		process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x7b, 0x0a, 0x5b, 0x5d, 0x0a]));
		setInterval(() => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":\n<html>no</html>\n42\nnull\n[{}]\n'), 100);
	},
	'stderr-flood': () => {
		const line = `${'e'.repeat(200)}\n`.repeat(300);
		const pour = () => { while (process.stderr.write(line)) {} };
		process.stderr.on('drain', pour);
		setInterval(pour, 10);
	},
	forks: () => {
		for (let number = 0; number < 20; number += 1)
			spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', process.argv[3]], { detached: number % 2 === 0, stdio: 'inherit' });
	},
	'ends-at-once': () => process.exit(0),
	'closes-stdout': () => process.stdout.end(),
};

/** Answers a call in its manner; undefined: in no way of its own. */
const calls = {
	// A line of 100 MB, in parts, without end for as long as it is read.
	'long-line': async (id) => {
		process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
		const part = 'x'.repeat(MIB);
		for (let number = 0; number < 100; number += 1) {
			if (!process.stdout.write(part))
				await new Promise((done) => process.stdout.once('drain', done));
		}
		process.stdout.write('"}]}}\n');
	},
	'dies-during-a-call': () => process.exit(3),
	'answers-twice': (id) => { text(id, 'once'); text(id, 'twice'); text(99_999, 'for nobody'); },
	'wrong-shape': (id) => send({ id, result: 'a string' }),
	'both-result-and-error': (id) => send({ id, result: {}, error: { code: 1, message: 'both' } }),
	'never-answers-calls': () => {},
	'strange-errors': (id) => send({ id, error: { code: -32050, message: 'own words \u0007', data: { deep: [1, { two: null }] } } }),
	'huge-error': (id) => send({ id, error: { code: -1, message: 'm'.repeat(2 * MIB) } }),
};

beginnings[manner]?.();

if (manner !== 'garbage') {
	let first = true;
	createInterface({ input: process.stdin }).on('line', (line) => {
		const { id, method, params } = JSON.parse(line);
		if (manner === 'never-answers')
			return;
		if (manner === 'dies-of-strangers' && first && method !== 'initialize')
			process.exit(1);
		first = false;
		if (method === 'initialize')
			send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} },
				serverInfo: { name: manner, version: '1' } } });
		else if (method === 'tools/list' && manner === 'endless-list')
			send({ id, result: { tools: [tool('echo')], nextCursor: 'again' } });
		else if (method === 'tools/list' && manner === 'odd-names')
			send({ id, result: { tools: [tool('echo'), tool('a'.repeat(90)), tool(`${'a'.repeat(90)}b`), tool('with.dot'), tool('with__two'),
				tool('echo')] } });
		else if (method === 'tools/list')
			send({ id, result: { tools: [tool('echo')] } });
		else if (method === 'tools/call' && calls[manner] && params.arguments?.words !== 'plain')
			calls[manner](id);
		else if (method === 'tools/call')
			text(id, params.arguments?.words ?? params.name);
		else if (id !== undefined)
			send({ id, error: { code: -32601, message: `no ${method}` } });
	}).on('close', () => process.exit(0));
}
