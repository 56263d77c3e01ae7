/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WebSocket probes against a room: everything a peer may get wrong in its frames and in its upgrade,
 * each ended with the right code, and after each group a participant of the same room still chats.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { HttpExchange } from '../support/http_exchange.mjs';
import { HealthyParticipant, startGateway } from '../support/programs.mjs';
import {
	BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, WebsocketPeer, closeFrame, frame, upgradeHead,
} from '../support/websocket_peer.mjs';

const TOPIC = 'probe';
const LIMIT = 1024 * 1024;
let gateway;
let healthy;
const place = () => `/v0/ws?topic=${TOPIC}&id=probe-${randomUUID()}`;

before(async () => {
	gateway = await startGateway('--set', 'gateway.head_deadline=60s', '--set', 'rooms.pace=off');
	healthy = await HealthyParticipant.join(gateway.port, TOPIC);
});
after(async () => {
	healthy?.peer.destroy();
	await gateway?.stop();
});

/* The welcome has come before anything is probed, so that what follows is an answer to the probe. */
async function enter() {
	const peer = await WebsocketPeer.open(gateway.port, { path: place() });
	assert.ok(await peer.untilEvents(1), 'the room closed before its welcome');
	assert.equal(JSON.parse(peer.events[0].payload.toString()).payload.event, 'welcome');
	return peer;
}

/* Frames that end the connection with one of the codes; they leave in one write. */
async function ends(frames, codes, { ours = false } = {}) {
	const peer = await enter();
	try {
		await peer.send(...frames);
		const close = await peer.untilClosed({ answered: ours });
		assert.ok(close, 'the connection ended without a close frame');
		assert.ok(codes.includes(close.code), `close code ${close.code} (${close.reason}), expected ${codes.join(" or ")}`);
		assert.deepEqual(peer.violations, []);
	} finally {
		peer.destroy();
	}
}

function probeGroup(name, rows) {
	describe(name, () => {
		for (const [what, frames, codes, options] of rows) {
			test(`${what}: ${codes.join(" or ")}`, () => ends(frames, codes, options));
		}
		test(`after ${name} a participant still chats`, () => healthy.chats());
	});
}

const unmasked = { mask: false };
probeGroup('frames without mask', [
	['a text without mask', [frame(TEXT, '{}', unmasked)], [1002]],
	['an empty text without mask', [frame(TEXT, '', unmasked)], [1002]],
	['a binary without mask', [frame(BINARY, 'xx', unmasked)], [1002]],
	['a ping without mask', [frame(PING, 'x', unmasked)], [1002]],
	['a pong without mask', [frame(PONG, '', unmasked)], [1002]],
	['a close without mask', [frame(CLOSE, Buffer.from([3, 232]), unmasked)], [1002]],
	['a continuation without mask', [frame(TEXT, '{', { fin: false }), frame(CONTINUATION, '}', unmasked)], [1002]],
]);

probeGroup('reserved bits and opcodes', [
	...[1, 2, 3, 4, 5, 6, 7].map((rsv) => [`a text with reserved bits ${rsv}`, [frame(TEXT, '{}', { rsv })], [1002]]),
	['a compressed text nobody agreed on', [frame(TEXT, Buffer.from('aa5600000000ffff', 'hex'), { rsv: 4 })], [1002]],
	['a continuation with reserved bits', [frame(TEXT, '{', { fin: false }), frame(CONTINUATION, '}', { rsv: 4 })], [1002]],
	['a ping with reserved bits', [frame(PING, '', { rsv: 1 })], [1002]],
	['a close with reserved bits', [frame(CLOSE, '', { rsv: 2 })], [1002]],
	...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => [`opcode ${opcode}`, [frame(opcode)], [1002]]),
]);

probeGroup('lengths', [
	['125 octets with a length of 16 bits', [frame(TEXT, 'a'.repeat(125), { form: 16 })], [1002]],
	['no octets with a length of 16 bits', [frame(TEXT, '', { form: 16 })], [1002]],
	['125 octets with a length of 64 bits', [frame(TEXT, 'a'.repeat(125), { form: 64 })], [1002]],
	['65535 octets with a length of 64 bits', [frame(TEXT, 'a'.repeat(65535), { form: 64 })], [1002]],
	['a ping with a length of 16 bits', [frame(PING, 'a', { form: 16 })], [1002]],
	['a length with its highest bit set', [frame(TEXT, '', { form: 64, declared: 2n ** 63n })], [1002]],
	['one octet over the limit, never sent', [frame(TEXT, '', { declared: LIMIT + 1 })], [1009]],
	['2 to the 32 octets, never sent', [frame(TEXT, '', { declared: 2n ** 32n })], [1009]],
	['2 to the 63 octets less one, never sent', [frame(TEXT, '', { declared: 2n ** 63n - 1n })], [1009]],
	['a binary over the limit, never sent', [frame(BINARY, '', { declared: LIMIT + 1 })], [1009, 1003]],
	['fragments over the limit together, the last never sent',
		[frame(TEXT, Buffer.alloc(LIMIT - 1, ' '), { fin: false }), frame(CONTINUATION, '', { declared: 2 })], [1009]],
	['fragments over the limit together, each small',
		[...Array.from({ length: 17 }, (_, at) => frame(at ? CONTINUATION : TEXT, Buffer.alloc(65536, ' '), { fin: false }))], [1009]],
]);

probeGroup('control frames', [
	['a ping of 126 octets', [frame(PING, 'a'.repeat(126))], [1002]],
	['a pong of 126 octets', [frame(PONG, 'a'.repeat(126))], [1002]],
	['a close of 126 octets', [frame(CLOSE, Buffer.concat([Buffer.from([3, 232]), Buffer.alloc(124, 'a')]))], [1002]],
	['a ping of 64 KiB, never sent', [frame(PING, '', { declared: 65536 })], [1002]],
	['a ping in fragments', [frame(PING, 'a', { fin: false }), frame(CONTINUATION, 'b')], [1002]],
	['a pong in fragments', [frame(PONG, 'a', { fin: false }), frame(CONTINUATION, 'b')], [1002]],
	['a close in fragments', [frame(CLOSE, Buffer.from([3, 232]), { fin: false }), frame(CONTINUATION, 'b')], [1002]],
]);

probeGroup('fragments', [
	['a continuation of nothing', [frame(CONTINUATION, '{}')], [1002]],
	['a continuation of nothing, not the last', [frame(CONTINUATION, '{}', { fin: false })], [1002]],
	['a text inside a text', [frame(TEXT, '{', { fin: false }), frame(TEXT, '}')], [1002]],
	['a binary inside a text', [frame(TEXT, '{', { fin: false }), frame(BINARY, '}')], [1002]],
]);

const hex = (digits) => Buffer.from(digits, 'hex');
probeGroup('text that is not UTF-8', [
	...['80', 'c0af', 'c1bf', 'e08080', 'eda080', 'edbfbf', 'f0808080', 'f4908080', 'f888808080', 'fe', 'ff', '7b22c328227d'].map((digits) =>
		[`text ${digits}`, [frame(TEXT, hex(digits))], [1007]]),
	['a code point left open at the end', [frame(TEXT, hex('7be282'))], [1007]],
	['a bad first fragment, the rest never sent', [frame(TEXT, hex('7bff'), { fin: false })], [1007]],
	["a surrogate cut by a fragment's end, the rest never sent", [frame(TEXT, hex('7beda0'), { fin: false })], [1007]],
	['a bad beginning of a long frame, the rest never sent', [frame(TEXT, hex('7bff'), { declared: 1000 })], [1007]],
	['a reason that is not UTF-8', [closeFrame(1000, hex('ff'))], [1007, 1002]],
]);

probeGroup('closing', [
	...[0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1999, 2000, 2999].map((code) => [`close code ${code}`, [closeFrame(code)], [1002]]),
	['a close of one octet', [frame(CLOSE, 'a')], [1002]],
	...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map((code) =>
		[`close code ${code} of ours is answered`, [closeFrame(code)], [code, 1000], { ours: true }]),
	['a close without a code is answered', [frame(CLOSE)], [null, 1000], { ours: true }],
	['what follows a close is not heard', [closeFrame(1000), frame(TEXT, hex('ff')), frame(3)], [1000], { ours: true }],
]);

const envelope = (from, text) => JSON.stringify({
	protocol: 'mcpx/v0.1', id: randomUUID(), ts: new Date().toISOString(), from, kind: 'chat', payload: { text },
});

/* Waits until the room has echoed that envelope to its sender. */
async function echoed(peer, sent) {
	const { id } = JSON.parse(sent);
	const came = await peer.until(() => peer.events.some((event) => event.type === 'text' && JSON.parse(event.payload.toString()).id === id), 'the echo');
	assert.ok(came, `closed instead of echoed: ${JSON.stringify(peer.close)}`);
}

describe('what is allowed is served', () => {
	const served = (what, work) => test(what, async () => {
		const id = `good-${randomUUID()}`;
		const peer = await WebsocketPeer.open(gateway.port, { path: `/v0/ws?topic=${TOPIC}&id=${id}` });
		try {
			await work(peer, id);
			assert.deepEqual(peer.violations, []);
		} finally {
			peer.destroy();
		}
	});

	served('an envelope of exactly the limit', async (peer, id) => {
		const bare = envelope(id, '').length;
		const sent = envelope(id, 'a'.repeat(LIMIT - bare));
		assert.equal(sent.length, LIMIT);
		await peer.send(frame(TEXT, sent));
		await echoed(peer, sent);
	});

	served('an envelope in fragments of one octet with a ping between', async (peer, id) => {
		const sent = envelope(id, 'þing');
		const octets = [...Buffer.from(sent)].map((octet) => Buffer.from([octet]));
		const frames = octets.map((octet, at) => frame(at ? CONTINUATION : TEXT, octet, { fin: at === octets.length - 1 }));
		frames.splice(10, 0, frame(PING, 'between'));
		await peer.send(...frames);
		await echoed(peer, sent);
		assert.ok(peer.events.some((event) => event.type === 'pong' && event.payload.toString() === 'between'));
	});

	served('an envelope in sends of one octet', async (peer, id) => {
		const sent = envelope(id, 'slowly');
		await peer.raw.writeChopped(frame(TEXT, sent), [1]);
		await echoed(peer, sent);
	});

	served('a mask of zeros', async (peer, id) => {
		const sent = envelope(id, 'hardly masked');
		await peer.send(frame(TEXT, sent, { key: Buffer.alloc(4) }));
		await echoed(peer, sent);
	});

	test('an envelope in the same send as the upgrade', async () => {
		const id = `eager-${randomUUID()}`;
		const sent = envelope(id, 'eager');
		const peer = await WebsocketPeer.open(gateway.port, { path: `/v0/ws?topic=${TOPIC}&id=${id}`, behind: frame(TEXT, sent) });
		await echoed(peer, sent);
		peer.destroy();
	});

	test('a binary message is refused: by an error, or with 1003', async () => {
		const peer = await enter();
		await peer.send(frame(BINARY, '{}'));
		await peer.until(() => peer.events.some((event) => event.type === 'text' && /"error"/.test(event.payload.toString())), 'the refusal of a binary message');
		if (peer.close) assert.equal(peer.close.code, 1003);
		peer.destroy();
	});

	test('after the allowed a participant still chats', () => healthy.chats());
});

/* Upgrades. Each row: what, the head, the statuses, and a field the answer must have. */
const KEY = 'Sec-WebSocket-Key';
const VERSION = 'Sec-WebSocket-Version';
const head = (options = {}) => upgradeHead({ path: place(), host: `127.0.0.1:${gateway.port}`, ...options });
const VERSION_13 = ['sec-websocket-version', '13'];
const upgrades = [
	['no key', () => head({ drop: [KEY] }), [400]],
	['an empty key', () => head({ key: '' }), [400]],
	['a key of 15 octets', () => head({ key: Buffer.alloc(15, 'k').toString('base64') }), [400]],
	['a key of 17 octets', () => head({ key: Buffer.alloc(17, 'k').toString('base64') }), [400]],
	['a key that is not base64', () => head({ key: '!!!!!!!!!!!!!!!!!!!!!!==' }), [400]],
	['a key without its padding', () => head({ key: Buffer.alloc(16, 'k').toString('base64').slice(0, 22) }), [400]],
	['two keys', () => head({ extra: [[KEY, Buffer.alloc(16, 'k').toString('base64')]] }), [400]],
	['no version', () => head({ drop: [VERSION] }), [400, 426]],
	['version 8', () => head({ drop: [VERSION], extra: [[VERSION, '8']] }), [426], VERSION_13],
	['version 14', () => head({ drop: [VERSION], extra: [[VERSION, '14']] }), [426], VERSION_13],
	['version 013', () => head({ drop: [VERSION], extra: [[VERSION, '013']] }), [400, 426]],
	['two versions', () => head({ extra: [[VERSION, '8']] }), [400, 426]],
	['method POST', () => head({ method: 'POST' }), [400, 405, 426]],
	['method HEAD', () => head({ method: 'HEAD' }), [400, 405, 426]],
	['HTTP/1.0', () => head({ version: 'HTTP/1.0' }), [400, 426, 505]],
	['no Upgrade', () => head({ drop: ['Upgrade'] }), [400, 426]],
	['Upgrade to something else', () => head({ drop: ['Upgrade'], extra: [['Upgrade', 'h2c']] }), [400, 426]],
	['no Connection', () => head({ drop: ['Connection'] }), [400, 426]],
	['Connection without upgrade', () => head({ drop: ['Connection'], extra: [['Connection', 'keep-alive']] }), [400, 426]],
	['a body', () => head({ extra: [['Content-Length', '5']] }) + 'hello', [400, 426]],
	['no topic', () => head({ path: '/v0/ws?id=probe-none' }), [400]],
	['an empty topic', () => head({ path: '/v0/ws?topic=&id=probe-none' }), [400]],
	['a topic with a way out in it', () => head({ path: '/v0/ws?topic=a/../b&id=probe-none' }), [400]],
	['a topic that is not UTF-8', () => head({ path: '/v0/ws?topic=%ff&id=probe-none' }), [400]],
	['a topic of 129 octets', () => head({ path: `/v0/ws?topic=${"t".repeat(129)}&id=probe-none` }), [400]],
	["an id of the house's own", () => head({ path: `/v0/ws?topic=${TOPIC}&id=system:gateway` }), [400, 403]],
	['a foreign Host', () => head({ host: 'evil.example' }), [403]],
	['no Host', () => head({ drop: ['Host'] }), [400]],
	['a foreign Origin', () => head({ extra: [['Origin', 'https://evil.example']] }), [403]],
	['Origin null', () => head({ extra: [['Origin', 'null']] }), [403]],
];
describe('upgrades that are refused', () => {
	for (const [what, bytes, statuses, field] of upgrades) {
		test(`${what}: ${statuses.join(" or ")}`, async () => {
			const request = bytes();
			const exchange = await HttpExchange.open(gateway.port, request.startsWith('HEAD') ? ['HEAD'] : []);
			await exchange.write(request);
			assert.ok(await exchange.untilAnswers(1), 'no answer');
			const [answer] = exchange.answers;
			exchange.destroy();
			assert.ok(statuses.includes(answer.status), `${answer.line}, expected ${statuses.join(" or ")}`);
			if (field) assert.equal(answer.headers.get(field[0]), field[1]);
		});
	}

	test('words in other case and among others are an upgrade all the same', async () => {
		const exchange = await HttpExchange.open(gateway.port);
		await exchange.write(head({ drop: ['Upgrade', 'Connection'], extra: [['UPGRADE', 'WebSocket'], ['connection', 'keep-alive, Upgrade']] }));
		assert.ok(await exchange.untilAnswers(1));
		assert.equal(exchange.answers[0].status, 101);
		exchange.destroy();
	});

	test('compression that is offered is not taken', async () => {
		const peer = await WebsocketPeer.open(gateway.port, { path: place(), extra: [['Sec-WebSocket-Extensions', 'permessage-deflate; client_max_window_bits']] });
		assert.deepEqual(peer.violations, []);
		peer.destroy();
	});

	test('after the refused upgrades a participant still chats', () => healthy.chats());
});

/* Connections that end at odd points of their lives. */
describe('connections that break', () => {
	const broken = {
		"inside a frame's head": frame(TEXT, 'a'.repeat(200)).subarray(0, 3),
		'inside a payload': frame(TEXT, 'a'.repeat(200)).subarray(0, 50),
		'between fragments': frame(TEXT, '{', { fin: false }),
		'without a close frame': Buffer.alloc(0),
	};
	for (const [what, bytes] of Object.entries(broken)) {
		test(`the end of TCP ${what} ends the connection and no more`, async () => {
			const peer = await enter();
			await peer.raw.write(bytes);
			peer.raw.finish();
			await peer.raw.untilEnd('the end of the connection');
			peer.destroy();
			await healthy.chats();
		});
		test(`a reset ${what} ends the connection and no more`, async () => {
			const peer = await enter();
			await peer.raw.write(bytes);
			peer.raw.socket.resetAndDestroy();
			await healthy.chats();
		});
	}
});

describe('handshakes that stay half open', () => {
	let strict;
	before(async () => { strict = await startGateway('--set', 'gateway.head_deadline=1s'); });
	after(async () => { await strict?.stop(); });

	test('are all ended by their deadline, and the room still takes who comes', async () => {
		const part = `GET /v0/ws?topic=${TOPIC}&id=half HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n`;
		const open = await Promise.all(Array.from({ length: 100 }, () => HttpExchange.open(strict.port)));
		await Promise.all(open.map((one, at) => at % 2 ? one.write(part) : undefined));
		await Promise.all(open.map((one) => one.untilEnd()));
		for (const one of open) {
			assert.ok(one.answers.every((answer) => answer.status === 408 || answer.status === 503), `${one.statuses()}`);
			one.destroy();
		}
		assert.ok(strict.alive());
		const exchange = await HttpExchange.open(strict.port);
		await exchange.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
		await exchange.untilEnd();
		assert.deepEqual(exchange.statuses(), [200]);
		exchange.destroy();
	});
});

test('after all of it the participant leaves in good order', () => healthy.leave());
