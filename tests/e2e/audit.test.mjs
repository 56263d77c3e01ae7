// SPDX-License-Identifier: Apache-2.0
// What administrators can look up afterwards (MCPx v0.1 7.1, 7.3).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs, proposal, request } from './lib/house.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();

function audit() {
	return gateway.request('GET', '/admin/audit', { token: gateway.adminToken() });
}

/** Waits until one audit record's JSON matches every pattern. */
async function recorded(...patterns) {
	return until(async () => {
		const answer = await audit();
		assert.equal(answer.status, 200, answer.text);
		const records = Array.isArray(answer.json) ? answer.json : Object.values(answer.json).find(Array.isArray);
		return records.map((record) => JSON.stringify(record)).find((record) => patterns.every((pattern) => pattern.test(record)));
	}, `an audit record with ${patterns.join(' ')}`);
}

test('a privilege violation is audited with who and which gate', async () => {
	const topic = freshTopic();
	const robin = await joinAs(gateway, topic, 'a-robin', { privilege: 'restricted' });
	await robin.refusal(request('somebody'));
	await recorded(/a-robin/, /"privilege"/);
});

test('a forged sender is audited', async () => {
	const mallory = await joinAs(gateway, freshTopic(), 'a-mallory');
	await mallory.refusal({ from: 'alice', kind: 'chat', payload: { text: 'x' } });
	await recorded(/a-mallory/, /"sender"/);
});

test('a forbidden kind is audited', async () => {
	const mallory = await joinAs(gateway, freshTopic(), 'a-kind');
	await mallory.refusal({ kind: 'system', payload: { event: 'x' } });
	await recorded(/a-kind/, /"kind"/);
});

test('promotions are audited with who promoted whom', async () => {
	await joinAs(gateway, freshTopic(), 'a-promoted', { privilege: 'restricted' });
	await gateway.ask('POST', '/admin/participants/a-promoted/promote', 200, { token: gateway.adminToken() });
	await recorded(/a-promoted/, /promot/);
});

test('proposals and their fulfilment are audited', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'a-alice');
	const robin = await joinAs(gateway, topic, 'a-proposer', { privilege: 'restricted' });
	const id = robin.send(proposal('robot'));
	await alice.next((envelope) => envelope.id === id);
	await recorded(/a-proposer/, /propos/);
	const call = alice.send({ ...request('robot'), correlation_id: id });
	await alice.next((envelope) => envelope.id === call);
	await recorded(/a-alice/, /fulfil/);
});

test('tokens made and revoked are audited, without the tokens', async () => {
	const token = await gateway.token({ id: 'a-token' });
	await gateway.command(['token', 'revoke', token]);
	await recorded(/a-token/, /revok/);
	assert.ok(!(await audit()).text.includes(token));
});

test('a thousand refusals at one gate do not become a thousand records', async () => {
	const robin = await joinAs(gateway, freshTopic(), 'a-flood', { privilege: 'restricted' });
	for (let i = 0; i < 150; i += 1)
		await robin.refusal(request('somebody'));
	await recorded(/a-flood/, /"privilege"/);
	const records = (await audit()).text.match(/a-flood/g).length;
	assert.ok(records < 75, `${records} mentions`);
});

test('the audit is for administrators', async () => {
	const token = await gateway.token({ id: 'plain', privilege: 'full' });
	assert.equal((await gateway.request('GET', '/admin/audit', { token })).status, 403);
	assert.equal((await gateway.request('GET', '/admin/audit')).status, 401);
});

test('the audit\'s chain verifies', async () => {
	const verified = await gateway.command(['audit', 'verify']);
	assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});

test('audit list prints the records', async () => {
	await recorded(/a-mallory/);
	const listed = await gateway.command(['audit', 'list', '--json']);
	assert.equal(listed.code, 0, listed.stderr);
	assert.match(listed.stdout, /a-mallory/);
});

test('the audit survives a kill', async () => {
	const topic = freshTopic();
	const robin = await joinAs(gateway, topic, 'a-survivor', { privilege: 'restricted' });
	await robin.refusal(request('somebody'));
	await recorded(/a-survivor/);
	await gateway.restart({ hard: true });
	await recorded(/a-survivor/);
	assert.equal((await gateway.command(['audit', 'verify'])).code, 0);
});
