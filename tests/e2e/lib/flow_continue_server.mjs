// SPDX-License-Identifier: Apache-2.0
// A server that leads by itself and asks its second question by interaction.continue, as the text of MCP Flow has it.

import { createInterface } from 'node:readline';

const FEATURES = { statefulSessions: true, progressTracking: true, validation: true, multiplePromptTypes: false, sessionPersistence: false };
const CAPABILITIES = { interactive: true, version: '0.1.0', features: FEATURES };
const sessions = new Map();
let numbers = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) => write({ id: `q-${numbers += 1}`, method, params });

function goOn(sessionId, said) {
	if (said.length === 1)
		return ask('interaction.continue', { sessionId, nextPrompt: { type: 'text', message: 'Next step...' }, progress: { current: 3, total: 5 } });
	ask('interaction.continue', { sessionId, progress: { current: 5, total: 5 } });
	return ask('interaction.complete', { sessionId, result: { success: true, data: { said } }, summary: 'Done' });
}

const methods = {
	initialize: ({ protocolVersion }) => ({ protocolVersion, serverInfo: { name: 'steps', version: '1' },
		capabilities: { tools: {}, extensions: { 'dev.hustings/flow': CAPABILITIES } } }),
	ping: () => ({}),
	capabilities: () => CAPABILITIES,
	'tools/list': () => ({ tools: [{ name: 'steps', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }] }),
	'interaction.start'() {
		const sessionId = `s${sessions.size + 1}`;
		sessions.set(sessionId, []);
		return { sessionId, state: 'idle', initialPrompt: { type: 'text', message: 'First step' } };
	},
	'interaction.respond': () => ({ accepted: true, validation: { valid: true } }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	if (method === undefined || id === undefined)
		return;
	const result = methods[method]?.(params ?? {});
	write({ id, ...(result === undefined ? { error: { code: -32601, message: `no method ${method}` } } : { result }) });
	if (method === 'interaction.respond') {
		const said = sessions.get(params.sessionId);
		said.push(params.response.value);
		goOn(params.sessionId, said);
	}
}).on('close', () => process.exit(0));
