// SPDX-License-Identifier: Apache-2.0
// The official clients in a room: /mcp/rooms/{topic} and hustings mcp --topic. They talk, see who is there, call what
// participants offer, hosted servers among them, and propose where they may not call.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';
import { entry, SDK_SERVER } from './lib/hosted.mjs';
import { isEvent, joinAs } from './lib/house.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { until, within } from './lib/wait.mjs';

const TOPIC = 'demo';
const CHAT = `hustings://rooms/${TOPIC}/chat`;
let gateway;
let ann;

before(async () => {
	gateway = await Gateway.start({ config: entry('sdk', SDK_SERVER, [], `rooms = ["${TOPIC}"]`) });
	ann = await joinAs(gateway, TOPIC, 'ann');
});
after(() => gateway.finish());

const url = () => `${gateway.url}/mcp/rooms/${TOPIC}`;
const said = (words) => ann.next((one) => one.kind === 'chat' && one.payload.text === words, `chat: ${words}`);

for (const kind of KINDS) {
	for (const way of ['http', 'stdio'])
		describe(`${kind} by ${way}`, () => suite(kind, way));
}

function suite(kind, way) {
	const id = `${kind}-${way}`;
	let client;
	let me;

	before(async () => {
		client = await RealClient.connect(kind, way === 'stdio'
			? { args: ['mcp', '--data', gateway.data, '--topic', TOPIC], home: gateway.home }
			: { url: url(), token: await gateway.token({ id, privilege: 'full' }) },
		{ answers: { 'elicitation/create': ({ params }) => ({ action: 'accept', content: { said: `yes to ${params.message}` } }) },
			capabilities: { elicitation: { form: {} } } });
		me = (await until(async () => (await client.text('presence_get')).includes(way === 'stdio' ? 'ann' : id), 'it is there')) && id;
	});
	after(() => client.close());

	test('sees the tools of the house and of who is there', async () => {
		const names = await until(async () => {
			const found = (await client.tools()).map((tool) => tool.name);
			return found.includes('sdk__echo') && found;
		}, 'the tools of the hosted server');
		for (const name of ['chat_say', 'presence_get', 'history'])
			assert.ok(names.includes(name), name);
		for (const name of names)
			assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
	});

	test('says something to the room, also under the dotted name', async () => {
		await client.call('chat_say', { text: `hello from ${me}` });
		const envelope = await said(`hello from ${me}`);
		if (way === 'http')
			assert.equal(envelope.from, id);
		await client.call('chat.say', { text: `dotted from ${me}` });
		await said(`dotted from ${me}`);
	});

	test('sees who is there', async () => {
		const there = await client.text('presence_get');
		assert.match(there, /\bann\b/);
		assert.match(there, /\bsdk\b/);
		assert.equal(typeof await client.text('presence.get'), 'string');
	});

	test('reads back what was said', async () => {
		const words = `remember ${me}`;
		await ann.say(words);
		await until(async () => (await client.text('history', { limit: 50 })).includes(words), 'it is in the history');
	});

	test('hears of talk that comes in, and reads it', async () => {
		const stop = await client.watch(CHAT);
		client.heard.length = 0;
		const words = `news for ${me}`;
		await ann.say(words);
		await until(() => client.heard.some((one) => one.method === 'notifications/resources/updated' && one.params.uri === CHAT),
			'it hears of the talk');
		await until(async () => (await client.read(CHAT)).contents[0].text.includes(words), 'it reads the talk');
		await stop();
	});

	test('calls a tool of a hosted server that sits in the room', async () => {
		assert.equal(await client.text('sdk__echo', { words: `by ${me}` }), `by ${me}`);
	});

	test('is asked by that server during a call', async () => {
		assert.equal(await client.text('sdk__ask', { question: `really, ${me}?` }), `really, ${me}? accept yes to really, ${me}?`);
	});

	test('hears of a participant that leaves as a changed list', async () => {
		const ghost = await joinAs(gateway, TOPIC, `ghost-${me}`);
		await until(async () => (await client.text('presence_get')).includes(`ghost-${me}`), 'the ghost is there');
		ghost.terminate();
		await until(async () => !(await client.text('presence_get')).includes(`ghost-${me}`), 'the ghost is gone');
	});
}

describe('a restricted client', () => {
	for (const kind of KINDS) {
		test(`${kind}: its call is a proposal, which a full participant fulfils, and the answer is its result`, async () => {
			const token = await gateway.token({ id: `careful-${kind}`, privilege: 'restricted' });
			const client = await RealClient.connect(kind, { url: url(), token }, { capabilities: {} });
			try {
				await until(async () => (await client.tools()).some((tool) => tool.name === 'sdk__echo'), 'the tools');
				const call = client.text('sdk__echo', { words: `please ${kind}` });
				const proposed = await ann.next((one) => one.kind === 'mcp/proposal' && one.from === `careful-${kind}`, 'its proposal');
				assert.equal(proposed.payload.params.name, 'echo');
				ann.send({ kind: 'mcp', to: proposed.to, correlation_id: proposed.id,
					payload: { jsonrpc: '2.0', id: `fulfil-${kind}`, method: proposed.payload.method, params: proposed.payload.params } });
				assert.equal(await within(call, 'the result'), `please ${kind}`);
			} finally {
				await client.close();
			}
		});

		test(`${kind}: a proposal that is rejected is a clear error`, async () => {
			const token = await gateway.token({ id: `refused-${kind}`, privilege: 'restricted' });
			const client = await RealClient.connect(kind, { url: url(), token }, { capabilities: {} });
			try {
				await until(async () => (await client.tools()).some((tool) => tool.name === 'sdk__echo'), 'the tools');
				const call = client.call('sdk__echo', { words: 'no' }).then((result) => {
					assert.equal(result.isError, true);
					return result.content[0].text;
				}, (error) => error.message);
				const proposed = await ann.next((one) => one.kind === 'mcp/proposal' && one.from === `refused-${kind}`, 'its proposal');
				await gateway.ask('POST', `/v0/topics/${TOPIC}/proposals/${proposed.id}/reject`, 200,
					{ token: ann.token, body: { reason: 'too risky today' } });
				assert.match(await within(call, 'the end of the call'), /reject.*too risky today|too risky today/i);
				await ann.next(isEvent('proposal', proposed.id), 'the room hears of it');
			} finally {
				await client.close();
			}
		});
	}
});
