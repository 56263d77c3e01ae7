// SPDX-License-Identifier: Apache-2.0
// Flow tools and authorization by libhustings: the bundled booking, driven in all its faces by clients in Node that
// know the texts alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { BINARY, Gateway, freshFolder } from './lib/gateway.mjs';
import { legacy, modern } from './lib/mcp_wire.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { RoomClient } from './lib/room_client.mjs';
import { until, within } from './lib/wait.mjs';

const BOOKING = join(dirname(BINARY), 'examples/booking');
const AUTHORIZATION = 'dev.hustings/authorization';
const BOOKED = 'booked: flight on 2026-05-05 for 2, aisle, ticket to ann@example.org';
const ANSWERS = { day: '2026-05-05', by: 'flight', seat: 'aisle', people: 2, mail: 'ann@example.org', right: true };

const ends = [];
after(async () => {
	for (const end of ends.reverse())
		await end();
});

function run(args, { env = {}, stdin = 'ignore' } = {}) {
	const child = spawn(BOOKING, args, { stdio: [stdin, 'pipe', 'pipe'], env: { ...process.env, HOME: freshFolder(), ...env } });
	const ran = { child, output: '' };
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => { ran.output += text; });
	ran.exit = new Promise((done) => { child.on('exit', (code) => { ran.code = code; done(code); }); });
	ends.push(async () => { child.kill('SIGKILL'); await ran.exit; });
	return ran;
}

const ready = async (ran) => (await until(() => {
	if (ran.code !== undefined)
		throw new Error(`it has ended: ${ran.output}`);
	return ran.output.match(/^ready (\S+)$/m);
}, 'the booking is ready'))[1];

/** A host on its stdin: `asked` answers what the server asks. */
async function host({ args = [], capabilities = {}, asked = () => ({ acknowledged: true }) } = {}) {
	const { child } = run(args, { stdin: 'pipe' });
	const waiting = new Map();
	const told = [];
	let last = 0;
	const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	createInterface({ input: child.stdout }).on('line', (line) => {
		const message = JSON.parse(line);
		if (message.method === undefined) {
			waiting.get(message.id)(message);
			return;
		}
		told.push(message);
		if (message.id !== undefined)
			send({ id: message.id, result: asked(message) });
	});
	const ask = (method, params = {}) => within(new Promise((done) => {
		waiting.set(++last, done);
		send({ id: last, method, params });
	}), method);
	await ask('initialize', { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'host', version: '1' } });
	send({ method: 'notifications/initialized' });
	return { ask, told };
}

const fill = ({ params }) => {
	const content = {};
	for (const name of Object.keys(params.requestedSchema.properties))
		content[name] = ANSWERS[name];
	return { action: 'accept', content };
};

describe('a flow tool of the library', () => {
	test('by interaction.*: a branch, a refused answer, and a step back', async () => {
		const { ask, told } = await host();
		assert.equal((await ask('capabilities')).result.interactive, true);
		const started = (await ask('interaction.start', { toolName: 'book', initialParams: { people: 3 } })).result;
		assert.equal(started.state, 'idle');
		assert.equal(started.initialPrompt.type, 'date');
		const respond = async (value) =>
			(await ask('interaction.respond', { sessionId: started.sessionId, response: { value } })).result;
		const prompt = async () => (await ask('interaction.getState', { sessionId: started.sessionId })).result.currentPrompt;

		assert.equal((await respond('soon')).accepted, false);
		assert.ok((await respond('1999-01-01')).validation.error);
		assert.equal((await respond('2026-05-04')).accepted, true);
		assert.equal((await respond('train')).accepted, true);
		assert.equal((await prompt()).name, 'bicycle');
		await respond(true);
		assert.equal((await prompt()).name, 'mail'); /* the number of people came with the call */
		assert.equal((await respond('nobody')).accepted, false);
		await respond('ann@example.org');
		assert.match((await prompt()).message, /train on 2026-05-04 for 3, with a bicycle/);
		await respond(false);
		const again = (await ask('interaction.getState', { sessionId: started.sessionId })).result;
		assert.equal(again.currentPrompt.name, 'day');
		assert.deepEqual(again.accumulatedData, { people: 3 });
		assert.deepEqual(again.history, []);

		for (const value of ['2026-05-05', 'flight', 'aisle', 'ann@example.org', true])
			assert.equal((await respond(value)).accepted, true, `${value}`);
		const final = (await ask('interaction.complete', { sessionId: started.sessionId })).result;
		assert.equal(final.finalResult.data.content[0].text, BOOKED.replace('for 2', 'for 3'));
		await until(() => told.some(({ method }) => method === 'interaction.complete'), 'the end is told');
		const prompts = told.filter(({ method }) => method === 'interaction.prompt');
		assert.ok(prompts.every(({ params }) => params.sessionId === started.sessionId));
		assert.deepEqual(prompts.at(-1).params.progress, { current: 6, total: 6, message: 'The last question' });
	});

	test('by elicitation, one question after another, a wrong answer asked again', async () => {
		let tries = 0;
		const asked = [];
		const { ask } = await host({ capabilities: { elicitation: {} }, asked: (message) => {
			const answer = fill(message);
			asked.push(...Object.keys(answer.content));
			if ('people' in answer.content && ++tries === 1)
				answer.content.people = 12;
			return answer;
		} });
		const { result } = await ask('tools/call', { name: 'book', arguments: {} });
		assert.equal(result.content[0].text, BOOKED);
		assert.deepEqual(asked, ['day', 'by', 'seat', 'people', 'people', 'mail', 'right']);
	});

	test('by elicitation: who declines has called in vain', async () => {
		const { ask } = await host({ capabilities: { elicitation: {} }, asked: () => ({ action: 'decline' }) });
		const { result } = await ask('tools/call', { name: 'book', arguments: {} });
		assert.equal(result.isError, true);
	});

	test('by clients that can be asked nothing: what is missing is said, and all of it at once is a call', async () => {
		const { ask } = await host();
		const { result } = await ask('tools/call', { name: 'book', arguments: { by: 'train', people: 2 } });
		assert.equal(result.isError, true);
		for (const name of ['day', 'mail', 'right'])
			assert.match(result.content[0].text, new RegExp(`\\b${name}\\b`));
		assert.doesNotMatch(result.content[0].text, /\bpeople\b/);
		assert.equal((await ask('tools/call', { name: 'book', arguments: ANSWERS })).result.content[0].text, BOOKED);
		assert.equal((await ask('tools/call', { name: 'survey', arguments: {} })).error.code, -32007);
	});

	test('a table of steps asks what is due', async () => {
		const { ask } = await host();
		const { sessionId } = (await ask('interaction.start', { toolName: 'survey' })).result;
		const respond = (value) => ask('interaction.respond', { sessionId, response: { value } });
		await respond(false);
		await respond('rain');
		const { currentPrompt } = (await ask('interaction.getState', { sessionId })).result;
		assert.equal(currentPrompt.type, 'file');
		const picture = { uri: 'file:///p.png', name: 'p.png', size: 10, mimeType: 'image/png' };
		assert.equal((await respond({ ...picture, mimeType: 'text/html' })).result.accepted, false);
		assert.equal((await respond(picture)).result.accepted, true);
		const { finalResult } = (await ask('interaction.complete', { sessionId })).result;
		assert.deepEqual(finalResult.data.structuredContent, { liked: false, why: 'rain', picture });
	});

	test('a rule of its author sees each answer before the tool does', async () => {
		const args = ['--deny', 'by=fl*'], denied = /a rule of the tool's owner denies it/;
		const { ask } = await host({ args });
		const { sessionId } = (await ask('interaction.start', { toolName: 'book' })).result;
		const respond = (value) => ask('interaction.respond', { sessionId, response: { value } });
		await respond('2026-05-05');
		await respond('flight');
		const state = (await ask('interaction.getState', { sessionId })).result;
		assert.equal(state.state, 'error');
		assert.match(JSON.stringify(state), denied);
		assert.equal((await respond('aisle')).error.code, -32003);
		for (const arguments_ of [{ by: 'flight' }, ANSWERS])
			assert.equal((await ask('tools/call', { name: 'book', arguments: arguments_ })).error.code, -32002);
		assert.equal((await ask('interaction.start', { toolName: 'book', initialParams: { by: 'flight' } })).error.code, -32002);
		for (const by of ['flight', 'train']) {
			const asked = (message) => ({ action: 'accept', content: { ...fill(message).content, ...('by' in fill(message).content ? { by } : {}),
				...('bicycle' in message.params.requestedSchema.properties ? { bicycle: false } : {}) } });
			const { ask: call } = await host({ args, capabilities: { elicitation: {} }, asked });
			const { result } = await call('tools/call', { name: 'book', arguments: {} });
			assert.match(result.content[0].text, by === 'flight' ? denied : /^booked: train/);
		}
		const url = await ready(run(['--http', '0', ...args]));
		const book = async (params) =>
			(await modern(url, 'tools/call', { name: 'book', arguments: {}, ...params }, { capabilities: { elicitation: { form: {} } } })).next();
		let { result } = await book({});
		for (let rounds = 0; result.resultType === 'input_required'; rounds += 1) {
			assert.ok(rounds < 2, 'a day and a way, and no seat');
			const [key, request] = Object.entries(result.inputRequests)[0];
			({ result } = await book({ inputResponses: { [key]: fill(request) }, requestState: result.requestState }));
		}
		assert.match(result.content[0].text, denied);
	});

	describe('over HTTP', () => {
		let url;
		before(async () => { url = await ready(run(['--http', '0'])); });
		const book = async (params, options = {}) =>
			(await modern(url, 'tools/call', { name: 'book', arguments: {}, ...params }, { capabilities: { elicitation: { form: {} } }, ...options })).next();

		test('by answers that ask for input: the session is the signed requestState', async () => {
			let { result } = await book({});
			const states = [];
			while (result.resultType === 'input_required') {
				const [key, request] = Object.entries(result.inputRequests)[0];
				states.push(result.requestState);
				assert.equal(request.method, 'elicitation/create');
				({ result } = await book({ inputResponses: { [key]: fill(request) }, requestState: result.requestState }));
			}
			assert.equal(result.content[0].text, BOOKED);
			assert.equal(states.length, 6);
			for (const state of [states[5], states[0], 'x', `${states[5].slice(0, -4)}AAAA`])
				assert.equal((await book({ inputResponses: {}, requestState: state })).error.code, -32602, state.slice(0, 10));
		});

		test('a state is of one tool alone', async () => {
			const { result } = await book({});
			const answer = await book({ name: 'survey', inputResponses: {}, requestState: result.requestState });
			assert.equal(answer.error.code, -32602);
		});

		test('by interaction.* in both eras; the session of one is not another one\'s', async () => {
			const first = await legacy(url);
			const second = await legacy(url);
			const start = await (await first.request('interaction.start', { toolName: 'book' })).next();
			const { sessionId } = start.result;
			const stolen = await (await second.request('interaction.getState', { sessionId })).next();
			assert.equal(stolen.error.code, -32001);
			const state = await (await first.request('interaction.getState', { sessionId })).next();
			assert.equal(state.result.state, 'waiting_user');
			const begun = await (await modern(url, 'interaction.start', { toolName: 'book' })).next();
			assert.equal(begun.result.resultType, 'complete');
			const answered = await (await modern(url, 'interaction.respond',
				{ sessionId: begun.result.sessionId, response: { value: '2026-05-05' } })).next();
			assert.equal(answered.result.accepted, true);
			assert.ok((await (await modern(url, 'server/discover')).next()).result.capabilities.extensions['dev.hustings/flow']);
		});
	});
});

describe('in a room', () => {
	let gateway;
	let topic = 0;
	const tokens = {};
	before(async () => {
		gateway = await Gateway.start();
		ends.push(() => gateway.finish?.() ?? gateway.stop());
		for (const [id, privilege] of [['booking', 'full'], ['ann', 'full'], ['boss', 'full'], ['guest', 'restricted']])
			tokens[id] = await gateway.token({ id, privilege });
	});

	/** A room of its own for each test. */
	async function room(args, ...ids) {
		const name = `trip-${++topic}`;
		const people = {};
		for (const id of ids)
			people[id] = await RoomClient.connect({ gateway, topic: name, token: tokens[id] });
		await ready(run([gateway.url, name, ...args], { env: { HUSTINGS_TOKEN: tokens.booking } }));
		return people;
	}

	const say = (client, payload, to = ['booking']) => client.send({ kind: 'mcp', to, payload: { jsonrpc: '2.0', ...payload } });
	const answer = (client, id) => client.next(({ from, payload }) => from === 'booking' && payload.id === id
		&& payload.method === undefined).then(({ payload }) => payload);
	async function ask(client, method, params) {
		const id = randomUUID();
		say(client, { id, method, params });
		return answer(client, id);
	}
	const call = (client, args, meta) => {
		const id = randomUUID();
		say(client, { id, method: 'tools/call', params: { name: 'book', arguments: args, ...(meta ? { _meta: { [AUTHORIZATION]: {} } } : {}) } });
		return id;
	};
	const question = (client) => client.next(({ payload }) => payload.method === 'notifications/authorization/request')
		.then(({ payload, from }) => ({ from, ...payload.params }));
	const decide = (client, authorizationId, decision, more = {}) =>
		say(client, { method: 'authorization/respond', params: { authorizationId, decision, ...more } });
	const resolved = (client) => client.next(({ payload }) => payload.method === 'notifications/authorization/resolved')
		.then(({ payload }) => payload.params);

	test('a participant drives a session, prompts are pushed, and nobody else sees it', async () => {
		const { ann, boss } = await room([], 'ann', 'boss');
		const { sessionId } = (await ask(ann, 'interaction.start', { toolName: 'book' })).result;
		const stranger = await ask(boss, 'interaction.respond', { sessionId, response: { value: '2026-05-05' } });
		assert.equal(stranger.error.code, -32001);
		say(ann, { id: 'r1', method: 'interaction.respond', params: { sessionId, response: { value: '2026-05-05' } } });
		const pushed = await ann.next(({ payload }) => payload.method === 'interaction.prompt');
		assert.deepEqual(pushed.to, ['ann']);
		assert.equal(pushed.payload.params.prompt.name, 'by');
		for (const value of ['flight', 'aisle', 2, 'ann@example.org'])
			assert.equal((await ask(ann, 'interaction.respond', { sessionId, response: { value } })).result.accepted, true);
		say(ann, { id: 'r6', method: 'interaction.respond', params: { sessionId, response: { value: true } } });
		const done = await ann.next(({ payload }) => payload.method === 'interaction.complete');
		assert.equal(done.payload.params.result.data.content[0].text, BOOKED);
	});

	const hello = (client, capabilities) => ask(client, 'initialize',
		{ protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'outside', version: '1' } });
	const form = (client) => client.next(({ payload }) => payload.method === 'elicitation/create');
	const reply = (client, { id, payload }, result, to) => client.send({ kind: 'mcp', to: to ?? ['booking'], correlation_id: id,
		payload: { jsonrpc: '2.0', id: payload.id, result } });

	test('a participant that declared elicitation is asked by forms, it alone, and only its answers count', async () => {
		const { ann, boss } = await room([], 'ann', 'boss');
		await hello(ann, { elicitation: {} });
		const id = call(ann, { by: 'flight' });
		for (let asked = 0; asked < 5; asked += 1) {
			const one = await form(ann);
			assert.deepEqual([one.from, one.to, typeof one.correlation_id], ['booking', ['ann'], 'string']);
			reply(boss, one, { action: 'decline' }); /* of somebody else: passed over */
			await ask(boss, 'ping', {});
			reply(ann, one, fill(one.payload));
		}
		assert.equal((await answer(ann, id)).result.content[0].text, BOOKED);
	});

	test('who declared nothing, or takes it back, is told all that is missing', async () => {
		const { ann, boss } = await room([], 'ann', 'boss');
		const missing = async (client) => {
			const { result } = await answer(client, call(client, {}));
			assert.equal(result.isError, true);
			assert.match(result.content[0].text, /arguments are missing: .*day.*by/);
		};
		await missing(boss);
		await hello(ann, { elicitation: {} });
		await missing(boss);
		await hello(ann, {});
		await missing(ann);
		await hello(ann, { elicitation: { form: {} } });
		const refused = call(ann, {});
		const { id, payload } = await form(ann);
		ann.send({ kind: 'mcp', to: ['booking'], correlation_id: id, payload: { jsonrpc: '2.0', id: payload.id,
			error: { code: -32601, message: 'nobody is here' } } });
		assert.match((await answer(ann, refused)).result.content[0].text, /arguments are missing: .*day.*by/);
	});

	test('a question ends with its call, and what was declared is forgotten when its participant leaves', async () => {
		const { ann, boss } = await room([], 'ann', 'boss');
		await hello(ann, { elicitation: {} });
		const id = call(ann, {});
		const asked = await form(ann);
		say(ann, { method: 'notifications/cancelled', params: { requestId: id } });
		const withdrawn = await ann.next(({ from, payload }) => from === 'booking' && payload.method === 'notifications/cancelled');
		assert.equal(withdrawn.payload.params.requestId, asked.payload.id);
		call(ann, {});
		await form(ann);
		await ann.close();
		await boss.next(({ kind, payload }) => kind === 'presence' && payload.event === 'leave' && payload.participant.id === 'ann');
		await ask(boss, 'ping', {});
		const again = await RoomClient.connect({ gateway, topic: `trip-${topic}`, token: tokens.ann });
		assert.match((await answer(again, call(again, {}))).result.content[0].text, /arguments are missing/);
	});

	for (const kind of KINDS) {
		test(`an official client at the room's face is asked, or told what is missing (${kind})`, async () => {
			await room([]);
			const url = `${gateway.url}/mcp/rooms/trip-${topic}`;
			for (const capabilities of [{ elicitation: { form: {} } }, {}]) {
				const client = await RealClient.connect(kind, { url, token: tokens.ann },
					{ capabilities, answers: capabilities.elicitation ? { 'elicitation/create': fill } : {} });
				await until(async () => (await client.tools()).some(({ name }) => name === 'booking__book'), 'the booking is there');
				const said = client.text('booking__book', {}).catch(({ message }) => message);
				assert.match(await said, capabilities.elicitation ? /^booked: /
					: kind === 'modern' ? /capability/ : /arguments are missing: .*day.*by/);
				await client.close();
			}
		});
	}

	test('ADR-001: a call waits, the room is asked, a decider approves; a caller that declared hears of it first', async () => {
		const { ann, boss } = await room(['--ask-first'], 'ann', 'boss');
		const first = call(ann, ANSWERS, true);
		const early = await answer(ann, first);
		assert.equal(early.error.code, -32001);
		const asked = await question(boss);
		assert.deepEqual(early.error.data.authorizationRequest.id, asked.id);
		assert.deepEqual({ ...asked, id: '', expiresAt: '', reason: '' },
			{ from: 'booking', id: '', tool: 'book', arguments: ANSWERS, requester: 'ann', reason: '', expiresAt: '' });
		decide(boss, asked.id, 'approve');
		const outcome = await resolved(ann);
		assert.equal(outcome.requestId, first);
		assert.equal(outcome.authorizationId, asked.id);
		assert.equal(outcome.result.content[0].text, BOOKED);

		const second = call(ann, ANSWERS); /* declares nothing: one answer alone */
		const next = await question(boss);
		decide(boss, next.id, 'deny', { reason: 'no money' });
		const denied = await answer(ann, second);
		assert.equal(denied.error.code, -32002);
		assert.deepEqual(denied.error.data, { reason: 'no money', type: 'authorization_denied' });
	});

	test('ADR-001: neither the caller nor a restricted participant decides', async () => {
		const { ann, boss, guest } = await room(['--ask-first'], 'ann', 'boss', 'guest');
		const first = call(ann, ANSWERS);
		const asked = await question(boss);
		decide(ann, asked.id, 'approve');
		const refusal = guest.refusal({ kind: 'mcp', to: ['booking'], payload: { jsonrpc: '2.0', method: 'authorization/respond',
			params: { authorizationId: asked.id, decision: 'approve' } } });
		assert.equal((await refusal).payload.error.code, -32001);
		/* As a request it is told why; everything before it was read by then. */
		const told = await ask(ann, 'authorization/respond', { authorizationId: asked.id, decision: 'approve' });
		assert.equal(told.error.data.type, 'not_a_decider');
		const accepted = await ask(boss, 'authorization/respond', { authorizationId: asked.id, decision: 'deny' });
		assert.deepEqual(accepted.result, {});
		assert.equal((await answer(ann, first)).error.code, -32002);
	});

	test('ADR-001: an approval until later holds for the same arguments until it is revoked', async () => {
		const { ann, boss } = await room(['--ask-first'], 'ann', 'boss');
		const first = call(ann, ANSWERS);
		const asked = await question(boss);
		decide(boss, asked.id, 'approve', { validUntil: new Date(Date.now() + 3_600_000).toISOString() });
		assert.equal((await answer(ann, first)).result.isError, false);
		assert.equal((await answer(ann, call(ann, ANSWERS))).result.isError, false);
		const changed = call(ann, { ...ANSWERS, people: 9 });
		const again = await question(boss);
		assert.equal(again.arguments.people, 9);
		decide(boss, again.id, 'deny');
		assert.equal((await answer(ann, changed)).error.code, -32002);
		assert.deepEqual((await ask(boss, 'authorization/revoke', { authorizationId: asked.id })).result, {});
		const last = call(ann, ANSWERS);
		const third = await question(boss);
		assert.notEqual(third.id, asked.id);
		decide(boss, third.id, 'approve');
		assert.equal((await answer(ann, last)).result.isError, false);
	});

	test('ADR-001: a guided session begins when its tool was approved', async () => {
		const { ann, boss } = await room(['--ask-first'], 'ann', 'boss');
		say(ann, { id: 's', method: 'interaction.start', params: { toolName: 'book', initialParams: { by: 'flight' } } });
		const asked = await question(boss);
		assert.deepEqual(asked.arguments, { by: 'flight' });
		decide(boss, asked.id, 'approve');
		assert.equal((await answer(ann, 's')).result.initialPrompt.name, 'day');
	});
});
