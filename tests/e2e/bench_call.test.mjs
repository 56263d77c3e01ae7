// SPDX-License-Identifier: Apache-2.0
// `hustings bench call`: a tool called so often, and the figures of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCRIPTED } from './lib/attached.mjs';
import { Gateway, command } from './lib/gateway.mjs';

const gateway = await Gateway.start({ open: true,
	config: `[[servers]]\nid = "one"\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(SCRIPTED)}]\n` });
test.after(() => gateway.finish());

const bench = async (...args) => {
	const ran = await command(['bench', 'call', '--json', '--calls', '100', '--warm-up', '10', ...args]);
	return { ...ran, figures: ran.stdout.startsWith('{') ? JSON.parse(ran.stdout) : undefined };
};

const counted = ({ figures, stderr }, inFlight) => {
	assert.equal(figures?.calls, 100, stderr);
	assert.equal(figures.in_flight, inFlight);
	for (const name of ['rate_per_s', 'p50_us', 'p95_us', 'p99_us'])
		assert.ok(figures[name] > 0, `${name}: ${figures[name]}`);
};

test('calls over HTTP in both eras and on an event stream of 2024-11-05 are counted', async () => {
	const url = ['--url', `${gateway.url}/mcp/servers/one`];
	counted(await bench(...url), 1);
	counted(await bench(...url, '--in-flight', '8'), 8);
	counted(await bench(...url, '--in-flight', '8', '--modern'), 8);
	counted(await bench('--url', `${gateway.url}/mcp/servers/one/sse`, '--sse', '--in-flight', '8'), 8);
	counted(await bench('--url', `${gateway.url}/mcp`, '--tool', 'one__echo'), 1);
});

test('a server on stdio is called directly', async () => {
	counted(await bench('--in-flight', '4', '--', process.execPath, SCRIPTED), 4);
});

test('a tool that fails and an endpoint that is none end the run with the reason', async () => {
	const unknown = await bench('--url', `${gateway.url}/mcp/servers/one`, '--tool', 'nothing');
	assert.equal(unknown.code, 1);
	assert.match(unknown.stderr, /the server says|the tool says/);
	const nowhere = await bench('--url', `${gateway.url}/nowhere`);
	assert.equal(nowhere.code, 1);
	assert.match(nowhere.stderr, /answered 404/);
	assert.equal((await bench()).code, 2);
	assert.equal((await bench('--url', gateway.url, '--', 'server')).code, 2);
});

test('a server on stdio that ends at once ends the run with words, not with a signal', async () => {
	for (let round = 0; round < 5; round += 1) {
		const ran = await bench('--', process.execPath, '--eval', 'require("fs").closeSync(0)');
		assert.equal(ran.code, 1);
		assert.match(ran.stderr, /the server/);
	}
});
