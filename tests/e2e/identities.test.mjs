// SPDX-License-Identifier: Apache-2.0
// Where a privilege comes from, and which comes first: promotion, token or claim, identity rules, default.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs } from './lib/house.mjs';

const gateway = await house({ config: `
[auth]
default_privilege = "restricted"
identities = [
	{ id = "known", privilege = "full" },
	{ id = "bot-*", privilege = "restricted" },
	{ id = "crew-*", privilege = "full" },
]
` });

async function privilegeOf(id, privilege = null) {
	const client = await joinAs(gateway, freshTopic(), id, { privilege });
	const { privilege: given } = client.welcome.payload.participant;
	await client.close();
	return given;
}

test('an identity rule gives its privilege to a token that names none', async () => {
	assert.equal(await privilegeOf('known'), 'full');
	assert.equal(await privilegeOf('crew-ann'), 'full');
	assert.equal(await privilegeOf('bot-7'), 'restricted');
});

test('whom no rule names gets the default', async () => {
	assert.equal(await privilegeOf('stranger'), 'restricted');
	assert.equal(await privilegeOf('knownn'), 'restricted');
	assert.equal(await privilegeOf('unknown'), 'restricted');
	assert.equal(await privilegeOf('Known'), 'restricted');
});

test('a token\'s own privilege comes before the rule', async () => {
	assert.equal(await privilegeOf('known', 'restricted'), 'restricted');
	assert.equal(await privilegeOf('bot-8', 'full'), 'full');
});

test('a demotion comes before the rule', async () => {
	await gateway.ask('POST', '/admin/participants/crew-bob/demote', 200, { token: gateway.adminToken() });
	assert.equal(await privilegeOf('crew-bob'), 'restricted');
	await gateway.ask('POST', '/admin/participants/bot-9/promote', 200, { token: gateway.adminToken() });
	assert.equal(await privilegeOf('bot-9'), 'full');
});
