/* SPDX-License-Identifier: Apache-2.0 */
/* Groups 7 and 10: closing (RFC 6455 5.5.1, 7), long messages in many frames; and the limits beyond them. */
import { BINARY, CLOSE, CONTINUATION, PING, TEXT, closeFrame, frame, fragments } from '../support/websocket_peer.mjs';
import { FINE, binary, chopped, closed, fails, octets, once, pong, testCase, text } from './case.mjs';

const cases = [];
const add = (...row) => cases.push(testCase(...row));
const CLOSED = closed(1000);

/* 7.1: what follows a close is not heard. */
add('7.1.1', 'a text, then a close', [once(frame(TEXT, 'last words')), once(closeFrame(1000))], [text('last words')], CLOSED);
add('7.1.2', 'two closes in one send', [once(closeFrame(1000), closeFrame(1000))], [], CLOSED);
add('7.1.3', 'a ping after the close', [once(closeFrame(1000), frame(PING, 'too late'))], [], CLOSED);
add('7.1.4', 'a text after the close', [once(closeFrame(1000), frame(TEXT, 'too late'))], [], CLOSED);
add('7.1.5', 'a close between two fragments', [once(frame(TEXT, 'begun', { fin: false }), closeFrame(1000), frame(CONTINUATION, 'too late'))], [], CLOSED);
add('7.1.6', 'a text of 256 KiB, a close, a ping', [once(frame(TEXT, Buffer.alloc(262144, 'b')), closeFrame(1000), frame(PING))],
	[text(Buffer.alloc(262144, 'b'))], CLOSED);

/* 7.3, 7.5: the payload of a close. */
const longest = '*'.repeat(123);
add('7.3.1', 'a close without payload', [once(closeFrame())], [], closed(null, 1000));
add('7.3.2', 'a close of one octet', [once(frame(CLOSE, 'a'))], [], fails(1002));
add('7.3.3', 'a close with a code', [once(closeFrame(1000))], [], CLOSED);
add('7.3.4', 'a close with a reason', [once(closeFrame(1000, 'done for today'))], [], CLOSED);
add('7.3.5', 'a close with a reason of 123 octets', [once(closeFrame(1000, longest))], [], CLOSED);
add('7.3.6', 'a close with a reason of 124 octets', [once(closeFrame(1000, `${longest}*`))], [], fails(1002));
add('7.5.1', 'a close whose reason is not UTF-8', [once(closeFrame(1000, Buffer.from('cebaeda080', 'hex')))], [], fails(1007, 1002));

/* 7.7: codes an endpoint may send. 7.9: codes it may not. 7.13: codes beyond all registries, where only the end is asked. */
const allowed = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
allowed.forEach((code, at) => add(`7.7.${at + 1}`, `a close with code ${code}`, [once(closeFrame(code))], [], closed(code, 1000)));
const forbidden = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];
forbidden.forEach((code, at) => add(`7.9.${at + 1}`, `a close with code ${code}`, [once(closeFrame(code))], [], fails(1002)));
[5000, 65535].forEach((code, at) => add(`7.13.${at + 1}`, `a close with code ${code}`, [once(closeFrame(code))], [], closed(1002, 1000, code)));

/* 10: one message, many frames. */
function pieces(bytes, size) {
	const count = Math.max(1, Math.ceil(bytes.length / size));
	return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
const whole = Buffer.alloc(65536, '*');
add('10.1.1', 'a text of 65536 octets in frames of 1300', [once(...fragments(TEXT, pieces(whole, 1300)))], [text(whole)], FINE);

export default cases;

/* Beyond the counted groups: what is large, and what is cut at odd points. */
export const LIMIT = 16 * 1024 * 1024;
function patterned(length) {
	const bytes = Buffer.allocUnsafe(length);
	for (let at = 0; at < length; at++) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
	return bytes;
}
function* large() {
	for (const mebibytes of [1, 4, 16]) {
		const bytes = patterned(mebibytes * 1024 * 1024);
		yield [`a binary of ${mebibytes} MiB in one frame`, () => [once(frame(BINARY, bytes))], binary(bytes)];
		yield [`a text of ${mebibytes} MiB in frames of 64 KiB`, () => [once(...fragments(TEXT, pieces(Buffer.alloc(bytes.length, 'é'), 65536)))],
			text(Buffer.alloc(bytes.length, 'é'))];
	}
	const one = patterned(1024 * 1024);
	yield ['a binary of 1 MiB in sends of odd sizes', () => [chopped([1, 8191, 13, 65537, 3, 30011], frame(BINARY, one))], binary(one)];
	yield ['a binary of 1 MiB in frames of 256 octets', () => [once(...fragments(BINARY, pieces(one, 256)))], binary(one)];
}
export const limits = [...large()].map(([what, steps, event], at) => testCase(`limits.${at + 1}`, what, steps(), [event], FINE));

const small = [frame(TEXT, 'a'), frame(BINARY, patterned(126)), frame(PING, 'p'), frame(TEXT, Buffer.alloc(300, 'b')), ...fragments(TEXT, ['c', '', 'd'])];
const heard = [text('a'), binary(patterned(126)), pong('p'), text(Buffer.alloc(300, 'b')), text('cd')];
limits.push(
	...[[1], [2], [3], [5], [7, 1], [13, 2, 1]].map((sizes, at) =>
		testCase(`chopped.${at + 1}`, `five messages in sends of ${sizes.join(", ")} octets`, [chopped(sizes, ...small)], heard, FINE)),
	testCase('limits.9', 'one octet more than the limit, declared and never sent', [once(frame(BINARY, '', { declared: LIMIT + 1 }))], [], fails(1009)),
	testCase('limits.10', '2 to the 62 octets, declared and never sent', [once(frame(BINARY, '', { declared: 2n ** 62n }))], [], fails(1009)),
	testCase('limits.11', 'a length with its highest bit set', [once(frame(BINARY, '', { declared: 2n ** 63n, form: 64 }))], [], fails(1002)),
	testCase('limits.12', 'fragments that pass the limit together: refused at the head of the one too many',
		[once(frame(BINARY, Buffer.alloc(LIMIT - 10), { fin: false }), frame(CONTINUATION, '', { declared: 11 }))], [], fails(1009)),
	testCase('limits.13', '256 KiB and a close in one send: all of it comes back first',
		[once(frame(BINARY, patterned(262144)), closeFrame(1000))], [binary(patterned(262144))], CLOSED),
	testCase('limits.14', 'a thousand small texts in one send', [once(...Array.from({ length: 1000 }, (_, at) => frame(TEXT, `text ${at}`)))],
		Array.from({ length: 1000 }, (_, at) => text(`text ${at}`)), FINE),
	testCase('limits.15', 'a thousand empty fragments in one message', [octets(frame(TEXT, '', { fin: false })),
		once(...Array.from({ length: 1000 }, () => frame(CONTINUATION, '', { fin: false })), frame(CONTINUATION, 'end'))], [text('end')], FINE),
);
