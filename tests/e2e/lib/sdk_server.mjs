// SPDX-License-Identifier: Apache-2.0
// A legacy MCP server made of the official SDK, on stdin and stdout: node sdk_server.mjs [MARKER].
// Its tools let a test hold calls, see cancellations, ask back, send big results and start processes.

import { spawn } from 'node:child_process';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ElicitResultSchema, ListRootsResultSchema, ListToolsRequestSchema,
	ReadResourceRequestSchema, ListResourcesRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const held = new Map(); // name -> what lets the call go on
const cancelled = [];
const subscribed = new Set();
const text = (words, more = {}) => ({ content: [{ type: 'text', text: words }], ...more });

const server = new Server({ name: 'sdk-server', version: '1.0.0' }, {
	capabilities: { tools: {}, logging: {}, resources: { subscribe: true } } });

const tools = {
	echo: ({ words }) => text(words),
	pid: () => text(String(process.pid)),
	hold: ({ name }, { signal }) => new Promise((done) => {
		held.set(name, () => done(text(`released ${name}`)));
		signal.addEventListener('abort', () => { held.delete(name); cancelled.push(name); done(text('cancelled')); });
	}),
	held: () => text(JSON.stringify([...held.keys()].sort())),
	release: ({ name }) => { held.get(name)?.(); return text(held.delete(name) ? 'done' : 'nobody'); },
	cancelled: () => text(JSON.stringify(cancelled)),
	ask: async ({ question }, { sendRequest }) => {
		const answer = await sendRequest({ method: 'elicitation/create', params: { message: question,
			requestedSchema: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] } } },
		ElicitResultSchema, { timeout: 600_000 });
		return text(`${question} ${answer.action} ${answer.content?.said ?? ''}`.trim());
	},
	roots: async (_, { sendRequest }) =>
		text(JSON.stringify((await sendRequest({ method: 'roots/list' }, ListRootsResultSchema)).roots)),
	big: ({ octets, seed }) => text(pattern(octets, seed)),
	meta: (_, { _meta }) => text(JSON.stringify(_meta ?? {})),
	log: async ({ level, data }) => {
		await server.sendLoggingMessage({ level, logger: 'sdk-server', data });
		return text('logged');
	},
	// The SDK's client drops progress that stands in one read with the answer: the answer waits for `release`.
	steps: async ({ count, name }, { _meta, sendNotification }) => {
		for (let progress = 1; progress <= count; progress += 1)
			await sendNotification({ method: 'notifications/progress', params: {
				progressToken: _meta.progressToken, progress, total: count, message: `step ${progress}` } });
		return new Promise((done) => held.set(name, () => done(text('all steps'))));
	},
	touch: async ({ uri }) => {
		if (subscribed.has(uri))
			await server.sendResourceUpdated({ uri });
		return text(JSON.stringify([...subscribed]));
	},
	offspring: ({ marker }) => {
		const script = 'setInterval(() => {}, 1000)';
		const child = spawn(process.execPath, ['-e', script, marker, 'setsid'], { detached: true, stdio: 'ignore' });
		const plain = spawn(process.execPath, ['-e', script, marker, 'plain'], { stdio: 'ignore' });
		child.unref();
		return text(JSON.stringify([child.pid, plain.pid]));
	},
	die: () => process.exit(7),
};

/** Text of that many octets that differs from place to place, with characters of several octets in it. */
export function pattern(octets, seed) {
	const parts = [];
	let length = 0;
	for (let number = seed; length < octets; number += 1) {
		const part = `${number}: "quoted" \\ and \u00e4\u20ac\u{1f600}\t;`;
		const size = Buffer.byteLength(part);
		parts.push(length + size <= octets ? part : 'x'.repeat(octets - length));
		length += Math.min(size, octets - length);
	}
	return parts.join('');
}

if (process.argv[1]?.endsWith('sdk_server.mjs')) {
	server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(tools).map((name) => ({ name,
		description: `does ${name}`, inputSchema: { type: 'object', additionalProperties: true },
		annotations: { readOnlyHint: true } })) }));
	server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
		if (!Object.hasOwn(tools, params.name))
			throw new Error(`no tool ${params.name}`);
		return tools[params.name](params.arguments ?? {}, extra);
	});
	server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'sdk:watched', name: 'watched' }] }));
	server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [{ uri: params.uri, text: 'watched' }] }));
	server.setRequestHandler(SubscribeRequestSchema, ({ params }) => { subscribed.add(params.uri); return {}; });
	server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => { subscribed.delete(params.uri); return {}; });
	await server.connect(new StdioServerTransport());
	process.stdin.on('end', () => process.exit(0));
}
