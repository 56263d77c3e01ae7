// SPDX-License-Identifier: Apache-2.0
// Promotion and demotion by administrators (MCPx v0.1 5.1, 9.2, 10.3).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor, isEvent, joinAs, request } from './lib/house.mjs';

const gateway = await house();

function promote(where, id, { topic, verb = 'promote', token = where.adminToken() } = {}) {
	const query = topic === undefined ? '' : `?topic=${encodeURIComponent(topic)}`;
	return where.request('POST', `/admin/participants/${id}/${verb}${query}`, { token });
}

async function pair(id, where = gateway, privilege = 'restricted') {
	const topic = freshTopic();
	const alice = await joinAs(where, topic, 'alice');
	const robin = await joinAs(where, topic, id, { privilege });
	return { topic, alice, robin };
}

async function mayCall(client) {
	const id = client.send(request('alice'));
	const answer = await client.next((envelope) => envelope.id === id || envelope.correlation_id === id);
	return answer.id === id;
}

test('a promotion answers with the fields of the text', async () => {
	const { topic } = await pair('p-fields');
	const answer = await promote(gateway, 'p-fields', { topic });
	assert.equal(answer.status, 200, answer.text);
	assert.equal(answer.json.participantId, 'p-fields');
	assert.equal(answer.json.oldPrivilege, 'restricted');
	assert.equal(answer.json.newPrivilege, 'full');
	assert.equal(typeof answer.json.promotedBy, 'string');
	assert.ok(!Number.isNaN(Date.parse(answer.json.promotedAt)));
});

test('a promotion holds at once on the live connection, and the participant is told', async () => {
	const { topic, alice, robin } = await pair('p-live');
	assert.equal(await mayCall(robin), false);
	await promote(gateway, 'p-live', { topic });
	const told = await robin.next(isEvent('privilege'));
	assert.equal(told.from, 'system:gateway');
	assert.deepEqual(told.payload.participant, { id: 'p-live', privilege: 'full', oldPrivilege: 'restricted' });
	const id = robin.send(request('alice'));
	await alice.next((envelope) => envelope.id === id);
});

test('a demotion holds at once on the live connection', async () => {
	const { topic, robin } = await pair('p-demote', gateway, 'full');
	assert.equal(await mayCall(robin), true);
	const answer = await promote(gateway, 'p-demote', { topic, verb: 'demote' });
	assert.equal(answer.status, 200, answer.text);
	assert.equal(answer.json.newPrivilege, 'restricted');
	const told = await robin.next(isEvent('privilege'));
	assert.deepEqual(told.payload.participant, { id: 'p-demote', privilege: 'restricted', oldPrivilege: 'full' });
	assert.equal(await mayCall(robin), false);
});

test('a promotion outlives the connection and a restart of the gateway', async (t) => {
	const own = await houseFor(t);
	const { topic, robin } = await pair('p-keeps', own);
	await promote(own, 'p-keeps', { topic });
	await robin.close();
	const again = await joinAs(own, topic, 'p-keeps', { privilege: 'restricted' });
	assert.equal(again.welcome.payload.participant.privilege, 'full');
	await own.restart();
	const later = await joinAs(own, topic, 'p-keeps', { privilege: 'restricted' });
	assert.equal(later.welcome.payload.participant.privilege, 'full');
	await joinAs(own, topic, 'alice');
	assert.equal(await mayCall(later), true);
});

test('a promotion in one topic holds in that topic alone', async () => {
	const { topic } = await pair('p-scope');
	const elsewhere = await joinAs(gateway, freshTopic(), 'p-scope', { privilege: 'restricted' });
	await promote(gateway, 'p-scope', { topic });
	assert.equal(await mayCall(elsewhere), false);
	const other = await joinAs(gateway, freshTopic(), 'p-scope', { privilege: 'restricted' });
	assert.equal(other.welcome.payload.participant.privilege, 'restricted');
});

test('a promotion without a topic holds in every topic', async () => {
	const { robin } = await pair('p-all');
	const elsewhere = await joinAs(gateway, freshTopic(), 'p-all', { privilege: 'restricted' });
	assert.equal((await promote(gateway, 'p-all')).status, 200);
	await robin.next(isEvent('privilege'));
	await elsewhere.next(isEvent('privilege'));
	const later = await joinAs(gateway, freshTopic(), 'p-all', { privilege: 'restricted' });
	assert.equal(later.welcome.payload.participant.privilege, 'full');
});

test('an explicit promotion or demotion comes before the token\'s privilege', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'p-order', { privilege: 'full' });
	await promote(gateway, 'p-order', { topic, verb: 'demote' });
	const again = await joinAs(gateway, topic, 'p-order', { privilege: 'full' });
	assert.equal(again.welcome.payload.participant.privilege, 'restricted');
});

test('only administrators promote and demote', async () => {
	const { topic, alice, robin } = await pair('p-rights');
	for (const verb of ['promote', 'demote']) {
		for (const token of [alice.token, robin.token])
			assert.equal((await promote(gateway, 'p-rights', { topic, verb, token })).status, 403);
		assert.equal((await promote(gateway, 'p-rights', { topic, verb, token: 'nonsense' })).status, 401);
		assert.equal((await gateway.request('POST', `/admin/participants/p-rights/${verb}?topic=${topic}`)).status, 401);
	}
	assert.equal(await mayCall(robin), false);
});

test('an administrator\'s own token may be made by the command line', async () => {
	const { topic, robin } = await pair('p-admin');
	const token = await gateway.token({ id: 'boss', admin: true });
	const answer = await promote(gateway, 'p-admin', { topic, token });
	assert.equal(answer.status, 200);
	assert.equal(answer.json.promotedBy, 'boss');
	await robin.next(isEvent('privilege'));
});

test('open mode does not make administrators', async (t) => {
	const open = await houseFor(t, { open: true });
	assert.match(String((await open.request('POST', '/admin/participants/anyone/demote')).status), /^40[13]$/);
	assert.match(String((await open.request('GET', '/admin/tokens')).status), /^40[13]$/);
});

test('promote and demote are commands as well', async () => {
	const { topic, robin } = await pair('p-command');
	const promoted = await gateway.command(['promote', 'p-command', '--topic', topic]);
	assert.equal(promoted.code, 0, promoted.stderr);
	assert.equal((await robin.next(isEvent('privilege'))).payload.participant.privilege, 'full');
	const demoted = await gateway.command(['demote', 'p-command', '--topic', topic]);
	assert.equal(demoted.code, 0, demoted.stderr);
	assert.equal((await robin.next(isEvent('privilege'))).payload.participant.privilege, 'restricted');
});
