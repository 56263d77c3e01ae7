// SPDX-License-Identifier: Apache-2.0
// Hosted servers that sit in rooms: participants like any other, with tools of their own.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { RoomTransport, SCRIPTED, answerOf, ask, callTool, freshFolder, introduce, isAnswer, processesWith, stateOf } from './lib/attached.mjs';
import { Gateway } from './lib/gateway.mjs';
import { freshTopic, houseFor, isEvent, isPresence, joinAs, joinOpen, proposal } from './lib/house.mjs';
import { RoomClient, beforeMarker } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const published = (name) => fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url));

function server(id, args, rooms, more = '') {
	return `[[servers]]\nid = "${id}"\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\n` +
		`rooms = ${JSON.stringify(rooms)}\n${more}`;
}

/** A server that does what a test tells it, findable by its marker. */
function scripted(id, rooms, more) {
	const marker = randomUUID();
	return { id, marker, text: server(id, [SCRIPTED, marker], rooms, more) };
}

/** Waits until somebody is in the room. */
async function presence(member, id) {
	const { participants } = member.welcome.payload;
	if (!participants.some((one) => one.id === id))
		await member.next(isPresence('join', id));
}

/** Somebody in the room, and the server there. */
async function memberBeside(gateway, topic, id, serverId, options) {
	const member = await joinAs(gateway, topic, id, options);
	await presence(member, serverId);
	return member;
}

async function sdkClient(member, to, capabilities = {}) {
	const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
	await client.connect(new RoomTransport(member, to));
	return client;
}

/** The server processes themselves, not those that keep them. */
function processesOf(marker) {
	return processesWith(marker).filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] === process.execPath;
		} catch {
			return false;
		}
	});
}

for (const threads of [1, 3]) {
	const folder = realpathSync(freshFolder());
	mkdirSync(join(folder, 'deep'));
	writeFileSync(join(folder, 'a.txt'), 'some text\n');
	const topics = [freshTopic(), freshTopic(), freshTopic()];
	const gateway = await Gateway.start({
		args: ['--threads', String(threads)],
		config: server('files', [published('server-filesystem'), folder], topics) +
			server('all', [published('server-everything'), 'stdio'], topics.slice(0, 2), 'expose = ["prompts", "resources"]\n'),
	});
	after(() => gateway.finish());
	const named = (name) => `${name} (${threads} threads)`;

	test(named('published servers sit in rooms, and a participant uses them'), async () => {
		for (const topic of topics) {
			const ann = await memberBeside(gateway, topic, 'ann', 'files');
			const list = await gateway.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/participants`, 200, { token: ann.token });
			const record = list.participants.find((one) => one.id === 'files');
			assert.equal(record.kind, 'agent');
			assert.equal(record.privilege, 'full');
			assert.equal(record.name, 'secure-filesystem-server');
			assert.match(record.mcp.version, /^20\d\d-\d\d-\d\d$/);
			const client = await sdkClient(ann, 'files');
			assert.equal(client.getServerVersion().name, 'secure-filesystem-server');
			assert.deepEqual(Object.keys(client.getServerCapabilities()), ['tools', 'extensions']);
			const { tools } = await client.listTools();
			assert.ok(tools.some((one) => one.name === 'read_text_file'), 'names as they are');
			const read = await client.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } });
			assert.equal(read.content[0].text, 'some text\n');
			await assert.rejects(client.listResources(), /does not support|-32601|no such method/i);
			await ann.close();
		}
	});

	test(named('what a server exposes besides tools is there for the asking'), async () => {
		const ann = await memberBeside(gateway, topics[0], 'ann', 'all');
		const client = await sdkClient(ann, 'all');
		const { prompts } = await client.listPrompts();
		assert.ok(prompts.length > 0);
		const { resources } = await client.listResources();
		const read = await client.readResource({ uri: resources[0].uri });
		assert.equal(read.contents[0].uri, resources[0].uri);
		await ann.close();
	});

	test(named('progress goes to who asked alone'), async () => {
		const ann = await memberBeside(gateway, topics[0], 'ann', 'all');
		const bob = await joinAs(gateway, topics[0], 'bob');
		const client = await sdkClient(ann, 'all');
		const seen = [];
		const result = await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
			undefined, { onprogress: (progress) => seen.push(progress.progress) });
		assert.match(result.content[0].text, /completed/i);
		await until(() => seen.includes(3), 'the last progress');
		for (const envelope of await beforeMarker(bob, bob)) {
			if (envelope.payload?.method === 'notifications/progress')
				assert.deepEqual(envelope.to, ['ann']);
		}
		await ann.close();
		await bob.close();
	});

	test(named('two participants who are asked at once each get their own question'), async () => {
		const names = ['ann', 'bob'];
		const waiting = new Map();
		const asked = names.map(async (name) => {
			const member = await memberBeside(gateway, topics[1], name, 'all');
			const client = await sdkClient(member, 'all', { elicitation: {}, sampling: {} });
			client.setRequestHandler(CreateMessageRequestSchema, (question) => new Promise((answer) => {
				waiting.set(name, () => answer({ role: 'assistant', model: 'm', content: { type: 'text', text: `${name} answers ${question.params.messages[0].content.text}` } }));
			}));
			client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
			const result = await client.callTool({ name: 'trigger-sampling-request', arguments: { prompt: `for ${name}`, maxTokens: 10 } });
			await member.close();
			return JSON.stringify(result);
		});
		await until(() => waiting.size === 2, 'both are asked, while neither has answered');
		for (const name of [...names].reverse())
			waiting.get(name)(); // in the other order
		const results = await Promise.all(asked);
		for (const [at, name] of names.entries())
			assert.match(results[at], new RegExp(`${name} answers .*for ${name}`));
	});

	test(named('who did not say that it can answer is not asked'), async () => {
		const ann = await memberBeside(gateway, topics[1], 'ann', 'all');
		await introduce(ann, 'all');
		const answer = await answerOf(ann, 'all', 'tools/call', { name: 'trigger-elicitation-request', arguments: {} });
		assert.ok(answer.payload.error !== undefined || answer.payload.result.isError === true, JSON.stringify(answer.payload));
		for (const envelope of await beforeMarker(ann, ann))
			assert.notEqual(envelope.payload?.method, 'elicitation/create');
		await ann.close();
	});

	test(named('a server whose process dies leaves, and comes back'), async () => {
		const members = [];
		for (const topic of topics)
			members.push(await memberBeside(gateway, topic, 'ann', 'files'));
		const before = processesOf(folder);
		assert.ok(before.length > 0);
		for (const pid of before)
			process.kill(Number(pid), 'SIGKILL');
		for (const ann of members) {
			await ann.next(isPresence('leave', 'files'));
			await ann.next(isPresence('join', 'files'));
			const result = await callTool(ann, 'files', 'list_directory', { path: folder });
			assert.match(result.content[0].text, /a\.txt/);
			await ann.close();
		}
	});

	test(named('nobody takes the id of a server in its room'), async () => {
		const token = await gateway.token({ id: 'files', privilege: 'full' });
		const refused = await RoomClient.refused({ gateway, topic: topics[2], token });
		assert.equal(refused.status, 409);
		assert.match(refused.text, /hosted server files/);
		const posted = await gateway.request('POST', `/v0/topics/${encodeURIComponent(topics[2])}/messages`,
			{ token, body: { kind: 'chat', payload: { text: 'I am files' } } });
		assert.equal(posted.status, 409);
		const elsewhere = await RoomClient.connect({ gateway, topic: freshTopic(), token });
		await elsewhere.close();
	});

	test(named('a proposal to a server is fulfilled by a full participant'), async () => {
		const rex = await memberBeside(gateway, topics[0], 'rex', 'files', { privilege: 'restricted' });
		const ann = await memberBeside(gateway, topics[0], 'ann', 'files');
		const params = { name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } };
		const violation = await answerOf(rex, 'files', 'tools/call', params);
		assert.equal(violation.payload.error.code, -32001);
		const id = rex.send(proposal('files', { params }));
		await ann.next((envelope) => envelope.id === id);
		const call = ann.send({ kind: 'mcp', to: ['files'], correlation_id: id,
			payload: { jsonrpc: '2.0', id: 'fulfil', method: 'tools/call', params } });
		const settled = await rex.next(isEvent('proposal', id));
		assert.equal(settled.payload.status, 'fulfilled');
		const answer = await rex.next(isAnswer(call));
		assert.equal(answer.from, 'files');
		assert.equal(answer.payload.result.content[0].text, 'some text\n');
		await rex.close();
		await ann.close();
	});
}

test('an asker cancels, and many ask at once', async (t) => {
	const topic = freshTopic();
	const one = scripted('tools', [topic]);
	const gateway = await houseFor(t, { config: one.text });
	const ann = await memberBeside(gateway, topic, 'ann', 'tools');
	const waits = ask(ann, 'tools', 'tools/call', { name: 'wait', arguments: {} }, 'slow');
	await until(async () => (await stateOf(ann, 'tools')).waiting.length === 1, 'the call is with the server');
	ann.send({ kind: 'mcp', to: ['tools'], correlation_id: waits,
		payload: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } } });
	await until(async () => (await stateOf(ann, 'tools')).cancelled.length === 1, 'the server hears of the cancel');
	const calls = [];
	for (let i = 0; i < 100; i++)
		calls.push(ask(ann, 'tools', 'tools/call', { name: 'echo', arguments: { text: `text ${i}` } }, i));
	const open = new Map(calls.map((id, i) => [id, i]));
	while (open.size > 0) {
		const answer = await ann.next((envelope) => open.has(envelope.correlation_id) && envelope.from === 'tools');
		assert.equal(answer.payload.result.content[0].text, `text ${open.get(answer.correlation_id)}`);
		open.delete(answer.correlation_id);
	}
});

test('a change of its tools is told to the room', async (t) => {
	const topic = freshTopic();
	const one = scripted('tools', [topic]);
	const gateway = await houseFor(t, { config: one.text });
	const ann = await memberBeside(gateway, topic, 'ann', 'tools');
	const bob = await memberBeside(gateway, topic, 'bob', 'tools');
	const grown = ask(ann, 'tools', 'tools/call', { name: 'grow', arguments: { name: 'new-one' } });
	const told = await bob.next((envelope) => envelope.payload.method === 'notifications/tools/list_changed');
	assert.equal(told.from, 'tools');
	await ann.next(isAnswer(grown));
	await until(async () => {
		const { payload } = await answerOf(ann, 'tools', 'tools/list', {});
		return payload.result.tools.some((tool) => tool.name === 'new-one');
	}, 'the new tool is listed');
});

test('a call that the server dies of is answered, then the server leaves', async (t) => {
	const topic = freshTopic();
	const one = scripted('tools', [topic]);
	const gateway = await houseFor(t, { config: one.text });
	const ann = await memberBeside(gateway, topic, 'ann', 'tools');
	const answer = await answerOf(ann, 'tools', 'tools/call', { name: 'die', arguments: {} });
	assert.equal(answer.payload.result.isError, true, JSON.stringify(answer.payload));
	assert.match(answer.payload.result.content[0].text, /tools|server/);
	await ann.next(isPresence('leave', 'tools'));
	await ann.next(isPresence('join', 'tools'));
	assert.equal((await callTool(ann, 'tools', 'echo', { text: 'alive' })).content[0].text, 'alive');
});

test('an answer that no envelope can hold is an error, and says why', async (t) => {
	const topic = freshTopic();
	const one = scripted('tools', [topic]);
	const gateway = await houseFor(t, { config: one.text, set: { 'gateway.max_message': '64KiB' } });
	const ann = await memberBeside(gateway, topic, 'ann', 'tools');
	const answer = await answerOf(ann, 'tools', 'tools/call', { name: 'big', arguments: { octets: 100_000 } });
	assert.match(answer.payload.error.message, /max_message/);
	assert.equal((await callTool(ann, 'tools', 'echo', { text: 'on' })).content[0].text, 'on');
});

test('a new configuration moves a server from room to room', async (t) => {
	const [here, there] = [freshTopic(), freshTopic()];
	const one = scripted('tools', [here]);
	const gateway = await houseFor(t, { open: true, config: one.text });
	const ann = await joinOpen(gateway, here, 'ann');
	const bob = await joinOpen(gateway, there, 'bob');
	const squatter = await joinOpen(gateway, there, 'tools');
	await presence(ann, 'tools');
	assert.equal((await RoomClient.refused({ gateway, topic: here, id: 'tools' })).status, 409);
	writeFileSync(gateway.configFile, one.text.replace(JSON.stringify([here]), JSON.stringify([there])));
	gateway.signal('SIGHUP');
	await ann.next(isPresence('leave', 'tools'));
	assert.equal((await squatter.expectClose()).code, 4001);
	await until(async () => (await RoomClient.refused({ gateway, topic: there, id: 'tools' })).status === 409, 'the id is its own there');
	const result = await callTool(bob, 'tools', 'echo', { text: 'here now' });
	assert.equal(result.content[0].text, 'here now');
	writeFileSync(gateway.configFile, '');
	gateway.signal('SIGHUP');
	await bob.next(isPresence('leave', 'tools'));
	const again = await until(() => joinOpen(gateway, there, 'tools').catch(() => null), 'the id is free');
	await again.close();
});
