// SPDX-License-Identifier: Apache-2.0
// MGP 16.6: an agent says what it lacks, and is given tools, told what is missing, or told that a person has to be asked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { ANALYZE_CSV, EXTENSIONS, isFound, mind, namesOf, office, processing, terminal, timeless } from './lib/mgp_tools.mjs';
import { until } from './lib/wait.mjs';

const REQUEST = 'mgp/tools/request';
const SESSION = 'mgp/tools/session';
const STATES = ['fulfilled', 'partial', 'unavailable', 'pending_approval', 'creating'];
/** The request of MGP 16.6. */
const EXAMPLE = { reason: 'capability_gap', context: 'Processing CSV data but need statistical analysis functions',
	requirements: { capabilities: ['data_analysis', 'statistics'], input_types: ['csv', 'tabular_data'], output_types: ['numeric', 'chart'],
		preferred_risk_level: 'safe' }, task_trace_id: '550e8400-e29b-41d4-a716-446655440000' };
const NONE = 'zxqv plomb frubnik';
const house = await MgpHouse.forFile({ audit: true, servers: [mind(), terminal(), processing(), office()] });
await house.allConnected();

let agents = 0;
/** A client of an agent that nobody has been. */
const newcomer = (era = 'legacy', where = '/mcp') => house.client(`agent-${agents += 1}`, where, { era });
const needs = (client, capabilities, more = {}) => client.ask(REQUEST, { reason: 'capability_gap', context: 'a task', requirements: { capabilities }, ...more });
const cached = async (client) => (await client.ask(SESSION, {})).cached;

for (const era of ['legacy', 'modern']) {
	test(`16.6 the request of the text is fulfilled, with the tool's whole schema, and what it costs (${era})`, async () => {
		const client = await newcomer(era);
		const { jsonrpc, id, result } = await client.request(REQUEST, EXAMPLE, { id: 51, trace: null });
		assert.deepEqual([jsonrpc, id, result.status], ['2.0', 51, 'fulfilled']);
		assert.ok(namesOf(result.tools_loaded).includes('tool.data_processing.analyze_csv'));
		isFound(result.tools_loaded.find(({ name }) => name === 'analyze_csv'), ANALYZE_CSV, 'tool.data_processing');
		assert.deepEqual(result.tools_unavailable, []);
		assert.equal(result.session_tools_count, result.tools_loaded.length);
		assert.ok(Number.isInteger(result.context_tokens_added) && result.context_tokens_added > 0);
	});

	test(`16.6 what was loaded is in the session, can be called, and costs nothing a second time (${era})`, async () => {
		const client = await newcomer(era);
		const first = await needs(client, ['statistics']);
		const tool = first.tools_loaded.find(({ name }) => name === 'analyze_csv');
		assert.ok((await cached(client)).includes('analyze_csv'));
		assert.deepEqual(JSON.parse(await client.text(tool.call_name, { csv: '1,2' })).arguments, { csv: '1,2' });
		const second = await needs(client, ['statistics']);
		assert.equal(second.status, 'fulfilled');
		assert.equal(second.context_tokens_added, 0);
		assert.equal(second.session_tools_count, first.session_tools_count);
	});

	test(`16.6 some met and others not is partial, and says which are missing (${era})`, async () => {
		const answer = await needs(await newcomer(era), ['statistics', NONE]);
		assert.equal(answer.status, 'partial');
		assert.ok(namesOf(answer.tools_loaded).includes('tool.data_processing.analyze_csv'));
		assert.match(JSON.stringify(answer.tools_unavailable), new RegExp(NONE));
		assert.doesNotMatch(JSON.stringify(answer.tools_unavailable), /statistics/);
	});

	test(`16.6 nothing that fits is unavailable, and nothing is loaded (${era})`, async () => {
		const client = await newcomer(era);
		const answer = await needs(client, [NONE, 'qqqq wwww']);
		assert.equal(answer.status, 'unavailable');
		assert.deepEqual(answer.tools_loaded, []);
		assert.deepEqual([answer.session_tools_count, answer.context_tokens_added], [0, 0]);
		assert.deepEqual(await cached(client), []);
		assert.match(JSON.stringify(answer.tools_unavailable), new RegExp(NONE));
	});

	test(`16.6 request is a tool as well, in either writing of its name (${era})`, async () => {
		for (const name of ['mgp_tools_request', 'mgp.tools.request']) {
			const { result } = await (await newcomer(era)).call(name, { reason: 'capability_gap', context: 'need statistical analysis', requirements: { capabilities: ['statistics'] } });
			const said = JSON.parse(result.content[0].text);
			assert.equal(said.status, 'fulfilled');
			assert.ok(namesOf(said.tools_loaded).includes('tool.data_processing.analyze_csv'));
		}
	});

	test(`16.6 creating is off: nothing is made where nothing fits (${era})`, async () => {
		const client = await house.admin('/mcp', { era });
		assert.equal((await needs(client, [NONE])).status, 'unavailable');
		assert.deepEqual((await house.decisions('')).filter(({ kind }) => kind === 'registration'), []);
	});

	test(`16.6 a request of the wrong form is refused, and names what is wrong (${era})`, async () => {
		const client = await newcomer(era);
		const refused = async (params, field) => {
			const error = await client.refusal(REQUEST, { ...EXAMPLE, ...params });
			assert.equal(error.code, -32602, JSON.stringify(params).slice(0, 200));
			assert.match(error.message, field);
		};
		for (const requirements of [null, 'x', 7, []])
			await refused({ requirements }, /requirements/);
		for (const capabilities of ['statistics', 7, {}, [7], [null], [['a']]])
			await refused({ requirements: { capabilities } }, /capabilities/);
		for (const field of ['input_types', 'output_types'])
			for (const value of ['csv', [7], {}])
				await refused({ requirements: { capabilities: ['statistics'], [field]: value } }, new RegExp(field));
		for (const preferred_risk_level of [7, 'harmless', {}])
			await refused({ requirements: { capabilities: ['statistics'], preferred_risk_level } }, /preferred_risk_level/);
		for (const field of ['reason', 'context', 'task_trace_id'])
			await refused({ [field]: { a: 1 } }, new RegExp(field));
		await refused({ context: 'x'.repeat(500_000) }, /context/);
		await refused({ requirements: { capabilities: Array(10_000).fill('statistics') } }, /capabilities/);
		await refused({ requirements: { capabilities: ['x'.repeat(500_000)] } }, /capabilities/);
		assert.deepEqual(await cached(client), []);
	});
}

test('16.6 tools that one may not use are as unavailable as none', async (t) => {
	const servers = () => [office(), processing({}, { default_policy: 'opt-in' })];
	const [closed, without] = [await MgpHouse.forTest(t, { servers: servers() }), await MgpHouse.forTest(t, { servers: [office()] })];
	await Promise.all([closed.allConnected(), without.allConnected()]);
	const client = await closed.client('ann', '/mcp');
	const answer = await client.ask(REQUEST, EXAMPLE);
	assert.equal(answer.status, 'unavailable');
	assert.deepEqual(timeless(answer), timeless(await (await without.client('ann', '/mcp')).ask(REQUEST, EXAMPLE)));
	await closed.grant('ann', 'tool.data_processing');
	assert.equal((await client.ask(REQUEST, EXAMPLE)).status, 'fulfilled');
});

test('16.6 tools whose permission nobody has decided about are pending_approval, with a decision', async (t) => {
	const undecided = processing({ permissions: ['memory.read', 'camera'] }, { policy: 'interactive' });
	const own = await MgpHouse.forTest(t, { servers: [office(), undecided] });
	await own.is('office', 'connected');
	const { id } = await own.pending(({ kind, server }) => kind === 'permission' && server === 'tool.data_processing');
	const client = await own.client('ann', '/mcp');
	// A server of undecided permissions has no list yet: what fits it is unknown, and is never handed out.
	const early = await client.ask(REQUEST, EXAMPLE);
	assert.ok(['unavailable', 'pending_approval'].includes(early.status), early.status);
	assert.deepEqual(early.tools_loaded, []);
	await own.run('approve', id);
	await own.is('tool.data_processing', 'connected');
	assert.equal((await client.ask(REQUEST, EXAMPLE)).status, 'fulfilled');
	// A permission that is taken back and asked for again leaves a tool that is known and undecided.
	await own.run('server', 'revoke', 'tool.data_processing', 'memory.read');
	await own.run('server', 'restart', 'tool.data_processing');
	const again = await own.pending(({ kind, server }) => kind === 'permission' && server === 'tool.data_processing');
	const asked = await (await own.client('bob', '/mcp')).ask(REQUEST, EXAMPLE);
	assert.equal(asked.status, 'pending_approval');
	assert.deepEqual(asked.tools_loaded, []);
	assert.match(JSON.stringify(asked), new RegExp(again.id));
	assert.deepEqual((await own.decisions()).length, 1, 'nothing is asked twice');
	await own.run('approve', again.id);
	await own.is('tool.data_processing', 'connected');
	assert.equal((await (await own.client('bob', '/mcp')).ask(REQUEST, EXAMPLE)).status, 'fulfilled');
});

test('16.6 creating, where it is on: only for who may, and only under auto_approve', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, creating: true }, servers: [office()] });
	await own.allConnected();
	const agent = await own.client('ann', '/mcp');
	const refused = await agent.ask(REQUEST, { ...EXAMPLE, requirements: { capabilities: [NONE] } });
	assert.equal(refused.status, 'unavailable', 'ann has no permission code_execution');
	const asking = await MgpHouse.forTest(t, { kernel: { ...FREE, policy: 'interactive', creating: true }, servers: [office()] });
	await asking.allConnected();
	const boss = await asking.admin('/mcp');
	assert.equal((await boss.ask(REQUEST, { ...EXAMPLE, requirements: { capabilities: [NONE] } })).status, 'unavailable', 'the policy is not auto_approve');
});

/** The same in JavaScript, in one line. */
const inNode = (name) => 'require("readline").createInterface({ input: process.stdin }).on("line", (line) => { '
	+ 'const { id, method, params } = JSON.parse(line); if (id === undefined || method === undefined) return; const results = { '
	+ 'initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "made", version: "1" } }), '
	+ `"tools/list": () => ({ tools: [{ name: "${name}", description: "Frobnicate the plumbus", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] }), `
	+ '"tools/call": () => ({ content: [{ type: "text", text: "frobnicated" }] }), ping: () => ({}) }; '
	+ 'process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(results[method] ? { result: results[method]() } : { error: { code: -32601, message: "no such method" } }) }) + "\\n"); });';

/** A server in Python, as an agent would write it, with one tool of that name. */
const inPython = (name) => `import sys, json
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if "id" not in message or method is None:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        answer["result"] = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "made", "version": "1"}}
    elif method == "tools/list":
        answer["result"] = {"tools": [{"name": "${name}", "description": "Frobnicate the plumbus", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]}
    elif method == "tools/call":
        answer["result"] = {"content": [{"type": "text", "text": "frobnicated"}]}
    elif method == "ping":
        answer["result"] = {}
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
`;

test('16.6 creating, by who may run code: the agent writes the tool, registers it, asks again and has it', async (t) => {
	const coder = new Outsider('coder', { extensions: EXTENSIONS, permissions: ['code_execution'], tools: [{ name: 'run', annotations: { readOnlyHint: true } }] }, { default_policy: 'opt-in' });
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, creating: true }, servers: [office(), coder] });
	await own.allConnected();
	await own.grant('ann', 'coder');
	const [ann, bob] = [await own.client('ann', '/mcp'), await own.client('bob', '/mcp')];
	const lacks = { ...EXAMPLE, context: 'a task', requirements: { capabilities: ['frobnicate the plumbus'] } };
	assert.equal((await bob.ask(REQUEST, lacks)).status, 'unavailable', 'bob may use nothing that runs code');
	const { status, tools_loaded, creation } = await ann.ask(REQUEST, lacks);
	assert.deepEqual([status, tools_loaded], ['creating', []]);
	const { method, params, tools: [{ name }] } = creation;
	assert.equal(method, 'mgp/discovery/register');
	const filled = (code) => ({ ...params, args: params.args.map((one) => (one === 'CODE' ? code : one)), justification: 'no tool does this' });
	const [code, attack] = params.command === 'node' ? [inNode(name), `require("child_process"); ${inNode(name)}`] : [inPython(name), `import subprocess\n${inPython(name)}`];
	const error = await ann.refusal(method, filled(attack));
	assert.equal(error.code, 1011, 'code is checked (7)');
	await own.rest('GET', `/admin/servers/${params.id}`, { status: 404 });
	await ann.ask(method, filled(code));
	await own.is(params.id, 'connected');
	assert.deepEqual(await own.decisions(), [], 'nobody had to be asked');
	const again = await until(async () => {
		const answer = await ann.ask(REQUEST, lacks);
		return answer.status === 'fulfilled' && answer;
	}, 'the tool is there');
	const made = again.tools_loaded.find((one) => one.server_id === params.id);
	assert.equal(made.name, name);
	assert.equal(await ann.text(made.call_name), 'frobnicated');
	assert.equal((await own.server(params.id)).trust_level, 'sandboxed');
});

test('16.6 what was not offered is registered by a person alone, as ever', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, creating: true }, servers: [office()] });
	await own.allConnected();
	const ann = await own.client('ann', '/mcp');
	const said = await ann.ask('mgp/discovery/register', { id: 'made-up', command: 'python3', args: ['-c', 'print(1)'], transport: 'stdio', mgp: { trust_level: 'sandboxed' }, justification: 'x' });
	assert.equal(said.status, 'pending');
	await own.rest('GET', '/admin/servers/made-up', { status: 404 });
});

test('16.6 the status is one of five words, whatever is asked for', async () => {
	const client = await newcomer();
	for (const capabilities of [['statistics'], ['read files'], ['send an email', 'weather'], ['統計'], ['📄'], ['!?'], [NONE]])
		assert.ok(STATES.includes((await needs(client, capabilities)).status));
});

test('16.6 a safer tool is preferred where that is asked for, and none is kept back that alone fits', async (t) => {
	const tool = (name, risk_level) => ({ name, description: 'Compute statistics on tabular data', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' },
		security: { risk_level, permissions_required: [], validator: 'none' } });
	const both = new Outsider('both', { extensions: EXTENSIONS, tools: [tool('compute_dangerous', 'dangerous'), tool('compute_safe', 'safe')] });
	const own = await MgpHouse.forTest(t, { servers: [both, office()] });
	await own.allConnected();
	const { tools_loaded } = await (await own.client('ann', '/mcp')).ask(REQUEST, { ...EXAMPLE, requirements: { capabilities: ['statistics'], preferred_risk_level: 'safe' } });
	assert.equal(tools_loaded[0].name, 'compute_safe');
});
