// SPDX-License-Identifier: Apache-2.0
// The small parts, without a gateway: streams of events, raw texts, figures, pauses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inside, HustingsError } from './lib/client.mjs';

const { readEvents } = await inside('events');
const { elementsOf, keepRawOfEach, rawOf } = await inside('raw');
const { readMetrics } = await inside('metrics');
const { Backoff } = await inside('patience');
const { Outbox } = await inside('room_outbox');
const { Intake } = await inside('room_intake');
const { headersOf } = await inside('face_headers');
const { faultOfAnswer } = await inside('fault');
const { Emitter } = await inside('emitter');

/** An answer that brings these pieces. */
function answerOf(...pieces) {
	const encoder = new TextEncoder();
	return new Response(new ReadableStream({
		start(control) {
			for (const piece of pieces)
				control.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
			control.close();
		},
	}));
}

async function eventsOf(...pieces) {
	const found = [];
	for await (const event of readEvents(answerOf(...pieces)))
		found.push(event);
	return found;
}

test('events: every way of ending a line, and every cut between pieces, says the same', async () => {
	const text = ':beat\n\nevent: one\nid: 7\ndata: a\ndata: b\n\nretry: 5\ndata:c\n\nevent: empty\n\ndata: last\n\n';
	const wanted = [{ event: 'one', id: '7', data: 'a\nb' }, { event: 'message', id: '7', data: 'c' }, { event: 'message', id: '7', data: 'last' }];
	for (const ending of ['\n', '\r\n', '\r']) {
		const whole = text.replaceAll('\n', ending) + (ending === '\r' ? ':\n' : '');
		assert.deepEqual(await eventsOf(whole), wanted, JSON.stringify(ending));
		assert.deepEqual(await eventsOf(...whole), wanted, `${JSON.stringify(ending)}, character by character`);
	}
});

test('events: a character of several octets may be cut', async () => {
	const octets = new TextEncoder().encode('data: \u{1f600}\n\n');
	assert.deepEqual(await eventsOf(octets.slice(0, 8), octets.slice(8)), [{ event: 'message', id: undefined, data: '\u{1f600}' }]);
});

test('events: a line and an event that grow beyond the bound end the stream', async () => {
	const piece = 'x'.repeat(1024 * 1024);
	const isTooLarge = (error) => error instanceof HustingsError && error.code === 'too_large';
	await assert.rejects(eventsOf('data: ', ...Array(9).fill(piece)), isTooLarge);
	await assert.rejects(eventsOf(...Array(9).fill(`data: ${piece}\n`)), isTooLarge);
	assert.equal((await eventsOf('data: ', ...Array(7).fill(piece), '\n\n'))[0].data.length, 7 * 1024 * 1024);
});

test('raw: the elements of an array keep their own octets', () => {
	const elements = ['{"a" : 1e400,"b":"]\\"}{,"}', '[ 1,[2 ] ]', '"x\\\\"', '-12.50', 'true', 'null', '{}'];
	const text = ` { "skip": {"list":[0]}, "deep\\u0065r" : { "other":"[" , "list" : [ ${elements.join(' ,\n')} ] } } `;
	assert.deepEqual(elementsOf(text, ['deeper', 'list']), elements);
	assert.deepEqual(elementsOf(text, ['nowhere', 'list']), []);
	assert.deepEqual(elementsOf('{"list":[]}', ['list']), []);
	const { list } = JSON.parse(`{"list":[{"n":12345678901234567890}]}`);
	keepRawOfEach(list, '{"list":[{"n":12345678901234567890}]}', ['list']);
	assert.equal(rawOf(list[0]), '{"n":12345678901234567890}');
	assert.equal(rawOf({}), undefined);
});

test('metrics: labels, escapes, infinities', () => {
	const metrics = readMetrics('# HELP a b\n# TYPE a counter\na 1\nb{le="+Inf",name="x\\"\\\\\\n}"} +Inf\nb{le="1"} 2.5e3 1700000000\n');
	assert.deepEqual(metrics.get('a'), [{ labels: {}, value: 1 }]);
	assert.deepEqual(metrics.get('b'), [{ labels: { le: '+Inf', name: 'x"\\\n}' }, value: Infinity }, { labels: { le: '1' }, value: 2500 }]);
});

test('patience: pauses grow, to a bound, and are not all alike', () => {
	const pauses = Array.from({ length: 40 }, ((backoff) => () => backoff.next())(new Backoff()));
	assert.ok(pauses.every((one) => one >= 250 && one <= 30_000));
	assert.ok(pauses.slice(10).every((one) => one >= 15_000));
	assert.ok(new Set(pauses).size > 20);
});

test('outbox: what waits is bounded in number and size', async () => {
	const outbox = new Outbox();
	const all = Array.from({ length: 1000 }, (_, at) => outbox.add(String(at), 'x'));
	all.forEach((one) => one.catch(() => {}));
	await assert.rejects(outbox.add('one more', 'x'), { code: 'full' });
	assert.equal(outbox.refuse('5', new Error('refused')), true);
	await assert.rejects(all[5], /refused/);
	const large = outbox.add('large', 'x'.repeat(15 * 1024 * 1024));
	large.catch(() => {});
	outbox.refuse('6', new Error('refused'));
	await assert.rejects(outbox.add('two', 'x'.repeat(2 * 1024 * 1024)), { code: 'full' });
	outbox.failAll(new HustingsError({ message: 'over', status: 0, code: 'closed' }));
	await assert.rejects(large, { code: 'closed' });
	const sent = [];
	outbox.add('a', 'a').catch(() => {});
	outbox.flush(false, (text) => sent.push(text) > 0);
	outbox.add('b', 'b').catch(() => {});
	outbox.flush(false, (text) => sent.push(text) > 0);
	outbox.flush(true, (text) => sent.push(text) > 0);
	assert.deepEqual(sent, ['a', 'b', 'a', 'b']);
	await assert.rejects(outbox.add('a', 'other'), { code: 'duplicate_id' });
});

test('outbox: what was not sent yet can be taken back, what was sent cannot', async () => {
	const outbox = new Outbox();
	const control = new AbortController();
	const early = outbox.add('early', 'x', control.signal);
	control.abort(new Error('given up'));
	await assert.rejects(early, /given up/);
	await assert.rejects(outbox.add('later', 'x', control.signal), /given up/);
	const other = new AbortController();
	const sent = outbox.add('sent', 'x', other.signal);
	outbox.flush(false, () => true);
	other.abort();
	outbox.echoed({ id: 'sent' });
	assert.deepEqual(await sent, { id: 'sent' });
});

test('intake: each envelope once, and the place to go on from', () => {
	const intake = new Intake(0, undefined);
	const chat = (id) => ({ id, from: 'ann', kind: 'chat' });
	assert.deepEqual(intake.query(), { history: '1' });
	assert.deepEqual(intake.welcome([chat('before')], '2026-01-01T00:00:00Z').shown, [], 'nobody wanted history');
	assert.deepEqual(intake.query(), { since: 'before' });
	assert.equal(intake.take(chat('one')), true);
	assert.equal(intake.take(chat('one')), false);
	intake.take({ id: 'system:1', from: 'system:gateway', kind: 'system' });
	assert.deepEqual(intake.query(), { since: 'one' });
	assert.equal(intake.take(chat('said again'), true), true);
	assert.deepEqual(intake.query(), { since: 'one' }, 'what is older than an early echo may still come');
	assert.equal(intake.take(chat('said again')), false);
	const silent = new Intake(0, undefined);
	silent.welcome([], '2026-01-01T00:00:00Z');
	assert.deepEqual(silent.query(), { history: '1000' }, 'a room without a word yet is asked for all that came since');
	const { shown, mayLack } = silent.welcome([chat('a'), chat('b')], '2026-01-01T00:00:00Z');
	assert.deepEqual([shown.map(({ id }) => id), mayLack], [['a', 'b'], true]);
});

test('headers: names and marked arguments stand in the head, wrapped where they are not plain', () => {
	const inputSchema = { type: 'object', properties: {
		region: { type: 'string', 'x-mcp-header': 'Region' }, deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
		left: { type: 'string', 'x-mcp-header': 'Left' }, plain: { type: 'string' } } };
	const params = { name: 'caf\u00e9', arguments: { region: ' eu ', deep: { n: 3 }, left: null, plain: 'x' } };
	assert.deepEqual(headersOf('tools/call', params, { name: 'caf\u00e9', inputSchema }), {
		'mcp-method': 'tools/call', 'mcp-name': '=?base64?Y2Fmw6k=?=', 'mcp-param-region': '=?base64?IGV1IA==?=', 'mcp-param-n': '3' });
	assert.deepEqual(headersOf('resources/read', { uri: 'a:b' }), { 'mcp-method': 'resources/read', 'mcp-name': 'a:b' });
	assert.deepEqual(headersOf('interaction.start', { toolName: 'x' }), { 'mcp-method': 'interaction.start' });
});

test('faults: the words of a refusal, a plain status, and an error of JSON-RPC', () => {
	const paced = faultOfAnswer(429, { event: 'error', code: 'rate_limited', message: 'slow down', gate: 'pace', retry_after_ms: 40 });
	assert.deepEqual([paced.status, paced.code, paced.gate, paced.retryAfterMs, paced.message], [429, 'rate_limited', 'pace', 40, 'slow down']);
	const plain = faultOfAnswer(503, undefined, '2');
	assert.deepEqual([plain.code, plain.retryAfterMs], ['503', 2000]);
	const rpc = faultOfAnswer(400, { jsonrpc: '2.0', error: { code: -32020, message: 'differs', data: { type: 'x' } } });
	assert.deepEqual([rpc.status, rpc.code, rpc.data], [400, '-32020', { type: 'x' }]);
});

test('emitter: a listener that throws hinders nobody', () => {
	class One extends Emitter {
		say(...words) {
			this.emit('said', ...words);
		}
	}
	const one = new One();
	const heard = [];
	const reported = [];
	globalThis.reportError = (error) => reported.push(error.message);
	one.on('said', () => { throw new Error('oh'); });
	const end = one.on('said', (words) => heard.push(words));
	one.once('said', (words) => heard.push(`once ${words}`));
	one.say('a');
	one.say('b');
	end();
	one.say('c');
	delete globalThis.reportError;
	assert.deepEqual(heard, ['a', 'once a', 'b']);
	assert.deepEqual(reported, ['oh', 'oh', 'oh']);
});
