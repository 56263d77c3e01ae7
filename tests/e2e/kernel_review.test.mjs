// SPDX-License-Identifier: Apache-2.0
// Ways around the kernel that were tried: what is allowed while a call waits, what an approval is for, what a server is
// sent beside its name, and what one learns of servers that one may not use.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const readOnly = { readOnlyHint: true };
const dangerous = { destructiveHint: true, idempotentHint: true };
const busy = (more) => ({ error: { code: 3000, message: 'busy', data: { _mgp: { category: 'resource', retryable: true, retry_after_ms: 1,
	max_retries: 0, ...more } } } });
const ofTool = (tool) => (one) => one.tool === tool;
const CONFORMANCE = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'conformance_server.mjs');

async function careful(t, tools, kernel = {}, more = {}) {
	const server = new Outsider('careful', { extensions: ['security'], tools, ...more });
	const house = await MgpHouse.forTest(t, { kernel: { ...FREE, approval: 'interactive', ...kernel }, servers: [server], audit: true });
	await house.allConnected();
	return { house, server };
}

test('an approval of one tool is none of the tool that its server wants called in its place', async (t) => {
	const { house, server } = await careful(t, [
		{ name: 'mild', annotations: dangerous, does: [busy({ fallback_tool: 'wild' })] }, { name: 'wild', annotations: dangerous }]);
	const call = (await house.client('ann', 'careful')).call('mild', { what: 'this' });
	await house.run('approve', (await house.pending(ofTool('mild'))).id);
	const { id } = await house.pending(ofTool('wild'));
	assert.deepEqual(server.calls('wild'), []);
	await house.run('deny', id);
	assert.equal((await call).error.code, 1000);
	assert.deepEqual(server.calls('wild'), []);
});

test('a grant that ends while a call waits for its approval ends the call', async (t) => {
	const { house, server } = await careful(t, [{ name: 'risky', annotations: dangerous }], { default_policy: 'opt-in' });
	await house.grant('ann', 'careful');
	const call = (await house.client('ann', 'careful')).call('risky');
	const { id } = await house.pending(ofTool('risky'));
	await house.rest('DELETE', '/admin/grants?entry_type=server_grant&agent_id=ann&server_id=careful');
	await house.run('approve', id);
	assert.equal((await call).error.code, 1001);
	assert.deepEqual(server.calls('risky'), []);
});

test('a permission that ends while a call waits for its approval ends the call', async (t) => {
	const { house, server } = await careful(t, [{ name: 'risky', annotations: dangerous,
		security: { risk_level: 'dangerous', permissions_required: ['filesystem.read'], validator: 'none' } }], {}, { permissions: ['filesystem.read'] });
	const call = (await house.client('ann', 'careful')).call('risky');
	const { id } = await house.pending(ofTool('risky'));
	await house.run('server', 'revoke', 'careful', 'filesystem.read');
	await house.run('approve', id);
	assert.equal((await call).error.code, 4002);
	assert.deepEqual(server.calls('risky'), []);
});

test('a definition that changes while a call waits for its approval, or that goes, ends the call', async (t) => {
	const changer = (tools) => ({ name: 'change', annotations: readOnly, does: [{ tools }] });
	for (const [after, code] of [[[{ name: 'risky', annotations: dangerous, description: 'another' }], 4002], [[], 4001]]) {
		const { house, server } = await careful(t, [{ name: 'risky', annotations: dangerous }, changer([...after, changer([])])]);
		const client = await house.client('ann', 'careful');
		const call = client.call('risky');
		const { id } = await house.pending(ofTool('risky'));
		await client.text('change');
		await until(async () => !(await client.tools()).has('risky'), 'the list is new');
		await house.run('approve', id);
		assert.equal((await call).error.code, code);
		assert.deepEqual(server.calls('risky'), []);
	}
});

test('a repeat is not sent once the grant has ended', async (t) => {
	const { house, server } = await careful(t, [{ name: 'again', annotations: readOnly,
		does: [{ hold: true, ...busy({ max_retries: 1, retry_strategy: 'fixed_delay' }) }, { text: 'fine' }] }], { default_policy: 'opt-in' });
	await house.grant('ann', 'careful');
	const call = (await house.client('ann', 'careful')).call('again');
	await until(() => server.calls('again').length === 1, 'it is called');
	await house.rest('DELETE', '/admin/grants?entry_type=server_grant&agent_id=ann&server_id=careful');
	server.release();
	assert.equal((await call).error.code, 1001);
	assert.equal(server.calls('again').length, 1);
});

test('what stands in params in another case is refused, since some servers read it', async (t) => {
	const { house, server } = await careful(t, [{ name: 'safe', annotations: readOnly }, { name: 'risky', annotations: dangerous }]);
	const client = await house.client('ann', 'careful');
	for (const more of [{ Name: 'risky' }, { NAME: 'risky' }, { Arguments: { a: 1 } }, { 'argument\u017f': { a: 1 } }, { Uri: 'x' }, { _Meta: {} }])
		assert.equal((await client.refusal('tools/call', { name: 'safe', arguments: {}, ...more })).code, -32602, JSON.stringify(more));
	assert.deepEqual(server.calls('safe'), []);
	assert.ok(await client.text('safe', { Name: 'of an argument', name: 'as well' }));
});

test('who is in a session, and is let in no more, learns nothing of health', async (t) => {
	const { house } = await careful(t, [{ name: 'safe', annotations: readOnly }], { default_policy: 'opt-in' }, { extensions: ['security', 'lifecycle'] });
	await house.grant('ann', 'careful');
	const own = await house.client('ann', 'careful'), all = await house.client('bob', '/mcp');
	assert.ok((await own.ask('mgp/health/status')).tools_total > 0);
	assert.equal((await all.ask('mgp/health/status')).tools_total, 0);
	await house.rest('DELETE', '/admin/grants?entry_type=server_grant&agent_id=ann&server_id=careful');
	for (const method of ['mgp/health/status', 'mgp/health/ping'])
		assert.equal((await own.refusal(method, {})).code, 1001);
});

for (const era of ['legacy', 'modern']) {
	test(`a grant of one tool shows no resources and no prompts, and what is denied sounds as what is not there (${era})`, async (t) => {
		const text = `[[servers]]\nid = "library"\ncommand = ${JSON.stringify(process.execPath)}\nshare = "all"\n` +
			`args = [${JSON.stringify(CONFORMANCE)}, "--era", "${era}"]\n`;
		const house = await MgpHouse.forTest(t, { kernel: { ...FREE, default_policy: 'opt-in' }, text });
		await house.is('library', 'connected');
		const admin = await house.admin('/mcp', { era });
		const [{ uri }] = (await admin.ask('resources/list')).resources, [{ name }] = (await admin.ask('prompts/list')).prompts;
		await house.grant('ann', 'library', 'test_simple_text');
		for (const where of ['/mcp', 'library']) {
			const agent = await house.client('ann', where, { era });
			assert.ok((await agent.tools()).size > 0);
			assert.deepEqual((await agent.ask('resources/list')).resources, []);
			assert.deepEqual((await agent.ask('prompts/list')).prompts, []);
			assert.deepEqual((await agent.ask('resources/templates/list')).resourceTemplates, []);
		}
		const agent = await house.plain('ann', '/mcp', { era });
		const words = async (method, params, word, none) => {
			const [there, not] = [await agent.refusal(method, params(word)), await agent.refusal(method, params(none))];
			assert.equal(JSON.stringify(there).replaceAll(word, 'IT'), JSON.stringify(not).replaceAll(none, 'IT'));
		};
		await words('resources/read', (one) => ({ uri: one }), uri, 'none://such');
		await words('prompts/get', (one) => ({ name: one }), name, 'library__none');
		await words('completion/complete', (one) => ({ ref: { type: 'ref/resource', uri: one }, argument: { name: 'a', value: 'b' } }), uri, 'none://such');
		if (era === 'legacy')
			await words('resources/subscribe', (one) => ({ uri: one }), uri, 'none://such');
	});
}

test('what a server claims without end is left out beyond its measure, and that is recorded', async (t) => {
	const claim = { method: 'notifications/mgp.audit', params: { event_type: 'com.example.claimed', actor: { type: 'agent', id: 'x' }, result: 'SUCCESS' } };
	const { house } = await careful(t, [{ name: 'claim', annotations: readOnly, does: [{ say: Array(700).fill(claim) }] }], {},
		{ extensions: ['security', 'audit'] });
	await (await house.client('ann', 'careful')).text('claim');
	await house.audited('dev.hustings.claims_left_out', ({ target }) => target.server_id === 'careful');
	await house.audited('TOOL_EXECUTED');
	const claimed = house.events.filter(({ event_type }) => event_type === 'com.example.claimed');
	assert.ok(claimed.length >= 600 && claimed.length < 700, `${claimed.length} were taken`);
});

test('who registered a server has no grant of the next one of that name', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: { ...FREE, default_policy: 'opt-in', register_allow: [['/bin/true']] } });
	const agent = await house.client('ann', '/mcp'), admin = await house.admin('/mcp');
	await agent.ask('mgp/discovery/register', { id: 'mine', command: '/bin/true', transport: 'stdio' });
	assert.equal((await agent.ask('mgp/access/query', { server_id: 'mine' })).permission, 'allow');
	await admin.ask('mgp/discovery/deregister', { id: 'mine' });
	await admin.ask('mgp/discovery/register', { id: 'mine', command: '/bin/true', transport: 'stdio' });
	assert.equal((await agent.ask('mgp/access/query', { server_id: 'mine' })).permission, 'deny');
});

test('a command that needs no decision needs one in a folder of the choice of who asks', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: { ...FREE, register_allow: [['/bin/true']] } });
	const agent = await house.client('ann', '/mcp');
	const wish = { id: 'elsewhere', command: '/bin/true', transport: 'stdio', cwd: '/tmp' };
	assert.equal((await agent.ask('mgp/discovery/register', wish)).status, 'pending');
});
