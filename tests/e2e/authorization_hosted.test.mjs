// SPDX-License-Identifier: Apache-2.0
// ADR-001 for hosted tools at the MCP faces: who declared support hears at once, everybody else waits; people decide in the inbox.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DONE, EXTENSION, METADATA, PRODUCTION, RESOLVED, agentB, authorizationHouse } from './lib/authorization_play.mjs';
import { freshFolder } from './lib/gateway.mjs';
import { MGP } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, isPlain } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const owner = agentB(undefined, undefined);
const house = await MgpHouse.forFile({ kernel: FREE, servers: [owner] });
await house.allConnected();

const declared = { extensions: { [EXTENSION]: {} } };
let agents = 0;
const fresh = () => `agent-${agents += 1}`;

/** A client that declared support, with its stream of notifications open. */
async function knowing(era, where = house) {
	const id = fresh();
	const client = await where.plain(id, 'agent-b', { era, capabilities: declared });
	client.name = id;
	return client.open();
}

const call = (client, name = 'dangerous_operation', args = PRODUCTION, more = {}) => client.begin('tools/call', { name, arguments: args, ...more });
const questionOf = (name, where = house) => where.pending(({ kind, requester }) => kind === 'authorization' && requester === name);
const runs = (name = 'dangerous_operation') => owner.calls(name).length;

for (const era of ['legacy', 'modern']) {
	test(`request: who declared support hears at once, and of the outcome by the notification (${era})`, async () => {
		const client = await knowing(era);
		const before = runs();
		for (const word of ['approve', 'deny']) {
			const begun = call(client);
			const { error } = await begun.answer;
			assert.deepEqual([error.code, error.data.type], [-32001, 'authorization_required']);
			const { id, tool, arguments: given, requester, reason, expiresAt } = error.data.authorizationRequest;
			assert.deepEqual([tool, given, requester], ['dangerous_operation', PRODUCTION, client.name]);
			assert.ok(reason.includes(METADATA.message));
			assert.ok(Number.isFinite(Date.parse(expiresAt)));
			const decision = await questionOf(client.name);
			assert.equal(Date.parse(decision.expiresAt), Date.parse(expiresAt));
			await house.run(word, decision.id, '--reason', 'said so');
			const { params } = await client.hears(RESOLVED, (one) => one.authorizationId === id);
			assert.equal(params.requestId, begun.id);
			if (word === 'approve')
				assert.deepEqual([params.result.content, params.error], [DONE.content, undefined]);
			else
				assert.deepEqual([params.result, params.error.code, params.error.data.type, params.error.data.reason],
					[undefined, -32002, 'authorization_denied', 'said so']);
		}
		assert.equal(runs(), before + 1);
	});

	test(`request: the declaration may stand in the call alone (${era})`, async () => {
		const id = fresh();
		const client = await (await house.plain(id, 'agent-b', { era, capabilities: era === 'modern' ? declared : {} })).open();
		client.capabilities = {}; // what listens said it in the modern era, the call does so below
		const { error } = await call(client, 'dangerous_operation', PRODUCTION, { _meta: { [EXTENSION]: {} } }).answer;
		assert.equal(error?.code, -32001);
		await house.decide((await questionOf(id)).id, 'deny');
		await client.hears(RESOLVED);
	});

	test(`consequences: a client that knows nothing of it waits, and gets its result or a plain refusal (${era})`, async () => {
		const id = fresh();
		const client = await house.plain(id, 'agent-b', { era });
		const before = runs();
		const approved = call(client);
		await house.decide((await questionOf(id)).id, 'approve');
		assert.deepEqual((await approved.answer).result.content, DONE.content);
		const denied = call(client);
		await house.decide((await questionOf(id)).id, 'deny', { reason: 'not today' });
		const { result } = await denied.answer;
		assert.equal(result.isError, true);
		assert.match(JSON.stringify(result.content), /not today/);
		isPlain([approved.messages, denied.messages]);
		assert.equal(runs(), before + 1);
	});

	test(`consequences: an MGP client that did not declare it hears 1000 of a denial (${era})`, async () => {
		const id = fresh();
		const client = await house.client(id, 'agent-b', { era, mgp: MGP });
		const begun = call(client);
		await house.decide((await questionOf(id)).id, 'deny');
		assert.equal((await begun.answer).error.code, 1000);
	});

	test(`considerations: nobody in time is a denial of its own type (${era})`, async () => {
		const client = await knowing(era);
		const { error } = await call(client, 'brief').answer;
		const { params } = await client.hears(RESOLVED, (one) => one.authorizationId === error.data.authorizationRequest.id);
		assert.deepEqual([params.error.code, params.error.data.type], [-32002, 'authorization_timeout']);
		assert.equal(runs('brief'), 0);
	});

	test(`considerations: changed arguments, another order of keys and another tool are other questions (${era})`, async () => {
		const client = await knowing(era);
		const args = { target: 'production', count: 1 };
		await call(client, 'dangerous_operation', args).answer;
		await house.decide((await questionOf(client.name)).id, 'approve', { validUntil: new Date(Date.now() + 3600_000).toISOString() });
		await client.hears(RESOLVED);
		assert.deepEqual((await call(client, 'dangerous_operation', args).answer).result?.content, DONE.content);
		for (const [name, other] of [['dangerous_operation', { count: 1, target: 'production' }], ['dangerous_operation', { ...args, count: 1.0001 }],
			['dangerous_operation', {}], ['other_operation', args]]) {
			const { error } = await call(client, name, other).answer;
			assert.equal(error?.code, -32001, `${name} ${JSON.stringify(other)}`);
			await house.decide((await questionOf(client.name)).id, 'deny');
			await client.hears(RESOLVED, (one) => one.authorizationId === error.data.authorizationRequest.id);
		}
	});

	test(`considerations: one that has been taken back is asked for again (${era})`, async () => {
		const client = await knowing(era);
		await call(client).answer;
		const { id } = await questionOf(client.name);
		await house.run('approve', id, '--valid-until', '1h');
		await client.hears(RESOLVED);
		assert.deepEqual((await call(client).answer).result?.content, DONE.content);
		await house.rest('DELETE', `/admin/decisions/${id}`);
		assert.equal((await call(client).answer).error?.code, -32001);
		await house.decide((await questionOf(client.name)).id, 'deny');
	});

	test(`metadata: automatic, not required and unsaid run at once (${era})`, async () => {
		const client = await house.plain(fresh(), 'agent-b', { era });
		for (const name of ['automatic', 'not_required', 'free'])
			assert.deepEqual((await client.call(name, PRODUCTION)).result.content, DONE.content);
	});
}

test('request: a modern client that declared it but has no stream has its call held', async () => {
	const id = fresh();
	const client = await house.plain(id, 'agent-b', { era: 'modern', capabilities: declared });
	const begun = call(client);
	await house.decide((await questionOf(id)).id, 'approve');
	assert.deepEqual((await begun.answer).result.content, DONE.content);
	const denied = call(client);
	await house.decide((await questionOf(id)).id, 'deny', { reason: 'no' });
	const { error } = await denied.answer;
	assert.deepEqual([error.code, error.data.type, error.data.reason], [-32002, 'authorization_denied', 'no']);
});

test('response: nobody decides about its own call, an administrator neither', async () => {
	const admin = await house.gateway.token({ id: 'chief', privilege: 'full', admin: true });
	house.tokens.set('chief', admin);
	const client = await house.plain('chief', 'agent-b', { era: 'modern' });
	const before = runs();
	const begun = call(client);
	const { id } = await questionOf('chief');
	await house.rest('POST', `/admin/decisions/${id}`, { body: { decision: 'approve' }, status: 403, token: admin });
	assert.equal(runs(), before);
	const other = await house.token(fresh());
	const refused = await house.gateway.request('POST', `/admin/decisions/${id}`, { body: { decision: 'approve' }, token: other });
	assert.ok(refused.status === 403 || refused.status === 401 || refused.status === 404, `${refused.status}`);
	assert.equal(runs(), before);
	await house.decide(id, 'approve');
	assert.deepEqual((await begun.answer).result.content, DONE.content);
	await house.rest('POST', `/admin/decisions/${id}`, { body: { decision: 'deny' }, status: 409 });
});

test('response: who is one of the deciders named decides, another administrator does not', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [agentB(undefined, { mode: 'always_prompt', deciders: ['judge'] })] });
	await own.allConnected();
	const judge = await own.gateway.token({ id: 'judge', privilege: 'full', admin: true });
	const client = await own.plain('agent-a', 'agent-b', { era: 'modern' });
	const begun = call(client, 'free');
	const { id } = await questionOf('agent-a', own);
	await own.rest('POST', `/admin/decisions/${id}`, { body: { decision: 'approve' }, status: 403 });
	await own.rest('POST', `/admin/decisions/${id}`, { body: { decision: 'approve' }, token: judge });
	assert.deepEqual((await begun.answer).result.content, DONE.content);
});

test('considerations: a call that is cancelled leaves no question; a legacy client that hangs up has not cancelled', async () => {
	const [old, modern] = [await house.plain(fresh(), 'agent-b'), await house.plain(fresh(), 'agent-b', { era: 'modern' })];
	const before = runs();
	const first = call(old);
	const asked = await house.pending(({ requester }) => requester === `agent-${agents - 1}`);
	await old.notify('notifications/cancelled', { requestId: first.id });
	const closed = async ({ id }) => (await house.rest('GET', `/admin/decisions/${id}`)).state !== 'pending';
	await until(() => closed(asked), 'the question is closed');
	const second = call(modern);
	const gone = await house.pending(({ requester }) => requester === `agent-${agents}`);
	second.abort();
	await until(() => closed(gone), 'the question is closed');
	const third = call(old, 'other_operation');
	const stays = await house.pending(({ requester }) => requester === `agent-${agents - 1}`);
	third.abort();
	await third.answer.catch(() => {});
	assert.equal((await house.rest('GET', `/admin/decisions/${stays.id}`)).state, 'pending');
	await house.decide(stays.id, 'deny');
	assert.equal(runs(), before);
});

test('considerations: a key that stands twice in the arguments is refused before anybody is asked', async () => {
	const id = fresh();
	const client = await house.plain(id, 'agent-b');
	const body = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"dangerous_operation","arguments":'
		+ '{"target":"harmless","target":"production"}}}';
	const { json } = await house.gateway.request('POST', '/mcp/servers/agent-b', { body, token: await house.token(id),
		headers: { ...client.headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' } });
	assert.equal(json?.error?.code, -32602, JSON.stringify(json));
	assert.ok(!(await house.decisions()).some(({ requester }) => requester === id));
});

test('request: "always" tells everybody, and the result comes under the same id; "never" tells nobody', async (t) => {
	for (const early of ['always', 'never']) {
		const own = await authorizationHouse({ decide: { early_error: early } }, t);
		const id = fresh();
		const client = await own.plain(id, 'agent-b', { capabilities: early === 'never' ? declared : {} });
		await client.open();
		const begun = call(client);
		const { id: decision } = await questionOf(id, own);
		if (early === 'always')
			assert.equal((await begun.answer).error.code, -32001);
		await own.decide(decision, 'approve');
		if (early === 'never')
			assert.deepEqual((await begun.answer).result.content, DONE.content);
		await until(() => own.owner.calls('dangerous_operation').length === 1, 'it ran');
	}
});

test('considerations: a policy hook decides authorizations before people are asked', async (t) => {
	const hook = join(freshFolder(), 'hook.mjs');
	writeFileSync(hook, `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, arguments: { target } } = JSON.parse(line);
	const decision = { staging: 'allow', production: 'deny' }[target] ?? 'ask';
	console.log(JSON.stringify({ id, decision, reason: 'rule ' + target }));
});\n`);
	const own = await authorizationHouse({ decide: { policy_hook: `${process.execPath} ${hook}` } }, t);
	const client = await own.plain('agent-a', 'agent-b', { era: 'modern' });
	assert.deepEqual((await call(client, 'dangerous_operation', { target: 'staging' }).answer).result.content, DONE.content);
	const { result } = await call(client).answer;
	assert.equal(result.isError, true);
	assert.match(JSON.stringify(result.content), /rule production/);
	const asked = call(client, 'dangerous_operation', { target: 'elsewhere' });
	await own.decide((await questionOf('agent-a', own)).id, 'approve');
	assert.deepEqual((await asked.answer).result.content, DONE.content);
	assert.equal(own.owner.calls('dangerous_operation').length, 2);
});

test('request: two gates of one call ask once', async (t) => {
	const server = agentB(undefined, { mode: 'always_prompt' });
	server.plan.tools = server.plan.tools.map((tool) => ({ ...tool, annotations: { destructiveHint: true } }));
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, approval: 'interactive' }, servers: [server] });
	await own.allConnected();
	const client = await own.plain('agent-a', 'agent-b', { era: 'modern' });
	const begun = call(client, 'free');
	const { id } = await own.pending(({ requester }) => requester === 'agent-a');
	await own.decide(id, 'approve');
	assert.deepEqual((await begun.answer).result.content, DONE.content);
	const { decisions } = await own.rest('GET', '/admin/decisions');
	assert.equal(decisions.filter(({ requester }) => requester === 'agent-a').length, 1);
});

test('response: of many decisions that come at once, one counts', async () => {
	const client = await knowing('modern');
	const before = runs();
	await call(client).answer;
	const { id } = await questionOf(client.name);
	const answers = await Promise.all([...Array(12).keys()].map((number) => house.gateway.request('POST', `/admin/decisions/${id}`,
		{ body: { decision: number % 2 === 0 ? 'approve' : 'deny' }, token: house.gateway.adminToken() })));
	const statuses = answers.map(({ status }) => status).join();
	const taken = answers.flatMap(({ status }, number) => (status === 200 ? [number] : []));
	/* A denial may take an approval back that was not used yet; then that is what counts. */
	const isTakenBack = taken.length === 2 && taken[0] % 2 !== taken[1] % 2;
	assert.ok(taken.length === 1 || isTakenBack, statuses);
	assert.ok(answers.every(({ status }) => status === 200 || status === 409), statuses);
	const isYes = taken.length === 1 && taken[0] % 2 === 0;
	const { params } = await client.hears(RESOLVED);
	assert.equal(params.result !== undefined, isYes);
	assert.equal(runs(), before + (isYes ? 1 : 0));
});

test('considerations: two calls alike, one approval: one of them runs', async () => {
	const client = await knowing('modern');
	const before = runs();
	const [first, second] = [call(client), call(client)];
	const ids = (await Promise.all([first.answer, second.answer])).map(({ error }) => error.data.authorizationRequest.id);
	const { id } = await questionOf(client.name);
	await house.decide(id, 'approve');
	await until(() => runs() === before + 1, 'one of them runs');
	const open = (await house.decisions()).filter(({ requester }) => requester === client.name);
	for (const one of open)
		await house.decide(one.id, 'deny');
	await until(() => client.all(RESOLVED).length === 2, 'both have their outcome');
	assert.deepEqual(new Set(client.all(RESOLVED).map(({ authorizationId }) => authorizationId)), new Set(ids));
	assert.equal(client.all(RESOLVED).filter(({ result }) => result !== undefined).length, 1);
	assert.equal(runs(), before + 1);
});
