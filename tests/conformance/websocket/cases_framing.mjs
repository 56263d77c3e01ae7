/* SPDX-License-Identifier: Apache-2.0 */
/* Groups 1 to 5: framing, pings and pongs, reserved bits, opcodes, fragmentation (RFC 6455 5). */
import { BINARY, CONTINUATION, PING, PONG, TEXT, frame, fragments } from '../support/websocket_peer.mjs';
import { FINE, binary, chopped, each, fails, hears, octets, once, pong, testCase, text } from './case.mjs';

const cases = [];
const add = (...row) => cases.push(testCase(...row));

/* 1: every form of the length, as text and as binary. */
const lengths = [0, 125, 126, 127, 128, 65535, 65536];
for (const [part, opcode, event, fill] of [[1, TEXT, text, '*'], [2, BINARY, binary, '\xfe']]) {
	const filled = (length) => Buffer.alloc(length, fill, 'latin1');
	lengths.forEach((length, at) => add(`1.${part}.${at + 1}`, `a ${event("")[0]} message of ${length} octets`,
		[once(frame(opcode, filled(length)))], [event(filled(length))], FINE));
	add(`1.${part}.8`, `a ${event("")[0]} message of 65536 octets in sends of 997`,
		[chopped([997], frame(opcode, filled(65536)))], [event(filled(65536))], FINE);
}

/* 2: pings and pongs. */
const full = Buffer.alloc(125, 0xfe);
const tenPings = Array.from({ length: 10 }, (_, at) => frame(PING, `payload-${at}`));
const tenPongs = Array.from({ length: 10 }, (_, at) => pong(`payload-${at}`));
add('2.1', 'a ping without payload', [once(frame(PING))], [pong()], FINE);
add('2.2', 'a ping with a text', [once(frame(PING, 'Hello, house!'))], [pong('Hello, house!')], FINE);
add('2.3', 'a ping with octets that are no text', [once(frame(PING, Buffer.from([0, 255, 254, 253, 252, 251, 0, 255])))],
	[pong(Buffer.from([0, 255, 254, 253, 252, 251, 0, 255]))], FINE);
add('2.4', 'a ping of 125 octets', [once(frame(PING, full))], [pong(full)], FINE);
add('2.5', 'a ping of 126 octets', [once(frame(PING, Buffer.alloc(126, 0xfe)))], [], fails(1002));
add('2.6', 'a ping of 125 octets, octet by octet', [octets(frame(PING, full))], [pong(full)], FINE);
add('2.7', 'a pong nobody asked for', [once(frame(PONG))], [], FINE);
add('2.8', 'a pong nobody asked for, with payload', [once(frame(PONG, 'unasked'))], [], FINE);
add('2.9', 'a pong nobody asked for, then a ping', [once(frame(PONG, 'unasked'), frame(PING, 'asked'))], [pong('asked')], FINE);
add('2.10', 'ten pings at once', [once(...tenPings)], tenPongs, FINE);
add('2.11', 'ten pings, octet by octet', [octets(...tenPings)], tenPongs, FINE);

/* 3: reserved bits, which no extension of ours has claimed. */
const good = frame(TEXT, 'good before bad');
const heardGood = [text('good before bad')];
add('3.1', 'a text with reserved bits 1', [once(frame(TEXT, 'x', { rsv: 1 }))], [], fails(1002));
add('3.2', 'good text, text with reserved bits 2, ping, in one send',
	[once(good, frame(TEXT, 'x', { rsv: 2 }), frame(PING))], heardGood, fails(1002));
add('3.3', 'good text, then text with reserved bits 3 and a ping',
	[once(good), once(frame(TEXT, 'x', { rsv: 3 }), frame(PING))], heardGood, fails(1002));
add('3.4', 'good text octet by octet, then text with reserved bits 4 and a ping',
	[octets(good), once(frame(TEXT, 'x', { rsv: 4 }), frame(PING))], heardGood, fails(1002));
add('3.5', 'a binary with reserved bits 5', [once(frame(BINARY, 'x', { rsv: 5 }))], [], fails(1002));
add('3.6', 'a ping with reserved bits 6', [once(frame(PING, 'x', { rsv: 6 }))], [], fails(1002));
add('3.7', 'a close with reserved bits 7', [once(frame(8, '', { rsv: 7 }))], [], fails(1002));

/* 4: opcodes that mean nothing: 3 to 7 among the data frames, 11 to 15 among the control frames. */
for (const [part, first] of [[1, 3], [2, 11]]) {
	add(`4.${part}.1`, `opcode ${first}`, [once(frame(first))], [], fails(1002));
	add(`4.${part}.2`, `opcode ${first + 1} with payload`, [once(frame(first + 1, 'reserved'))], [], fails(1002));
	add(`4.${part}.3`, `good text, opcode ${first + 2}, ping, in one send`,
		[once(good, frame(first + 2), frame(PING))], heardGood, fails(1002));
	add(`4.${part}.4`, `good text, then opcode ${first + 3} with payload and a ping`,
		[once(good), once(frame(first + 3, 'reserved'), frame(PING))], heardGood, fails(1002));
	add(`4.${part}.5`, `good text octet by octet, then opcode ${first + 4} with payload and a ping`,
		[octets(good), once(frame(first + 4, 'reserved'), frame(PING))], heardGood, fails(1002));
}

/* 5: fragmentation, with control frames between the pieces and continuations of nothing. */
const two = fragments(TEXT, ['fragment1', 'fragment2']);
const whole = text('fragment1fragment2');
const ping = frame(PING, 'between');
const stray = (fin) => frame(CONTINUATION, 'of nothing', { fin });
add('5.1', 'a ping in two fragments', [once(frame(PING, 'one', { fin: false }), frame(CONTINUATION, 'two'))], [], fails(1002));
add('5.2', 'a pong in two fragments', [once(frame(PONG, 'one', { fin: false }), frame(CONTINUATION, 'two'))], [], fails(1002));
add('5.3', 'a text in two fragments, one send', [once(...two)], [whole], FINE);
add('5.4', 'a text in two fragments, a send each', each(...two), [whole], FINE);
add('5.5', 'a text in two fragments, octet by octet', [octets(...two)], [whole], FINE);
add('5.6', 'a ping between two fragments, one send', [once(two[0], ping, two[1])], [pong('between'), whole], FINE);
add('5.7', 'a ping between two fragments, a send each, its pong awaited', [each(two[0], ping), hears(1), once(two[1])], [pong('between'), whole], FINE);
add('5.8', 'a ping between two fragments, octet by octet', [octets(two[0], ping, two[1])], [pong('between'), whole], FINE);
add('5.9', 'a last continuation of nothing, then a text, one send', [once(stray(true), good)], [], fails(1002));
add('5.10', 'a last continuation of nothing after a ping and its pong', [once(ping), hears(1), once(stray(true), good)], [pong('between')], fails(1002));
add('5.11', 'a last continuation of nothing after a ping octet by octet', [octets(ping), once(stray(true), good)], [pong('between')], fails(1002));
add('5.12', 'a continuation of nothing, not the last, then a text, one send', [once(stray(false), good)], [], fails(1002));
add('5.13', 'a continuation of nothing, not the last, after a ping and its pong', [once(ping), hears(1), once(stray(false), good)], [pong('between')], fails(1002));
add('5.14', 'a continuation of nothing, not the last, after a ping octet by octet', [octets(ping), once(stray(false), good)], [pong('between')], fails(1002));
add('5.15', 'a text in two fragments, a continuation of nothing, a text', [once(...two, stray(false), good)], [whole], fails(1002));
add('5.16', 'a continuation of nothing (not the last) before a text, twice', [once(stray(false), good, stray(false), good)], [], fails(1002));
add('5.17', 'a continuation of nothing (the last) before a text, twice', [once(stray(true), good, stray(true), good)], [], fails(1002));
add('5.18', 'a second text begun inside the first', [once(frame(TEXT, 'fragment1', { fin: false }), frame(TEXT, 'fragment2'))], [], fails(1002));

const five = fragments(TEXT, ['fragment1', 'fragment2', 'fragment3', 'fragment4', 'fragment5']);
const all = text('fragment1fragment2fragment3fragment4fragment5');
const [first, second] = [frame(PING, 'first ping'), frame(PING, 'second ping')];
const answered = [pong('first ping'), pong('second ping'), all];
add('5.19', 'five fragments with two pings between, each pong awaited before going on',
	[each(five[0], five[1], first), hears(1), each(five[2], five[3], second), hears(2), once(five[4])], answered, FINE);
add('5.20', 'five fragments with two pings between, each in its own send',
	[each(five[0], five[1], first, five[2], five[3], second, five[4])], answered, FINE);

export default cases;
