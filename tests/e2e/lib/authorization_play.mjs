// SPDX-License-Identifier: Apache-2.0
// The parts of ADR-001 in Node, from its text alone: agent-b is a hosted server whose tools say what they need, agent-a calls,
// and people decide.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { answerOf, ask } from './attached.mjs';
import { freshTopic, isPresence, joinAs } from './house.mjs';
import { FREE, MgpHouse, Outsider } from './mgp_house.mjs';

export const EXTENSION = 'dev.hustings/authorization';
export const ASKED = 'notifications/authorization/request';
export const RESOLVED = 'notifications/authorization/resolved';
export const RESPOND = 'authorization/respond';
export const REVOKE = 'authorization/revoke';
export const DONE = { content: [{ type: 'text', text: 'Operation completed successfully' }] };
/** The metadata of the text. */
export const METADATA = { required: true, mode: 'user_approval', timeout: 300, message: 'This operation affects production systems' };
export const PRODUCTION = { target: 'production' };

const readOnly = { readOnlyHint: true };
const inputSchema = { type: 'object', properties: { target: { type: 'string' } } };
const tool = (name, authorization, does = [{ result: DONE }]) => ({ name, description: 'Performs a dangerous operation', inputSchema,
	annotations: readOnly, does, ...(authorization === undefined ? {} : { authorization }) });

export const TOOLS = [
	tool('dangerous_operation', METADATA),
	tool('other_operation', METADATA),
	tool('brief', { ...METADATA, timeout: 1 }),
	tool('automatic', { required: true, mode: 'automatic' }),
	tool('not_required', { ...METADATA, required: false }),
	tool('free'),
	tool('lasts', METADATA, [{ script: [{ hold: 'lasts' }, { answer: DONE }] }]),
];

/** agent-b; authorization: its [servers.authorization]. */
export function agentB(topic, authorization, more = {}) {
	return new Outsider('agent-b', { plain: true, tools: TOOLS }, {}, { share: 'principal', ...(topic === undefined ? {} : { rooms: [topic] }),
		...(authorization === undefined ? {} : { authorization }), ...more });
}

/** A gateway with agent-b in a room of its own; decide: keys of [decide]. */
export async function authorizationHouse({ authorization, decide = {}, more, ...options } = {}, t) {
	const topic = freshTopic();
	const owner = agentB(topic, authorization, more);
	const text = Object.entries(decide).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('');
	const settings = { kernel: FREE, servers: [owner], before: text === '' ? '' : `[decide]\n${text}`, ...options };
	const house = await (t === undefined ? MgpHouse.forFile(settings) : MgpHouse.forTest(t, settings));
	await house.allConnected();
	return Object.assign(house, { topic, owner });
}

/** Somebody in the room. declares: it says that it knows of authorization; id: the whole name, else a fresh one. */
export async function member(t, house, name, { declares = true, id = `${name}-${randomUUID().slice(0, 6)}`, ...options } = {}) {
	const one = await joinAs(house.gateway, house.topic, id, options);
	t.after(() => one.close());
	if (options.privilege === 'restricted')
		return one;
	if (!one.welcome.payload.participants.some((other) => other.id === 'agent-b'))
		await one.next(isPresence('join', 'agent-b'));
	const { payload } = await answerOf(one, 'agent-b', 'initialize', { protocolVersion: '2025-06-18',
		capabilities: declares ? { extensions: { [EXTENSION]: {} } } : {}, clientInfo: { name: 'outside', version: '1' } }, 0);
	one.hello = payload.result;
	one.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	return one;
}

/** Calls one of agent-b's tools: the envelope's id. */
export function callTo(one, name = 'dangerous_operation', args = PRODUCTION, payloadId = 'original-request-id') {
	return ask(one, 'agent-b', 'tools/call', { name, arguments: args }, payloadId);
}

const isFrom = (method, fits) => ({ from, kind, payload }) => kind === 'mcp' && from === 'agent-b' && payload.method === method && fits(payload.params);

/** The notification by which agent-b asks for a decision. */
export function asked(one, fits = () => true) {
	return one.next(isFrom(ASKED, fits));
}

export function resolved(one, fits = () => true) {
	return one.next(isFrom(RESOLVED, fits));
}

/** Decides as the text has it: a notification to agent-b. */
export function respond(one, authorizationId, decision, more = {}) {
	return one.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: RESPOND, params: { authorizationId, decision, ...more } } });
}

export function revoke(one, authorizationId, more = {}) {
	return one.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: REVOKE, params: { authorizationId, ...more } } });
}

/** An hour from now, as the text writes times. */
export const inAnHour = () => new Date(Date.now() + 3600_000).toISOString();

/** Something that agent-b answers at once: what was sent to it before has been read. */
export async function readBy(one) {
	const { payload } = await answerOf(one, 'agent-b', 'tools/list', {}, `read-${randomUUID()}`);
	assert.ok(payload.result, JSON.stringify(payload));
}
