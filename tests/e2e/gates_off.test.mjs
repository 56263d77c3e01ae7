// SPDX-License-Identifier: Apache-2.0
// kernel.gates = false: for measuring alone, so refused where anybody else could come in.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, freshFolder } from './lib/gateway.mjs';
import { MgpClient } from './lib/mgp_client.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const OFF = ['--set', 'kernel.gates=false'];

function serve(...args) {
	return command(['serve', '--data', join(freshFolder(), 'data'), ...args]);
}

test('without --open, and on other addresses, a gateway without gates does not start', async () => {
	for (const args of [['--listen', '127.0.0.1:0'], ['--listen', '0.0.0.0:0', '--insecure-open']]) {
		const served = await serve(...OFF, ...args);
		assert.notEqual(served.code, 0, served.stdout);
		assert.match(served.stderr, /kernel\.gates.*--open.*loopback/);
		assert.doesNotMatch(served.stdout, /^ready/m);
	}
});

test('the key is known and needs a new start', async () => {
	const file = join(freshFolder(), 'hustings.toml');
	writeFileSync(file, '[kernel]\ngates = "perhaps"\n');
	const checked = await command(['config', 'check', '--config', file]);
	assert.notEqual(checked.code, 0);
	assert.match(checked.stdout + checked.stderr, /hustings\.toml:2\b/);
});

/** An open gateway with one server, whose tool wants other arguments than it gets. */
function houseWith(t, kernel) {
	const strict = { name: 'strict', annotations: { readOnlyHint: true },
		inputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } };
	return MgpHouse.forTest(t, { open: true, kernel, servers: [new Outsider('plain', { plain: true, tools: [strict] })] });
}

async function callStrict(house) {
	await house.is('plain', 'connected');
	const client = await MgpClient.legacy(house.url('plain'), { mgp: null });
	house.clients.push(client);
	return client.request('tools/call', { name: 'strict', arguments: { count: 'many' } }).catch((error) => error);
}

/** The events of calls in the audit trail. */
async function callEvents(house) {
	const { text } = await house.gateway.request('GET', '/admin/audit', { token: house.gateway.adminToken() });
	return [...text.matchAll(/TOOL_[A-Z]+/g)].map(([word]) => word);
}

test('with gates the call is refused and recorded', async (t) => {
	const house = await houseWith(t, {});
	await callStrict(house);
	assert.equal(house.servers[0].calls('strict').length, 0);
	await until(async () => (await callEvents(house)).includes('TOOL_BLOCKED'), 'the refusal is recorded');
});

test('without them it arrives as it was made, and nothing is recorded or governed', async (t) => {
	const house = await houseWith(t, { gates: false });
	await callStrict(house);
	const { message } = house.servers[0].calls('strict')[0];
	assert.deepEqual(message.params.arguments, { count: 'many' });
	assert.deepEqual(await callEvents(house), []);
	await house.rest('GET', '/admin/grants', { status: 404 });
	assert.equal((await house.server('plain')).state, 'connected');
});

test('a reload changes nothing of it, and says so', async (t) => {
	const house = await houseWith(t, { gates: false });
	await house.is('plain', 'connected');
	const { configFile } = house.gateway;
	writeFileSync(configFile, `[kernel]\ngates = true\n${house.servers[0].config}`);
	house.gateway.signal('SIGHUP');
	await until(() => /kernel\.gates change at the next start/.test(house.gateway.stderr), 'the log names the key');
	await callStrict(house);
	assert.equal(house.servers[0].calls('strict').length, 1);
});
