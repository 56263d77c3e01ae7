// SPDX-License-Identifier: Apache-2.0
// A room as an MCP server: real clients, participants on WebSockets, both eras, on one loop and on three.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { BINARY, freshFolder, Gateway } from './lib/gateway.mjs';
import { legacy, modern, post } from './lib/mcp_wire.mjs';
import { Robot, text } from './lib/robot.mjs';
import { chatText, RoomClient } from './lib/room_client.mjs';
import { until, within } from './lib/wait.mjs';

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '@modelcontextprotocol');
const FILESYSTEM = join(MODULES, 'server-filesystem', 'dist', 'index.js');
const EVERYTHING = join(MODULES, 'server-everything', 'dist', 'index.js');
/** Does something again and again until it is told: the stream that tells may open after the first time. */
const untilTold = (act, isTold, what) => until(async () => {
	await act();
	return isTold();
}, what);
const never = () => new Promise(() => {});
const greet = { definition: { title: 'Greet', description: 'Greets somebody', inputSchema: {
	type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
run: ({ arguments: given }) => text(`Hello, ${given.name}!`) };

for (const threads of [1, 3]) {
	describe(`with ${threads} loops`, () => {
		let gateway;
		const tokens = {};

		before(async () => {
			gateway = await Gateway.start({ args: ['--threads', String(threads)], set: { 'rooms.proposal_ttl': '10m' },
				config: `[[servers]]\nid = "everything"\ncommand = ${JSON.stringify(process.execPath)}\n` +
					`args = [${JSON.stringify(EVERYTHING)}, "stdio"]\nrooms = ["hosted"]\n` });
			for (const [id, privilege] of [['ada', 'full'], ['bob', 'full'], ['robot', 'full'], ['guest', 'restricted']])
				tokens[id] = await gateway.token({ id, privilege });
			tokens.elsewhere = await gateway.token({ id: 'elsewhere', topic: 'elsewhere', privilege: 'full' });
		});
		after(() => gateway.finish());

		const face = (topic) => `${gateway.url}/mcp/rooms/${encodeURIComponent(topic)}`;
		async function connect(t, topic, id, capabilities = {}) {
			const transport = new StreamableHTTPClientTransport(new URL(face(topic)), {
				requestInit: { headers: { authorization: `Bearer ${tokens[id]}` } } });
			const client = new Client({ name: 'host', version: '1' }, { capabilities });
			await within(client.connect(transport), `${id} connects to ${topic}`);
			t.after(async () => {
				await transport.terminateSession().catch(() => {});
				await client.close();
			});
			return client;
		}
		async function robot(t, topic, tools, options = {}) {
			const one = await Robot.join({ gateway, topic, token: tokens.robot, ...options }, tools);
			t.after(() => one.close());
			return one;
		}
		async function person(t, topic, id = 'bob') {
			const one = await RoomClient.connect({ gateway, topic, token: tokens[id], query: { kind: 'human' } });
			t.after(() => one.close());
			return one;
		}
		const names = async (client) => (await within(client.listTools(), 'tools/list')).tools.map(({ name }) => name);

		test('a participant\'s tool is listed under its name and called', async (t) => {
			await robot(t, 'demo', { greet });
			const client = await connect(t, 'demo', 'ada');
			assert.match(client.getInstructions(), /room "demo" as "ada"/);
			const { tools } = await client.listTools();
			const listed = tools.find(({ name }) => name === 'robot__greet');
			assert.deepEqual(listed, { name: 'robot__greet', ...greet.definition });
			for (const own of ['chat_say', 'presence_get', 'history'])
				assert.ok(tools.some(({ name }) => name === own), own);
			const answer = await client.callTool({ name: 'robot__greet', arguments: { name: 'Zoe' } });
			assert.deepEqual(answer.content, [{ type: 'text', text: 'Hello, Zoe!' }]);
		});

		test('a topic with a slash, a modern client, and a call without a list before it', async (t) => {
			await robot(t, 'a/b', { greet });
			const discovered = await (await modern(face('a/b'), 'server/discover', {}, { token: tokens.ada })).next();
			assert.ok(discovered.result.capabilities.tools);
			const answer = await (await modern(face('a/b'), 'tools/call',
				{ name: 'robot__greet', arguments: { name: 'Ann' } }, { token: tokens.ada })).next();
			assert.equal(answer.result.content[0].text, 'Hello, Ann!');
			assert.equal(answer.result.resultType, 'complete');
			const list = await (await modern(face('a/b'), 'tools/list', {}, { token: tokens.ada })).next();
			assert.ok(list.result.tools.some(({ name }) => name === 'robot__greet'));
			const unknown = await (await modern(face('a/b'), 'tools/call', { name: 'nobody__nothing' }, { token: tokens.ada })).next();
			assert.equal(unknown.error.code, -32602);
			const prompts = await modern(face('a/b'), 'prompts/list', {}, { token: tokens.ada });
			assert.equal(prompts.status, 404);
		});

		test('names that MCP does not want, or that are too long, are hashed, and can be called', async (t) => {
			const long = 'x'.repeat(100);
			await robot(t, 'quiet', { 'say it!': { run: () => text('said') }, [long]: { run: () => text('long') } });
			const client = await connect(t, 'quiet', 'ada');
			const listed = (await names(client)).filter((name) => name.startsWith('robot__'));
			assert.equal(listed.length, 2);
			for (const name of listed)
				assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
			const said = await Promise.all(listed.map((name) => client.callTool({ name, arguments: {} })));
			assert.deepEqual(said.map(({ content }) => content[0].text).sort(), ['long', 'said']);
		});

		test('who comes, changes and goes is told as a change of the tools', async (t) => {
			const client = await connect(t, 'lab', 'ada');
			let changes = 0;
			client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes++; });
			const has = async (name) => (await names(client)).includes(name);
			const bob = await Robot.join({ gateway, topic: 'lab', token: tokens.bob }, { greet });
			t.after(() => bob.close());
			await until(() => has('bob__greet'), 'what is there is listed');
			await untilTold(() => bob.change({ greet }), () => changes > 0, 'a change is told');
			assert.ok(!await has('robot__greet'));
			const one = await Robot.join({ gateway, topic: 'lab', token: tokens.robot }, { greet });
			await until(() => has('robot__greet'), 'the tool is listed');
			one.change({ wave: { run: () => text('waved') } });
			await until(async () => await has('robot__wave') && !await has('robot__greet'), 'the other tool is listed');
			const before = changes;
			await one.close();
			await until(async () => changes > before && !await has('robot__wave'), 'the leave is told');
			const gone = await client.callTool({ name: 'robot__wave', arguments: {} }).then(() => null, (error) => error);
			assert.equal(gone.code, -32602);
		});

		test('chat goes both ways: said by a tool, heard as a resource', async (t) => {
			const bob = await person(t, 'demo');
			const client = await connect(t, 'demo', 'ada');
			const updated = [];
			client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { updated.push(params.uri); });
			const { resources } = await client.listResources();
			const { uri } = resources.find(({ name }) => name === 'chat');
			assert.equal(uri, 'hustings://rooms/demo/chat');
			await client.subscribeResource({ uri });
			const said = await client.callTool({ name: 'chat_say', arguments: { text: 'good morning' } });
			assert.equal(said.structuredContent.status, 'broadcasted');
			const heard = await bob.next((envelope) => chatText(envelope) === 'good morning');
			assert.equal(heard.from, 'ada');
			assert.equal(heard.id, said.structuredContent.id);
			await client.callTool({ name: 'chat.say', arguments: { text: 'again' } });
			await bob.say('good evening\nand good night');
			await untilTold(() => bob.say('are you there?'), () => updated.length > 0, 'the update');
			assert.ok(updated.every((one) => one === uri));
			await until(async () => (await client.readResource({ uri })).contents[0].text.includes('bob: good evening\n\tand good night\n'),
				'what bob said is in the resource');
			const wrong = await client.callTool({ name: 'chat_say', arguments: {} });
			assert.ok(wrong.isError);
		});

		test('presence and history are there', async (t) => {
			const bob = await person(t, 'demo');
			const client = await connect(t, 'demo', 'ada');
			const { structuredContent: presence } = await client.callTool({ name: 'presence_get', arguments: {} });
			assert.equal(presence.you, 'ada');
			assert.deepEqual(presence.participants.map(({ id }) => id).filter((id) => id === 'ada' || id === 'bob').sort(), ['ada', 'bob']);
			const first = await bob.say('first words');
			const second = await bob.say('second words');
			const { structuredContent: page } = await client.callTool({ name: 'history', arguments: { limit: 1 } });
			assert.deepEqual(page.envelopes.map(({ id }) => id), [second.id]);
			const { structuredContent: before } = await client.callTool({ name: 'history', arguments: { limit: 1, before: second.id } });
			assert.deepEqual(before.envelopes.map(({ id }) => id), [first.id]);
			assert.ok((await client.callTool({ name: 'history', arguments: { limit: 0 } })).isError);
			assert.ok((await client.callTool({ name: 'history', arguments: { before: 'nothing of that name' } })).isError);
			const read = await client.readResource({ uri: 'hustings://rooms/demo/presence' });
			assert.equal(JSON.parse(read.contents[0].text).topic, 'demo');
			const unknown = await client.readResource({ uri: 'hustings://rooms/lab/chat' }).then(() => null, (error) => error);
			assert.equal(unknown.code, -32002);
		});

		test('progress comes under the asker\'s own token, and a cancel reaches the participant', async (t) => {
			let stuck = null;
			await robot(t, 'demo', {
				slow: { run: async (params, { progress }) => { progress(1, 'half'); progress(2, 'whole'); return text('done'); } },
				stuck: { run: (params, context) => { stuck = context; return never(); } },
			});
			const client = await connect(t, 'demo', 'ada');
			const steps = [];
			const answer = await client.callTool({ name: 'robot__slow', arguments: {} }, undefined,
				{ onprogress: ({ progress, message }) => steps.push([progress, message]) });
			assert.equal(answer.content[0].text, 'done');
			assert.deepEqual(steps, [[1, 'half'], [2, 'whole']]);
			const control = new AbortController();
			const call = client.callTool({ name: 'robot__stuck', arguments: {} }, undefined, { signal: control.signal });
			call.catch(() => {});
			await until(() => stuck !== null, 'the call is there');
			control.abort();
			await within(stuck.cancelled, 'the cancel');
		});

		test('errors and odd results pass as they are', async (t) => {
			await robot(t, 'demo', {
				fail: { run: () => { throw Object.assign(new Error('broken'), { code: -32099, data: { part: 7 } }); } },
				odd: { run: () => ({ content: [], structuredContent: { big: 1e300 }, isError: true, _meta: { 'x/y': 1 } }) },
			});
			const client = await connect(t, 'demo', 'ada');
			const error = await client.callTool({ name: 'robot__fail', arguments: {} }).then(() => null, (one) => one);
			assert.equal(error.code, -32099);
			assert.deepEqual(error.data, { part: 7 });
			const odd = await client.callTool({ name: 'robot__odd', arguments: {} });
			assert.deepEqual(odd, { content: [], structuredContent: { big: 1e300 }, isError: true, _meta: { 'x/y': 1 } });
		});

		test('a participant asks who called, in either era, and only who can answer', async (t) => {
			const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
			const asks = (isNamed) => ({ run: async (params, { ask }) => {
				const { result, error } = await ask('elicitation/create', form, isNamed);
				return text(result === undefined ? `error ${error.code}` : `${result.action} ${result.content?.name}`);
			} });
			await robot(t, 'demo', { ask: asks(true), wonder: asks(false) });
			const client = await connect(t, 'demo', 'ada', { elicitation: {} });
			client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'accept', content: { name: `${params.message} Zoe` } }));
			for (const name of ['robot__ask', 'robot__wonder'])
				assert.equal((await client.callTool({ name, arguments: {} })).content[0].text, 'accept Who? Zoe');
			const mute = await connect(t, 'demo', 'ada');
			assert.equal((await mute.callTool({ name: 'robot__ask', arguments: {} })).content[0].text, 'error -32601');
			const options = { token: tokens.bob, capabilities: { elicitation: {} } };
			const asked = await (await modern(face('demo'), 'tools/call', { name: 'robot__ask', arguments: {} }, options)).next();
			assert.equal(asked.result.resultType, 'input_required');
			const [key] = Object.keys(asked.result.inputRequests);
			const answer = await (await modern(face('demo'), 'tools/call', { name: 'robot__ask', arguments: {},
				inputResponses: { [key]: { action: 'accept', content: { name: 'Yan' } } }, requestState: asked.result.requestState }, options)).next();
			assert.equal(answer.result.content[0].text, 'accept Yan');
		});

		test('who called is asked, whatever other connections the same identity has', async (t) => {
			const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
			const asks = (isNamed) => ({ run: async (params, { ask }) => {
				const { result, error } = await ask('elicitation/create', form, isNamed);
				return text(result === undefined ? `error ${error.code}` : `${result.action} ${result.content?.name}`);
			} });
			await robot(t, 'twins', { ask: asks(true), wonder: asks(false) });
			const twins = [];
			for (const name of ['Ann', 'Zoe']) {
				tokens.twin = await gateway.token({ id: 'twin', privilege: 'full' });
				const client = await connect(t, 'twins', 'twin', { elicitation: {} });
				client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name } }));
				twins.push([client, name]);
			}
			for (const [client, name] of twins)
				for (const tool of ['robot__ask', 'robot__wonder'])
					assert.equal((await client.callTool({ name: tool, arguments: {} })).content[0].text, `accept ${name}`, tool);
			await person(t, 'twins', 'twin');
			const both = await Promise.all(twins.map(([client]) => client.callTool({ name: 'robot__ask', arguments: {} })));
			assert.deepEqual(both.map(({ content }) => content[0].text), ['accept Ann', 'accept Zoe']);
		});

		test('those who answer nothing keep nobody from calling others', async (t) => {
			const people = [];
			t.after(() => Promise.all(people.map((one) => one.close())));
			for (let i = 0; i < 40; i++)
				people.push(await RoomClient.connect({ gateway, topic: 'crowd', token: await gateway.token({ id: `mute-${i}` }) }));
			await robot(t, 'crowd', { greet });
			const client = await connect(t, 'crowd', 'ada');
			assert.ok((await names(client)).includes('chat_say'));
			await until(async () => (await names(client)).includes('robot__greet'), 'the robot is listed');
			await robot(t, 'crowd', { greet }, { token: tokens.bob, query: { mcp: '' } });
			const answer = await within(client.callTool({ name: 'bob__greet', arguments: { name: 'Zoe' } }), 'the answer');
			assert.equal(answer.content[0].text, 'Hello, Zoe!');
		});

		test('a list that is too long is left out, and hides no other', async (t) => {
			const schema = { inputSchema: { type: 'object' }, description: 'x'.repeat(60_000) };
			const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`tool-${i}`, { definition: schema, run: () => text('ran') }]));
			const one = await robot(t, 'large', many);
			one.furtherPages = 4;
			await robot(t, 'large', { greet }, { token: tokens.bob });
			const client = await connect(t, 'large', 'ada');
			await until(async () => (await names(client)).includes('bob__greet'), 'the short list is there');
			assert.ok(!(await names(client)).some((name) => name.startsWith('robot__')));
			assert.equal((await client.callTool({ name: 'robot__tool-3', arguments: {} })).content[0].text, 'ran');
		});

		test('who is demoted or promoted hears of it as of a change, and calls as it may then', async (t) => {
			const one = await robot(t, 'ranks', { greet });
			const bob = await person(t, 'ranks');
			tokens.eve = await gateway.token({ id: 'eve', privilege: 'full' });
			const client = await connect(t, 'ranks', 'eve');
			let changes = 0, said = 0;
			client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes++; });
			client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => { said++; });
			await client.subscribeResource({ uri: 'hustings://rooms/ranks/chat' });
			await untilTold(() => bob.say('hello'), () => said > 0, 'its stream is open');
			await until(async () => (await names(client)).includes('robot__greet'), 'the tool is listed');
			for (const [verb, name] of [['demote', 'wave'], ['promote', 'bow']]) {
				const before = changes;
				const { code, stderr } = await gateway.command([verb, 'eve']);
				assert.equal(code, 0, stderr);
				await until(() => changes > before, `it is told of ${verb}`);
				await until(async () => (await names(client)).some((listed) => listed.startsWith('robot__')), 'tools are listed');
				one.change({ [name]: greet });
				await until(async () => (await names(client)).filter((listed) => listed.startsWith('robot__')).join() === `robot__${name}`,
					'the other tool is listed alone');
				const call = client.callTool({ name: `robot__${name}`, arguments: { name: 'Zoe' } });
				if (verb === 'demote') {
					const proposal = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
					bob.send({ kind: 'mcp', to: ['robot'], correlation_id: proposal.id,
						payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: proposal.payload.params } });
				}
				assert.equal((await within(call, 'the answer')).content[0].text, 'Hello, Zoe!');
			}
		});

		test('a proposal does not outlive the token that asked for it', async (t) => {
			await robot(t, 'demo', { greet });
			const bob = await person(t, 'demo');
			const token = await gateway.token({ id: 'leaver', privilege: 'restricted' });
			const session = await legacy(face('demo'), { token });
			const call = session.request('tools/call', { name: 'robot__greet', arguments: { name: 'Zoe' } });
			const proposal = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			const revoked = await gateway.command(['token', 'revoke', '--id', 'leaver']);
			assert.equal(revoked.code, 0, revoked.stderr);
			const settled = await bob.next((envelope) => envelope.kind === 'system' && envelope.payload.proposalId === proposal.id);
			assert.equal(settled.payload.status, 'withdrawn');
			assert.ok((await (await call).next()).error);
		});

		test('nobody comes in under the name of the gateway\'s own participant', async (t) => {
			await robot(t, 'demo', { greet });
			const token = await gateway.token({ id: 'hustings-tools', privilege: 'full' });
			assert.equal((await RoomClient.refused({ gateway, topic: 'demo', token })).status, 409);
			assert.equal((await modern(face('demo'), 'tools/list', {}, { token })).status, 409);
			await gateway.ask('POST', '/v0/topics/demo/messages', 409, { token, body: { kind: 'chat', payload: { text: 'it is me' } } });
			const client = await connect(t, 'demo', 'guest');
			assert.ok((await names(client)).includes('robot__greet'));
		});

		test('a restricted principal\'s call is proposed, and the fulfilment\'s answer is its own', async (t) => {
			await robot(t, 'demo', { greet });
			const bob = await person(t, 'demo');
			const client = await connect(t, 'demo', 'guest');
			assert.match(client.getInstructions(), /restricted/);
			assert.ok((await names(client)).includes('robot__greet'));
			const words = [];
			const call = client.callTool({ name: 'robot__greet', arguments: { name: 'Zoe' } }, undefined,
				{ onprogress: ({ message }) => words.push(message) });
			const proposal = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			assert.equal(proposal.from, 'guest');
			assert.deepEqual(proposal.to, ['robot']);
			assert.deepEqual(proposal.payload.params.arguments, { name: 'Zoe' });
			assert.equal(proposal.payload.params.name, 'greet');
			await until(() => words.length > 0, 'words of progress');
			assert.match(words[0], new RegExp(proposal.id));
			bob.send({ kind: 'mcp', to: ['robot'], correlation_id: proposal.id,
				payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: proposal.payload.params } });
			assert.equal((await within(call, 'the answer')).content[0].text, 'Hello, Zoe!');
		});

		test('a fulfilment without a name counts too, and a target\'s error is the call\'s', async (t) => {
			await robot(t, 'demo', { fail: { run: () => { throw Object.assign(new Error('broken'), { code: -32099 }); } } });
			const bob = await person(t, 'demo');
			const answer = modern(face('demo'), 'tools/call', { name: 'robot__fail', arguments: { a: 1 } }, { token: tokens.guest });
			const proposal = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			bob.send({ kind: 'mcp', to: ['robot'], payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: proposal.payload.params } });
			const { error } = await (await answer).next();
			assert.equal(error.code, -32099);
			assert.equal(error.message, 'broken');
		});

		test('two like proposals each get the answer of their own fulfilment, and a target that leaves is told of', async (t) => {
			let count = 0;
			const one = await robot(t, 'demo', { next: { run: () => text(`number ${++count}`) }, never: { run: never } });
			const bob = await person(t, 'demo');
			const propose = (name) => modern(face('demo'), 'tools/call', { name, arguments: {} }, { token: tokens.guest });
			const proposed = () => bob.next((envelope) => envelope.kind === 'mcp/proposal');
			const fulfil = (proposal) => bob.send({ kind: 'mcp', to: ['robot'],
				payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: proposal.payload.params } });
			const first = propose('robot__next');
			const proposal = await proposed();
			const second = propose('robot__next');
			await proposed();
			for (const [call, words] of [[first, 'number 1'], [second, 'number 2']]) {
				fulfil(proposal);
				assert.equal((await (await call).next()).result.content[0].text, words);
			}
			const last = propose('robot__never');
			const asked = fulfil(await proposed());
			await bob.next((envelope) => envelope.payload.event === 'proposal' && envelope.payload.status === 'fulfilled');
			assert.ok(asked);
			await one.close();
			const { result } = await (await last).next();
			assert.ok(result.isError);
			assert.match(result.content[0].text, /robot left the room/);
		});

		test('what no envelope can hold is refused, and nothing else suffers', async (t) => {
			await robot(t, 'demo', { greet, stuck: { run: never } });
			const client = await connect(t, 'demo', 'ada');
			client.callTool({ name: 'robot__stuck', arguments: {} }).catch(() => {});
			const said = await client.callTool({ name: 'chat_say', arguments: { text: 'x'.repeat(1024 * 1024 - 1000) } });
			assert.ok(said.isError);
			assert.match(said.content[0].text, /gateway.max_message/);
			const large = await client.callTool({ name: 'robot__greet', arguments: { name: 'x'.repeat(1024 * 1024 - 1000) } })
				.then(() => null, (error) => error);
			assert.match(large.message, /gateway.max_message/);
			assert.equal((await client.callTool({ name: 'robot__greet', arguments: { name: 'Zoe' } })).content[0].text, 'Hello, Zoe!');
		});

		test('a rejected proposal says who rejected it and why', async (t) => {
			await robot(t, 'demo', { greet });
			const bob = await person(t, 'demo');
			const client = await connect(t, 'demo', 'guest');
			const call = client.callTool({ name: 'robot__greet', arguments: { name: 'Zoe' } });
			const proposal = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			await gateway.ask('POST', `/v0/topics/demo/proposals/${proposal.id}/reject`, 200, { token: tokens.bob, body: { reason: 'not today' } });
			const answer = await within(call, 'the answer');
			assert.ok(answer.isError);
			assert.match(answer.content[0].text, /rejected by bob: not today/);
			assert.deepEqual(answer._meta['dev.hustings/proposal'], { id: proposal.id, status: 'rejected', by: 'bob', reason: 'not today' });
		});

		test('who cancels the call withdraws the proposal, in either era', async (t) => {
			await robot(t, 'demo', { greet });
			const bob = await person(t, 'demo');
			const client = await connect(t, 'demo', 'guest');
			const isWithdrawn = (proposal) => bob.next((envelope) => envelope.kind === 'system' &&
				envelope.payload.event === 'proposal' && envelope.payload.proposalId === proposal.id);
			const control = new AbortController();
			client.callTool({ name: 'robot__greet', arguments: { name: 'A' } }, undefined, { signal: control.signal }).catch(() => {});
			const first = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			control.abort();
			assert.equal((await isWithdrawn(first)).payload.status, 'withdrawn');
			const hangUp = new AbortController();
			modern(face('demo'), 'tools/call', { name: 'robot__greet', arguments: { name: 'B' } },
				{ token: tokens.guest, signal: hangUp.signal }).catch(() => {});
			const second = await bob.next((envelope) => envelope.kind === 'mcp/proposal');
			hangUp.abort();
			assert.equal((await isWithdrawn(second)).payload.status, 'withdrawn');
		});

		test('an attached server\'s tools are there, and a hosted one\'s that sits in the room', async (t) => {
			const folder = freshFolder();
			writeFileSync(join(folder, 'note.txt'), 'a note');
			const attached = spawn(BINARY, ['attach', 'hosted', '--id', 'files', '--data', gateway.data, '--',
				process.execPath, FILESYSTEM, folder], { stdio: 'ignore', env: { HOME: gateway.home, PATH: process.env.PATH } });
			const gone = new Promise((done) => attached.on('exit', done));
			t.after(async () => {
				attached.kill('SIGTERM');
				await within(gone, 'attach ends');
			});
			const client = await connect(t, 'hosted', 'ada', { elicitation: {} });
			await until(async () => {
				const listed = await names(client);
				return listed.includes('files__read_text_file') && listed.includes('everything__echo');
			}, 'both servers are listed');
			const note = await client.callTool({ name: 'files__read_text_file', arguments: { path: join(folder, 'note.txt') } });
			assert.equal(note.content[0].text, 'a note');
			const echo = await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } });
			assert.equal(echo.content[0].text, 'Echo: hi');
		});

		test('hustings mcp --topic and a client of 2024-11-05 are in the room as well', async (t) => {
			await robot(t, 'demo', { greet });
			const hosts = [new StdioClientTransport({ command: BINARY, args: ['mcp', '--data', gateway.data, '--topic', 'demo'],
				env: { HOME: gateway.home, PATH: process.env.PATH }, stderr: 'ignore' }),
			new SSEClientTransport(new URL(`${face('demo')}/sse`), {
				requestInit: { headers: { authorization: `Bearer ${tokens.ada}` } },
				eventSourceInit: { fetch: (url, init) => fetch(url, { ...init,
					headers: { ...init.headers, authorization: `Bearer ${tokens.ada}` } }) } })];
			for (const transport of hosts) {
				const client = new Client({ name: 'host', version: '1' });
				await within(client.connect(transport), 'initialize');
				t.after(() => client.close());
				assert.ok((await names(client)).includes('robot__greet'));
				const answer = await client.callTool({ name: 'robot__greet', arguments: { name: 'Zoe' } });
				assert.equal(answer.content[0].text, 'Hello, Zoe!');
				let updates = 0;
				client.setNotificationHandler(ResourceUpdatedNotificationSchema, () => { updates++; });
				await client.subscribeResource({ uri: 'hustings://rooms/demo/chat' });
				await untilTold(() => client.callTool({ name: 'chat_say', arguments: { text: 'hello' } }), () => updates > 0, 'the update');
			}
		});

		test('who has a connection of its own answers there, and nobody else for it', async (t) => {
			const one = await robot(t, 'lab', { greet });
			const client = await connect(t, 'lab', 'robot');
			await client.listTools();
			const bob = await person(t, 'lab');
			const call = bob.send({ kind: 'mcp', to: ['robot'], payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
			const answer = await bob.next((envelope) => envelope.correlation_id === call);
			assert.deepEqual(answer.payload.result.tools.map(({ name }) => name), ['greet']);
			await client.callTool({ name: 'chat_say', arguments: { text: 'behind that' } });
			const rest = await bob.collect((envelope) => chatText(envelope) === 'behind that');
			assert.ok(!rest.some((envelope) => envelope.correlation_id === call), 'a second answer');
			await one.close();
		});

		test('who may not come in is told so by the status, and a revoked token ends it', async () => {
			const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } };
			assert.equal((await post(face('demo'), initialize)).status, 401);
			assert.equal((await post(face('demo'), initialize, { token: tokens.elsewhere })).status, 403);
			assert.equal((await post(face('no..where'), initialize, { token: tokens.ada })).status, 400);
			const token = await gateway.token({ id: 'carl', privilege: 'full' });
			const session = await legacy(face('demo'), { token });
			assert.equal((await session.request('tools/call', { name: 'presence_get' })).status, 200);
			const revoked = await gateway.command(['token', 'revoke', '--id', 'carl']);
			assert.equal(revoked.code, 0, revoked.stderr);
			await until(async () => (await session.request('ping')).status === 401, 'the token is refused');
			await until(async () => !(await gateway.ask('GET', '/v0/topics/demo/participants', 200, { token: tokens.ada }))
				.participants.some(({ id }) => id === 'carl'), 'carl has left the room');
		});

		test('it sits beside a connection of the same identity, and a session of a stranger is none', async (t) => {
			const bob = await person(t, 'quiet');
			const client = await connect(t, 'quiet', 'bob');
			await client.callTool({ name: 'chat_say', arguments: { text: 'it is me' } });
			const heard = await bob.next((envelope) => chatText(envelope) === 'it is me');
			assert.equal(heard.from, 'bob');
			assert.equal(bob.end, null);
			const session = await legacy(face('quiet'), { token: tokens.ada });
			const other = await post(face('quiet'), { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: session.headers, token: tokens.bob });
			assert.equal(other.status, 404);
			const elsewhere = await post(face('demo'), { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: session.headers, token: tokens.ada });
			assert.equal(elsewhere.status, 404);
		});

		test('a modern client hears of chat by subscriptions/listen', async (t) => {
			const bob = await person(t, 'demo');
			const control = new AbortController();
			t.after(() => control.abort());
			const uri = 'hustings://rooms/demo/chat';
			const stream = await modern(face('demo'), 'subscriptions/listen', { notifications: {
				toolsListChanged: true, resourceSubscriptions: [uri, 'hustings://rooms/lab/chat'] } }, { token: tokens.ada, signal: control.signal });
			const begun = await stream.next();
			assert.deepEqual(begun.params.notifications, { toolsListChanged: true, resourceSubscriptions: [uri] });
			await bob.say('news');
			for (;;) {
				const told = await stream.next();
				if (told.method !== 'notifications/resources/updated')
					continue;
				assert.equal(told.params.uri, uri);
				break;
			}
			const read = await (await modern(face('demo'), 'resources/read', { uri }, { token: tokens.ada })).next();
			assert.match(read.result.contents[0].text, /bob: news\n/);
		});
	});
}

test('an expired proposal is an error that says so', async (t) => {
	const gateway = await Gateway.start({ set: { 'rooms.proposal_ttl': '1s' } });
	t.after(() => gateway.finish());
	const one = await Robot.join({ gateway, topic: 'demo', token: await gateway.token({ id: 'robot', privilege: 'full' }) }, { greet });
	t.after(() => one.close());
	const token = await gateway.token({ id: 'guest', privilege: 'restricted' });
	const session = await legacy(`${gateway.url}/mcp/rooms/demo`, { token });
	const call = await session.request('tools/call', { name: 'robot__greet', arguments: { name: 'Zoe' } });
	const { result } = await call.next();
	assert.ok(result.isError);
	assert.match(result.content[0].text, /expired/);
	assert.equal(result._meta['dev.hustings/proposal'].status, 'expired');
});
