// SPDX-License-Identifier: Apache-2.0
// A legacy server on stdio asks by requests that name no call. Callers that are asked at once on one hosted
// server each get the question that their own call raised, and their own answer comes back to that call.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';
import { entry, SDK_SERVER } from './lib/hosted.mjs';
import { RealClient } from './lib/real_clients.mjs';
import { until, within } from './lib/wait.mjs';

let gateway;
const ends = [];

before(async () => { gateway = await Gateway.start({ open: true, config: entry('asker', SDK_SERVER) }); });
after(async () => {
	for (const end of ends.reverse())
		await end();
	await gateway.finish();
});

/** A caller whose answers wait until the test gives them: caller.answer(words). */
async function caller(kind, id, face = '/mcp/servers/asker') {
	const one = { asked: [], word: `${id}-${Math.random().toString(36).slice(2, 8)}` };
	let give;
	const given = new Promise((done) => { give = done; });
	one.answer = (said) => give({ action: 'accept', content: { said } });
	one.refuse = () => give({ action: 'decline' });
	one.client = await RealClient.connect(kind, { url: `${gateway.url}${face}?id=${id}` }, {
		answers: { 'elicitation/create': ({ params }) => { one.asked.push(params.message); return given; } },
		capabilities: { elicitation: { form: {} } },
	});
	ends.push(() => one.client.close());
	const name = face === '/mcp' ? 'asker__ask' : 'ask';
	one.ask = () => {
		one.call = one.client.text(name, { question: one.word });
		one.call.catch(() => {});
		return one;
	};
	one.isAsked = () => until(() => one.asked.length === 1, `${id} is asked`);
	return one;
}

const PAIRS = [['sdk', 'sdk'], ['modern', 'modern'], ['sdk', 'modern'], ['modern', 'client']];

for (const [first, second] of PAIRS) {
	for (const face of ['/mcp/servers/asker', '/mcp']) {
		test(`${first} and ${second} are asked at once at ${face}, and the second answers first`, async () => {
			const ann = await caller(first, `ann-${first}-${second}`, face);
			const bob = await caller(second, `bob-${first}-${second}`, face);
			ann.ask();
			bob.ask();
			await Promise.all([ann.isAsked(), bob.isAsked()]);
			assert.deepEqual(ann.asked, [ann.word]);
			assert.deepEqual(bob.asked, [bob.word]);
			bob.answer('I am Bob');
			assert.equal(await within(bob.call, 'the answer to Bob'), `${bob.word} accept I am Bob`);
			ann.answer('I am Ann');
			assert.equal(await within(ann.call, 'the answer to Ann'), `${ann.word} accept I am Ann`);
			assert.deepEqual([ann.asked.length, bob.asked.length], [1, 1]);
		});
	}
}

test('one declines and the other accepts, each for itself', async () => {
	const [ann, bob] = [await caller('sdk', 'ann-declines'), await caller('modern', 'bob-accepts')];
	ann.ask();
	bob.ask();
	await Promise.all([ann.isAsked(), bob.isAsked()]);
	ann.refuse();
	assert.equal(await within(ann.call, 'the answer to Ann'), `${ann.word} decline`);
	bob.answer('yes');
	assert.equal(await within(bob.call, 'the answer to Bob'), `${bob.word} accept yes`);
});

test('one who leaves while being asked takes nothing from the other', async () => {
	const [ann, bob] = [await caller('sdk', 'ann-leaves'), await caller('sdk', 'bob-stays')];
	ann.ask();
	bob.ask();
	await Promise.all([ann.isAsked(), bob.isAsked()]);
	await ann.client.transport.terminateSession();
	await ann.client.close();
	bob.answer('still here');
	assert.equal(await within(bob.call, 'the answer to Bob'), `${bob.word} accept still here`);
	const cleo = (await caller('sdk', 'cleo')).ask();
	await cleo.isAsked();
	cleo.answer('later');
	assert.equal(await within(cleo.call, 'the answer to Cleo'), `${cleo.word} accept later`);
});

test('a call that asks nothing is answered while others wait for people', async () => {
	const ann = (await caller('sdk', 'ann-thinks')).ask();
	await ann.isAsked();
	const quick = await RealClient.connect('modern', { url: `${gateway.url}/mcp/servers/asker?id=quick` });
	ends.push(() => quick.close());
	for (let number = 0; number < 5; number += 1)
		assert.equal(await quick.text('echo', { words: `${number}` }), `${number}`);
	ann.answer('done');
	await within(ann.call, 'the answer to Ann');
});

test('eight principals who all ask get eight different questions', async () => {
	const all = await Promise.all(Array.from({ length: 8 }, (_, number) => caller(number % 2 ? 'modern' : 'sdk', `many-${number}`)));
	for (const [number, one] of all.entries()) {
		one.ask();
		one.answer(`number ${number}`);
	}
	for (const [number, one] of all.entries()) {
		assert.equal(await within(one.call, `the answer to ${number}`), `${one.word} accept number ${number}`);
		assert.deepEqual(one.asked, [one.word]);
	}
});

test('two sessions of one principal never see each other\'s question', async () => {
	const [left, right] = [await caller('sdk', 'twice'), await caller('modern', 'twice')];
	for (const one of [left, right]) {
		one.answer(`for ${one.word}`);
		one.ask();
	}
	for (const one of [left, right]) {
		const said = await within(one.call, 'an answer');
		assert.ok([`${one.word} accept for ${one.word}`, `${one.word} decline`].includes(said), said);
		for (const question of one.asked)
			assert.equal(question, one.word);
	}
});
