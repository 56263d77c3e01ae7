// SPDX-License-Identifier: Apache-2.0
// A hostile participant tries everything; nothing of it succeeds, and an innocent bystander in the
// same room loses nothing. Every probe is followed by a tick of the honest sender, and the bystander
// has to have exactly the ticks, in order.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, joinAs, request, wholeHistory } from './lib/house.mjs';
import { frame, RawSocket, RawWebSocket, statusOf, upgradeHead } from './lib/raw_socket.mjs';
import { chatText, RoomClient, V0, V01 } from './lib/room_client.mjs';
import { past } from './lib/wait.mjs';

const gateway = await house({ set: { 'rooms.pace': 'off' } });
const topic = freshTopic();
const honest = await joinAs(gateway, topic, 'honest');
const bystander = await joinAs(gateway, topic, 'bystander');
const fullToken = await gateway.token({ id: 'mallory', privilege: 'full' });
const weakToken = await gateway.token({ id: 'weakling', privilege: 'restricted' });
const scopedToken = await gateway.token({ id: 'outsider', topic: 'room:elsewhere', privilege: 'full' });

let ticks = 0;
let id = 0;

/** The honest sender's tick has to arrive, and nothing of the hostile ones before it but presence. */
async function bystanderIsWell() {
	ticks += 1;
	const tick = `tick ${ticks}`;
	honest.chat(tick);
	const seen = await bystander.collect((envelope) => chatText(envelope) === tick);
	for (const envelope of seen.slice(0, -1))
		assert.equal(envelope.kind, 'presence', `the bystander received ${JSON.stringify(envelope).slice(0, 300)}`);
	await honest.next((envelope) => chatText(envelope) === tick);
}

const clients = new Map();

/** The hostile client of that token; a new one when the last was closed. */
async function hostile(token, protocol = V01) {
	const key = token + protocol;
	let client = clients.get(key);
	if (client === undefined || client.end !== null) {
		client = await RoomClient.connect({ gateway, topic, token, protocol });
		clients.set(key, client);
	}
	return client;
}

function fresh() {
	id += 1;
	return `h-${id}`;
}

// --- Envelopes -------------------------------------------------------------------------------

/** One envelope as text from its parts; `raw` parts are put in as they stand. */
function text(parts = {}) {
	const whole = { protocol: `"${V01}"`, id: `"${fresh()}"`, kind: '"chat"', payload: '{"text":"x"}', ...parts };
	return `{${Object.entries(whole).filter(([, value]) => value !== undefined).map(([key, value]) => `"${key}":${value}`).join(',')}}`;
}

function extra(addition, parts = {}) {
	return `${text(parts).slice(0, -1)},${addition}}`;
}

const CALL = { kind: '"mcp"', to: '["honest"]', payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}' };

const envelopes = [
	// forged senders
	...['honest', 'bystander', 'system:gateway', 'system:', 'system:x', 'Mallory', 'MALLORY', 'mallory ', ' mallory', 'mallory\\n', 'mallory\\u0000',
		'm\\u0430llory', 'mallory\\u200b', 'mallory\\u202e', '\\u0068onest', 'hones\\u0074', '', '*', 'null', '../mallory', 'mallory/honest', 'x'.repeat(300)]
		.map((from) => [`from "${from.slice(0, 40)}"`, text({ from: `"${from}"` })]),
	...['null', '7', 'true', '["mallory"]', '{"id":"mallory"}', '{}', '[]'].map((from) => [`from ${from}`, text({ from })]),
	['a second from', extra('"from":"mallory"', { from: '"honest"' })],
	['a second from, own name first', extra('"from":"honest"', { from: '"mallory"' })],
	['a second from by escapes', extra('"fr\\u006fm":"honest"', { from: '"mallory"' })],
	['From', extra('"From":"honest"')],
	['FROM', extra('"FROM":"honest"', { from: '"mallory"' })],
	['an escaped forged key', extra('"\\u0066\\u0072\\u006f\\u006d":"honest"')],

	// kinds that are not theirs
	...['system', 'presence', 's\\u0079stem', '\\u0070resence', 'System', 'SYSTEM', 'system ', ' system', 'system\\u0000', 'sys\\tem', 'presence\\n', 'Presence',
		'MCP', 'Mcp', ' mcp', 'mcp ', 'mcp\\t', 'mcp\\u0000', 'mcp/', '/mcp', 'mcp/proposal/', 'mcp/Proposal', 'mcp\\u002fProposal', 'mcp//proposal', 'CHAT', 'chat ', 'chat\\u0000', 'cha\\u0442',
		'', 'error', 'welcome', 'admin', 'x'.repeat(5000)]
		.map((kind) => [`kind "${kind.slice(0, 40)}"`, text({ kind: `"${kind}"`, payload: '{"event":"leave","participant":{"id":"honest"}}' })]),
	...['null', '1', 'true', '["mcp"]', '{"kind":"chat"}', '[]'].map((kind) => [`kind ${kind}`, text({ kind })]),
	['a second kind', extra('"kind":"system"')],
	['a second kind by escapes', extra('"k\\u0069nd":"system"')],
	['Kind', extra('"Kind":"system"')],
	['kind with another kind before it', `{"kind":"system",${text().slice(1)}`],

	// ids of the gateway, and ids that are none
	...['"system:1"', '"system:gateway"', '"sys\\u0074em:1"', '""', '1', 'null', 'true', '[]', '{}', '["x"]', '"a\\u0000b"']
		.map((value) => [`id ${value.slice(0, 40)}`, text({ id: value })]),
	['no id', text({ id: undefined })],
	['a second id', extra('"id":"other"')],
	['ID', extra('"ID":"other"')],
	['Id by escapes', extra('"\\u0049d":"other"')],

	// protocols
	...['"mcp-x/v1"', '"mcpx/v0"', '"mcpx/v0.10"', '"MCPX/v0.1"', '"mcpx/v0.1 "', '" mcpx/v0.1"', '"mcpx/v0.1\\u0000"', '""', 'null', '0.1', '[]', '["mcpx/v0.1"]', '{}']
		.map((protocol) => [`protocol ${protocol}`, text({ protocol })]),
	['no protocol', text({ protocol: undefined })],
	['a second protocol', extra('"protocol":"mcp-x/v0"')],
	['Protocol', extra('"Protocol":"mcp-x/v0"')],

	// payloads
	...['null', '1', '"x"', '[]', '[{}]', 'true', '"{}"'].map((payload) => [`payload ${payload}`, text({ payload })]),
	['no payload', text({ payload: undefined })],
	['a second payload', extra('"payload":{"text":"y"}')],
	['a second payload by escapes', extra('"p\\u0061yload":{"text":"y"}')],
	['PAYLOAD', extra('"PAYLOAD":{"text":"y"}')],

	// recipients
	...['"honest"', 'null', '7', '{}', '[7]', '[null]', '[["honest"]]', '[{}]', '["honest",7]', '[true]'].map((to) => [`to ${to}`, text({ to })]),
	['To', extra('"To":["honest"]')],
	['a second to', extra('"to":["bystander"]', { to: '["honest"]' })],
	['a request to nobody', text({ ...CALL, to: undefined })],
	['a request to an empty list', text({ ...CALL, to: '[]' })],
	['a request to two', text({ ...CALL, to: '["honest","bystander"]' })],
	['a request to many', text({ ...CALL, to: JSON.stringify(Array.from({ length: 2000 }, (_, i) => `p${i}`)) })],

	// times, correlations, answers
	...['"now"', '""', '0', '1755439200', 'null', '"2025-08-17"', '"2025-08-17 14:00"', '"2025-02-30T14:00:00Z"', '"2025-08-17T25:00:00Z"', '"2025-08-17T14:61:00Z"', '"2025-08-17T14:00:00Zx"', '"2025-08-17T14:00:00+99:99"', '"-2025-08-17T14:00:00Z"']
		.map((ts) => [`ts ${ts}`, text({ ts })]),
	...['7', 'null', '[]', '{}', 'true'].map((value) => [`correlation_id ${value}`, text({ correlation_id: value })]),
	['Correlation_Id', extra('"Correlation_Id":"x"')],
	['a result that answers nothing', text({ ...CALL, payload: '{"jsonrpc":"2.0","id":1,"result":{}}' })],
	['an error that answers nothing', text({ ...CALL, payload: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}' })],

	// text that is not quite JSON
	...['', ' ', '{', '}', '{}', '[]', '[', '""', '"', 'x', '\u0000', '\uFEFF{}', '{"a":1', '{"a"}', '{"a":}', '{a:1}', "{'a':1}", '{"a":1,}', '{,}', '{"a":01}', '{"a":+1}', '{"a":.5}', '{"a":1.}', '{"a":1e}', '{"a":0x10}', '{"a":NaN}', '{"a":Infinity}', '{"a":-}', '{"a":tru}', '{"a":"\\x"}', '{"a":"\\u12"}', '{"a":"\n"}', '{"a":"\t"}', '{"a":1}//', '/**/{"a":1}', '{"a":1}{"b":2}', '{"a":1} x', '{"a" 1}', '{"a":1 "b":2}', '{"a":"\\ud800"}', '{"a":"\\udc00\\ud800"}', '{"\\ud800":1}']
		.map((bad) => [`text ${JSON.stringify(bad)}`, bad]),
	['a good envelope with text after it', `${text()}x`],
	['a good envelope with a NUL after it', `${text()}\u0000`],
	['two good envelopes', text() + text()],
	['two good envelopes on lines', `${text()}\n${text()}`],
	['a list of good envelopes', `[${text()},${text()}]`],
	['a good envelope in quotes', JSON.stringify(text())],
	['a byte order mark before a good envelope', `\uFEFF${text()}`],
	['a lone surrogate in the payload', text({ payload: '{"text":"\\udead"}' })],
	['a lone surrogate in an unknown field', extra('"note":"\\ud800x"')],
	['a raw control character in the payload', text({ payload: '{"text":"a\u0001b"}' })],
	['a bad number in the payload', text({ payload: '{"text":"x","n":01}' })],
	['an unknown field twice', extra('"note":1,"note":2')],

	// depth
	['arrays 70 deep', text({ payload: `{"a":${'['.repeat(70)}${']'.repeat(70)}}` })],
	['arrays 5,000 deep', text({ payload: `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}` })],
	['arrays 400,000 deep', text({ payload: `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}` })],
	['objects 50,000 deep', text({ payload: `{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}` })],
	['arrays that never close', text({ payload: `{"a":${'['.repeat(500_000)}}` })],
	['depth in an unknown field', extra(`"note":${'['.repeat(100)}${']'.repeat(100)}`)],
];

for (const [what, attempt] of envelopes) {
	test(`refused: ${what}`, async () => {
		const mallory = await hostile(fullToken);
		mallory.queue.length = 0;
		mallory.send(attempt);
		const answer = await mallory.next((envelope) => envelope.from === 'system:gateway'
			&& (envelope.payload.event === 'error' || envelope.payload.error !== undefined));
		assert.ok(answer.kind === 'system' || answer.kind === 'mcp');
		if (answer.kind === 'system')
			assert.match(answer.payload.gate, /^(size|protocol|shape|unique|sender|kind|privilege|address)$/);
		await bystanderIsWell();
	});
}

// --- What only the restricted may not -----------------------------------------------------------

const forbidden = [
	['a request', CALL],
	['a request to itself', { ...CALL, to: '["weakling"]' }],
	['initialize', { ...CALL, payload: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}' }],
	['a notification', { kind: '"mcp"', payload: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}' }],
	['a chat notification', { kind: '"mcp"', payload: '{"jsonrpc":"2.0","method":"notifications/chat/message","params":{"text":"x"}}' }],
	['an answer', { kind: '"mcp"', to: '["honest"]', correlation_id: '"x"', payload: '{"jsonrpc":"2.0","id":1,"result":{}}' }],
	['an error', { kind: '"mcp"', to: '["honest"]', correlation_id: '"x"', payload: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}' }],
	['mcp by escapes', { ...CALL, kind: '"\\u006dcp"' }],
	['mcp by other escapes', { ...CALL, kind: '"m\\u0063\\u0070"' }],
	['a claimed privilege', { ...CALL, privilege: '"full"' }],
	['a claimed record', { ...CALL, participant: '{"id":"weakling","privilege":"full"}' }],
	['a payload that calls itself a proposal', { ...CALL, payload: '{"kind":"mcp/proposal","jsonrpc":"2.0","id":1,"method":"ping"}' }],
	['authorization/respond', { ...CALL, payload: '{"jsonrpc":"2.0","id":1,"method":"authorization/respond","params":{"approved":true}}' }],
];

for (const [what, parts] of forbidden) {
	for (const protocol of [V01, V0]) {
		test(`refused to the restricted: ${what}, under ${protocol}`, async () => {
			const weakling = await hostile(weakToken, V01);
			weakling.queue.length = 0;
			weakling.send(text({ ...parts, protocol: `"${protocol}"` }));
			const answer = await weakling.next((envelope) => envelope.payload.error !== undefined);
			assert.equal(answer.payload.error.code, -32001);
			await bystanderIsWell();
		});
	}
}

// --- Frames ---------------------------------------------------------------------------------------

const utf8 = (...octets) => Buffer.concat([Buffer.from('{"a":"'), Buffer.from(octets), Buffer.from('"}')]);

const frames = [
	['a frame without a mask', frame({ mask: false, body: text() }), [1002]],
	['a reserved bit', frame({ rsv: 4, body: text() }), [1002]],
	['another reserved bit', frame({ rsv: 2, body: text() }), [1002]],
	['the last reserved bit', frame({ rsv: 1, body: text() }), [1002]],
	...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => [`the reserved opcode ${opcode}`, frame({ opcode, body: 'x' }), [1002]]),
	['a continuation of nothing', frame({ opcode: 0, body: text() }), [1002]],
	['a second start within a message', Buffer.concat([frame({ fin: false, body: 'x' }), frame({ body: 'y' })]), [1002]],
	['a ping of 126 octets', frame({ opcode: 9, body: 'x'.repeat(126) }), [1002]],
	['a fragmented ping', frame({ fin: false, opcode: 9, body: 'x' }), [1002]],
	['a fragmented close', frame({ fin: false, opcode: 8, body: Buffer.from([3, 232]) }), [1002]],
	['a close of one octet', frame({ opcode: 8, body: Buffer.from([3]) }), [1002]],
	...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535].map((code) => [`the close code ${code}`, frame({ opcode: 8, body: Buffer.from([code >> 8, code & 255]) }), [1002]]),
	['a close whose reason is not UTF-8', frame({ opcode: 8, body: Buffer.from([3, 232, 0xff, 0xfe]) }), [1002, 1007]],
	['a length with its highest bit set', Buffer.concat([Buffer.from([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 1]), randomBytes(4)]), [1002, 1009]],
	['an announced gigabyte', frame({ length: 1 << 30, body: 'x' }), [1009]],
	['an announced exabyte', frame({ length: 2 ** 52, body: 'x' }), [1009]],
	['a text of two megabytes', frame({ body: 'x'.repeat(2 << 20) }), [1009]],
	['fragments of two megabytes', Buffer.concat([frame({ fin: false, body: 'x'.repeat(1 << 20) }), frame({ fin: false, opcode: 0, body: 'x'.repeat(1 << 20) })]), [1009]],
	['an octet that is not UTF-8', frame({ body: utf8(0xff) }), [1007]],
	['an overlong slash', frame({ body: utf8(0xc0, 0xaf) }), [1007]],
	['an overlong NUL', frame({ body: utf8(0xc0, 0x80) }), [1007]],
	['a surrogate in UTF-8', frame({ body: utf8(0xed, 0xa0, 0x80) }), [1007]],
	['a code point beyond Unicode', frame({ body: utf8(0xf4, 0x90, 0x80, 0x80) }), [1007]],
	['a lone continuation octet', frame({ body: utf8(0x80) }), [1007]],
	['a cut character', frame({ body: Buffer.from([0x22, 0xe2, 0x82]) }), [1007]],
	['a cut character over fragments', Buffer.concat([frame({ fin: false, body: Buffer.from([0xe2, 0x82]) }), frame({ opcode: 0, body: Buffer.from([0x41]) })]), [1007]],
	['HTTP in the middle', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), [1002]],
	['noise', randomBytes(4000).fill(0xff, 0, 2), [1002, 1009, 1007]],
];

for (const [what, octets, codes] of frames) {
	test(`closed: ${what}`, async () => {
		const raw = await RawWebSocket.open(gateway, { topic, token: fullToken });
		raw.write(octets);
		const code = await raw.closeCode();
		assert.ok(codes.includes(code), `closed with ${code} instead of ${codes}`);
		await raw.raw.gone();
		raw.destroy();
		await bystanderIsWell();
	});
}

test('a connection cut in the middle of a frame harms nobody', async () => {
	for (const cut of [1, 2, 3, 6, 10, 40]) {
		const raw = await RawWebSocket.open(gateway, { topic, token: fullToken });
		raw.write(frame({ body: text() }).subarray(0, cut));
		raw.destroy();
		await bystanderIsWell();
	}
});

// --- Heads ----------------------------------------------------------------------------------------

const HOST = `Host: 127.0.0.1:${gateway.port}`;
const BEARER = `Authorization: Bearer ${fullToken}`;

const heads = [
	['no version', `GET /healthz\r\n${HOST}\r\n\r\n`, [400, 505]],
	['version 2.0', `GET /healthz HTTP/2.0\r\n${HOST}\r\n\r\n`, [400, 505]],
	['version 0.9', `GET /healthz HTTP/0.9\r\n${HOST}\r\n\r\n`, [400, 505]],
	['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 405, 505]],
	['a space before the colon', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX : y\r\n\r\n`, [400]],
	['a folded line', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: y\r\n z\r\n\r\n`, [400]],
	['a bare line feed', `GET /healthz HTTP/1.1\n${HOST}\n\n`, [400]],
	['a bare line feed in a value', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: a\nY: b\r\n\r\n`, [400]],
	['a bare carriage return', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: a\rb\r\n\r\n`, [400]],
	['a NUL in a value', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: a\u0000b\r\n\r\n`, [400]],
	['a NUL in the path', `GET /heal\u0000thz HTTP/1.1\r\n${HOST}\r\n\r\n`, [400]],
	['a space in the path', `GET /heal thz HTTP/1.1\r\n${HOST}\r\n\r\n`, [400]],
	['a header without a colon', `GET /healthz HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`, [400]],
	['a header without a name', `GET /healthz HTTP/1.1\r\n${HOST}\r\n: x\r\n\r\n`, [400]],
	['a name with a space', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX Y: z\r\n\r\n`, [400]],
	['a method in lower case', `get /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 404, 405, 501]],
	['an invented method', `BREW /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 405, 501]],
	['TRACE', `TRACE /v0/topics HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\n\r\n`, [400, 405, 501]],
	['CONNECT', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n', [400, 403, 404, 405, 421, 501]],
	['an absolute address elsewhere', `GET http://evil.example/healthz HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 403, 404, 421]],
	['two lengths', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, [400]],
	['two equal lengths', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, [400]],
	['a list of lengths', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 2, 2\r\n\r\n{}`, [400]],
	['a length and chunks', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, [400]],
	['chunks in HTTP/1.0', `POST /v0/tickets HTTP/1.0\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, [400, 505]],
	['a negative length', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: -1\r\n\r\n`, [400]],
	['a signed length', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: +2\r\n\r\n{}`, [400]],
	['a length in hexadecimal', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 0x2\r\n\r\n{}`, [400]],
	['an endless length', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 99999999999999999999999\r\n\r\n`, [400, 413]],
	['a length of a terabyte', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 1099511627776\r\n\r\n`, [413]],
	['an unknown transfer encoding', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: gzip\r\n\r\n`, [400, 501]],
	['chunked twice', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, [400, 501]],
	['chunked with a trick', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, [400, 501]],
	['a chunk size that is none', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, [400]],
	['an endless chunk size', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`, [400, 413]],
	['a chunk extension of 40,000 octets', `POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`, [400, 413, 431]],
	['two hosts', `GET /healthz HTTP/1.1\r\n${HOST}\r\n${HOST}\r\n\r\n`, [400]],
	['no host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
	['a head of 100,000 octets', `GET /healthz HTTP/1.1\r\n${HOST}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
	['a path of 100,000 octets', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 414, 431]],
	['noise', randomBytes(2000).toString('latin1'), [400, 405, 408, 431, 501, 505, 0]],
	['a TLS hello', `${Buffer.from('16030100a5010000a10303', 'hex').toString('latin1')}\r\n\r\n`, [400, 405, 408, 501, 505, 0]],
	['a path that climbs', `GET /../../etc/passwd HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 404]],
	['a path that climbs by escapes', `GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n${HOST}\r\n\r\n`, [400, 404]],
	['a path with a broken escape', `GET /v0/topics/%zz/history HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\n\r\n`, [400, 404]],
	['a path with an escaped NUL', `GET /v0/topics/a%00b/history HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\n\r\n`, [400, 404]],
];

for (const [what, octets, statuses] of heads) {
	test(`refused head: ${what}`, async () => {
		const status = await statusOf(gateway, Buffer.from(octets, 'latin1'));
		assert.ok(statuses.includes(status), `answered ${status} instead of ${statuses}`);
		await bystanderIsWell();
	});
}

test('a request smuggled behind a refused one is not answered', async () => {
	const raw = await RawSocket.open(gateway);
	raw.write(`POST /v0/tickets HTTP/1.1\r\n${HOST}\r\n${BEARER}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`);
	await raw.gone();
	assert.equal(raw.received.toString('latin1').match(/HTTP\/1\.1 \d{3}/g).length, 1);
	raw.destroy();
	await bystanderIsWell();
});

// --- Upgrades -------------------------------------------------------------------------------------

const WS = `/v0/ws?topic=${topic}`;

const upgrades = [
	['without a key', upgradeHead(gateway, WS, [BEARER], { 'Sec-WebSocket-Key': null }), [400, 426]],
	['with a short key', upgradeHead(gateway, WS, [BEARER], { 'Sec-WebSocket-Key': 'AAAA' }), [400]],
	['with a key that is not base64', upgradeHead(gateway, WS, [BEARER], { 'Sec-WebSocket-Key': '!!!!!!!!!!!!!!!!!!!!!!==' }), [400]],
	['with two keys', upgradeHead(gateway, WS, [BEARER, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']), [400]],
	['with version 8', upgradeHead(gateway, WS, [BEARER], { 'Sec-WebSocket-Version': '8' }), [400, 426]],
	['without a version', upgradeHead(gateway, WS, [BEARER], { 'Sec-WebSocket-Version': null }), [400, 426]],
	['without Upgrade', upgradeHead(gateway, WS, [BEARER], { Upgrade: null }), [400, 426]],
	['to another protocol', upgradeHead(gateway, WS, [BEARER], { Upgrade: 'h2c' }), [400, 426]],
	['without Connection', upgradeHead(gateway, WS, [BEARER], { Connection: null }), [400, 426]],
	['by POST', upgradeHead(gateway, WS, [BEARER]).replace('GET', 'POST'), [400, 404, 405, 411]],
	['in HTTP/1.0', upgradeHead(gateway, WS, [BEARER]).replace('HTTP/1.1', 'HTTP/1.0'), [400, 426, 505]],
	['without a token', upgradeHead(gateway, WS), [401]],
	['with an empty bearer', upgradeHead(gateway, WS, ['Authorization: Bearer ']), [400, 401]],
	['with a wrong bearer', upgradeHead(gateway, WS, ['Authorization: Bearer AAAA']), [401]],
	['with a bearer one letter short', upgradeHead(gateway, WS, [`Authorization: Bearer ${fullToken.slice(0, -1)}`]), [401]],
	['with a bearer one letter long', upgradeHead(gateway, WS, [`Authorization: Bearer ${fullToken}A`]), [401]],
	['with the bearer in other case', upgradeHead(gateway, WS, [`Authorization: Bearer ${fullToken.toUpperCase() === fullToken ? fullToken.toLowerCase() : fullToken.toUpperCase()}`]), [401]],
	['with Basic', upgradeHead(gateway, WS, [`Authorization: Basic ${Buffer.from(`mallory:${fullToken}`).toString('base64')}`]), [401]],
	['with the token in the query', upgradeHead(gateway, `${WS}&token=${fullToken}`), [401]],
	['with the token as a cookie', upgradeHead(gateway, WS, [`Cookie: token=${fullToken}`]), [401]],
	['with the token as a ticket', upgradeHead(gateway, `${WS}&ticket=${fullToken}`), [401]],
	['with a plain subprotocol', upgradeHead(gateway, WS, [`Sec-WebSocket-Protocol: mcpx, bearer.${fullToken}!`]), [400, 401]],
	['for another topic than its own', upgradeHead(gateway, WS, [`Authorization: Bearer ${scopedToken}`]), [403]],
	['for a topic that only begins like its own', upgradeHead(gateway, '/v0/ws?topic=room:elsewhere2', [`Authorization: Bearer ${scopedToken}`]), [403]],
	['for its own topic in other case', upgradeHead(gateway, '/v0/ws?topic=Room:Elsewhere', [`Authorization: Bearer ${scopedToken}`]), [403]],
	['from a strange origin', upgradeHead(gateway, WS, [BEARER, 'Origin: http://evil.example']), [400, 403]],
	['for a strange host', upgradeHead(gateway, WS, [BEARER], { Host: 'evil.example' }), [400, 403, 421]],
	['to another path', upgradeHead(gateway, `/v0/wsx?topic=${topic}`, [BEARER]), [400, 404]],
	['with frames sent at once to a refusal', upgradeHead(gateway, WS) + 'x'.repeat(1000), [401]],
];

for (const [what, octets, statuses] of upgrades) {
	test(`refused upgrade: ${what}`, async () => {
		const status = await statusOf(gateway, octets);
		assert.ok(statuses.includes(status), `answered ${status} instead of ${statuses}`);
		await bystanderIsWell();
	});
}

// --- REST without the right -----------------------------------------------------------------------

const paths = [
	['POST', '/admin/participants/mallory/promote'], ['POST', '/admin/participants/honest/demote'],
	['POST', `/admin/participants/mallory/promote?topic=${topic}`], ['GET', '/admin/tokens'], ['POST', '/admin/tokens'],
	['DELETE', '/admin/tokens/1'], ['GET', '/admin/audit'],
];

for (const [method, path] of paths) {
	test(`forbidden: ${method} ${path.replace(topic, 'T')} without an administrator's token`, async () => {
		const body = method === 'POST' ? { id: 'mallory', privilege: 'full', admin: true } : undefined;
		for (const [token, statuses] of [[undefined, [401]], ['AAAA', [401]], [weakToken, [403]], [fullToken, [403]]]) {
			const { status } = await gateway.request(method, path, { token, body });
			assert.ok(statuses.includes(status), `${status}`);
		}
		const { status } = await gateway.request(method, `/x/..${path}`, { token: fullToken, body });
		assert.ok([400, 403, 404].includes(status), `${status}`);
		await bystanderIsWell();
	});
}

test('an expired token opens nothing', async () => {
	const token = await gateway.token({ id: 'late', privilege: 'full', ttl: '1s', wait: false });
	await past(Date.now() + 2500);
	assert.equal((await RoomClient.refused({ gateway, topic, token })).status, 401);
	assert.equal((await gateway.request('GET', '/v0/topics', { token })).status, 401);
	assert.equal((await gateway.request('POST', `/v0/topics/${topic}/messages`, { token, body: { kind: 'chat', payload: { text: 'x' } } })).status, 401);
	await bystanderIsWell();
});

test('an outsider neither reads nor writes', async () => {
	for (const what of ['history', 'participants', 'proposals'])
		assert.equal((await gateway.request('GET', `/v0/topics/${topic}/${what}`, { token: scopedToken })).status, 403);
	assert.equal((await gateway.request('POST', `/v0/topics/${topic}/messages`, { token: scopedToken, body: { kind: 'chat', payload: { text: 'x' } } })).status, 403);
	assert.equal((await gateway.request('POST', '/v0/tickets', { token: scopedToken, body: { topic } })).status, 403);
	await bystanderIsWell();
});

test('by HTTP the restricted get no further than by WebSocket', async () => {
	for (const body of [request('honest'), { kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/x' } }, { kind: 'system', payload: { event: 'x' } },
		{ kind: 'presence', payload: { event: 'leave' } }, { protocol: V01, id: fresh(), from: 'honest', kind: 'chat', payload: { text: 'x' } }]) {
		const { status } = await gateway.request('POST', `/v0/topics/${topic}/messages`, { token: weakToken, body });
		assert.ok([400, 403].includes(status), `${status}: ${JSON.stringify(body)}`);
	}
	await bystanderIsWell();
});

// --- Masses ---------------------------------------------------------------------------------------

test('a flood of refused envelopes harms nobody', async () => {
	const mallory = await RoomClient.connect({ gateway, topic, token: weakToken });
	for (let i = 0; i < 5000; i += 1)
		mallory.send(request('honest', { payloadId: i }));
	await bystanderIsWell();
	mallory.terminate();
	await bystanderIsWell();
});

test('a flood from one that never reads its refusals harms nobody', async () => {
	const raw = await RawWebSocket.open(gateway, { topic, token: weakToken });
	raw.raw.socket.pause();
	const bad = frame({ body: text(CALL) });
	const flood = Buffer.concat(Array.from({ length: 500 }, () => bad));
	for (let i = 0; i < 40; i += 1)
		raw.write(flood);
	await bystanderIsWell();
	raw.destroy();
	await bystanderIsWell();
});

test('a flood of pings harms nobody', async () => {
	const raw = await RawWebSocket.open(gateway, { topic, token: weakToken });
	raw.raw.socket.pause();
	const flood = Buffer.concat(Array.from({ length: 20_000 }, () => frame({ opcode: 9, body: 'x'.repeat(100) })));
	raw.write(flood);
	await bystanderIsWell();
	raw.destroy();
	await bystanderIsWell();
});

test('hundreds of half-open handshakes keep nobody out', async () => {
	const halves = [];
	for (let i = 0; i < 200; i += 1) {
		const raw = await RawSocket.open(gateway);
		raw.write(upgradeHead(gateway, WS, [BEARER]).slice(0, 60 + i % 60));
		halves.push(raw);
	}
	const newcomer = await RoomClient.connect({ gateway, topic, token: await gateway.token({ id: 'newcomer', privilege: 'full' }) });
	assert.equal(newcomer.id, 'newcomer');
	await bystanderIsWell();
	await newcomer.close();
	for (const raw of halves)
		raw.destroy();
	await bystanderIsWell();
});

test('one identity that joins again and again harms nobody', async () => {
	for (let i = 0; i < 60; i += 1) {
		const client = await RoomClient.connect({ gateway, topic, token: fullToken });
		if (i % 2 === 0)
			client.terminate();
	}
	await bystanderIsWell();
});

test('connections that end right after the upgrade harm nobody', async () => {
	for (let i = 0; i < 60; i += 1) {
		const raw = await RawSocket.open(gateway);
		raw.write(upgradeHead(gateway, WS, [`Authorization: Bearer ${weakToken}`]));
		if (i % 3 === 0)
			raw.write(frame({ opcode: 8, body: '' }));
		if (i % 3 === 1)
			await raw.status();
		raw.destroy();
	}
	await bystanderIsWell();
});

test('at the end the gateway still answers, and the bystander was never disturbed', async () => {
	assert.equal((await gateway.request('GET', '/readyz')).status, 200);
	assert.equal(bystander.end, null);
	assert.equal(honest.end, null);
	await bystanderIsWell();
	const kept = await wholeHistory(gateway, topic, { token: honest.token });
	assert.deepEqual(kept.filter((envelope) => envelope.from !== 'honest'), [], 'history holds nothing of the hostile ones');
	assert.deepEqual(kept.map(chatText), Array.from({ length: ticks }, (_, i) => `tick ${i + 1}`));
});
