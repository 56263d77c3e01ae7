// SPDX-License-Identifier: Apache-2.0
// MGP 14.6: what a server calls retryable the kernel repeats as it was told, where that is safe, and nothing else.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';

const readOnly = { readOnlyHint: true };
const fine = { text: 'fine' };
const busy = (more = {}) => ({ error: { code: 3000, message: 'busy', data: { _mgp: { category: 'resource', retryable: true, retry_after_ms: 100,
	retry_strategy: 'fixed_delay', max_retries: 3, ...more } } } });
const tool = (name, does, annotations = readOnly) => ({ name, ...(annotations === null ? {} : { annotations }), does });
const server = new Outsider('busy', { extensions: ['security'], tools: [
	tool('waits', [busy({ retry_after_ms: 400 }), busy({ retry_after_ms: 400 }), fine]),
	tool('fixed', [busy({ retry_after_ms: 200 }), busy({ retry_after_ms: 200 }), busy({ retry_after_ms: 200 }), fine]),
	tool('doubles', [busy({ retry_after_ms: 200, retry_strategy: 'exponential_backoff' }), busy({ retry_after_ms: 200, retry_strategy: 'exponential_backoff' }),
		busy({ retry_after_ms: 200, retry_strategy: 'exponential_backoff' }), fine]),
	tool('immediate', [busy({ retry_after_ms: 300, retry_strategy: 'immediate' }), fine]),
	tool('at-once', [busy({ retry_after_ms: undefined, retry_strategy: 'immediate' }), fine]),
	tool('idempotent', [busy(), fine], { readOnlyHint: false, idempotentHint: true, destructiveHint: false }),
	tool('writes', [busy(), fine], { readOnlyHint: false, destructiveHint: false }),
	tool('unannotated', [busy(), fine], null),
	tool('twice', [busy({ max_retries: 2 })]), tool('never', [busy({ max_retries: 0 })]),
	tool('endless', [busy({ max_retries: 1_000_000, retry_after_ms: 0 })]),
	tool('final', [busy({ retryable: false, retry_after_ms: undefined }), fine]),
	tool('plain-error', [{ error: { code: -32000, message: 'no' } }, fine]),
	tool('falls', [busy({ max_retries: 1, fallback_tool: 'net' })]), tool('net', [{}]),
	tool('falls-back', [busy({ max_retries: 1, fallback_tool: 'falls-forth' })]), tool('falls-forth', [busy({ max_retries: 1, fallback_tool: 'falls-back' })]),
	tool('falls-into-disabled', [busy({ max_retries: 0, fallback_tool: 'filming' })]),
	{ ...tool('filming', [fine]), security: { risk_level: 'safe', permissions_required: ['camera'], validator: 'none' } },
	tool('falls-into-validator', [busy({ max_retries: 0, fallback_tool: 'shell' })]),
	{ ...tool('shell', [fine]), security: { risk_level: 'moderate', validator: 'sandbox' } },
	tool('falls-nowhere', [busy({ max_retries: 0, fallback_tool: 'no_such_tool' })]),
	tool('falls-elsewhere', [busy({ max_retries: 0, fallback_tool: 'other.net' })]),
	tool('much-later', [busy({ retry_after_ms: 3_600_000 })]),
], permissions: ['camera', 'system.info'] }, { policy: 'deny_all', permissions_granted: ['system.info'] });
const other = new Outsider('other', { extensions: ['security'], tools: [tool('net', [{ text: 'elsewhere' }])] }, { default_policy: 'opt-in' });

const house = await MgpHouse.forFile({ audit: true, servers: [server, other], kernel: { ...FREE, call_timeout: '20s' } });
await house.allConnected();

const client = () => house.client('ann', 'busy');
const gaps = (name) => server.calls(name).map((one) => one.at).map((at, index, all) => (index === 0 ? 0 : at - all[index - 1])).slice(1);
const atLeast = (found, wanted) => {
	assert.equal(found.length, wanted.length, found.join());
	for (const [index, least] of wanted.entries())
		assert.ok(found[index] >= least - 10, `gap ${index}: ${found[index]} ms, at least ${least} wanted`);
};

test('14.6.1 the kernel waits at least retry_after_ms before it repeats', async () => {
	assert.equal(await (await client()).text('waits'), 'fine');
	atLeast(gaps('waits'), [400, 400]);
});

test('14.6.2 fixed_delay waits as long each time', async () => {
	assert.equal(await (await client()).text('fixed'), 'fine');
	atLeast(gaps('fixed'), [200, 200, 200]);
});

test('14.6.2 exponential_backoff waits longer each time', async () => {
	assert.equal(await (await client()).text('doubles'), 'fine');
	atLeast(gaps('doubles'), [200, 400, 800]);
});

test('14.6.2 immediate waits for retry_after_ms and no longer than it says', async () => {
	assert.equal(await (await client()).text('immediate'), 'fine');
	atLeast(gaps('immediate'), [300]);
	assert.equal(await (await client()).text('at-once'), 'fine');
	assert.equal(server.calls('at-once').length, 2);
});

test('14.6.3 it stops after max_retries repeats, and the last error comes to the client', async () => {
	const error = await (await client()).refused('twice');
	assert.equal(error.code, 3000);
	assert.equal(recoveryOf(error).retryable, true);
	assert.equal(server.calls('twice').length, 3);
	await (await client()).refused('never');
	assert.equal(server.calls('never').length, 1);
});

test('14.6.3 five repeats are the most, whatever the server says', async () => {
	await (await client()).refused('endless');
	assert.equal(server.calls('endless').length, 6);
});

test('14.6.4 after all repeats the fallback tool is called with the same arguments', async () => {
	const args = { question: ['what', { now: true }] };
	const { arguments: got, name } = JSON.parse(await (await client()).text('falls', args));
	assert.deepEqual([name, got], ['net', args]);
	assert.equal(server.calls('falls').length, 2);
	assert.equal(server.calls('net').length, 1);
});

test('14.6.4 fallbacks that lead in a circle have an end', async () => {
	await (await client()).refused('falls-back');
	assert.ok(server.calls('falls-back').length + server.calls('falls-forth').length <= 12);
});

test('14.6.4 the fallback tool passes every gate', async () => {
	await (await client()).refused('falls-into-disabled');
	assert.deepEqual(server.calls('filming'), []);
	await (await client()).refused('falls-into-validator', { command: 'a; b' });
	assert.deepEqual(server.calls('shell'), []);
	await (await client()).refused('falls-nowhere');
	await (await client()).refused('falls-elsewhere');
	assert.deepEqual(other.calls('net'), [], 'no grant, no call');
});

test('14.6.5 every repeat is audited with the trace of the call', async () => {
	const trace = randomUUID();
	const reached = server.calls('twice').length;
	await (await client()).refused('twice', {}, { trace });
	await house.audited('TOOL_EXECUTED', (event) => event.trace_id === trace);
	const retries = house.events.filter((event) => event.event_type === 'dev.hustings.tool_retried' && event.trace_id === trace);
	assert.equal(retries.length, 2);
	assert.equal(server.calls('twice').length, reached + 3);
	for (const { target } of retries)
		assert.deepEqual([target.server_id, target.tool_name], ['busy', 'twice']);
});

test('14.6 what is not retryable is not repeated, and is reported', async () => {
	const error = await (await client()).refused('final');
	assert.equal(error.code, 3000);
	assert.equal(recoveryOf(error).retryable, false);
	assert.equal(server.calls('final').length, 1);
	assert.equal((await (await client()).refused('plain-error')).code, -32000);
	assert.equal(server.calls('plain-error').length, 1);
});

test('14.6 only what is safe to repeat is repeated: the others are the client\'s to decide', async () => {
	assert.equal(await (await client()).text('idempotent'), 'fine');
	assert.equal(server.calls('idempotent').length, 2);
	for (const name of ['writes', 'unannotated']) {
		const error = await (await client()).refused(name);
		assert.equal(recoveryOf(error).retryable, true, 'the client may');
		assert.equal(server.calls(name).length, 1);
	}
});

test('14.6 a wait beyond the time of the call is not begun', async () => {
	const error = await (await client()).refused('much-later');
	assert.equal(error.code, 3000);
	assert.equal(recoveryOf(error).retry_after_ms, 3_600_000);
	assert.equal(server.calls('much-later').length, 1);
});

test('14.6 a plain client gets the answer of a repeat like any other, and the last error in words', async () => {
	const plain = await house.plain('bob', 'busy');
	const answer = await plain.call('twice');
	isPlain(answer);
	assert.equal(answer.result.isError, true);
	assert.equal((await plain.text('falls', { a: 1 })).includes('"net"'), true);
});
