// SPDX-License-Identifier: Apache-2.0
// A guided session whose tool asks while it runs: its form is the session's next prompt, and its answer goes to the tool.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { argumentsOf, flowHouse, Guided } from './lib/flow_tools.mjs';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const readOnly = { readOnlyHint: true };
const inputSchema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const form = (properties, required = []) => ({ type: 'object', properties, required });
const asks = (name, ...questions) => ({ name, annotations: readOnly, inputSchema, does: [{ script: questions.map((elicit) => ({ elicit })) }] });

const MEAL = { message: 'Which meal?', requestedSchema: form({ meal: { type: 'string', enum: ['fish', 'leek'] } }, ['meal']) };
const BAGS = { message: 'What comes along?', requestedSchema: form({ bags: { type: 'integer', minimum: 0 }, note: { type: 'string' } }, ['bags']) };

function server() {
	return new Outsider('guide', { plain: true, tools: [asks('dines', MEAL), asks('packs', BAGS), asks('both', MEAL, BAGS)] }, {}, { share: 'principal' });
}

const house = await flowHouse({ servers: [server()] });

async function running(tool, { era = 'modern', of = house } = {}) {
	const session = await Guided.start(await of.plain('ann', 'guide', { era }), tool);
	await session.says('Lund');
	await session.is('waiting_user');
	return session;
}

const textOf = async (session) => JSON.stringify((await session.result()).finalResult);

for (const era of ['legacy', 'modern'])
	test(`a form of one field is that field's prompt, and its answer no argument (${era})`, async () => {
		const session = await running('dines', { era });
		const prompt = await session.prompt();
		assert.equal(prompt.type, 'choice');
		assert.equal(prompt.message, 'Which meal?');
		assert.deepEqual(prompt.choices.map(({ value }) => value), ['fish', 'leek']);
		const wrong = await session.respond('soup');
		assert.equal(wrong.accepted, false);
		await session.says('leek');
		assert.match(await textOf(session), /"accept.*meal.*leek/);
		assert.deepEqual(argumentsOf(house.guide, 'dines').at(-1), { place: 'Lund' });
		assert.deepEqual((await session.state()).accumulatedData, { place: 'Lund' });
	});

test('a form of several fields is one prompt with its schema; what does not fit is asked for again', async () => {
	const session = await running('packs');
	const prompt = await session.prompt();
	assert.equal(prompt.type, 'custom');
	assert.deepEqual(prompt.schema, BAGS.requestedSchema);
	assert.equal((await session.respond({ note: 'none' })).accepted, false);
	assert.equal((await session.state()).state, 'waiting_user');
	await session.says({ bags: 2, note: 'red' });
	assert.match(await textOf(session), /accept.*bags.*2.*red/);
});

test('one form comes after the other; no answer declines', async () => {
	const session = await running('both');
	assert.equal((await session.prompt()).type, 'choice');
	await session.says(null);
	const next = await until(async () => {
		const { currentPrompt } = await session.state();
		return currentPrompt?.type === 'custom' && currentPrompt;
	}, 'the second form is asked');
	assert.equal(next.message, 'What comes along?');
	await session.says({ bags: 0 });
	await session.result();
	assert.equal((await session.state()).history.length, 3);
});

const odd = await MgpHouse.forFile({ kernel: FREE, text: `[[servers]]\nid = "odd"\ncommand = ${JSON.stringify(process.execPath)}\n`
	+ `args = ${JSON.stringify([fileURLToPath(new URL('./lib/flow_asking_server.mjs', import.meta.url))])}\nshare = "principal"\n` });
await odd.is('odd', 'connected');

/** A session of one of its tools, and the prompt with these words. */
async function oddly(tool) {
	const session = await Guided.start(await odd.plain('ann', 'odd', { era: 'modern' }), tool);
	session.hears = (words) => until(async () => (await session.state()).currentPrompt?.message === words, `${tool} asks: ${words}`);
	return session;
}

test('two forms at once are put one after the other', async () => {
	const session = await oddly('twice');
	await session.hears('Say one');
	await session.says('first');
	await session.hears('Say two');
	await session.says('second');
	assert.match(await textOf(session), /accept.*one.*first.*accept.*two.*second/);
});

test('a form that is taken back makes way for the next one', async () => {
	const session = await oddly('regrets');
	await session.hears('Say two');
	await session.says('second');
	assert.match(await textOf(session), /accept.*two.*second/);
});

test('a tool that does not wait for its form completes the session all the same', async () => {
	const session = await oddly('hastens');
	assert.match(await textOf(session), /not waited for/);
	assert.equal((await session.state()).currentPrompt ?? null, null);
});

test('a session that is cancelled ends the call that asks', async () => {
	const session = await running('dines');
	const before = house.guide.of('notifications/cancelled').length;
	await session.cancel();
	await session.is('cancelled');
	await until(() => house.guide.of('notifications/cancelled').length > before, 'the server hears that nobody waits');
});

test('the last wrong answer that a session may take ends it, and its call', async (t) => {
	const own = await flowHouse({ servers: [server()], flow: { max_prompts_per_session: 3 } }, t);
	const session = await running('dines', { of: own });
	assert.equal((await session.respond('soup')).accepted, false);
	const error = await session.refusal('soup');
	assert.equal(error.data.type, 'too_many_prompts');
	await session.is('error');
	await until(() => own.guide.of('notifications/cancelled').length > 0, 'the server hears that nobody waits');
});

test('behind a restart the session is in error, and its tool does not run again', async (t) => {
	const own = await flowHouse({ servers: [server()] }, t);
	const session = await running('dines', { of: own });
	await own.gateway.restart({ hard: true });
	await own.allConnected();
	const again = new Guided(await own.plain('ann', 'guide', { era: 'modern' }), session.id);
	const { summary } = await again.is('error');
	assert.match(summary, /restarted while the tool ran/);
	assert.equal(own.guide.calls('dines').length, 1);
});
