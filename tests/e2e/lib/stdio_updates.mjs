// SPDX-License-Identifier: Apache-2.0
// A legacy MCP server on stdin and stdout with one resource that can be subscribed to. Tools: touch (the resource
// changes), wait (answers when the file that `path` names is there).

import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const URI = 'test://one';
const subscribed = new Set();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const words = (id, text) => send({ id, result: { content: [{ type: 'text', text }] } });
const tools = {
	touch: (id) => {
		for (const uri of subscribed)
			send({ method: 'notifications/resources/updated', params: { uri } });
		words(id, 'touched');
	},
	wait: (id, { path }) => {
		const timer = setInterval(() => {
			if (!existsSync(path))
				return;
			clearInterval(timer);
			words(id, 'waited');
		}, 50);
	},
};
const methods = {
	initialize: ({ id, params }) => send({ id, result: { protocolVersion: params.protocolVersion,
		capabilities: { tools: {}, resources: { subscribe: true } }, serverInfo: { name: 'updates', version: '1' } } }),
	'tools/list': ({ id }) => send({ id, result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) } }),
	'tools/call': ({ id, params }) => tools[params.name](id, params.arguments ?? {}),
	'resources/list': ({ id }) => send({ id, result: { resources: [{ uri: URI, name: 'one' }] } }),
	'resources/subscribe': ({ id, params }) => { subscribed.add(params.uri); send({ id, result: {} }); },
	'resources/unsubscribe': ({ id, params }) => { subscribed.delete(params.uri); send({ id, result: {} }); },
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const message = JSON.parse(line);
	if (message.id === undefined)
		return;
	if (methods[message.method])
		methods[message.method](message);
	else
		send({ id: message.id, error: { code: -32601, message: 'no such method' } });
}).on('close', () => process.exit(0));
