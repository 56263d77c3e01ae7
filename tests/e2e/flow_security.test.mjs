// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0, security: sessions are apart, nobody reaches another's, input is checked before the tool, data is sealed and wiped.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Guided, argumentsOf, flowHouse, flowServer, isFlowError } from './lib/flow_tools.mjs';
import { FREE } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const house = await flowHouse();
const { guide } = house;
const METHODS = [['respond', { response: { value: 'Rome' } }], ['cancel', { reason: 'mine' }], ['getState', {}], ['complete', {}]];

for (const era of ['legacy', 'modern']) {
	test(`isolation: another principal's session is like none (${era})`, async () => {
		const [ann, bob] = [await house.plain('ann', 'guide', { era }), await house.plain('bob', 'guide', { era })];
		const session = await Guided.start(ann, 'booking', { initialParams: {} });
		const before = guide.calls('booking').length;
		for (const [method, more] of METHODS) {
			const foreign = await bob.refusal(`interaction.${method}`, { sessionId: session.id, ...more });
			isFlowError(foreign, -32001, session.id, 'session_not_found');
			const none = await bob.refusal(`interaction.${method}`, { sessionId: 'none', ...more });
			assert.equal(foreign.message.replaceAll(session.id, 'none'), none.message, 'nothing tells them apart');
		}
		const admin = await house.admin('guide', { era, mgp: null });
		isFlowError(await admin.refusal('interaction.getState', session.params()), -32001, session.id);
		assert.equal((await session.state()).state, 'waiting_user');
		assert.equal(guide.calls('booking').length, before);
		await session.says('Rome');
		await session.is('completed');
		isFlowError(await bob.refusal('interaction.complete', session.params()), -32001, session.id);
	});
}

test('isolation: a session stays with the MCP session it began in, while that lives', async () => {
	const [first, second] = [await house.plain('ann', 'guide'), await house.plain('ann', 'guide')];
	const session = await Guided.start(first, 'booking');
	for (const [method, more] of METHODS)
		isFlowError(await second.refusal(`interaction.${method}`, session.params(more)), -32001, session.id);
	assert.equal((await session.state()).state, 'waiting_user');
});

test('isolation: sessions side by side keep their own answers', async () => {
	const client = await house.plain('ann', 'guide');
	const sessions = await Promise.all([...Array(20).keys()].map(() => Guided.start(client, 'register')));
	await Promise.all(sessions.map((one, number) => one.says(`name ${number}`)));
	await Promise.all(sessions.map((one, number) => one.says(`${number}@example.com`)));
	const results = await Promise.all(sessions.map((one) => one.result()));
	results.forEach(({ finalResult }, number) => {
		const { arguments: given } = JSON.parse(finalResult.data.content[0].text);
		assert.deepEqual(given, { name: `name ${number}`, email: `${number}@example.com` });
	});
});

test('isolation: ids are long, all different, and have nothing to guess in common', async () => {
	const client = await house.plain('ann', 'guide', { era: 'modern' });
	const ids = [];
	for (let number = 0; number < 16; number += 1)
		ids.push((await Guided.start(client, 'booking')).id);
	assert.equal(new Set(ids).size, ids.length);
	const places = [...Array(Math.min(...ids.map(({ length }) => length))).keys()];
	const varying = places.filter((place) => new Set(ids.map((id) => id[place])).size > 4);
	assert.ok(varying.length >= 16, `${varying.length} places vary in ${ids.slice(0, 3)}`);
});

test('authentication: without a token, or with one that is no more, a session is out of reach', async () => {
	const token = await house.gateway.token({ id: 'gone', privilege: 'full' });
	house.tokens.set('gone', token);
	const client = await house.plain('gone', 'guide', { era: 'modern' });
	const session = await Guided.start(client, 'booking');
	const bare = await house.plain('ann', 'guide', { era: 'modern' });
	bare.token = undefined;
	assert.equal((await bare.send('interaction.getState', session.params())).status, 401);
	await house.run('token', 'revoke', '--id', 'gone');
	await until(async () => (await client.send('interaction.respond', session.params({ response: { value: 'Rome' } }))).status === 401, 'it is shut out');
});

const deep = (depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
const STRANGE = [undefined, null, 0, 1.5, true, [], {}, ['x'], { $ne: null }, '', ' ', '\u0000', '../..', "' OR 1=1 --", 'x'.repeat(8192), deep(30)];

for (const [method, more] of METHODS) {
	test(`input: a strange sessionId is refused by ${method}, and the next request is served`, async () => {
		for (const era of ['legacy', 'modern']) {
			const client = await house.plain('ann', 'guide', { era });
			for (const sessionId of STRANGE) {
				const error = await client.refusal(`interaction.${method}`, { sessionId, ...more });
				assert.ok([-32602, -32001, -32600].includes(error.code), `${JSON.stringify(sessionId)?.slice(0, 40)}: ${JSON.stringify(error)}`);
			}
			assert.ok((await Guided.start(client, 'booking')).id);
		}
	});
}

test('input: an answer that is large, deep or full of signs reaches the tool only where it fits, and as it was', async () => {
	const client = await house.plain('ann', 'guide');
	for (const value of ['\u202e\u0000\u001b[2J', '"}],"x":{', '${7*7}', '../../etc/passwd', '\ud83d\ude00'.repeat(500), 'ü'.repeat(10_000)]) {
		const session = await Guided.start(client, 'booking');
		const { result, error } = await client.request('interaction.respond', session.params({ response: { value } }));
		if (error !== undefined || result.accepted === false)
			continue;
		await session.is('completed');
		assert.deepEqual(argumentsOf(guide, 'booking').at(-1), { destination: value });
	}
	const session = await Guided.start(client, 'list');
	const before = guide.calls('list').length;
	for (const value of [deep(40), [deep(30), deep(30)], { __proto__: null, length: 2 }])
		assert.notEqual((await client.request('interaction.respond', session.params({ response: { value } }))).result?.accepted, true);
	assert.equal(guide.calls('list').length, before);
});

test('input: a key that stands twice in an answer is refused, or is one key', async () => {
	const client = await house.plain('ann', 'guide');
	const session = await Guided.start(client, 'one_choice');
	const body = `{"jsonrpc":"2.0","id":9,"method":"interaction.respond","params":{"sessionId":${JSON.stringify(session.id)},`
		+ '"response":{"value":"z","value":"a"}}}';
	const { json } = await house.gateway.request('POST', '/mcp/servers/guide', { body, token: await house.token('ann'),
		headers: { ...client.headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' } });
	assert.notEqual(json?.result?.accepted, true);
});

test('input: a pattern that would take for ever in a naive matcher ends, and nobody else waits for it', async () => {
	const [ann, bob] = [await house.plain('ann', 'guide'), await house.plain('bob', 'guide')];
	const session = await Guided.start(ann, 'evil');
	const before = guide.calls('evil').length;
	for (const length of [30, 100, 5000]) {
		const said = ann.request('interaction.respond', session.params({ response: { value: `${'a'.repeat(length)}!` } }));
		await Guided.start(bob, 'booking').then((one) => one.cancel());
		const { result } = await said;
		assert.notEqual(result?.accepted, true);
	}
	assert.equal(guide.calls('evil').length, before);
	await session.says('aaaa');
	await session.result();
});

/** Every file below a folder that has these octets in it. */
function filesWith(folder, words) {
	return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
		.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile()).filter((path) => readFileSync(path).includes(words));
}

test('privacy: what is answered stands nowhere on the disk that could be read', async (t) => {
	const own = await flowHouse({}, t);
	const client = await own.plain('ann', 'guide');
	const session = await Guided.start(client, 'register', { context: { marker: 'mark-of-context' } });
	await session.says('mark-of-answer');
	const given = await Guided.start(client, 'optional', { initialParams: { may: 'mark-of-params' } });
	await given.prompt();
	await own.gateway.kill9();
	const sealed = ['mark-of-answer', 'mark-of-params', 'mark-of-context'].map((words) => filesWith(own.gateway.data, words));
	await own.gateway.launch();
	assert.deepEqual(sealed, [[], [], []]);
});

test('privacy: a session that has ended leaves no answers behind, not even to its owner\'s look', async () => {
	const client = await house.plain('ann', 'guide');
	const session = await Guided.start(client, 'register');
	await session.says('Gertrude');
	await session.cancel();
	assert.doesNotMatch(JSON.stringify(await client.request('interaction.getState', session.params())), /Gertrude/);
	const expired = await Guided.start(client, 'register', { timeout: 1000 });
	await expired.says('Gertrude');
	await expired.error(-32002);
	assert.doesNotMatch(JSON.stringify(await client.request('interaction.getState', expired.params())), /Gertrude/);
});

test('input: a guided call passes the same gates as any other: what is denied stays denied', async (t) => {
	const shut = flowServer('shut', {}, { default_policy: 'opt-in' });
	const own = await flowHouse({ servers: [shut] }, t);
	await own.grant('ann', 'shut', 'booking');
	const client = await own.plain('ann', 'shut');
	const session = await Guided.start(client, 'booking');
	await own.grant('ann', 'shut', 'booking', { permission: 'deny' });
	await until(async () => (await client.request('interaction.start', { toolName: 'booking' })).error, 'ann may not use it any more');
	await client.request('interaction.respond', session.params({ response: { value: 'Rome' } }));
	await until(async () => {
		const { result, error } = await client.request('interaction.getState', session.params());
		return error !== undefined || result.state === 'error'
			|| (result.state === 'completed' && (await session.result()).finalResult.success === false);
	}, 'it has come to nothing');
	assert.equal(shut.calls('booking').length, 0);
});

test('isolation: of answers that come at once, one is taken; the tool runs once', async () => {
	const client = await house.plain('ann', 'guide', { era: 'modern' });
	const session = await Guided.start(client, 'booking');
	const { promptId } = session.started.initialPrompt;
	const before = guide.calls('booking').length;
	const said = await Promise.all([...Array(12).keys()].map((number) => client.request('interaction.respond',
		session.params({ promptId, response: { value: `city ${number}` } }))));
	assert.equal(said.filter(({ result }) => result?.accepted === true).length, 1);
	for (const { error } of said.filter((one) => one.error !== undefined))
		isFlowError(error, -32003, session.id);
	await session.result();
	assert.equal(guide.calls('booking').length, before + 1);
});

test('limits: starts that come at once are counted one by one', async (t) => {
	const own = await flowHouse({ flow: { max_sessions_per_principal: 4 } }, t);
	const client = await own.plain('ann', 'guide', { era: 'modern' });
	const said = await Promise.all([...Array(16).keys()].map(() => client.request('interaction.start', { toolName: 'booking' })));
	assert.equal(said.filter(({ result }) => result !== undefined).length, 4);
	assert.ok(said.every(({ result, error }) => result !== undefined || error.data.type === 'too_many_sessions'));
});

test('input: a dangerous tool waits for its approval in a guided session too, and a no is no', async (t) => {
	const server = flowServer('risky');
	server.plan.tools = server.plan.tools.map((tool) => ({ ...tool, annotations: { destructiveHint: true } }));
	const own = await flowHouse({ kernel: { ...FREE, approval: 'interactive' }, servers: [server] }, t);
	const client = await own.plain('ann', 'risky');
	for (const word of ['approve', 'deny']) {
		const session = await Guided.start(client, 'booking');
		const before = server.calls('booking').length;
		await session.says(`to ${word}`);
		const { id, arguments: given } = await own.pending(({ requester }) => requester === 'ann');
		assert.deepEqual(given, { destination: `to ${word}` });
		assert.equal((await session.state()).state, 'processing');
		assert.equal(server.calls('booking').length, before);
		await own.decide(id, word);
		if (word === 'approve') {
			assert.equal((await session.result()).finalResult.success, true);
		} else {
			await until(async () => {
				const { state } = await session.state();
				return state === 'error' || (state === 'completed' && (await session.result()).finalResult.success === false);
			}, 'it has come to nothing');
		}
		assert.equal(server.calls('booking').length, before + (word === 'approve' ? 1 : 0));
	}
});
