// SPDX-License-Identifier: Apache-2.0
// MGP 14.2 to 14.5: every standard code is reached, says how to recover, and is something else for plain clients.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MGP, EXTENSION } from './lib/mgp_client.mjs';
import { MODERN } from './lib/mcp_wire.mjs';
import { MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { past, until } from './lib/wait.mjs';

const CATEGORIES = { 1: 'security', 2: 'lifecycle', 3: 'resource', 4: 'validation', 5: 'external' };
const CODES = [1000, 1001, 1002, 1003, 1010, 1011, 2000, 2001, 2002, 3000, 3001, 3002, 3003, 4000, 4001, 4002, 5000, 5001, 5002];
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'lifecycle', 'code_safety'];
const strict = { type: 'object', properties: { count: { type: 'integer', maximum: 10 } }, required: ['count'], additionalProperties: false };
const tools = [
	{ name: 'think', annotations: readOnly }, { name: 'count', annotations: readOnly, inputSchema: strict },
	{ name: 'shell', annotations: readOnly, security: { risk_level: 'moderate', validator: 'sandbox' } },
	{ name: 'code', annotations: readOnly, security: { risk_level: 'moderate', validator: 'code_safety', code_safety: { level: 'standard', language: 'python' } } },
	{ name: 'film', annotations: readOnly, security: { risk_level: 'safe', permissions_required: ['camera'], validator: 'none' } },
	{ name: 'hold', does: [{ hold: true }] }, { name: 'hang', does: [{ silent: true }] },
	{ name: 'crash', does: [{ exit: 3 }] },
];
const own = CODES.map((code) => ({ name: `own-${code}`, does: [{ error: { code, message: `code ${code}`,
	data: { _mgp: { category: CATEGORIES[Math.floor(code / 1000)], retryable: false, details: { why: 'a test' } }, more: 7 } } }] }));
const outsider = (id, mgp = {}, plan = {}) => new Outsider(id, { extensions, tools, ...plan }, mgp);

const all = outsider('all', { policy: 'deny_all', permissions_granted: ['system.info'] }, { permissions: ['camera', 'system.info'], tools: [...tools, ...own] });
const closed = outsider('closed', { default_policy: 'opt-in' });
const dead = outsider('dead', { restart_policy: 'never' });
const draining = outsider('draining');
const waiting = outsider('waiting', { restart_policy: 'on_failure', backoff_base_ms: 60_000, backoff_max_ms: 60_000 });
const paced = outsider('paced', { call_rate: '2/min' });
const narrow = outsider('narrow', { max_in_flight: 1 });
const rationed = outsider('rationed', { quota: '2/day' });
const hurried = outsider('hurried', { call_timeout: '2s' });

const upstream = await MgpHttpServer.start({ id: 'upstream', extensions, tools: [{ name: 'think' }, { name: 'fails',
	does: [{ status: 500 }] }, { name: 'hangs', does: [{ silent: true }] }] });
const house = await MgpHouse.forFile({ audit: true, servers: [all, closed, dead, draining, waiting, paced, narrow, rationed, hurried,
	new Outsider('upstream', {}, { call_timeout: '2s' }, { url: upstream.url })] });
await house.allConnected();
after(() => upstream.stop());

/** What the text says about every error, and the parts that are the code's own. */
function isError(error, code, { retryable } = {}) {
	assert.equal(error.code, code, JSON.stringify(error));
	assert.ok(error.message.length > 0);
	const mgp = recoveryOf(error);
	assert.equal(mgp.category, CATEGORIES[Math.floor(code / 1000)]);
	if (retryable !== undefined)
		assert.equal(mgp.retryable, retryable);
	if (!mgp.retryable)
		assert.equal(mgp.retry_after_ms ?? undefined, undefined);
	return mgp;
}

/** A plain client gets no code of MGP: an error of JSON-RPC, or a result that a model can read. */
function isWords(answer, as = 'result') {
	isPlain(answer);
	if (as === 'result') {
		assert.equal(answer.result.isError, true);
		assert.ok(answer.result.content[0].text.length > 0);
		assert.equal(typeof answer.result.structuredContent, 'object');
	} else {
		assert.equal(answer.error.code, as);
		assert.ok(answer.error.message.length > 0);
	}
}

/** The same call by an MGP client and a plain one, in both eras. */
async function both(who, where, tool, args, code, { as, retryable } = {}) {
	let mgp;
	for (const era of ['legacy', 'modern']) {
		mgp = isError(await (await house.client(who, where, { era })).refused(tool, args), code, { retryable });
		isWords(await (await house.plain(who, where, { era })).call(tool, args), as);
	}
	return mgp;
}

test('14.3 1000 PERMISSION_DENIED: an agent asks for what only an administrator may', async () => {
	isError(await (await house.client('ann', '/mcp')).refusal('mgp/access/grant', { entry_type: 'server_grant', agent_id: 'ann',
		server_id: 'closed', permission: 'allow' }),
		1000, { retryable: false });
});

test('14.3 1001 ACCESS_DENIED: a tool of a server without a grant', async () => {
	await both('ann', '/mcp', 'closed__think', {}, 1001, { as: -32602, retryable: false });
});

/** initialize, or a modern request, with this token or none. */
function knock(era, token, isMgp) {
	const mgp = isMgp ? { mgp: MGP } : {};
	const capabilities = isMgp ? { extensions: { [EXTENSION]: MGP } } : {};
	const accept = 'application/json, text/event-stream';
	if (era === 'legacy')
		return house.gateway.request('POST', '/mcp', { token, headers: { accept }, body: { jsonrpc: '2.0', id: 5, method: 'initialize',
			params: { protocolVersion: '2025-11-25', capabilities: mgp, clientInfo: { name: 'x', version: '1' } } } });
	return house.gateway.request('POST', '/mcp', { token, headers: { accept, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
		body: { jsonrpc: '2.0', id: 5, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN,
			'io.modelcontextprotocol/clientCapabilities': capabilities } } } });
}

for (const era of ['legacy', 'modern']) {
	test(`14.3 1002 AUTH_REQUIRED: no token (${era})`, async () => {
		for (const token of [undefined, 'hus_never-made']) {
			const answer = await knock(era, token, true);
			assert.equal(answer.status, 401);
			assert.match(answer.headers['www-authenticate'], /^Bearer/);
			isError(answer.json.error, 1002, { retryable: false });
			const plain = await knock(era, token, false);
			assert.equal(plain.status, 401);
			assert.match(plain.headers['www-authenticate'], /^Bearer/);
			assert.doesNotMatch(plain.text, /_mgp|1002/);
		}
	});

	test(`14.3 1003 AUTH_EXPIRED: a token that has ended (${era})`, async () => {
		const made = Date.now();
		const token = await house.gateway.token({ id: `expired-${era}`, privilege: 'full', ttl: '1s', wait: false });
		await past(made + 3000);
		const answer = await until(async () => {
			const said = await knock(era, token, true);
			return said.json?.error?.code === 1003 && said;
		}, 'the token is known to have expired');
		assert.equal(answer.status, 401);
		assert.match(answer.headers['www-authenticate'], /^Bearer/);
		isError(answer.json.error, 1003);
		assert.doesNotMatch((await knock(era, token, false)).text, /_mgp|1003/);
	});
}

test('14.3 1010 VALIDATION_BLOCKED: a validator stops the arguments', async () => {
	const { details } = await both('ann', 'all', 'shell', { command: 'ls; rm -rf /' }, 1010, { retryable: false });
	assert.ok(details);
});

test('14.3 1011 CODE_SAFETY_VIOLATION: code is refused', async () => {
	const { details } = await both('ann', 'all', 'code', { code: 'import subprocess' }, 1011, { retryable: false });
	assert.equal(details.status, 'rejected');
});

test('14.3 2000 SERVER_NOT_READY: the server is down', async () => {
	const [client, plain] = [await house.client('ann', 'dead'), await house.plain('ann', 'dead')];
	await client.call('crash');
	await until(async () => (await house.server('dead')).state !== 'connected', 'it is down');
	isError(await client.refused('think'), 2000);
	isWords(await plain.call('think'));
});

test('14.3 2001 SERVER_DRAINING: the server finishes what it does', async () => {
	const [client, plain] = [await house.client('ann', 'draining'), await house.plain('ann', 'draining')];
	const held = client.text('hold');
	await until(() => draining.calls('hold').length === 1, 'the call runs');
	await (await house.admin('/mcp')).ask('mgp/lifecycle/shutdown', { server_id: 'draining', reason: 'operator_request', timeout_ms: 60_000 });
	isError(await client.refused('think'), 2001);
	isWords(await plain.call('think'));
	draining.release();
	await held;
});

test('14.3 2002 SERVER_RESTARTING: the server waits for its next start', async () => {
	const [client, plain] = [await house.client('ann', 'waiting'), await house.plain('ann', 'waiting')];
	await client.call('crash');
	await house.is('waiting', 'restarting');
	const { retry_after_ms } = isError(await client.refused('think'), 2002, { retryable: true });
	assert.ok(retry_after_ms > 0);
	isWords(await plain.call('think'));
});

test('14.4 3000 RATE_LIMITED carries what the example of the text does', async () => {
	const client = await house.client('hasty', 'paced');
	const plain = await house.plain('hasty', 'paced');
	await client.text('think');
	await client.text('think');
	const mgp = isError(await client.refused('think'), 3000, { retryable: true });
	assert.ok(mgp.retry_after_ms > 0 && mgp.retry_after_ms <= 60_000, `${mgp.retry_after_ms}`);
	assert.ok(mgp.retry_strategy !== undefined);
	assert.equal(mgp.details.limit, 2);
	assert.equal(mgp.details.window_secs, 60);
	isWords(await plain.call('think'));
	await (await house.client('calm', 'paced')).text('think');
});

test('14.3 3001 RESOURCE_EXHAUSTED: as many calls as may run at a time', async () => {
	const client = await house.client('ann', 'narrow');
	const held = client.text('hold');
	await until(() => narrow.calls('hold').length === 1, 'the call runs');
	isError(await (await house.client('ann', 'narrow')).refused('think'), 3001, { retryable: true });
	isWords(await (await house.plain('ann', 'narrow')).call('think'));
	narrow.release();
	await held;
	await client.text('think');
});

test('14.3 3002 QUOTA_EXCEEDED: as many calls as there are in a day', async () => {
	const client = await house.client('greedy', 'rationed');
	await client.text('think');
	await client.text('think');
	isError(await client.refused('think'), 3002);
	isWords(await (await house.plain('greedy', 'rationed')).call('think'));
});

test('14.3 3003 TIMEOUT: a server on stdio that does not answer in time', async () => {
	await both('ann', 'hurried', 'hang', {}, 3003);
	const client = await house.client('ann', 'hurried');
	await until(async () => (await client.call('think')).result !== undefined, 'others are answered');
});

test('14.3 4000 INVALID_TOOL_ARGS: arguments that do not fit the schema', async () => {
	const { details } = await both('ann', 'all', 'count', { count: 12 }, 4000, { as: -32602, retryable: false });
	assert.match(JSON.stringify(details), /count/);
	await both('ann', 'all', 'count', {}, 4000, { as: -32602 });
	await both('ann', 'all', 'count', { count: 1, more: 2 }, 4000, { as: -32602 });
	assert.deepEqual(all.calls('count'), []);
	await (await house.client('ann', 'all')).text('count', { count: 10 });
});

test('14.3 4001 TOOL_NOT_FOUND: a tool that the server does not have', async () => {
	await both('ann', 'all', 'no_such_tool', {}, 4001, { as: -32602, retryable: false });
	await both('ann', '/mcp', 'all__no_such_tool', {}, 4001, { as: -32602 });
});

test('14.3 4002 TOOL_DISABLED: a tool whose permission was denied', async () => {
	await both('ann', 'all', 'film', {}, 4002, { retryable: false });
});

test('14.3 5000 UPSTREAM_ERROR: a server behind a URL answers with an error of HTTP', async () => {
	await both('ann', 'upstream', 'fails', {}, 5000);
});

test('14.3 5001 UPSTREAM_TIMEOUT: a server behind a URL does not answer in time', async () => {
	await both('ann', 'upstream', 'hangs', {}, 5001);
});

test('14.3 5002 UPSTREAM_UNAVAILABLE: a server behind a URL cannot be reached', async () => {
	const [client, plain] = [await house.client('ann', 'upstream'), await house.plain('ann', 'upstream')];
	await until(async () => (await client.call('think')).result !== undefined, 'it can be reached');
	await upstream.stop();
	isError(await until(async () => {
		const { error } = await client.call('think');
		return error?.code === 5002 && error;
	}, 'it is unreachable'), 5002);
	isWords(await plain.call('think'));
});

for (const code of CODES) {
	test(`14.2 ${code} of a server's own comes to an MGP client as it is, to a plain one in words`, async () => {
		const error = await (await house.client('ann', 'all')).refused(`own-${code}`);
		isError(error, code, { retryable: false });
		assert.equal(error.message, `code ${code}`);
		assert.deepEqual(error.data._mgp.details, { why: 'a test' });
		assert.equal(error.data.more, 7);
		isWords(await (await house.plain('ann', 'all')).call(`own-${code}`), [4000, 4001].includes(code) ? -32602 : 'result');
	});
}
