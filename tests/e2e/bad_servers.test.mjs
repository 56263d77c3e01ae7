// SPDX-License-Identifier: Apache-2.0
// Servers of bad manners, all behind one gateway with a good one: the good one answers throughout, what the bad
// ones do has an end and is told in words, and what they offer in order is used.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { Gateway } from './lib/gateway.mjs';
import { allGone, birthOf, entry, killEach, ODD_SERVER, privateMemory, processesWith, SDK_SERVER, serversOf } from './lib/hosted.mjs';
import { RealClient } from './lib/real_clients.mjs';
import { pause, until, within } from './lib/wait.mjs';

const marker = `forked-${randomUUID()}`;
const MANNERS = ['garbage', 'never-answers', 'stderr-flood', 'long-line', 'dies-during-a-call', 'dies-of-strangers', 'forks',
	'ends-at-once', 'closes-stdout', 'answers-twice', 'wrong-shape', 'both-result-and-error', 'never-answers-calls',
	'strange-errors', 'huge-error', 'endless-list', 'odd-names'];
const NEVER_READY = ['garbage', 'never-answers', 'ends-at-once', 'closes-stdout'];
const ends = [];
let gateway;
let good;
let began;

before(async () => {
	began = Date.now();
	gateway = await Gateway.start({ open: true,
		config: entry('good', SDK_SERVER) + MANNERS.map((one) => entry(one, ODD_SERVER, [one, marker])).join('')
			+ '[[servers]]\nid = "no-such-program"\ncommand = "/does/not/exist"\n'
			+ '[[servers]]\nid = "refuses"\ncommand = "/bin/sh"\nargs = ["-c", "exit 1"]\n' });
	good = await RealClient.connect('sdk', { url: `${gateway.url}/mcp/servers/good?id=ann` }, { capabilities: {} });
	ends.push(() => good.close());
});

after(async () => {
	for (const end of ends.reverse())
		await end();
	await gateway.finish();
	assert.deepEqual(processesWith(marker), [], 'nothing is left of them');
});

async function client(id, kind = 'sdk') {
	const one = await RealClient.connect(kind, { url: `${gateway.url}/mcp/servers/${id}?id=ann` }, { capabilities: {} });
	ends.push(() => one.close());
	return one;
}

async function goodAnswers() {
	assert.equal(await good.text('echo', { words: 'good' }), 'good');
}

/** A call that has to fail: what it says. */
async function failureOf(call, what) {
	const said = await within(call.then((result) => {
		assert.equal(result.isError, true, JSON.stringify(result).slice(0, 200));
		return result.content[0].text;
	}, (error) => error.message), what, 100_000);
	assert.ok(said.length > 0);
	return said;
}

test('/mcp lists the tools of all that have some, whatever the others do', async () => {
	const all = await RealClient.connect('sdk', { url: `${gateway.url}/mcp?id=ann` }, { capabilities: {} });
	ends.push(() => all.close());
	const ready = MANNERS.filter((one) => !NEVER_READY.includes(one) && one !== 'endless-list');
	const names = await until(async () => {
		const found = (await all.tools()).map((tool) => tool.name);
		const missing = ready.filter((id) => !found.includes(`${id}__echo`));
		if (missing.length > 0)
			throw new Error(`without ${missing}`);
		return found;
	}, 'the tools of the ready ones');
	assert.ok(names.includes('good__echo'));
	for (const id of NEVER_READY)
		assert.ok(!names.some((name) => name.startsWith(`${id}__`)), id);
	assert.equal(new Set(names).size, names.length, 'no name twice');
	for (const name of names)
		assert.ok(name.length <= 64, name);
	assert.equal(await all.text('good__echo', { words: 'through all' }), 'through all');
});

test('calls to those that never get ready end with an error, and the good one answers meanwhile', async () => {
	const failures = [...NEVER_READY, 'no-such-program', 'refuses'].map((id) => failureOf(
		client(id).then((one) => one.call('echo', { words: 'anybody?' }, { timeout: 90_000 })), `a call to ${id} ends`));
	const all = Promise.all(failures);
	let done = false;
	all.then(() => { done = true; }, () => { done = true; });
	do
		await goodAnswers();
	while (!done && await pause(200) === undefined);
	await all;
});

test('what a tool may do is not known of an endless list, so nothing of it is called', async () => {
	const one = await client('endless-list');
	const refused = await one.call('echo', { words: 'endless-list' });
	assert.equal(refused.isError, true);
	assert.match(refused.content[0].text, /tools\/list/);
	await goodAnswers();
});

for (const id of ['stderr-flood', 'dies-of-strangers', 'forks', 'odd-names']) {
	test(`${id} answers nevertheless`, async () => {
		const one = await client(id);
		await until(async () => await one.text('echo', { words: id }) === id, 'its answer');
		await goodAnswers();
	});
}

for (const id of ['long-line', 'dies-during-a-call', 'wrong-shape', 'both-result-and-error', 'strange-errors', 'huge-error']) {
	test(`a call to ${id} that goes wrong ends, and the next is answered`, async () => {
		const one = await client(id);
		await until(async () => await one.text('echo', { words: 'plain' }) === 'plain', 'it answers a plain call');
		const ended = await one.call('echo', { words: 'badly' })
			.then((result) => result.isError ? result.content[0].text : 'a result', (error) => error.message);
		assert.doesNotMatch(ended, /timed out/i, 'it ends by itself');
		if (id !== 'wrong-shape')
			assert.notEqual(ended, 'a result');
		await goodAnswers();
		await until(async () => await one.text('echo', { words: 'plain' }) === 'plain', 'it answers again');
	});
}

test('an error of a server comes with its own code, words and data', async () => {
	const one = await client('strange-errors', 'modern');
	const error = await one.call('echo', { words: 'badly' }).then(() => assert.fail('no error'), (failure) => failure);
	assert.equal(error.code, -32050);
	assert.deepEqual(error.data, { deep: [1, { two: null }] });
});

test('of two answers to one call the first counts, and nobody gets the other', async () => {
	const one = await client('answers-twice');
	for (let number = 0; number < 3; number += 1)
		assert.equal(await one.text('echo', { words: 'badly' }), 'once');
	assert.equal(await one.text('echo', { words: 'plain' }), 'plain');
	await goodAnswers();
});

test('a call that is never answered can be given up', async () => {
	const one = await client('never-answers-calls');
	const aborted = new AbortController();
	const call = one.call('echo', { words: 'badly' }, { signal: aborted.signal }).then(() => 'answered', () => 'given up');
	await goodAnswers();
	aborted.abort();
	assert.equal(await within(call, 'the call ends'), 'given up');
	assert.equal(await one.text('echo', { words: 'plain' }), 'plain');
});

test('a line of 100 MB takes no 100 MB', async () => {
	const one = await client('long-line');
	await until(async () => await one.text('echo', { words: 'plain' }) === 'plain', 'it answers a plain call');
	let peak = 0;
	const watch = setInterval(() => { peak = Math.max(peak, privateMemory(gateway.pid)); }, 50);
	await one.call('echo', { words: 'badly' }).catch(() => {});
	clearInterval(watch);
	assert.ok(peak < 90_000_000, `${peak} octets`);
});

test('the children of a server that dies die with it', async () => {
	const one = await client('forks');
	await until(async () => await one.text('echo', { words: 'plain' }) === 'plain', 'it answers');
	await until(() => processesWith(marker).length > 20, 'its children run');
	const victims = serversOf(gateway.pid, 'forks').filter((pid) => processesWith(ODD_SERVER).includes(pid));
	const births = processesWith(marker).filter((pid) => !processesWith(ODD_SERVER).includes(pid)).map(birthOf).filter(Boolean);
	killEach(victims);
	await allGone(births);
	await until(async () => await one.text('echo', { words: 'plain' }) === 'plain', 'it answers again');
});

test('their states are shown as they are', async () => {
	const states = await until(async () => {
		const shown = await gateway.command(['server', 'list', '--json']);
		assert.equal(shown.code, 0, shown.stderr);
		const found = Object.fromEntries(JSON.parse(shown.stdout).servers.map(({ id, state }) => [id, state]));
		return found['ends-at-once'] === 'error' && found.refuses === 'error' && found;
	}, 'those that always end are given up', 120_000);
	for (const id of ['good', 'stderr-flood', 'dies-of-strangers', 'odd-names', 'long-line'])
		assert.equal(states[id], 'connected', id);
	for (const id of [...NEVER_READY, 'no-such-program', 'refuses'])
		assert.ok(['connecting', 'restarting', 'error'].includes(states[id]), `${id}: ${states[id]}`);
	const shown = await gateway.command(['server', 'status', 'no-such-program']);
	assert.match(shown.stdout, /\/does\/not\/exist/);
});

describe('the log', () => {
	test('tells of each of those that end before they are ready', async () => {
		for (const id of ['ends-at-once', 'closes-stdout', 'no-such-program', 'refuses'])
			await until(() => gateway.stderr.split('\n').some((line) => line.includes(id) && /warn|error/i.test(line)), `a line about ${id}`);
	});

	test('is not flooded by a server that floods', () => {
		const lines = gateway.stderr.split('\n').filter((line) => line.includes('stderr-flood')).length;
		const seconds = (Date.now() - began) / 1000;
		assert.ok(lines < 1_000 * seconds, `${lines} lines in ${seconds} s`);
	});
});
