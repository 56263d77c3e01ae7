// SPDX-License-Identifier: Apache-2.0
// SIGHUP: new settings for old connections; a bad file changes nothing.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { freshTopic, houseFor, joinAs, joinOpen, request } from './lib/house.mjs';
import { until } from './lib/wait.mjs';

function log(gateway) {
	return gateway.stdout + gateway.stderr;
}

async function isRefused(alice, envelope) {
	const id = alice.send(envelope);
	const answer = await alice.next((one) => one.id === id || one.correlation_id === id);
	return answer.id !== id;
}

const BROADCAST = { kind: 'mcp', payload: { jsonrpc: '2.0', id: 1, method: 'ping' } };

test('SIGHUP reads the file again, and live connections live by it', async (t) => {
	const gateway = await houseFor(t, { open: true, config: '[rooms]\none_recipient = true\n' });
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	assert.equal(await isRefused(alice, BROADCAST), true);
	writeFileSync(gateway.configFile, '[rooms]\none_recipient = false\n');
	gateway.signal('SIGHUP');
	await until(async () => !(await isRefused(alice, BROADCAST)), 'the new setting holds');
	writeFileSync(gateway.configFile, '[rooms]\none_recipient = true\n');
	gateway.signal('SIGHUP');
	await until(async () => isRefused(alice, BROADCAST), 'the old setting holds again');
});

test('a bad file at SIGHUP keeps the old settings and the log names the key', async (t) => {
	const gateway = await houseFor(t, { open: true, config: '[rooms]\none_recipient = false\n' });
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	writeFileSync(gateway.configFile, '[rooms]\none_recipient = true\npaec = 1\n');
	gateway.signal('SIGHUP');
	await until(() => log(gateway).includes('paec'), 'the log names the key');
	assert.equal(await isRefused(alice, BROADCAST), false);
	assert.equal(gateway.isRunning(), true);
});

test('a file that is gone at SIGHUP keeps the old settings', async (t) => {
	const gateway = await houseFor(t, { open: true, config: '[rooms]\none_recipient = false\n' });
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	rmSync(gateway.configFile);
	const said = log(gateway).length;
	gateway.signal('SIGHUP');
	await until(() => log(gateway).length > said, 'the failure is logged');
	assert.equal(await isRefused(alice, BROADCAST), false);
});

test('the default privilege may change by SIGHUP', async (t) => {
	const gateway = await houseFor(t, { config: '[auth]\ndefault_privilege = "restricted"\n' });
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', { privilege: null });
	assert.equal(await isRefused(alice, request('alice')), true);
	writeFileSync(gateway.configFile, '[auth]\ndefault_privilege = "full"\n');
	gateway.signal('SIGHUP');
	await until(async () => {
		const late = await joinAs(gateway, freshTopic(), 'alice', { privilege: null });
		const { privilege } = late.welcome.payload.participant;
		await late.close();
		return privilege === 'full';
	}, 'newcomers are full');
});

test('many SIGHUPs in a row harm nothing', async (t) => {
	const gateway = await houseFor(t, { open: true, config: '[rooms]\none_recipient = true\n' });
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	for (let i = 0; i < 50; i += 1) {
		gateway.signal('SIGHUP');
		await alice.say(`after ${i}`);
	}
	assert.equal(gateway.isRunning(), true);
});
