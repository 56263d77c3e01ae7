// SPDX-License-Identifier: Apache-2.0
// MGP in rooms: a hosted server's seat, participants who negotiate with it, and MCP clients at the room's face.

import assert from 'node:assert/strict';
import { after, describe, before, test } from 'node:test';
import { Running, answerOf, ask, isAnswer } from './lib/attached.mjs';
import { freshTopic, history, joinAs } from './lib/house.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { Robot, text } from './lib/robot.mjs';
import { V0 } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const CHUNK = 'notifications/mgp.stream.chunk';
const PROGRESS = 'notifications/mgp.stream.progress';
const CALLBACK = 'notifications/mgp.callback.request';
const readOnly = { readOnlyHint: true };
const ALL = ['security', 'access_control', 'lifecycle', 'streaming', 'bidirectional', 'discovery', 'tool_discovery'];
const WORDS = ['Quantum computing is', ' a paradigm', ' that uses'];
const WHOLE = WORDS.join('');

const script = (...acts) => [{ script: acts }];
const tools = [
	{ name: 'think', annotations: readOnly, does: script(...WORDS.map((chunk) => ({ chunk }))) },
	{ name: 'batch', annotations: readOnly, does: script({ progress: { progress: 0.65, message: 'Processing batch 13/20', estimated_remaining_ms: 4500 } }, { answer: { content: [] } }) },
	{ name: 'lasts', annotations: readOnly, does: script({ chunk: WHOLE }, { hold: 'lasts' }) },
	{ name: 'floods', annotations: readOnly, does: script({ chunks: 2000, octets: 400 }) },
	{ name: 'asks', annotations: readOnly, does: script({ callback: { type: 'confirmation', message: 'Go on?', options: ['confirm', 'cancel'], timeout_ms: 30000 } }) },
	{ name: 'elicits', annotations: readOnly, does: script({ elicit: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } } }) },
	{ name: 'fails', annotations: readOnly, does: [{ error: { code: 3003, message: 'too slow' } }] },
];
const steps = { name: 'steps', annotations: readOnly, does: script({ mcpProgress: { progress: 1, total: 4, message: 'first' } }, { answer: { content: [] } }) };

/** A handshake with a seat; hands out what the answer says of MGP. */
async function introduce(member, to, extensions, more = {}) {
	const { payload } = await answerOf(member, to, 'initialize', {
		protocolVersion: '2025-06-18', clientInfo: { name: 'test', version: '1' },
		capabilities: { ...(extensions === undefined ? {} : { mgp: { version: '0.2.0', extensions } }), ...more },
	}, 'hello');
	member.send({ kind: 'mcp', to: [to], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	return payload.result.capabilities.mgp;
}

const isMethod = (method) => ({ kind, payload }) => kind === 'mcp' && payload.method === method;
const call = (member, to, name, id, more = {}) => ask(member, to, 'tools/call', { name, arguments: {}, ...more }, id);
const streams = { _mgp: { stream: true } };
/** A participant on a WebSocket that speaks MGP to whoever asks: it streams, is cancelled, and asks back by forms. */
async function robot(gateway, topic, id) {
	const client = await joinAs(gateway, topic, id, { query: { mcp: '2025-06-18', kind: 'robot' } });
	client.spoken = [];
	const say = (envelope, message) => client.send({ kind: 'mcp', to: [envelope.from], correlation_id: envelope.id, payload: { jsonrpc: '2.0', ...message } });
	const chunk = (envelope, index) => say(envelope, { method: CHUNK, params: { request_id: envelope.payload.id, index, content: { type: 'text', text: WORDS[index] }, done: false } });
	const open = new Map();
	const does = {
		initialize(envelope, { capabilities }) {
			client.spoken.push(capabilities.mgp);
			return { protocolVersion: '2025-06-18', serverInfo: { name: id, version: '1' }, capabilities: { tools: {}, mgp: { version: '0.2.0', extensions: ['streaming'] } } };
		},
		'tools/list': () => ({ tools: ['think', 'lasts', 'elicits'].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
		'tools/call'(envelope, { name, _mgp }) {
			client.asked = { name, _mgp };
			if (name === 'elicits') {
				const question = say(envelope, { id: 'q', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } });
				return void open.set(question, envelope);
			}
			for (const index of name === 'think' ? [0, 1, 2] : [0])
				chunk(envelope, index);
			return name === 'think' ? { content: [{ type: 'text', text: WHOLE }], _mgp: { streamed: true } } : void open.set(envelope.payload.id, envelope);
		},
		'mgp/stream/cancel'(envelope, { request_id }) {
			const partial_result = { content: [{ type: 'text', text: WORDS[0] }] };
			say(open.get(request_id), { id: request_id, result: { ...partial_result, _mgp: { cancelled: true } } });
			return { cancelled: true, partial_result };
		},
	};
	const isToMe = ({ kind, to }) => kind === 'mcp' && (to ?? []).includes(id);
	(async () => {
		for (;;) {
			const envelope = await client.next(isToMe, { timeout: 600000 });
			const { id: number, method, params, result: answer } = envelope.payload;
			const about = open.get(envelope.correlation_id);
			if (about !== undefined)
				say(about, { id: about.payload.id, result: { content: [{ type: 'text', text: JSON.stringify(answer) }] } });
			const result = method !== undefined && number !== undefined ? does[method]?.(envelope, params) : undefined;
			if (result !== undefined)
				say(envelope, { id: number, result });
		}
	})().catch(() => {});
	return client;
}

/** All that comes up to and with the answer of a request. */
const upTo = (member, id) => member.collect(isAnswer(id));

for (const threads of [1, 3]) {
	describe(`with ${threads} loops`, () => {
		const topic = freshTopic();
		let house;
		let gateway;

		before(async () => {
			const rooms = { rooms: [topic] };
			house = await MgpHouse.start({
				args: ['--threads', String(threads)],
				servers: [new Outsider('mind', { extensions: ALL, tools }, {}, rooms),
					new Outsider('plain', { plain: true, tools: [...tools, steps] }, {}, { ...rooms, share: 'principal' })],
			});
			gateway = house.gateway;
			await house.allConnected();
		});
		after(() => house.finish());

		async function member(id, extensions, { to = 'mind', capabilities } = {}) {
			const one = await joinAs(gateway, topic, id);
			one.mgp = await introduce(one, to, extensions, capabilities);
			return one;
		}

		test('MGP is agreed on with each participant, and ends when it leaves', async () => {
			const ann = await member('ann', ['streaming', 'lifecycle']);
			assert.deepEqual([ann.mgp.version, ann.mgp.extensions, ann.mgp.server_id], ['0.2.0', ['lifecycle', 'streaming'], 'mind']);
			const bob = await member('bob');
			assert.equal(bob.mgp, undefined);
			const pong = await answerOf(ann, 'mind', 'mgp/health/ping', { timestamp: '2026-02-27T12:00:00.000Z' }, 5);
			assert.equal(pong.payload.result.server_id, 'mind');
			assert.equal((await answerOf(bob, 'mind', 'mgp/health/ping', {}, 5)).payload.error.code, -32601);
			assert.equal((await answerOf(ann, 'mind', 'mgp/events/subscribe', { channels: ['tool.*'] }, 6)).payload.error.code, -32601);
			await ann.close();
			await bob.next(({ kind, payload }) => kind === 'presence' && payload.event === 'leave' && payload.participant.id === 'ann');
			const again = await joinAs(gateway, topic, 'ann');
			assert.equal((await answerOf(again, 'mind', 'mgp/health/ping', {}, 5)).payload.error.code, -32601);
		});

		test('a stream is addressed to who asked, about the request, and seen by all', async () => {
			const cid = await member('cid', ['streaming']);
			const dan = await joinAs(gateway, topic, 'dan');
			const id = call(cid, 'mind', 'think', 20, streams);
			for (const reader of [cid, dan]) {
				const heard = (await upTo(reader, id)).filter(({ from }) => from === 'mind');
				const chunks = heard.filter(isMethod(CHUNK));
				assert.deepEqual(chunks.map(({ payload }) => payload.params), WORDS.map((text, index) => ({
					request_id: 20, index, content: { type: 'text', text }, done: false })));
				for (const envelope of chunks)
					assert.deepEqual([envelope.to, envelope.correlation_id], [['cid'], id]);
				const answer = heard.at(-1);
				assert.equal(answer.payload.id, 20);
				assert.equal(answer.payload.result.content[0].text, WHOLE);
				assert.equal(answer.payload.result._mgp.streamed, true);
				assert.equal(answer.payload.result._mgp.chunks_sent, 3);
			}
			const kept = await history(gateway, topic, { token: dan.token, query: '?limit=100' });
			assert.equal(kept.filter((one) => one.payload.method === CHUNK && one.correlation_id === id).length, 3);
		});

		test('participants of v0 negotiate and stream as well', async () => {
			const old = await joinAs(gateway, topic, 'olga', { protocol: V0 });
			assert.deepEqual((await introduce(old, 'mind', ['streaming'])).extensions, ['streaming']);
			const id = call(old, 'mind', 'think', 4, streams);
			const heard = (await upTo(old, id)).filter(isMethod(CHUNK));
			assert.deepEqual(heard.map(({ protocol, payload }) => [protocol, payload.params.index]), [[V0, 0], [V0, 1], [V0, 2]]);
		});

		test('who asks for no stream, or speaks no MGP, gets the answer alone', async () => {
			const eve = await member('eve', ['streaming']);
			assert.deepEqual((await upTo(eve, call(eve, 'mind', 'think', 1))).filter(isMethod(CHUNK)), []);
			const fay = await member('fay');
			const heard = await upTo(fay, call(fay, 'mind', 'think', 1, streams));
			assert.deepEqual(heard.filter((one) => isMethod(CHUNK)(one) && one.to[0] === 'fay'), []);
			assert.equal(heard.at(-1).payload.result.content[0].text, WHOLE);
			assert.equal(heard.at(-1).payload.result._mgp, undefined);
		});

		test('progress comes in the words of who asked', async () => {
			const gus = await member('gus', ['streaming']);
			const [own] = (await upTo(gus, call(gus, 'mind', 'batch', 'b1'))).filter(isMethod(PROGRESS));
			assert.deepEqual(own.payload.params, { request_id: 'b1', progress: 0.65, message: 'Processing batch 13/20', estimated_remaining_ms: 4500 });
			const hal = await member('hal');
			const [mcp] = (await upTo(hal, call(hal, 'mind', 'batch', 1, { _meta: { progressToken: 'mine' } }))).filter(isMethod('notifications/progress'));
			assert.deepEqual([mcp.payload.params.progressToken, mcp.payload.params.progress, mcp.payload.params.total], ['mine', 0.65, 1]);
			await introduce(gus, 'plain', ['streaming']);
			const [from] = (await upTo(gus, call(gus, 'plain', 'steps', 7))).filter(isMethod(PROGRESS));
			assert.deepEqual([from.payload.params.request_id, from.payload.params.progress, from.payload.params.message], [7, 0.25, 'first']);
		});

		test('a cancel answers the request once, with what was done', async () => {
			const ian = await member('ian', ['streaming']);
			const id = call(ian, 'mind', 'lasts', 30, streams);
			await ian.next((one) => isMethod(CHUNK)(one) && one.correlation_id === id);
			const joe = await member('joe', ['streaming']);
			assert.deepEqual((await answerOf(joe, 'mind', 'mgp/stream/cancel', { request_id: 30, reason: 'mine' }, 1)).payload.result, { cancelled: false });
			const stop = ask(ian, 'mind', 'mgp/stream/cancel', { request_id: 30, reason: 'user_cancelled' }, 31);
			const answers = [];
			await ian.next((one) => {
				if (isAnswer(id)(one) || isAnswer(stop)(one))
					answers.push(one);
				return answers.length === 2;
			});
			const of = (request) => answers.find(isAnswer(request)).payload.result;
			assert.deepEqual(of(stop), { cancelled: true, partial_result: { content: [{ type: 'text', text: WHOLE }] } });
			assert.equal(of(id)._mgp.cancelled, true);
			assert.equal(of(id).content[0].text, WHOLE);
			assert.deepEqual((await answerOf(ian, 'mind', 'mgp/stream/cancel', { request_id: 30 }, 32)).payload.result, { cancelled: false });
		});

		test('a flood keeps its order, may have gaps, and its answer is whole', async () => {
			const kim = await member('kim', ['streaming']);
			const lou = await member('lou', ['lifecycle']);
			const id = call(kim, 'mind', 'floods', 1, streams);
			const ping = answerOf(lou, 'mind', 'mgp/health/ping', {}, 2);
			const heard = await upTo(kim, id);
			const indexes = heard.filter((one) => isMethod(CHUNK)(one) && one.correlation_id === id).map(({ payload }) => payload.params.index);
			assert.ok(indexes.length > 100, `${indexes.length} chunks`);
			assert.ok(indexes.every((index, at) => at === 0 || index > indexes[at - 1]));
			assert.equal(heard.at(-1).payload.result.content[0].text.length, 2000 * 400);
			assert.equal((await ping).payload.result.server_id, 'mind');
		});

		test('a callback goes to who speaks MGP, and only that one may answer it', async () => {
			const max = await member('max', ['bidirectional']);
			const ned = await member('ned', ['bidirectional']);
			const id = call(max, 'mind', 'asks', 20);
			const asked = await max.next(isMethod(CALLBACK));
			assert.deepEqual([asked.to, asked.correlation_id], [['max'], id]);
			const { callback_id, ...params } = asked.payload.params;
			assert.deepEqual(params, { request_id: 20, type: 'confirmation', message: 'Go on?', options: ['confirm', 'cancel'], timeout_ms: 30000 });
			const foreign = await answerOf(ned, 'mind', 'mgp/callback/respond', { callback_id, response: 'confirm' }, 1);
			assert.deepEqual([foreign.payload.error.code, foreign.payload.error.data.type], [4000, 'callback_unknown']);
			const wrong = await answerOf(max, 'mind', 'mgp/callback/respond', { callback_id, response: 'perhaps' }, 1);
			assert.equal(wrong.payload.error.code, 4000);
			assert.deepEqual((await answerOf(max, 'mind', 'mgp/callback/respond', { callback_id, response: 'confirm' }, 2)).payload.result, { accepted: true });
			const done = await max.next(isAnswer(id));
			assert.match(done.payload.result.content[0].text, /"response":"confirm"/);
		});

		test('toward who can only be asked by elicitation a callback is one, and the other way round', async () => {
			const ona = await member('ona', undefined, { capabilities: { elicitation: {} } });
			const id = call(ona, 'mind', 'asks', 1);
			const asked = await ona.next(isMethod('elicitation/create'));
			assert.deepEqual([asked.to, asked.correlation_id], [['ona'], id]);
			ona.send({ kind: 'mcp', to: ['mind'], correlation_id: asked.id, payload: { jsonrpc: '2.0', id: asked.payload.id,
				result: { action: 'accept', content: { response: 'confirm' } } } });
			assert.match((await ona.next(isAnswer(id))).payload.result.content[0].text, /"response":"confirm"/);
			const pia = await member('pia', ['bidirectional'], { to: 'plain' });
			const other = call(pia, 'plain', 'elicits', 1);
			const { payload: { params: { callback_id, type } } } = await pia.next(isMethod(CALLBACK));
			assert.equal(type, 'input');
			const respond = ask(pia, 'plain', 'mgp/callback/respond', { callback_id, response: 'Pia' }, 2);
			const heard = await upTo(pia, other);
			assert.match(heard.at(-1).payload.result.content[0].text, /"action":"accept","content":\{"name":"Pia"\}/);
			assert.ok(heard.some(isAnswer(respond)) || (await pia.next(isAnswer(respond))).payload.result.accepted);
		});

		test('errors are in the words of who asked', async () => {
			const ray = await member('ray', ['security']);
			assert.equal((await answerOf(ray, 'mind', 'tools/call', { name: 'fails', arguments: {} }, 1)).payload.error.code, 3003);
			const sue = await member('sue');
			const plain = (await answerOf(sue, 'mind', 'tools/call', { name: 'fails', arguments: {} }, 1)).payload;
			assert.equal(plain.result.isError, true);
		});

		test('events of the server are told to who subscribed, and nobody is an administrator in a room', async () => {
			const tom = await member('tom', ['bidirectional', 'lifecycle', 'access_control']);
			const { subscribed, subscription_id } = (await answerOf(tom, 'mind', 'mgp/events/subscribe', { channels: ['tool.completed'] }, 1)).payload.result;
			assert.deepEqual(subscribed, ['tool.completed']);
			const heard = await upTo(tom, call(tom, 'mind', 'batch', 2));
			const isEvent = isMethod('notifications/mgp.event');
			const event = heard.find(isEvent) ?? await tom.next(isEvent);
			assert.deepEqual([event.to, event.payload.params.subscription_id, event.payload.params.channel], [['tom'], subscription_id, 'tool.completed']);
			const grant = { entry_type: 'server_grant', agent_id: 'tom', server_id: 'mind', tool_name: null, permission: 'allow' };
			assert.equal((await answerOf(tom, 'mind', 'mgp/access/grant', grant, 3)).payload.error.code, 1000);
		});

		for (const era of ['legacy', 'modern']) {
			test(`an MCP client at the room's face gets the stream of a participant's tool (${era})`, async () => {
				const path = `/mcp/rooms/${encodeURIComponent(topic)}`;
				const client = await house.client(`uma-${era}`, path, { era });
				await until(async () => JSON.stringify(await client.request('tools/list', {})).includes('mind__think'), 'the tool is listed');
				assert.deepEqual([...client.mgp.extensions].sort(), ['bidirectional', 'streaming']);
				const begun = client.begin('tools/call', { name: 'mind__think', arguments: {}, ...streams });
				const { result } = await begun.answer;
				assert.deepEqual(begun.messages.filter(({ method }) => method === CHUNK).map(({ params }) => [params.request_id, params.index, params.content.text]),
					WORDS.map((text, index) => [begun.id, index, text]));
				assert.equal(result.content[0].text, WHOLE);
				const lasting = client.begin('tools/call', { name: 'mind__lasts', arguments: {}, ...streams });
				await until(() => lasting.messages.some(({ method }) => method === CHUNK), 'it has begun');
				const partial = { content: [{ type: 'text', text: WHOLE }] };
				assert.deepEqual((await client.request('mgp/stream/cancel', { request_id: 'another' })).result.cancelled, false);
				const stopped = await client.request('mgp/stream/cancel', { request_id: lasting.id, reason: 'user_cancelled' });
				assert.deepEqual([stopped.result.cancelled, stopped.result.partial_result], [true, partial]);
				const ended = await lasting.answer;
				assert.deepEqual([ended.result._mgp.cancelled, ended.result.content], [true, partial.content]);
				const plain = await house.plain(`vic-${era}`, path, { era });
				const answered = await plain.request('tools/call', { name: 'mind__fails', arguments: {} });
				assert.equal(answered.result.isError, true);
				assert.doesNotMatch(JSON.stringify(answered), /mgp|3003/i);
				assert.equal((await plain.request('mgp/stream/cancel', { request_id: 1 })).error.code, -32601);
			});
		}

		for (const era of ['legacy', 'modern']) {
			test(`the stream of any participant that speaks MGP comes to the room's face (${era})`, async (t) => {
				const id = `robo-${era}`;
				const robo = await robot(gateway, topic, id);
				t.after(() => robo.close());
				const path = `/mcp/rooms/${encodeURIComponent(topic)}`;
				const client = await house.client(`wim-${era}`, path, { era });
				await until(async () => JSON.stringify(await client.request('tools/list', {})).includes(`${id}__think`), 'the tool is listed');
				const begun = client.begin('tools/call', { name: `${id}__think`, arguments: {}, ...streams });
				const { result } = await begun.answer;
				assert.ok(robo.spoken.at(-1).extensions.includes('streaming'));
				assert.deepEqual(robo.asked, { name: 'think', ...streams });
				assert.deepEqual(begun.messages.filter(({ method }) => method === CHUNK).map(({ params }) => [params.request_id, params.index, params.content.text]),
					WORDS.map((text, index) => [begun.id, index, text]));
				assert.equal(result.content[0].text, WHOLE);
				const plain = await house.plain(`xia-${era}`, path, { era });
				const answered = await plain.request('tools/call', { name: `${id}__think`, arguments: {} });
				assert.equal(answered.result.content[0].text, WHOLE);
				assert.equal(answered.result._mgp, undefined);
				const lasting = client.begin('tools/call', { name: `${id}__lasts`, arguments: {}, ...streams });
				await until(() => lasting.messages.some(({ method }) => method === CHUNK), 'it has begun');
				const stopped = await client.request('mgp/stream/cancel', { request_id: lasting.id });
				assert.equal(stopped.result.partial_result.content[0].text, WORDS[0]);
				assert.equal((await lasting.answer).result._mgp.cancelled, true);
				const asking = client.begin('tools/call', { name: `${id}__elicits`, arguments: {} });
				const isCallback = ({ method }) => method === CALLBACK;
				const { params } = await until(() => asking.messages.find(isCallback), 'it is asked by a callback');
				assert.deepEqual([params.request_id, params.type, params.message], [asking.id, 'input', 'Who?']);
				assert.deepEqual((await client.request('mgp/callback/respond', { callback_id: params.callback_id, response: 'Wim' })).result.accepted, true);
				assert.equal((await asking.answer).result.content[0].text, JSON.stringify({ action: 'accept', content: { name: 'Wim' } }));
			});
		}

		test('hustings call prints a stream as it comes, watch a line for each part, and Ctrl-C what was done', async (t) => {
			const run = (...args) => {
				const running = new Running(gateway, [...args, '--data', gateway.data]);
				t.after(() => running.ended === undefined ? running.stop('SIGKILL') : undefined);
				return running;
			};
			const watch = run('watch', topic);
			await until(() => /watching/.test(watch.stderr), 'it watches');
			const whole = await gateway.command(['call', topic, 'mind', 'think', '--stream']);
			assert.deepEqual([whole.code, whole.stdout], [0, `${WHOLE}\n`]);
			await until(() => /mind > \S+: \.\.\.  a paradigm/.test(watch.stdout), 'the part is shown');
			const json = await gateway.command(['call', topic, 'mind', 'think', '--stream', '--json']);
			const lines = json.stdout.trim().split('\n').map((line) => JSON.parse(line));
			assert.deepEqual(lines.slice(0, 3).map(({ content }) => content.text), WORDS);
			assert.equal(lines[3].content[0].text, WHOLE);
			const greeter = await Robot.join({ gateway, topic, token: await gateway.token({ id: `greeter-${threads}`, privilege: 'full' }) }, {
				greet: { definition: { inputSchema: { type: 'object' } }, run: () => text('Hello!') } });
			const plain = await gateway.command(['call', topic, greeter.id, 'greet', '--stream']);
			assert.deepEqual([plain.code, plain.stdout], [0, 'Hello!\n']);
			assert.deepEqual(greeter.heard.find(isMethod('tools/call')).payload.params, { name: 'greet', arguments: {} });
			const lasts = run('call', topic, 'mind', 'lasts', '--stream');
			await until(() => lasts.stdout === WHOLE, 'the part is printed');
			lasts.child.kill('SIGINT');
			const ended = await lasts.finished();
			assert.deepEqual([ended.code, lasts.stdout], [1, `${WHOLE}\n`]);
			assert.match(lasts.stderr, /cancelled/);
		});
	});
}
