/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A probe: octets for the gateway, the statuses that may come back, and whether the connection then
 * goes on. `statuses` has a row per expected answer. "closed": the gateway ends the connection and
 * answers nothing more. "kept": a further request on it is answered. "either": both are allowed by
 * HTTP, but every answer must be one of the rows.
 */
import assert from 'node:assert/strict';
import { HttpExchange } from '../support/http_exchange.mjs';

const HOST = 'Host: 127.0.0.1\r\n';

/* A request without a body; `fields` is raw, each line with its end. */
export function request(target, fields = '', { method = 'GET', host = HOST, version = 'HTTP/1.1' } = {}) {
	return `${method} ${target} ${version}\r\n${host}${fields}\r\n`;
}

export const POST_TARGET = '/v0/topics/probe/messages?id=poster';

/* A POST into the room; `fields` must say how long the body is. */
export function post(fields, body = '') {
	return `POST ${POST_TARGET} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${fields}\r\n${body}`;
}

export const MESSAGE = JSON.stringify({ kind: 'chat', payload: { text: 'probe' } });
export const SMUGGLED = request('/healthz', 'X-Smuggled: yes\r\n');

/* A refused request ends its connection: nothing that follows may be taken for a request. */
export const refused = (name, bytes, ...statuses) => ({ name, bytes, rows: [statuses], then: 'closed' });
export const served = (name, bytes, rows, extra = {}) => ({ name, bytes, rows, then: 'kept', ...extra });
export const last = (name, bytes, rows, extra = {}) => ({ name, bytes, rows, then: 'closed', ...extra });
export const either = (name, bytes, rows, extra = {}) => ({ name, bytes, rows, then: 'either', ...extra });

function checkRows(exchange, { rows }) {
	exchange.answers.forEach((answer, at) => {
		assert.ok(at < rows.length, `answer ${at + 1} (${answer.line}) belongs to no request of ours`);
		assert.ok(rows[at].includes(answer.status), `answer ${at + 1} is ${answer.line}, expected ${rows[at].join(" or ")}`);
	});
}

async function checkGoesOn(exchange, { rows, then }) {
	if (then === 'kept') {
		assert.equal(exchange.raw.ended, false, 'the connection was closed');
		await exchange.write(request('/healthz'));
		assert.ok(await exchange.untilAnswers(rows.length + 1), 'the connection was closed before a further request was answered');
		assert.equal(exchange.statuses().at(-1), 200);
		assert.equal(exchange.answers.length, rows.length + 1);
		return;
	}
	if (then === 'either') exchange.raw.finish();
	await exchange.untilEnd();
	checkRows(exchange, { rows });
}

export async function runProbe(port, probe) {
	const exchange = await HttpExchange.open(port, probe.methods);
	try {
		await exchange.write(probe.bytes);
		const whole = await exchange.untilAnswers(probe.then === 'either' ? 1 : probe.rows.length);
		checkRows(exchange, probe);
		assert.ok(whole, `the connection ended after ${exchange.answers.length} of ${probe.rows.length} answers`);
		if (probe.check) probe.check(exchange.answers);
		await checkGoesOn(exchange, probe);
	} finally {
		exchange.destroy();
	}
}
