// SPDX-License-Identifier: Apache-2.0
// How browsers come in: one-use tickets and the bearer as a subprotocol.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor } from './lib/house.mjs';
import { RoomClient } from './lib/room_client.mjs';
import { past, until } from './lib/wait.mjs';

const gateway = await house();
const token = await gateway.token({ id: 'alice', privilege: 'full' });

async function ticketFor(topic, bearer = token, where = gateway) {
	const answer = await where.request('POST', '/v0/tickets', { token: bearer, body: { topic } });
	assert.equal(answer.status, 201, answer.text);
	return answer.json;
}

test('a ticket lets its identity in once', async () => {
	const topic = freshTopic();
	const { ticket, expires_in: life } = await ticketFor(topic);
	assert.ok(life > 0 && life <= 30);
	const alice = await RoomClient.connect({ gateway, topic, query: { ticket } });
	assert.equal(alice.id, 'alice');
	assert.equal(alice.welcome.payload.participant.privilege, 'full');
	assert.equal((await RoomClient.refused({ gateway, topic, query: { ticket } })).status, 401);
});

test('of two that use a ticket at once, one gets in', async () => {
	const topic = freshTopic();
	const { ticket } = await ticketFor(topic);
	const outcomes = await Promise.allSettled([0, 1].map(() => RoomClient.connect({ gateway, topic, query: { ticket } })));
	assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
});

test('a ticket is bound to its topic', async () => {
	const { ticket } = await ticketFor(freshTopic());
	const { status } = await RoomClient.refused({ gateway, topic: freshTopic(), query: { ticket } });
	assert.ok([401, 403].includes(status), `${status}`);
});

test('a ticket keeps the privilege of the token that asked', async () => {
	const topic = freshTopic();
	const weak = await gateway.token({ id: 'robin', privilege: 'restricted' });
	const { ticket } = await ticketFor(topic, weak);
	const robin = await RoomClient.connect({ gateway, topic, query: { ticket } });
	assert.equal(robin.welcome.payload.participant.privilege, 'restricted');
});

test('a ticket for a topic outside the token\'s scope is refused', async () => {
	const scoped = await gateway.token({ id: 'scoped', topic: 'room:mine' });
	assert.equal((await gateway.request('POST', '/v0/tickets', { token: scoped, body: { topic: 'room:other' } })).status, 403);
});

test('tickets need a token, and a body that names a topic', async () => {
	assert.equal((await gateway.request('POST', '/v0/tickets', { body: { topic: 'x' } })).status, 401);
	for (const body of ['', '{}', '{"topic":7}', '[]', 'x', '{"topic":"a b"}'])
		assert.equal((await gateway.request('POST', '/v0/tickets', { token, body })).status, 400, body);
});

test('an invented ticket is refused', async () => {
	for (const ticket of ['', 'nonsense', 'A'.repeat(43)])
		assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), query: { ticket } })).status, 401, ticket);
});

test('a ticket does not open the REST helpers', async () => {
	const topic = freshTopic();
	const { ticket } = await ticketFor(topic);
	assert.equal((await gateway.request('GET', `/v0/topics?ticket=${ticket}`)).status, 401);
	assert.equal((await gateway.request('GET', '/v0/topics', { token: ticket })).status, 401);
});

test('revoking the token revokes its unused tickets', async () => {
	const topic = freshTopic();
	const brief = await gateway.token({ id: 'brief', privilege: 'full' });
	const { ticket } = await ticketFor(topic, brief);
	assert.equal((await gateway.command(['token', 'revoke', brief])).code, 0);
	await until(async () => (await gateway.request('GET', '/v0/topics', { token: brief })).status === 401, 'the token is revoked');
	assert.equal((await RoomClient.refused({ gateway, topic, query: { ticket } })).status, 401);
});

test('the bearer may come as a subprotocol, answered with mcpx alone', async () => {
	const topic = freshTopic();
	const bearer = `bearer.${Buffer.from(token).toString('base64url')}`;
	const alice = await RoomClient.connect({ gateway, topic, subprotocols: ['mcpx', bearer] });
	assert.equal(alice.id, 'alice');
	assert.equal(alice.socket.protocol, 'mcpx');
});

test('a wrong bearer in the subprotocol is refused', async () => {
	for (const bearer of ['nonsense', '', 'A'.repeat(100)]) {
		const subprotocols = ['mcpx', ...(bearer === '' ? [] : [`bearer.${Buffer.from(bearer).toString('base64url')}`])];
		assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), subprotocols })).status, 401);
	}
});

test('a ticket expires', async (t) => {
	const own = await houseFor(t);
	const topic = freshTopic();
	const bearer = await own.token({ id: 'alice', privilege: 'full' });
	const { ticket, expires_in: life } = await ticketFor(topic, bearer, own);
	await past(Date.now() + (life + 1) * 1000);
	assert.equal((await RoomClient.refused({ gateway: own, topic, query: { ticket } })).status, 401);
});
