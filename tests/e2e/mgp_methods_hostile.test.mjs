// SPDX-License-Identifier: Apache-2.0
// The methods of MGP 12, 13 and 16 under input that nobody means well with: every request has one answer, and the gateway goes on.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until, within } from './lib/wait.mjs';

const METHODS = {
	'mgp/stream/cancel': { request_id: 1, reason: 'x' },
	'mgp/events/subscribe': { channels: ['model.*'], filter: { min_severity: 'warning' } },
	'mgp/events/unsubscribe': { subscription_id: 'sub-001' },
	'mgp/events/replay': { subscription_id: 'sub-001', after_seq: 0 },
	'mgp/callback/respond': { callback_id: 'cb-001', response: 'confirm' },
	'mgp/tools/discover': { query: 'x', strategy: 'semantic', max_results: 5, filter: { categories: ['a'], risk_level_max: 'moderate', status: 'connected' } },
	'mgp/tools/request': { reason: 'capability_gap', context: 'x', requirements: { capabilities: ['a'] } },
	'mgp/tools/session': {},
	'mgp/tools/session/evict': { tools: ['x'], reason: 'y' },
};
const mind = new Outsider('mind', { extensions: ['security', 'streaming', 'bidirectional'], tools: [{ name: 'think', annotations: { readOnlyHint: true } }] });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [mind] });
await house.allConnected();

/** One POST of octets as they are: {status, json}. */
function raw(client, body) {
	return within((async () => {
		const response = await fetch(client.url, { method: 'POST', body, headers: { 'content-type': 'application/json',
			accept: 'application/json, text/event-stream', ...client.headers, ...client.authorization() } });
		const text = await response.text();
		const data = text.split('\n').filter((line) => line.startsWith('data:')).at(-1)?.slice(5) ?? text;
		return { status: response.status, json: data === '' ? undefined : JSON.parse(data) };
	})(), 'an answer');
}
const whole = (method, params) => `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
const goesOn = async (client) => assert.ok(await client.text('think'));

for (const [method, good] of Object.entries(METHODS)) {
	test(`${method} with params of every wrong form is answered once, with an error or a result`, async () => {
		const client = await house.client('ann', 'mind');
		for (const params of ['null', '[]', '"x"', '7', 'true', '[{}]', '{"":{}}', '{"trace_id":{}}', '{"server_id":7}', '{"server_id":"nobody"}', '{"_meta":7}']) {
			const { status, json } = await raw(client, whole(method, params));
			assert.ok(status < 500, `${params}: ${status}`);
			assert.ok(json !== undefined && (json.error !== undefined || json.result !== undefined), `${params}: ${JSON.stringify(json)}`);
			assert.notEqual(json.error?.code, -32603, `${params}: ${JSON.stringify(json)}`);
		}
		const { json } = await raw(client, `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}}`);
		assert.ok(json.error !== undefined || method === 'mgp/tools/session' || method === 'mgp/tools/discover', JSON.stringify(json));
		await goesOn(client);
	});

	test(`${method} with deep, doubled, hidden and overlong members is answered, and leaves nothing behind`, async () => {
		const client = await house.client('ann', 'mind');
		const deep = (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
		for (const [field, value] of Object.entries({ ...good, unknown: 1 })) {
			const others = JSON.stringify(good).slice(1, -1);
			const joined = (member) => whole(method, `{${others}${others === '' ? '' : ','}${JSON.stringify(field)}:${member}}`);
			for (const member of [JSON.stringify(value), deep(60), deep(3000), '"\\ud800"', '"\\u0000"', '1e999', '-0', '123456789012345678901234567890', '"\u202e\u2066"', '{"a":1,"a":2}']) {
				const { status, json } = await raw(client, joined(member));
				assert.ok(status < 500 && json !== undefined, `${field} ${member.slice(0, 40)}: ${status}`);
				assert.ok(json.error !== undefined || json.result !== undefined || json.id === null || status >= 400);
			}
		}
		await goesOn(client);
	});

	test(`${method} in parts of itself is answered: every member left out, every member of every type`, async () => {
		for (const era of ['legacy', 'modern']) {
			const client = await house.client('ann', 'mind', { era });
			for (const field of Object.keys(good)) {
				for (const value of [undefined, null, true, 0, -1, 1.5, '', 'x', [], {}, [[]], { a: { b: [] } }]) {
					const begun = client.begin(method, { ...good, [field]: value });
					const first = await until(() => begun.messages[0], `an answer to ${field} = ${JSON.stringify(value)}`);
					assert.ok(first.error !== undefined || first.result !== undefined || first.method !== undefined);
					assert.notEqual(first.error?.code, -32603, `${field} = ${JSON.stringify(value)}: ${JSON.stringify(first)}`);
					begun.abort();
				}
			}
			await goesOn(client);
		}
	});
}

test('the methods sent as notifications, and what is only for clients, do nothing', async () => {
	const client = await house.client('ann', 'mind');
	for (const [method, params] of Object.entries(METHODS))
		assert.ok((await client.notify(method, params)).status < 500, method);
	for (const method of ['notifications/mgp.stream.chunk', 'notifications/mgp.stream.progress', 'notifications/mgp.event', 'notifications/mgp.callback.request'])
		assert.ok((await client.notify(method, { request_id: 1, index: 0, content: { type: 'text', text: 'x' }, subscription_id: 'sub-001', callback_id: 'cb-001', channel: 'tool.completed' })).status < 500, method);
	await goesOn(client);
	assert.deepEqual(mind.methods().filter((one) => /mgp\.(stream|event|callback)/.test(one)), []);
});

test('methods that are none are -32601, near as they may be', async () => {
	const client = await house.client('ann', 'mind');
	for (const method of ['mgp/stream', 'mgp/stream/', 'mgp/stream/cancel/', 'mgp/stream/start', 'mgp/events', 'mgp/events/publish', 'mgp/callback/request', 'mgp/tools', 'mgp/tools/find', 'mgp/tools/session/add', 'MGP/tools/session', `mgp/${'x'.repeat(10_000)}`])
		assert.equal((await client.refusal(method, {})).code, -32601, method.slice(0, 40));
});

test('a hundred strangers who guess ids hit nothing', async () => {
	const [ann, eve] = [await (await house.client('ann', 'mind')).open(), await house.client('eve', 'mind')];
	const subscription = await ann.subscribe({ channels: ['tool.completed'] });
	for (let number = 0; number < 100; number += 1) {
		for (const id of [`sub-${number}`, `sub-${String(number).padStart(3, '0')}`, randomUUID(), `${number}`]) {
			assert.ok((await eve.request('mgp/events/unsubscribe', { subscription_id: id })).error);
			assert.equal((await eve.refusal('mgp/callback/respond', { callback_id: id, response: 'confirm' })).code, 4000);
		}
	}
	await goesOn(ann);
	await ann.event(subscription);
});

test('a flood of requests of every method is answered to the last', async () => {
	const client = await house.client('flood', 'mind');
	const rounds = await Promise.all([...Array(20).keys()].flatMap(() => Object.entries(METHODS).map(([method, params]) => client.request(method, params))));
	assert.ok(rounds.every(({ result, error }) => result !== undefined || error !== undefined));
	await goesOn(client);
});
