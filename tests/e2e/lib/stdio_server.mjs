// SPDX-License-Identifier: Apache-2.0
// A small MCP server on stdin and stdout that does what a test tells it by its tools, and remembers what it was asked.
// Started as `node stdio_server.mjs MARKER`: the marker makes its process findable.

import { createInterface } from 'node:readline';

const seen = { initializes: 0, lists: 0, cancelled: [], notifications: [], protocolVersion: null, capabilities: null };
const tools = ['echo', 'octets', 'wait', 'release', 'state', 'grow', 'die', 'steps', 'big', 'ask', 'destroy'];
const waiting = [];
const asked = new Map();
let nextId = 1;

function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** An answer whose result is JSON text, so that nothing of it is written anew. */
function sendRaw(id, result) {
	process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
}

function text(id, said, more = {}) {
	send({ id, result: { content: [{ type: 'text', text: said }], ...more } });
}

function definition(name) {
	return { name, description: `does ${name}`, inputSchema: { type: 'object' },
		...(name === 'destroy' ? { annotations: { destructiveHint: true } } : {}) };
}

/** The octets of "arguments", which stands last in the params of the tests that use it. */
function argumentsOf(line) {
	const from = line.indexOf('"arguments":') + '"arguments":'.length;
	return line.slice(from, line.length - 2);
}

const does = {
	echo: ({ id, params }) => text(id, params.arguments.text),
	destroy: (message, line) => does.echo(message, line),
	octets: ({ id }, line) => sendRaw(id, `{"content":[],"structuredContent":${argumentsOf(line)}}`),
	wait: ({ id }) => waiting.push(id),
	release: ({ id }) => {
		for (const one of waiting.splice(0))
			text(one, 'released');
		text(id, 'done');
	},
	state: ({ id }) => text(id, JSON.stringify({ ...seen, waiting })),
	grow: ({ id, params }) => {
		tools.push(params.arguments.name);
		send({ method: 'notifications/tools/list_changed' });
		text(id, 'grown');
	},
	die: () => process.exit(3),
	steps: ({ id, params }) => {
		const progressToken = params._meta?.progressToken;
		for (const progress of [1, 2, 3])
			send({ method: 'notifications/progress', params: { progressToken, progress, total: 3, message: `step ${progress}` } });
		text(id, 'all steps');
	},
	big: ({ id, params }) => text(id, 'x'.repeat(params.arguments.octets)),
	ask: ({ id }) => {
		const own = `own-${nextId++}`;
		asked.set(own, (answer) => text(id, JSON.stringify(answer.error ?? answer.result)));
		send({ id: own, method: 'sampling/createMessage', params: {} });
	},
};

const methods = {
	initialize: ({ id, params }) => {
		seen.initializes += 1;
		seen.protocolVersion = params.protocolVersion;
		seen.capabilities = params.capabilities;
		send({ id, result: {
			protocolVersion: params.protocolVersion,
			capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
			serverInfo: { name: 'scripted', version: '1.0.0' }, instructions: 'Be kind.',
		} });
	},
	'tools/list': ({ id, params }) => {
		seen.lists += 1;
		if (params?.cursor === 'second')
			send({ id, result: { tools: tools.slice(5).map(definition) } });
		else
			send({ id, result: { tools: tools.slice(0, 5).map(definition), nextCursor: 'second' } });
	},
	'tools/call': (message, line) => does[message.params.name](message, line),
	'resources/list': ({ id }) => send({ id, result: { resources: [{ uri: 'a:b', name: 'b' }] } }),
	'prompts/list': ({ id }) => send({ id, result: { prompts: [] } }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		asked.get(message.id)?.(message);
	} else if (message.id === undefined) {
		seen.notifications.push(message.method);
		if (message.method === 'notifications/cancelled') {
			seen.cancelled.push(message.params.requestId);
			waiting.splice(waiting.indexOf(message.params.requestId), 1);
		}
	} else if (methods[message.method] === undefined) {
		send({ id: message.id, error: { code: -32601, message: `no ${message.method}` } });
	} else {
		methods[message.method](message, line);
	}
}).on('close', () => process.exit(0));

process.stdout.write('This line is no JSON-RPC, as some servers print one.\n');
