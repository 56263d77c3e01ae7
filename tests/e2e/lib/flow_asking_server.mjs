// SPDX-License-Identifier: Apache-2.0
// A server of 2025-06-18 whose tools ask in odd ways: two forms at once, a form that is taken back, a form that is not waited for.

import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answers = new Map();
let numbers = 0;

function ask(field) {
	const id = `ask-${numbers += 1}`;
	send({ id, method: 'elicitation/create', params: { message: `Say ${field}`,
		requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] } } });
	return { id, answer: new Promise((done) => { answers.set(id, done); }) };
}

const tools = {
	async twice() {
		return Promise.all([ask('one').answer, ask('two').answer]);
	},
	async regrets() {
		const { id } = ask('one');
		send({ method: 'notifications/cancelled', params: { requestId: id } });
		return ask('two').answer;
	},
	async hastens() {
		ask('one');
		return 'not waited for';
	},
};

const results = {
	initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'asking', version: '0' } }),
	'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } })) }),
	'tools/call': async ({ name }) => ({ content: [{ type: 'text', text: JSON.stringify(await tools[name]()) }] }),
	ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === undefined) answers.get(id)?.(result);
	else if (id !== undefined && results[method]) send({ id, result: await results[method](params) });
	else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
});
