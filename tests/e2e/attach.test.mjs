// SPDX-License-Identifier: Apache-2.0
// `hustings attach`: a stdio MCP server in a room (MCPx v0 4.1, 6, 7): handshakes from what it said once, many callers at once.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { randomUUID } from 'node:crypto';
import {
	SCRIPTED, ask, answerOf, attached, callTool, introduce, isAnswer, processesWith, startAttach, stateOf,
} from './lib/attached.mjs';
import { freshTopic, house, houseFor, isPresence, joinAs } from './lib/house.mjs';
import { RoomClient, rawOf } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();

/** A free port that the system gives to nobody by itself, so that it is still free a moment later. */
async function steadyPort() {
	for (;;) {
		const port = 20_000 + Math.floor(Math.random() * 10_000);
		const server = createServer();
		const isFree = await new Promise((done) => {
			server.once('error', () => done(false));
			server.listen(port, '127.0.0.1', () => done(true));
		});
		if (!isFree)
			continue;
		await new Promise((done) => { server.close(done); });
		return port;
	}
}

test('callers are introduced from what the server said once', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	for (const id of ['alice', 'bob']) {
		const caller = await joinAs(gateway, topic, id);
		const facts = await introduce(caller, 'tools');
		assert.equal(facts.protocolVersion, '2025-06-18');
		assert.deepEqual(facts.serverInfo, { name: 'scripted', version: '1.0.0' });
		assert.equal(facts.instructions, 'Be kind.');
		assert.deepEqual(facts.capabilities, { tools: { listChanged: true } });
		assert.deepEqual((await answerOf(caller, 'tools', 'ping')).payload.result, {});
	}
	const state = await stateOf(await joinAs(gateway, topic, 'carol'), 'tools');
	assert.equal(state.initializes, 1);
	assert.equal(state.protocolVersion, '2025-06-18');
	assert.deepEqual(state.capabilities, {});
	assert.deepEqual(state.notifications, ['notifications/initialized']);
});

test('an answer goes to whoever asked, with its payload id and correlation_id', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	for (const payloadId of [7, 'seven', 0, -3]) {
		const id = ask(alice, 'tools', 'tools/call', { name: 'echo', arguments: { text: 'hi' } }, payloadId);
		const answer = await alice.next(isAnswer(id));
		assert.equal(answer.from, 'tools');
		assert.deepEqual(answer.to, ['alice']);
		assert.strictEqual(answer.payload.id, payloadId);
		assert.equal(answer.payload.result.content[0].text, 'hi');
	}
});

test('many callers use one server at once under the same payload id', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const callers = await Promise.all(['alice', 'bob', 'carol', 'dave'].map((id) => joinAs(gateway, topic, id)));
	const asked = callers.map((caller) => ask(caller, 'tools', 'tools/call', { name: 'wait', arguments: {} }));
	const controller = await joinAs(gateway, topic, 'erin');
	await until(async () => (await stateOf(controller, 'tools')).waiting.length === 4, 'four calls wait at the server');
	assert.equal(new Set((await stateOf(controller, 'tools')).waiting).size, 4);
	await callTool(controller, 'tools', 'release');
	for (const [at, caller] of callers.entries()) {
		const answer = await caller.next(isAnswer(asked[at]));
		assert.equal(answer.payload.id, 1);
		assert.deepEqual(answer.to, [caller.id]);
		assert.equal(answer.payload.result.content[0].text, 'released');
	}
});

test('arguments and results pass octet for octet', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const octets = '{"big":1e400,"long":123456789012345678901234567890,"nul":"\\u0000","same":"\\u0061", "blank" : [ 1 , 2.50 ]}';
	const id = randomUUID();
	alice.send(`{"protocol":"mcpx/v0.1","id":"${id}","kind":"mcp","to":["tools"],"payload":{"jsonrpc":"2.0","id":1,"method":"tools/call",`
		+ `"params":{"name":"octets","arguments":${octets}}}}`);
	const answer = await alice.next((envelope) => envelope.correlation_id === id);
	assert.ok(rawOf(answer).includes(`"structuredContent":${octets}`), rawOf(answer));
});

test('lists of tools are remembered, page by page, until they change; the room hears of the change', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const pages = async (caller) => {
		const first = (await answerOf(caller, 'tools', 'tools/list')).payload.result;
		const second = (await answerOf(caller, 'tools', 'tools/list', { cursor: first.nextCursor })).payload.result;
		assert.equal(second.nextCursor, undefined);
		return [...first.tools, ...second.tools].map((tool) => tool.name);
	};
	const before = await pages(alice);
	assert.deepEqual(await pages(bob), before);
	assert.equal((await stateOf(alice, 'tools')).lists, 2);
	ask(alice, 'tools', 'tools/call', { name: 'grow', arguments: { name: 'flower' } });
	const told = await bob.next((envelope) => envelope.payload.method === 'notifications/tools/list_changed');
	assert.equal(told.from, 'tools');
	assert.deepEqual(told.to ?? [], []);
	assert.deepEqual(await pages(bob), [...before, 'flower']);
	assert.equal((await stateOf(alice, 'tools')).lists, 4);
});

test('progress goes to the asker under its own token', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	for (const progressToken of ['mine', 5]) {
		const id = ask(alice, 'tools', 'tools/call', { name: 'steps', arguments: {}, _meta: { progressToken } });
		const heard = await alice.collect(isAnswer(id));
		const steps = heard.filter((envelope) => envelope.payload.method === 'notifications/progress');
		assert.deepEqual(steps.map(({ payload }) => payload.params), [1, 2, 3].map((progress) => ({
			progressToken, progress, total: 3, message: `step ${progress}`,
		})));
		for (const step of steps)
			assert.deepEqual(step.to, ['alice']);
	}
});

test('a cancelled request is cancelled at the server, and only that one', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	ask(alice, 'tools', 'tools/call', { name: 'wait', arguments: {} }, 11);
	const kept = ask(bob, 'tools', 'tools/call', { name: 'wait', arguments: {} }, 11);
	await until(async () => (await stateOf(bob, 'tools')).waiting.length === 2, 'both calls wait at the server');
	alice.send({ kind: 'mcp', to: ['tools'], payload: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 11 } } });
	const carol = await joinAs(gateway, topic, 'carol');
	const state = await until(async () => {
		const now = await stateOf(carol, 'tools');
		return now.cancelled.length === 1 && now;
	}, 'the server hears of the cancel');
	assert.equal(state.waiting.length, 1);
	await callTool(carol, 'tools', 'release');
	assert.equal((await bob.next(isAnswer(kept))).payload.result.content[0].text, 'released');
});

test('what a caller had open is cancelled when it leaves', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	ask(alice, 'tools', 'tools/call', { name: 'wait', arguments: {} });
	await until(async () => (await stateOf(bob, 'tools')).waiting.length === 1, 'the call waits at the server');
	await alice.close();
	await until(async () => (await stateOf(bob, 'tools')).cancelled.length === 1, 'the server hears of the cancel');
});

test('a server finds nobody to ask: what it asks is refused', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	assert.equal(JSON.parse((await callTool(alice, 'tools', 'ask')).content[0].text).code, -32601);
});

test('tools are exposed, resources and prompts are not', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	for (const method of ['resources/list', 'prompts/list', 'resources/subscribe', 'logging/setLevel', 'no/such'])
		assert.equal((await answerOf(alice, 'tools', method, {})).payload.error.code, -32601, method);
});

test('--expose shows resources and prompts too', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic, { args: ['--expose', 'resources,prompts'] });
	const alice = await joinAs(gateway, topic, 'alice');
	assert.deepEqual(Object.keys((await introduce(alice, 'tools')).capabilities).sort(), ['prompts', 'resources', 'tools']);
	assert.deepEqual((await answerOf(alice, 'tools', 'resources/list', {})).payload.result.resources, [{ uri: 'a:b', name: 'b' }]);
	assert.deepEqual((await answerOf(alice, 'tools', 'prompts/list', {})).payload.result, { prompts: [] });
	assert.equal((await answerOf(alice, 'tools', 'resources/subscribe', { uri: 'a:b' })).payload.error.code, -32601);
});

test('a result larger than a message of the room becomes an error', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	await assert.rejects(callTool(alice, 'tools', 'big', { octets: 1 << 20 }), /more than a message of this room/);
	assert.equal((await callTool(alice, 'tools', 'big', { octets: 1000 })).content[0].text.length, 1000);
});

test('requests to others, and answers, are not its business', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const id = ask(alice, 'bob', 'tools/call', { name: 'echo', arguments: { text: 'for bob' } });
	await bob.next((envelope) => envelope.id === id);
	await callTool(bob, 'tools', 'echo', { text: 'mine' });
	const heard = await alice.collect((envelope) => envelope.from === 'tools' && envelope.to?.includes('bob'));
	assert.equal(heard.filter((envelope) => envelope.from === 'tools' && envelope.to?.includes('alice')).length, 0);
});

test('when the server ends, open calls get an error, the seat is left and the exit status is 1', async (t) => {
	const topic = freshTopic();
	const attach = await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const open = ask(alice, 'tools', 'tools/call', { name: 'wait', arguments: {} }, 1);
	const last = ask(alice, 'tools', 'tools/call', { name: 'die', arguments: {} }, 2);
	const answers = new Map();
	while (answers.size < 2) {
		const answer = await alice.next((envelope) => envelope.payload.error !== undefined);
		answers.set(answer.correlation_id, answer.payload.error.message);
	}
	assert.match(answers.get(open), /exited with 3/);
	assert.match(answers.get(last), /exited with 3/);
	await alice.next(isPresence('leave', 'tools'));
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /the server exited with 3/);
});

test('--restart keeps the seat and starts the server again', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic, { args: ['--restart'] });
	const alice = await joinAs(gateway, topic, 'alice');
	await callTool(alice, 'tools', 'grow', { name: 'flower' });
	await assert.rejects(callTool(alice, 'tools', 'die'), /exited with 3/);
	const heard = await alice.collect((envelope) => envelope.payload.method === 'notifications/tools/list_changed'
		&& envelope.from === 'tools');
	assert.equal(heard.filter((envelope) => envelope.kind === 'presence').length, 0);
	const list = (await answerOf(alice, 'tools', 'tools/list', { cursor: 'second' })).payload.result;
	assert.ok(!list.tools.some((tool) => tool.name === 'flower'));
	assert.equal((await callTool(alice, 'tools', 'echo', { text: 'again' })).content[0].text, 'again');
});

test('SIGTERM ends the server and leaves the seat, with exit status 0', async (t) => {
	const topic = freshTopic();
	const attach = await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const open = ask(alice, 'tools', 'tools/call', { name: 'wait', arguments: {} });
	await until(() => processesWith(attach.marker).length > 0, 'the server runs');
	await until(async () => (await stateOf(await joinAs(gateway, topic, 'bob'), 'tools')).waiting.length === 1, 'the call waits');
	attach.child.kill('SIGTERM');
	assert.ok((await alice.next(isAnswer(open))).payload.error);
	await alice.next(isPresence('leave', 'tools'));
	assert.equal((await attach.finished()).code, 0);
	await until(() => processesWith(attach.marker).length === 0, 'the server is gone');
});

test('no server outlives a killed attach', async (t) => {
	const topic = freshTopic();
	const attach = await attached(t, gateway, topic);
	assert.ok(processesWith(attach.marker).length > 0);
	await attach.stop('SIGKILL');
	await until(() => processesWith(attach.marker).length === 0, 'the server is gone');
});

test('a seat that was taken by another connection is not taken back', async (t) => {
	const topic = freshTopic();
	const attach = await attached(t, gateway, topic);
	const other = await joinAs(gateway, topic, 'tools', { kind: 'agent' });
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /replaced/);
	const alice = await joinAs(gateway, topic, 'alice');
	const id = ask(alice, 'tools', 'ping');
	await other.next((envelope) => envelope.id === id);
	assert.equal(other.end, null);
	await until(() => processesWith(attach.marker).length === 0, 'the server is gone');
});

test('it comes back after the gateway was restarted, and serves again', async (t) => {
	const own = await houseFor(t, { listen: `127.0.0.1:${await steadyPort()}` });
	const topic = freshTopic();
	const attach = await attached(t, own, topic);
	await own.restart();
	await attach.says(/back in/, 'stderr');
	const alice = await joinAs(own, topic, 'alice');
	assert.equal((await callTool(alice, 'tools', 'echo', { text: 'back' })).content[0].text, 'back');
	assert.equal((await stateOf(alice, 'tools')).initializes, 1);
});

test('a restricted seat is refused, since its answers would be', async (t) => {
	const topic = freshTopic();
	const token = await gateway.token({ id: 'low', privilege: 'restricted' });
	const attach = startAttach(t, gateway, topic, { id: 'low', env: { HUSTINGS_TOKEN: token } });
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /restricted/);
	assert.doesNotMatch(attach.stdout, /attached/);
});

test('a restricted seat is fine where answers of restricted participants are', async (t) => {
	const own = await houseFor(t, { set: { 'rooms.restricted_may_answer': 'true' } });
	const topic = freshTopic();
	const token = await own.token({ id: 'low', privilege: 'restricted' });
	await attached(t, own, topic, { id: 'low', env: { HUSTINGS_TOKEN: token } });
	const alice = await joinAs(own, topic, 'alice');
	assert.equal((await introduce(alice, 'low')).serverInfo.name, 'scripted');
	assert.equal((await callTool(alice, 'low', 'echo', { text: 'hi' })).content[0].text, 'hi');
});

test('it leaves when it is demoted', async (t) => {
	const topic = freshTopic();
	const attach = await attached(t, gateway, topic, { id: 'falling' });
	const alice = await joinAs(gateway, topic, 'alice');
	await gateway.ask('POST', `/admin/participants/falling/demote?topic=${encodeURIComponent(topic)}`, 200, { token: gateway.adminToken() });
	await alice.next(isPresence('leave', 'falling'));
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /restricted/);
});

test('a token of somebody else is refused, and takes nobody\'s seat', async (t) => {
	const topic = freshTopic();
	const mallory = await joinAs(gateway, topic, 'mallory');
	const attach = startAttach(t, gateway, topic, { id: 'tools', env: { HUSTINGS_TOKEN: mallory.token } });
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /mallory/);
	await mallory.say('still here');
	assert.equal(mallory.end, null);
});

test('it joins by a URL and a token alone', async (t) => {
	const topic = freshTopic();
	const token = await gateway.token({ id: 'far', privilege: 'full', topic });
	await attached(t, gateway, topic, { id: 'far', env: { HUSTINGS_TOKEN: token, HUSTINGS_URL: gateway.url } });
	const alice = await joinAs(gateway, topic, 'alice');
	assert.equal((await callTool(alice, 'far', 'echo', { text: 'hi' })).content[0].text, 'hi');
});

test('in open mode no token is needed', async (t) => {
	const own = await houseFor(t, { open: true });
	const topic = freshTopic();
	await attached(t, own, topic, { env: { HUSTINGS_URL: own.url } });
	const alice = await RoomClient.connect({ gateway: own, topic, id: 'alice' });
	assert.equal((await callTool(alice, 'tools', 'echo', { text: 'hi' })).content[0].text, 'hi');
});

test('a server that cannot be started is named', async (t) => {
	const attach = startAttach(t, gateway, freshTopic(), { server: ['/nowhere/no-such-server'] });
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /no-such-server|No such file|no such file/);
	assert.equal(attach.stdout, '');
});

test('a server that is no MCP server ends it', async (t) => {
	const attach = startAttach(t, gateway, freshTopic(), { server: ['sh', '-c', 'echo hello; exit 7'] });
	assert.equal((await attach.finished()).code, 1);
	assert.match(attach.stderr, /\[tools\] hello/);
	assert.match(attach.stderr, /exited with 7/);
});

test('the server sees a clean environment and what --env names', async (t) => {
	const topic = freshTopic();
	const attach = startAttach(t, gateway, topic, {
		args: ['--env', 'GIVEN=yes', '--env', 'PASSED'], env: { PASSED: 'on', SECRET: 'no' },
		server: ['sh', '-c', 'echo "[$GIVEN] [$PASSED] [$SECRET]" >&2; exit 1'],
	});
	await attach.finished();
	assert.match(attach.stderr, /\[tools\] \[yes\] \[on\] \[\]/);
});

test('misuse exits with 2', async (t) => {
	for (const args of [['--id', 'a b'], ['--expose', 'everything'], ['--max-message', 'huge']]) {
		const attach = startAttach(t, gateway, freshTopic(), { args });
		assert.equal((await attach.finished()).code, 2, args.join(' '));
	}
	const without = await gateway.command(['attach', freshTopic(), '--id', 'x']);
	assert.equal(without.code, 2);
	assert.match(without.stderr, /command is missing/);
	assert.ok(SCRIPTED);
});

test('answers that are too fast for the room\'s pace are sent again, and none is lost', async (t) => {
	const own = await houseFor(t, { set: { 'rooms.pace': '20/s' } });
	const topic = freshTopic();
	await attached(t, own, topic);
	const callers = await Promise.all(['a', 'b', 'c', 'd'].map((id) => joinAs(own, topic, id)));
	const asked = callers.map((caller) => Array.from({ length: 15 }, (_, n) => ask(caller, 'tools', 'tools/call', { name: 'echo', arguments: { text: `${n}` } }, n)));
	for (const [at, caller] of callers.entries()) {
		const left = new Map(asked[at].map((id, n) => [id, `${n}`]));
		while (left.size > 0) {
			const answer = await caller.next((envelope) => left.has(envelope.correlation_id) && envelope.payload.result !== undefined);
			assert.equal(answer.payload.result.content[0].text, left.get(answer.correlation_id));
			left.delete(answer.correlation_id);
		}
	}
});
