// SPDX-License-Identifier: Apache-2.0
// Files, environment, --set, and what is said about mistakes in them.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, freshFolder } from './lib/gateway.mjs';
import { freshTopic, houseFor, joinAs, joinOpen } from './lib/house.mjs';
import { settle } from './lib/room_client.mjs';

function file(text) {
	const name = join(freshFolder(), 'hustings.toml');
	writeFileSync(name, text);
	return name;
}

function check(text, options = {}) {
	return command(['config', 'check', '--config', file(text)], options);
}

function output({ stdout, stderr }) {
	return stdout + stderr;
}

const TWO_A_MINUTE = '[rooms]\npace = "2/min"\n';

/** How many of twenty envelopes of one participant the room lets pass. */
async function passing(gateway) {
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	const bob = await joinOpen(gateway, alice.topic, 'bob');
	const ids = new Set();
	for (let i = 0; i < 20; i += 1)
		ids.add(alice.chat(`line ${i}`));
	const last = alice.chat('last');
	await alice.next((envelope) => envelope.id === last || envelope.correlation_id === last);
	const [seen] = await settle(bob, bob);
	return seen.filter((envelope) => ids.has(envelope.id)).length;
}

test('config check accepts a good file', async () => {
	const checked = await check('[gateway]\nmax_message = "1MiB"\n[rooms]\npace = "200/s"\nproposal_ttl = "5m"\n[auth]\ndefault_privilege = "restricted"\n');
	assert.equal(checked.code, 0, output(checked));
});

test('an empty file is good', async () => {
	const checked = await check('');
	assert.equal(checked.code, 0, output(checked));
});

test('an unknown key is an error that names file, line and key', async () => {
	const checked = await check('[rooms]\npace = "200/s"\n\npaec = "1/s"\n');
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /hustings\.toml:4\b/);
	assert.match(output(checked), /paec/);
});

test('an unknown section is an error that names file and line', async () => {
	const checked = await check('[rooms]\n\n[romos]\npace = "1/s"\n');
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /hustings\.toml:[34]\b/);
	assert.match(output(checked), /romos/);
});

test('a value of the wrong kind is an error that names file and line', async () => {
	for (const [text, line] of [
		['[gateway]\nmax_message = "much"\n', 2],
		['[gateway]\n\nmax_message = true\n', 3],
		['[rooms]\nproposal_ttl = "soon"\n', 2],
		['[rooms]\none_recipient = "perhaps"\n', 2],
		['[auth]\n# the default\ndefault_privilege = "god"\n', 3],
		['[rooms]\npace = 5\n', 2],
		['[rooms]\npace = ["1/s"]\n', 2],
	]) {
		const checked = await check(text);
		assert.notEqual(checked.code, 0, text);
		assert.match(output(checked), new RegExp(`hustings\\.toml:${line}\\b`), text);
	}
});

test('text that is not TOML is an error that names file and line', async () => {
	const checked = await check('[rooms]\npace = \n');
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /hustings\.toml:2\b/);
});

test('a file that is not there is an error', async () => {
	const checked = await command(['config', 'check', '--config', '/nonexistent/hustings.toml']);
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /nonexistent/);
});

test('serve refuses a bad file before it listens', async () => {
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(freshFolder(), 'data'), '--config', file('[rooms]\npaec = 1\n')]);
	assert.notEqual(served.code, 0);
	assert.ok(!served.stdout.includes('ready '));
	assert.match(served.stderr, /hustings\.toml:2\b/);
});

test('variables are filled in, with a default where they are unset', async () => {
	const text = '[rooms]\npace = "${E2E_PACE}"\nproposal_ttl = "${E2E_TTL:-7m}"\n';
	assert.equal((await check(text, { env: { E2E_PACE: '5/s' } })).code, 0);
	const unset = await check(text);
	assert.notEqual(unset.code, 0);
	assert.match(output(unset), /E2E_PACE/);
	assert.match(output(unset), /hustings\.toml:2\b/);
	assert.notEqual((await check(text, { env: { E2E_PACE: '5/s', E2E_TTL: 'never mind' } })).code, 0);
});

test('the file is obeyed', async (t) => {
	const gateway = await houseFor(t, { open: true, config: TWO_A_MINUTE });
	const passed = await passing(gateway);
	assert.ok(passed >= 2 && passed < 20, `${passed}`);
});

test('the environment beats the file', async (t) => {
	const gateway = await houseFor(t, { open: true, config: TWO_A_MINUTE, env: { HUSTINGS_ROOMS_PACE: 'off' } });
	assert.equal(await passing(gateway), 20);
});

test('flags beat the environment', async (t) => {
	const gateway = await houseFor(t, { open: true, config: TWO_A_MINUTE, env: { HUSTINGS_ROOMS_PACE: '3/min' }, set: { 'rooms.pace': 'off' } });
	assert.equal(await passing(gateway), 20);
});

test('an unknown key in --set is an error', async () => {
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(freshFolder(), 'data'), '--set', 'rooms.paec=off']);
	assert.notEqual(served.code, 0);
	assert.match(output(served), /paec/);
});

test('a bad value in the environment is an error that names the variable or its key', async () => {
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(freshFolder(), 'data')], { env: { HUSTINGS_ROOMS_PACE: 'often' } });
	assert.notEqual(served.code, 0);
	assert.match(output(served), /HUSTINGS_ROOMS_PACE|rooms\.pace/);
});

test('durations and sizes may be texts or integers', async () => {
	for (const text of ['[rooms]\nproposal_ttl = 300\n', '[rooms]\nproposal_ttl = "300s"\n', '[gateway]\nmax_message = 1048576\n', '[gateway]\nmax_message = "1MiB"\nmax_behind = "8MiB"\n'])
		assert.equal((await check(text)).code, 0, text);
});

test('$MGP_CONFIG_PATH names the file when --config does not', async () => {
	const checked = await command(['config', 'check'], { env: { MGP_CONFIG_PATH: file('[rooms]\npaec = 1\n') } });
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /paec/);
});

test('a file of the user\'s own is found', async () => {
	const home = freshFolder();
	mkdirSync(join(home, '.config/mgp'), { recursive: true });
	writeFileSync(join(home, '.config/mgp/servers.toml'), '[rooms]\npaec = 1\n');
	const checked = await command(['config', 'check'], { home });
	assert.notEqual(checked.code, 0);
	assert.match(output(checked), /paec/);
});

test('a ./mgp.toml in the working folder may hold servers alone', async () => {
	const home = freshFolder();
	writeFileSync(join(home, 'mgp.toml'), '[rooms]\npace = "off"\n');
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(home, 'data')], { home });
	assert.notEqual(served.code, 0);
	assert.match(output(served), /mgp\.toml/);
});

test('config schema names the keys that outsiders rely on', async () => {
	const schema = await command(['config', 'schema']);
	assert.equal(schema.code, 0, output(schema));
	for (const key of ['listen', 'tls_cert', 'tls_key', 'allowed_origins', 'allowed_hosts', 'threads', 'max_message', 'max_behind', 'create', 'pace', 'proposal_pace', 'proposal_ttl', 'restricted_may_answer', 'one_recipient', 'announce_violations', 'history', 'retention', 'durability', 'default_privilege', 'identities', 'jwt'])
		assert.ok(schema.stdout.includes(key), key);
});

test('config check --explain-privileges says what an id may, and why', async () => {
	const name = file('[auth]\ndefault_privilege = "restricted"\nidentities = [ { id = "crew-*", privilege = "full" } ]\n');
	for (const [id, privilege, other] of [['crew-ann', 'full', 'restricted'], ['stranger', 'restricted', 'full']]) {
		const told = await command(['config', 'check', '--config', name, '--explain-privileges', id, 'lobby', '--data', freshFolder()]);
		assert.equal(told.code, 0, output(told));
		const verdict = told.stdout.split('\n').find((line) => line.includes(id));
		assert.match(verdict, new RegExp(privilege));
		assert.doesNotMatch(verdict, new RegExp(other));
	}
});

test('version says the version', async () => {
	const version = await command(['version']);
	assert.equal(version.code, 0);
	assert.match(version.stdout, /\d+\.\d+/);
});

test('an unknown command is an error that helps', async () => {
	const wrong = await command(['srve']);
	assert.notEqual(wrong.code, 0);
	assert.match(output(wrong), /serve/);
});

test('the ready line comes first, once, with the port that was taken', async (t) => {
	const gateway = await houseFor(t);
	assert.match(gateway.stdout, /^ready http:\/\/127\.0\.0\.1:[1-9]\d*\n/);
	assert.equal(gateway.stdout.match(/^ready /gm).length, 1);
	const known = JSON.parse(readFileSync(join(gateway.data, 'gateway.json'), 'utf8'));
	assert.equal(known.url.replace(/\/$/, ''), gateway.url);
	assert.equal(known.pid, gateway.pid);
});

test('two gateways do not share a data folder', async (t) => {
	const gateway = await houseFor(t);
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', gateway.data]);
	assert.notEqual(served.code, 0);
	await joinAs(gateway, freshTopic(), 'alice');
});
