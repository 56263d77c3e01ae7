// SPDX-License-Identifier: Apache-2.0
// A server that speaks MCP Flow by itself, written from its text alone: `node flow_server.mjs FOLDER` on stdin and stdout. Its tool
// "trip" asks for a destination and a class, with progress; its session ids are easy to guess, as bad servers have them.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const FLOW_SERVER = fileURLToPath(import.meta.url);
export const CAPABILITIES = { interactive: true, version: '0.1.0', features: { statefulSessions: true, progressTracking: true, validation: true,
	multiplePromptTypes: false, sessionPersistence: false } };
export const DESTINATION = { type: 'text', message: 'Enter destination:', validation: { required: true } };
export const CLASS = { type: 'choice', message: 'Select option:', choices: [{ value: 'a', label: 'Option A' }, { value: 'b', label: 'Option B' }],
	validation: { required: true } };
export const PROGRESS = { current: 2, total: 5, message: 'Step 2 of 5' };

const sessions = new Map();
let numbers = 0;

const fault = (code, message, data) => ({ error: { code, message, ...(data === undefined ? {} : { data }) } });

function write(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(method, params) {
	write({ id: `q-${numbers += 1}`, method, params });
}

function turn(sessionId, session, value) {
	session.values.push(value);
	session.state = 'processing';
	if (session.values.length === 1) {
		session.state = 'waiting_user';
		session.prompt = CLASS;
		return () => ask('interaction.prompt', { sessionId, prompt: CLASS, progress: PROGRESS });
	}
	return () => {
		ask('interaction.continue', { sessionId, progress: { current: 5, total: 5 } });
		session.state = 'completed';
		session.result = { success: true, data: { destination: session.values[0], class: session.values[1] } };
		ask('interaction.complete', { sessionId, result: session.result, summary: 'Completed successfully' });
	};
}

const flow = {
	'interaction.start'({ toolName, initialParams }) {
		const sessionId = `session_${sessions.size + 1}`;
		sessions.set(sessionId, { toolName, initialParams, state: 'waiting_user', prompt: DESTINATION, values: [], since: Date.now() });
		return { result: { sessionId, state: 'idle', initialPrompt: DESTINATION } };
	},
	'interaction.respond'({ sessionId, response }, session) {
		if (session.state !== 'waiting_user')
			return fault(-32003, `Invalid state change from ${session.state}`, { sessionId });
		if (session.prompt === CLASS && !['a', 'b'].includes(response.value))
			return { result: { accepted: false, validation: { valid: false, error: 'Invalid format', suggestion: 'a or b' } } };
		return { result: { accepted: true, validation: { valid: true } }, after: turn(sessionId, session, response.value) };
	},
	'interaction.getState': ({ sessionId }, session) => ({ result: { sessionId, state: session.state, metadata: { createdAt: session.since,
		lastActivityAt: session.since, toolName: session.toolName }, history: [], currentPrompt: session.prompt, accumulatedData: {} } }),
	'interaction.cancel'({ sessionId }, session) {
		if (session.state === 'cancelled')
			return fault(-32006, 'Session already cancelled', { sessionId });
		session.state = 'cancelled';
		return { result: { cancelled: true } };
	},
	'interaction.complete': ({ sessionId }, session) => (session.result === undefined
		? fault(-32003, 'not complete', { sessionId }) : { result: { success: true, finalResult: session.result } }),
};

const methods = {
	initialize: ({ protocolVersion }) => ({ result: { protocolVersion, serverInfo: { name: 'trips', version: '1' },
		capabilities: { tools: {}, extensions: { 'dev.hustings/flow': CAPABILITIES } } } }),
	ping: () => ({ result: {} }),
	capabilities: () => ({ result: CAPABILITIES }),
	'tools/list': () => ({ result: { tools: [{ name: 'trip', annotations: { readOnlyHint: true }, inputSchema: { type: 'object',
		properties: { destination: { type: 'string' } }, required: ['destination'] } }] } }),
	'tools/call': () => ({ result: { content: [{ type: 'text', text: 'called without a session' }] } }),
};

function answer(id, method, params) {
	if (flow[method] === undefined)
		return write({ id, ...(methods[method]?.(params) ?? fault(-32601, `no method ${method}`)) });
	const session = sessions.get(params.sessionId);
	if (method !== 'interaction.start' && session === undefined)
		return write({ id, ...fault(-32001, `Session not found: ${params.sessionId}`) });
	const { after, ...body } = flow[method](params, session);
	write({ id, ...body });
	return after?.();
}

if (process.argv[1] === FLOW_SERVER) {
	createInterface({ input: process.stdin }).on('line', (line) => {
		appendFileSync(join(process.argv[2], 'received.jsonl'), `${line}\n`);
		const { id, method, params } = JSON.parse(line);
		if (method !== undefined && id !== undefined)
			answer(id, method, params ?? {});
	}).on('close', () => process.exit(0));
}
