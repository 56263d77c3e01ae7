// SPDX-License-Identifier: Apache-2.0
// Reading the audit trail: filtered, live, counted, as a file; by HTTP and by command.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, Gateway, freshFolder } from './lib/gateway.mjs';
import { freshTopic, house, houseFor, joinAs, request } from './lib/house.mjs';
import { until, within } from './lib/wait.mjs';

const gateway = await house({ args: ['--threads', '2'] });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const admin = (path, own = gateway) => own.request('GET', `/admin/audit${path}`, { token: own.adminToken() });

async function records(query, own = gateway) {
	const answer = await admin(query, own);
	assert.equal(answer.status, 200, answer.text);
	return answer.json.records;
}

/** Somebody's privilege is changed: one record whose target is that id. */
async function promote(id, own = gateway) {
	await own.ask('POST', `/admin/participants/${encodeURIComponent(id)}/promote`, 200, { token: own.adminToken() });
}

/** A refusal in a room, of that id. */
async function refuse(id, topic = freshTopic(), own = gateway) {
	const robin = await joinAs(own, topic, id, { privilege: 'restricted' });
	await robin.refusal(request('somebody'));
	return topic;
}

/** Follows the trail: {events, ended, close}. */
function follow(query, { own = gateway, token = own.adminToken() } = {}) {
	const events = [];
	const stream = { events };
	const began = new Promise((done, failed) => {
		const asked = http.get({ host: own.host, port: own.port, path: `/admin/audit?follow=1${query}`, agent: false,
			headers: { authorization: `Bearer ${token}` } }, (response) => {
			let rest = '';
			stream.status = response.statusCode;
			stream.type = response.headers['content-type'];
			stream.ended = new Promise((end) => { response.on('close', end); });
			response.on('error', () => {});
			response.setEncoding('utf8').on('data', (text) => {
				done(stream); // the first octets: it listens
				const parts = (rest + text).split('\n\n');
				rest = parts.pop();
				for (const part of parts) {
					const data = part.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
					if (data.length)
						events.push({ name: /^event: (.*)$/m.exec(part)?.[1], data: JSON.parse(data.join('\n')) });
				}
			});
		});
		asked.on('error', failed);
		stream.close = () => asked.destroy();
	});
	stream.next = (fits) => until(() => events.find(({ data }) => fits(data))?.data, `an event for which ${fits}`);
	return within(began, 'the stream begins');
}

test('pages are filtered by actor, event, topic, gate, result, tool, server, trace and time', async () => {
	const topic = await refuse('f-robin');
	await promote('f-promoted');
	await until(async () => (await records('?actor=f-robin&event=refused')).length === 1, 'the refusal');
	assert.deepEqual((await records(`?topic=${encodeURIComponent(topic)}`)).map(({ event }) => event), ['refused', 'joined']);
	assert.deepEqual((await records('?actor=f-robin&event=dev.hustings.envelope_refused')).map(({ gate }) => gate), ['privilege']);
	assert.deepEqual((await records('?actor=f-robin&event=dev.hustings.*')).length, 2);
	assert.deepEqual((await records('?actor=f-robin&gate=privilege')).map(({ event }) => event), ['refused']);
	assert.deepEqual((await records('?actor=f-robin&result=BLOCKED')).map(({ event }) => event), ['refused']);
	assert.deepEqual((await records('?actor=f-robin&result=SUCCESS')).map(({ event }) => event), ['joined']);
	const [privilege] = await records('?event=privilege&limit=1');
	assert.equal(privilege.target, 'f-promoted');
	assert.equal(privilege.event_type, 'dev.hustings.privilege_changed');
	for (const nothing of ['tool=x', 'gate=kind', 'server=x', 'trace=550e8400e29b41d4a716446655440000', 'source=claimed', 'source=server:x',
		'until=2001-01-01T00:00:00Z', 'since=2999-01-01T00:00:00Z'])
		assert.deepEqual(await records(`?actor=f-robin&${nothing}`), [], nothing);
	assert.equal((await records(`?actor=f-robin&since=1h&until=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).length, 2);
});

test('pages go on where the last one ended', async () => {
	for (let i = 0; i < 5; i += 1)
		await promote(`p-${i}`);
	const all = (await records('?event=privilege&limit=5')).map(({ row }) => row);
	const found = [];
	let query = '?event=privilege&limit=2';
	while (found.length < 5) {
		const { json } = await admin(query);
		found.push(...json.records.map(({ row }) => row));
		query = `?event=privilege&limit=2&before=${json.next_before}`;
	}
	assert.deepEqual(found.slice(0, 5), all);
});

test('a wrong query is refused in words', async () => {
	for (const query of ['since=yesterday', 'until=never', 'limit=0', 'limit=5000', 'before=x', 'trace=call-7', 'source=me', 'follow=perhaps',
		'follow=1&until=1h', 'follow=1&format=csv']) {
		const answer = await admin(`?${query}`);
		assert.equal(answer.status, 400, query);
		const names = query.split('&').map((one) => one.split('=')[0]);
		assert.ok(names.some((name) => answer.json.message.includes(`query ${name}`)), answer.text);
	}
	for (const path of ['/statistics?by=day', '/statistics?limit=0', '/export?format=xml', '/export?since=x'])
		assert.equal((await admin(path)).status, 400, path);
});

test('all of it is for administrators', async () => {
	const token = await gateway.token({ id: 'plain-reader', privilege: 'full' });
	for (const path of ['', '?follow=1', '/statistics', '/export']) {
		assert.equal((await gateway.request('GET', `/admin/audit${path}`, { token })).status, 403, path);
		assert.equal((await gateway.request('GET', `/admin/audit${path}`)).status, 401, path);
	}
});

test('a stream tells of records as they are added, from every loop', async () => {
	const stream = await follow('');
	assert.equal(stream.status, 200);
	assert.equal(stream.type, 'text/event-stream');
	for (let i = 0; i < 6; i += 1)
		await refuse(`s-robin-${i}`);
	await promote('s-promoted');
	for (let i = 0; i < 6; i += 1) {
		const record = await stream.next((data) => data.actor === `s-robin-${i}` && data.event === 'refused');
		assert.equal(record.gate, 'privilege');
		assert.match(record.ts, /^\d{4}-\d\d-\d\dT.*Z$/);
	}
	assert.equal((await stream.next((data) => data.target === 's-promoted')).event_type, 'dev.hustings.privilege_changed');
	stream.close();
});

test('a stream tells of what commands write into the files', async () => {
	const stream = await follow('&event=token');
	await gateway.token({ id: 's-by-command' });
	const record = await stream.next((data) => data.target === 's-by-command');
	assert.equal(record.result, 'created');
	assert.deepEqual(record.details, { by: 'command' });
	await gateway.token({ id: 's-once' });
	await stream.next((data) => data.target === 's-once');
	assert.deepEqual(stream.events.map(({ data }) => data.target), ['s-by-command', 's-once']);
	stream.close();
});

test('a stream has its own filter', async () => {
	const stream = await follow('&event=dev.hustings.privilege_changed');
	await refuse('only-robin');
	await promote('only-promoted');
	await stream.next((data) => data.target === 'only-promoted');
	assert.deepEqual(stream.events.map(({ data }) => data.event), ['privilege']);
	stream.close();
});

test('what was before comes first, the oldest of it first', async () => {
	for (const id of ['past-1', 'past-2', 'past-3'])
		await promote(id);
	const stream = await follow('&event=privilege&limit=3');
	await promote('past-live'); // it may be past or live, and comes once
	await stream.next((data) => data.target === 'past-live');
	const targets = stream.events.map(({ data }) => data.target);
	assert.deepEqual(targets.slice(-3), ['past-2', 'past-3', 'past-live']);
	assert.ok(targets.length <= 4, targets.join(' '));
	assert.ok(Number.isInteger(stream.events[0].data.row));
	stream.close();
});

test('a stream of events has the form of MGP 6.3', async () => {
	const stream = await follow('&format=mgp');
	await promote('mgp-promoted');
	const event = await stream.next((data) => data.details.subject === 'mgp-promoted');
	assert.match(event.trace_id, UUID);
	assert.deepEqual(Object.keys(event), ['timestamp', 'trace_id', 'event_type', 'actor', 'target', 'result', 'details']);
	assert.equal(event.actor.type, 'principal');
	assert.equal(event.result, 'SUCCESS');
	stream.close();
});

test('an EventSource needs no follow=1', async () => {
	const answer = new Promise((done, failed) => {
		const asked = http.get({ host: gateway.host, port: gateway.port, path: '/admin/audit', agent: false,
			headers: { authorization: `Bearer ${gateway.adminToken()}`, accept: 'text/event-stream' } }, (response) => {
			done(response.headers['content-type']);
			response.on('error', () => {});
			asked.destroy();
		});
		asked.on('error', failed);
	});
	assert.equal(await within(answer, 'the head'), 'text/event-stream');
});

test('a stream ends when its token is revoked', async () => {
	const token = await gateway.token({ id: 'gone-admin', admin: true });
	const stream = await follow('', { token });
	await gateway.ask('DELETE', '/admin/tokens?id=gone-admin', 200, { token: gateway.adminToken() });
	await until(async () => {
		await promote('after-the-revocation');
		return Promise.race([stream.ended.then(() => true), new Promise((done) => { setTimeout(done, 50); })]);
	}, 'the end of the stream');
});

test('statistics count by type, actor, server and hour', async () => {
	await promote('counted-1');
	await promote('counted-2');
	const { json } = await admin('/statistics?event=privilege');
	assert.deepEqual(Object.keys(json.by), ['type', 'actor', 'server', 'hour']);
	assert.deepEqual(json.by.type.map(({ key }) => key), ['dev.hustings.privilege_changed']);
	assert.equal(json.by.type[0].count, json.count);
	assert.equal(json.by.hour.reduce((sum, { count }) => sum + count, 0), json.count);
	assert.ok(json.records >= 2);
	const { json: one } = await admin('/statistics?by=actor&limit=1');
	assert.deepEqual(Object.keys(one.by), ['actor']);
	assert.equal(one.by.actor.length, 1);
	assert.ok(one.other.actor > 0);
});

test('an export has every record once, the oldest first', async () => {
	await promote('exported');
	const answer = await admin('/export');
	assert.match(answer.headers['content-disposition'], /audit\.jsonl/);
	const rows = answer.text.trim().split('\n').map((line) => JSON.parse(line).row);
	assert.deepEqual(rows, Array.from(rows, (_, at) => at + 1));
	const [newest] = await records('?limit=1');
	assert.ok(rows.length >= newest.row - 5 && rows.length > 10);
	const events = (await admin('/export?format=mgp&event=privilege')).text.trim().split('\n').map((line) => JSON.parse(line));
	assert.equal(events.at(-1).details.subject, 'exported');
	assert.equal((await gateway.request('HEAD', '/admin/audit/export', { token: gateway.adminToken() })).text, '');
});

test('an export as CSV holds no formula', async () => {
	await promote('=1+1');
	await promote('@SUM(A1,A2)');
	const answer = await admin('/export?format=csv&event=privilege');
	assert.match(answer.headers['content-type'], /^text\/csv/);
	const lines = answer.text.split('\r\n');
	assert.match(lines[0], /^row,time,event_type,/);
	assert.ok(lines.some((line) => line.includes(',\'=1+1,')));
	assert.ok(lines.some((line) => line.includes(',"\'@SUM(A1,A2)",')));
	assert.ok(!/,[=+@]/.test(answer.text));
});

test('the audit file has every record as a line of MGP 6.3, and begins anew when it is large', async (t) => {
	const path = join(freshFolder(), 'audit.jsonl');
	const own = await houseFor(t, { config: `[gateway]\naudit_file = "${path}"\naudit_file_size = "1KiB"\naudit_file_count = 2\n` });
	for (let i = 0; i < 12; i += 1)
		await promote(`file-${i}`, own);
	await until(() => readFileSync(path, 'utf8').includes('file-11'), 'the last line');
	assert.equal(statSync(path).mode & 0o777, 0o600);
	assert.ok(existsSync(`${path}.2`) && !existsSync(`${path}.3`));
	const subjects = [`${path}.2`, `${path}.1`, path].flatMap((one) => readFileSync(one, 'utf8').trim().split('\n'))
		.map((line) => JSON.parse(line).details.subject);
	assert.deepEqual(subjects, Array.from(subjects, (_, at) => `file-${12 - subjects.length + at}`));
	renameSync(path, `${path}.moved`);
	own.signal('SIGHUP');
	await until(() => existsSync(path), 'the file is opened again');
	await promote('after-the-reload', own);
	await until(() => readFileSync(path, 'utf8').includes('after-the-reload'), 'the line in the new file');
	const { text } = await own.request('GET', '/metrics');
	assert.match(text, /^hustings_audit_file_lost_total 0$/m);
});

test('a gateway does not start with an audit file that cannot be written', async () => {
	const failed = await Gateway.start({ set: { 'gateway.audit_file': '/nowhere/audit.jsonl' } }).then(() => undefined, (error) => error);
	assert.match(failed.message, /gateway\.audit_file: .*\/nowhere\/audit\.jsonl/);
});

test('the command lists, filters, counts and exports', async () => {
	await refuse('c-robin');
	await until(async () => (await records('?actor=c-robin&event=refused')).length === 1, 'the refusal');
	const table = await gateway.command(['audit', '--actor', 'c-robin', '--result', 'BLOCKED']);
	assert.equal(table.code, 0, table.stderr);
	assert.match(table.stdout, /^ROW +TIME +EVENT +ACTOR +TOPIC +GATE +RESULT +COUNT\n\d+ +\S+ +refused +c-robin +room:\S+ +privilege /);
	const json = JSON.parse((await gateway.command(['audit', 'list', '--actor', 'c-robin', '--json'])).stdout);
	assert.deepEqual(json.records.map(({ event }) => event), ['refused', 'joined']);
	assert.equal(json.next_before, null);
	const stats = await gateway.command(['audit', 'stats', '--actor', 'c-robin']);
	assert.match(stats.stdout, /^TYPE +COUNT\ndev\.hustings\.\S+ +1 {2}#{40}\ndev\.hustings\.\S+ +1 {2}#{40}\n2 records\n$/);
	assert.match((await gateway.command(['audit', 'stats', '--by', 'hour'])).stdout, /^HOUR +COUNT\n\d{4}-\d\d-\d\dT\d\d:00:00\.000Z +\d+ {2}#/);
	const file = join(freshFolder(), 'audit.csv');
	const exported = await gateway.command(['audit', 'export', '--format', 'csv', '--actor', 'c-robin', '--output', file]);
	assert.equal(exported.code, 0, exported.stderr);
	assert.equal(statSync(file).mode & 0o777, 0o600);
	assert.equal(readFileSync(file, 'utf8').split('\r\n').length, 4);
});

test('the command says what is wrong with its options', async () => {
	for (const [args, words] of [[['--trace', 'x'], /--trace must be a UUID/], [['--since', 'x'], /--since must be a time/],
		[['--source', 'me'], /--source must be/], [['--follow', '--until', '1h'], /--follow has no end/], [['stats', '--by', 'day'], /--by must be/],
		[['export', '--format', 'xml'], /--format must be/], [['expo'], /did you mean 'export'/]]) {
		const refused = await gateway.command(['audit', ...args]);
		assert.notEqual(refused.code, 0, args.join(' '));
		assert.match(refused.stderr, words);
	}
	const help = await gateway.command(['audit', '--help']);
	assert.equal(help.code, 0);
	for (const verb of ['verify', 'export', 'stats', '--follow', '--trace'])
		assert.ok(help.stdout.includes(verb), verb);
});

test('the command follows', async (t) => {
	const child = spawn(BINARY, ['audit', '--follow', '--limit', '0', '--json', '--data', gateway.data], { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => child.kill('SIGKILL'));
	let lines = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { lines += text; });
	await until(async () => {
		await promote('followed');
		return lines.includes('followed');
	}, 'a line');
	assert.equal(JSON.parse(lines.split('\n')[0]).event, 'privilege');
	child.kill('SIGINT');
});

test('without a gateway the command reads the files', async (t) => {
	const own = await houseFor(t, {});
	for (let i = 0; i < 3; i += 1)
		await promote(`files-${i}`, own);
	await own.stop();
	const listed = JSON.parse((await own.command(['audit', '--limit', '2', '--json'])).stdout);
	assert.deepEqual(listed.records.map(({ target }) => target), ['files-2', 'files-1']);
	const { records: before } = JSON.parse((await own.command(['audit', '--before', String(listed.next_before), '--json'])).stdout);
	assert.ok(before.some(({ target }) => target === 'files-0'));
	assert.match((await own.command(['audit', 'stats', '--by', 'type'])).stdout, /dev\.hustings\.privilege_changed +3 /);
	const lines = (await own.command(['audit', 'export', '--event', 'privilege'])).stdout.trim().split('\n').map((line) => JSON.parse(line));
	assert.deepEqual(lines.map(({ target }) => target), ['files-0', 'files-1', 'files-2']);
	assert.match((await own.command(['audit', '--follow'])).stderr, /gateway/);
	const nothing = await own.command(['audit'], { env: {} , home: own.home });
	assert.equal(nothing.code, 0);
	assert.equal((await own.command(['audit', 'verify'])).code, 0);
});
