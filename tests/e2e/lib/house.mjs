// SPDX-License-Identifier: Apache-2.0
// What nearly every test begins with: a gateway that ends with the file, fresh topics, people in them.

import { after } from 'node:test';
import { randomUUID } from 'node:crypto';
import { Gateway } from './gateway.mjs';
import { RoomClient, V01 } from './room_client.mjs';

let topics = 0;

/** A topic nobody has used. */
export function freshTopic() {
	topics += 1;
	return `room:${topics}-${randomUUID().slice(0, 8)}`;
}

/** A gateway for the whole file. */
export async function house(options = {}) {
	const gateway = await Gateway.start(options);
	after(() => gateway.finish());
	return gateway;
}

/** A gateway for one test. */
export async function houseFor(t, options = {}) {
	const gateway = await Gateway.start(options);
	t.after(() => gateway.finish());
	return gateway;
}

/** Joins a topic of an open gateway. */
export function joinOpen(gateway, topic, id, options = {}) {
	return RoomClient.connect({ gateway, topic, id, ...options });
}

/** Joins with a token of that id and privilege; tokens are kept per gateway and used again. */
export async function joinAs(gateway, topic, id, { privilege = 'full', protocol = V01, query, ...rest } = {}) {
	const key = JSON.stringify([id, privilege, rest.kind, rest.name]);
	let token = gateway.tokens.get(key);
	if (token === undefined) {
		token = await gateway.token({ id, privilege: privilege ?? undefined, kind: rest.kind, name: rest.name });
		gateway.tokens.set(key, token);
	}
	const client = await RoomClient.connect({ gateway, topic, token, protocol, query });
	client.token = token;
	return client;
}

/** A tools/call request to one participant. */
export function request(to, { payloadId = 1, method = 'tools/call', params = { name: 't', arguments: {} } } = {}) {
	return { kind: 'mcp', to: [to].flat(), payload: { jsonrpc: '2.0', id: payloadId, method, params } };
}

/** A proposal of a tools/call to one participant. */
export function proposal(to, { method = 'tools/call', params = { name: 't', arguments: {} }, reason } = {}) {
	return { kind: 'mcp/proposal', to: [to].flat(), payload: { method, params, ...(reason === undefined ? {} : { reason }) } };
}

/** The `system` event of that name, optionally about one proposal. */
export function isEvent(name, proposalId) {
	return (envelope) => envelope.kind === 'system' && envelope.payload.event === name
		&& (proposalId === undefined || envelope.payload.proposalId === proposalId);
}

/** Presence of that event and id. */
export function isPresence(event, id) {
	return (envelope) => envelope.kind === 'presence' && envelope.payload.event === event
		&& envelope.payload.participant.id === id;
}

/** The history of a topic, most recent first. */
export async function history(gateway, topic, { token, query = '' } = {}) {
	const page = await gateway.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/history${query}`, 200, { token });
	return page.envelopes;
}

/** Everything in a topic's history, oldest first, page by page. */
export async function wholeHistory(gateway, topic, { token, limit = 1000 } = {}) {
	const all = [];
	let query = `?limit=${limit}`;
	for (;;) {
		const page = await gateway.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/history${query}`, 200, { token });
		all.push(...page.envelopes);
		if (page.next_before === null)
			return all.reverse();
		query = `?limit=${limit}&before=${encodeURIComponent(page.next_before)}`;
	}
}

/** The refusal in the body of an HTTP answer. */
export function refusalOf(answer) {
	return answer.json?.payload ?? answer.json?.error ?? answer.json ?? {};
}
