// SPDX-License-Identifier: Apache-2.0
// A call that leaves required parameters out, from a client that takes forms: it is asked for exactly these, by one form,
// before anything else looks at the call (docs/internals/flow.md).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, joinAs } from './lib/house.mjs';
import { FREE, isPlain, MgpHouse, Outsider, recoveryOf } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const FORM = 'elicitation/create';
const capabilities = { elicitation: { form: {} } };
const readOnly = { readOnlyHint: true };
const inputSchema = { type: 'object', required: ['city', 'people', 'class', 'meal', 'extras', 'day'], properties: {
	city: { type: 'string', title: 'City', description: 'Where to?', minLength: 2 },
	people: { type: 'integer', description: 'How many people?', minimum: 1, maximum: 9, default: 2 },
	class: { enum: ['economy', 'business'], default: 'economy' },
	meal: { type: 'boolean', description: 'With a meal?' },
	extras: { type: 'array', items: { type: 'string' } },
	day: { type: 'string', format: 'date' },
	note: { type: 'string' } } };
const tools = (more) => [{ name: 'book', annotations: readOnly, inputSchema }, { name: 'greet', annotations: readOnly,
	inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
{ name: 'odd', annotations: readOnly, inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'nowhere'] } },
{ name: 'many', annotations: readOnly, inputSchema: { type: 'object', required: Array.from({ length: 65 }, (_, n) => `p${n}`),
	properties: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`p${n}`, { type: 'string' }])) } }, ...more];
const wipe = { name: 'wipe', annotations: { destructiveHint: true },
	inputSchema: { type: 'object', properties: { disk: { type: 'string' } }, required: ['disk'] } };
const topic = freshTopic();
const shop = new Outsider('shop', { plain: true, tools: tools([]) }, {}, { share: 'principal', rooms: [topic] });
const plainModern = new Outsider('late', { plain: true, eras: ['modern'], tools: tools([]) }, {}, { share: 'principal' });
const careful = new Outsider('careful', { plain: true, tools: [wipe] }, { approval: 'interactive' }, { share: 'principal' });
const shut = new Outsider('shut', { plain: true, tools: tools([]) }, {}, { share: 'principal', flow: { enabled: false } });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [shop, plainModern, careful, shut], audit: true });
await house.allConnected();

const GOOD = { city: 'Rome', people: 3, class: 'business', meal: true, extras: '["window"]', day: '2027-01-02' };
const SENT = { ...GOOD, extras: ['window'] };
const accept = (content) => ({ action: 'accept', content });

/** Calls a tool and answers each form by the next of `answers`; hands out the forms and what it came to. */
async function called(era, where, name, args, answers, options = {}) {
	const client = options.client ?? await house[options.mgp ? 'client' : 'plain']('ann', where, { era, capabilities });
	const seen = [];
	const left = [...answers];
	const next = (params) => {
		seen.push(params);
		assert.ok(left.length > 0, `asked again: ${JSON.stringify(params)}`);
		return left.shift();
	};
	client.answers[FORM] = (params) => ({ result: next(params) });
	let said = await client.call(name, args, { trace: null }); // a round is bound to its request: no other trace each time
	while (said.result?.resultType === 'input_required') {
		const { inputRequests, requestState } = said.result;
		const inputResponses = {};
		for (const [key, { method, params }] of Object.entries(inputRequests)) {
			assert.equal(method, FORM);
			inputResponses[key] = next(params);
		}
		said = await client.request('tools/call', { name, arguments: args, inputResponses, requestState }, { trace: null });
	}
	assert.equal(left.length, 0, `${left.length} answers were not asked for: ${JSON.stringify(said)}`);
	return { seen, said };
}

function heard({ result, error }) {
	assert.ok(error === undefined && result.isError !== true, JSON.stringify(error ?? result));
	return JSON.parse(result.content[0].text).arguments;
}

function isRefused({ result, error }, missing) {
	assert.ok(error === undefined && result.isError === true, JSON.stringify(error ?? result));
	isPlain(result);
	assert.equal(result.structuredContent.error, 'parameters_missing');
	assert.deepEqual(result.structuredContent.details, { missing });
	for (const name of missing)
		assert.match(result.content[0].text, new RegExp(name));
}

for (const era of ['legacy', 'modern']) {
	for (const where of ['shop', 'late']) {
		test(`what a call lacks is asked for by one form, and then it is made (${era} client, ${where})`, async () => {
			const { seen, said } = await called(era, where, 'book', { note: 'quiet' }, [accept(GOOD)]);
			assert.equal(seen.length, 1);
			const { message, requestedSchema } = seen[0];
			assert.match(message, /book.*city.*people.*class.*meal.*extras.*day/);
			assert.deepEqual(Object.keys(requestedSchema.properties), inputSchema.required);
			assert.deepEqual(requestedSchema.required, inputSchema.required);
			const { city, people, class: seat, meal, extras, day } = requestedSchema.properties;
			assert.deepEqual(city, { type: 'string', minLength: 2, title: 'City', description: 'Where to?' });
			assert.deepEqual(people, { type: 'integer', minimum: 1, maximum: 9, title: 'people', description: 'How many people?', default: 2 });
			assert.deepEqual([seat.type, seat.enum, seat.default], ['string', ['economy', 'business'], 'economy']);
			assert.equal(meal.type, 'boolean');
			assert.equal(extras.type, 'string');
			assert.match(extras.description, /JSON/);
			assert.deepEqual([day.type, day.format], ['string', 'date']);
			assert.deepEqual(heard(said), { note: 'quiet', ...SENT });
		});
	}

	test(`only what is missing is asked for, and nothing where nothing is (${era})`, async () => {
		const { city, ...rest } = SENT;
		const { seen, said } = await called(era, 'shop', 'book', rest, [accept({ city })]);
		assert.deepEqual(Object.keys(seen[0].requestedSchema.properties), ['city']);
		assert.deepEqual(heard(said), SENT);
		assert.deepEqual(heard((await called(era, 'shop', 'book', SENT, [])).said), SENT);
	});

	test(`what was answered wrong is asked for again, with what is wrong with it (${era})`, async () => {
		const { seen, said } = await called(era, 'shop', 'book', {}, [
			accept({ ...GOOD, people: 12, extras: '{"not":"a list"}' }), accept({ people: 4, extras: 'no JSON' }), accept({ extras: '[]' })]);
		assert.deepEqual(seen.map(({ requestedSchema }) => Object.keys(requestedSchema.properties)),
			[inputSchema.required, ['people', 'extras'], ['extras']]);
		assert.match(seen[1].message, /people: .*9/);
		assert.match(seen[2].message, /extras: /);
		assert.deepEqual(heard(said), { ...SENT, people: 4, extras: [] });
	});

	test(`after three forms the call is refused (${era})`, async () => {
		const { said } = await called(era, 'shop', 'greet', {}, [accept({}), accept({ name: 7 }), accept({ name: '' })]);
		isRefused(said, ['name']);
	});

	test(`a person who declines, or closes the form, ends the call (${era})`, async () => {
		for (const action of ['decline', 'cancel'])
			isRefused((await called(era, 'shop', 'greet', {}, [{ action }])).said, ['name']);
	});

	test(`a value that does not fit is asked for anew beside one that is missing, and alone it is the caller's to mend (${era})`, async () => {
		const { day, people, ...rest } = SENT;
		const { seen, said } = await called(era, 'shop', 'book', { ...rest, people: 'three' }, [accept({ day, people })]);
		assert.deepEqual(Object.keys(seen[0].requestedSchema.properties), ['people', 'day']);
		assert.deepEqual(heard(said), SENT);
		assert.equal((await called(era, 'shop', 'book', { ...SENT, people: 'three' }, [])).said.error.code, -32602);
	});

	test(`who takes no forms, and who calls where sessions are turned off, hears of it as ever (${era})`, async () => {
		const bare = await house.plain('ann', 'shop', { era });
		assert.equal((await bare.refused('greet', {})).code, -32602);
		const { message } = await bare.refused('book', {});
		for (const name of inputSchema.required)
			assert.match(message, new RegExp(`arguments\\.${name} is missing`), message);
		assert.equal((await called(era, 'shut', 'greet', {}, [])).said.error.code, -32602);
		assert.deepEqual(heard((await called(era, 'shut', 'greet', { name: 'Zoe' }, [])).said), { name: 'Zoe' });
	});

	test(`nobody is asked in vain: a parameter that cannot be asked for, more than a form holds, keys that stand twice (${era})`, async () => {
		assert.equal((await called(era, 'shop', 'odd', {}, [])).said.error.code, -32602);
		assert.equal((await called(era, 'shop', 'many', {}, [])).said.error.code, -32602);
		assert.equal((await called(era, 'shop', 'greet', [], [])).said.error.code, -32602);
	});

	test(`an MGP client that declines hears 4000 (${era})`, async () => {
		const { said } = await called(era, 'shop', 'greet', {}, [{ action: 'decline' }], { mgp: true });
		assert.deepEqual([said.error.code, said.error.data.type], [4000, 'parameters_missing']);
		assert.deepEqual(recoveryOf(said.error).details, { missing: ['name'] });
	});

	test(`at /mcp it is asked as well (${era})`, async () => {
		const { said } = await called(era, '/mcp', 'shop__greet', {}, [accept({ name: 'Zoe' })]);
		assert.deepEqual(heard(said), { name: 'Zoe' });
	});

	test(`what is approved is the whole call, with what was answered (${era})`, async () => {
		const client = await house.plain('ann', 'careful', { era, capabilities });
		const call = called(era, 'careful', 'wipe', {}, [accept({ disk: `sda-${era}` })], { client });
		const decision = await house.pending(({ tool }) => tool === 'wipe');
		assert.deepEqual(decision.arguments, { disk: `sda-${era}` });
		await house.decide(decision.id, 'approve');
		assert.deepEqual(heard((await call).said), { disk: `sda-${era}` });
	});
}

test('a client that cannot be reached by a form after all ends the call', async () => {
	const client = await house.plain('ann', 'shop', { capabilities });
	delete client.answers[FORM];
	isRefused(await client.call('greet', {}), ['name']);
});

test('a call that is cancelled while its form is open leaves nothing behind', async () => {
	const client = await house.plain('ann', 'shop', { capabilities });
	let asked = 0;
	client.answers[FORM] = () => { asked += 1; };
	const begun = client.begin('tools/call', { name: 'greet', arguments: {} });
	await until(() => asked === 1, 'the form');
	await client.notify('notifications/cancelled', { requestId: begun.id });
	client.answers[FORM] = () => ({ result: accept({ name: 'Zoe' }) });
	assert.deepEqual(heard(await client.call('greet', {})), { name: 'Zoe' });
	assert.deepEqual(shop.calls('greet').filter(({ message }) => message.params.arguments.name === undefined), []);
});

test('a session that ends while its form is open takes the call with it', async () => {
	const client = await house.plain('ann', 'shop', { capabilities });
	let asked = 0;
	client.answers[FORM] = () => { asked += 1; };
	client.begin('tools/call', { name: 'greet', arguments: {} });
	await until(() => asked === 1, 'the form');
	await fetch(client.url, { method: 'DELETE', headers: { ...client.headers, authorization: `Bearer ${client.token}` } });
	assert.deepEqual(heard((await called('legacy', 'shop', 'greet', {}, [accept({ name: 'Bob' })])).said), { name: 'Bob' });
});

test('each form is audited as asked and as answered, without what was answered', async () => {
	const word = 'a-word-that-nobody-else-says';
	await called('legacy', 'shop', 'greet', {}, [accept({ name: 9 }), accept({ name: word })]);
	const events = await until(() => {
		const found = house.events.filter(({ event_type, target }) => /parameters_/.test(event_type) && target.server_id === 'shop');
		const last = found.findLastIndex(({ details }) => details.outcome === 'accepted' && details.round === 2 && details.parameters.length === 1);
		return last >= 3 && found.slice(last - 3, last + 1);
	}, 'the events of both forms');
	assert.deepEqual(events.map(({ event_type, details }) => [event_type, details.parameters, details.round, details.outcome]), [
		['dev.hustings.parameters_asked', ['name'], 1, undefined], ['dev.hustings.parameters_answered', ['name'], 1, 'wrong'],
		['dev.hustings.parameters_asked', ['name'], 2, undefined], ['dev.hustings.parameters_answered', ['name'], 2, 'accepted']]);
	assert.doesNotMatch(JSON.stringify(events), new RegExp(word));
});

test('in a room the participant that calls is asked, as far as it said that it takes forms', async (t) => {
	const ann = await joinAs(house.gateway, topic, 'ann');
	const bob = await joinAs(house.gateway, topic, 'bob');
	t.after(() => Promise.all([ann.close(), bob.close()]));
	let number = 0;
	const ask = async (one, method, params) => {
		number += 1;
		const { id } = one.send({ kind: 'mcp', to: ['shop'], payload: { jsonrpc: '2.0', id: number, method, params } });
		return id ?? number;
	};
	const answered = (one, id) => one.next((envelope) => envelope.from === 'shop' && envelope.payload?.id === id && envelope.payload.method === undefined);
	for (const [one, declared] of [[ann, capabilities], [bob, {}]]) {
		await ask(one, 'initialize', { protocolVersion: '2025-06-18', capabilities: declared, clientInfo: { name: one.id, version: '1' } });
		await answered(one, number);
		one.send({ kind: 'mcp', to: ['shop'], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	}
	await ask(ann, 'tools/call', { name: 'greet', arguments: {} });
	const call = number;
	const form = await ann.next((envelope) => envelope.payload?.method === FORM);
	assert.deepEqual(form.to, ['ann']);
	assert.deepEqual(Object.keys(form.payload.params.requestedSchema.properties), ['name']);
	ann.send({ kind: 'mcp', to: ['shop'], correlation_id: form.id,
		payload: { jsonrpc: '2.0', id: form.payload.id, result: accept({ name: 'Ann' }) } });
	assert.deepEqual(heard((await answered(ann, call)).payload), { name: 'Ann' });
	await ask(bob, 'tools/call', { name: 'greet', arguments: {} });
	assert.equal((await answered(bob, number)).payload.error.code, -32602);
});
