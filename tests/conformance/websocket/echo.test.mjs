/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RFC 6455, held to the echo server that is made of the gateway's own net and wire code: 247 cases in
 * the groups 1 to 7 and 10 of the customary numbering, and beyond them limits, cuts and eager UTF-8.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startEcho } from '../support/programs.mjs';
import { runCase } from './case.mjs';
import framing from './cases_framing.mjs';
import utf8, { eager } from './cases_utf8.mjs';
import close, { LIMIT, limits } from './cases_close.mjs';

const counted = [...framing, ...utf8, ...close];
const beyond = [...eager, ...limits];
const groups = {
	1: 'framing', 2: 'pings and pongs', 3: 'reserved bits', 4: 'opcodes', 5: 'fragmentation',
	6: 'UTF-8', 7: 'closing', 10: 'many frames',
};

describe('WebSocket conformance', () => {
	let echo;
	let passed = 0;
	before(async () => { echo = await startEcho('--max-message', String(LIMIT)); });
	after(async () => {
		console.log(`WebSocket conformance: ${passed} of ${counted.length + beyond.length} cases pass`);
		await echo?.stop();
	});

	test('the suite has 247 cases, each with a number of its own', () => {
		assert.equal(counted.length, 247);
		assert.equal(new Set([...counted, ...beyond].map((one) => one.id)).size, counted.length + beyond.length);
	});

	const run = (one) => test(`${one.id} ${one.what}: ${one.end.name}`, async () => {
		await runCase(echo.port, one);
		passed++;
	});
	for (const [number, name] of Object.entries(groups)) {
		describe(`group ${number}: ${name}`, () => counted.filter((one) => one.id.split('.')[0] === number).forEach(run));
	}
	describe('beyond the groups: limits, cuts, eager UTF-8', () => beyond.forEach(run));

	test('after all of it the echo server still echoes', async () => {
		await runCase(echo.port, counted[1]);
	});
});
