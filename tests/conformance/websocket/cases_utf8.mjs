/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Group 6: text must be UTF-8 (RFC 3629), whole, in fragments and while still arriving; a fault fails
 * the connection with 1007 (RFC 6455 8.1).
 */
import { CONTINUATION, TEXT, frame, fragments } from '../support/websocket_peer.mjs';
import { FINE, fails, hears, octets, once, testCase, text } from './case.mjs';

const cases = [];
const add = (...row) => cases.push(testCase(...row));
const hex = (digits) => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const single = (bytes) => [...bytes].map((octet) => Buffer.from([octet]));

/* Rows of octets under one number: each a text message of its own, good or bad. */
function addRows(group, what, rows) {
	rows.forEach(([octetsHex, isGood], at) => {
		const payload = Buffer.isBuffer(octetsHex) ? octetsHex : hex(octetsHex);
		const label = payload.length <= 12 ? payload.toString('hex') : `${payload.length} octets`;
		add(`6.${group}.${at + 1}`, `${what}: ${label}`, [once(frame(TEXT, payload))], isGood ? [text(payload)] : [], isGood ? FINE : fails(1007));
	});
}
const good = (...rows) => rows.map((row) => [row, true]);
const bad = (...rows) => rows.map((row) => [row, false]);

/* 6.1: nothing at all is good text. */
add('6.1.1', 'an empty text', [once(frame(TEXT))], [text('')], FINE);
add('6.1.2', 'three empty fragments', [once(...fragments(TEXT, ['', '', '']))], [text('')], FINE);
add('6.1.3', 'a full fragment between two empty ones', [once(...fragments(TEXT, ['', 'middle', '']))], [text('middle')], FINE);

/* 6.2: good text of many lengths of code point. */
const mixed = Buffer.from('Höfn-µ@ßöäüàá-κόσμε-😀-UTF-8!!');
const greek = hex('cebae1bdb9cf83cebcceb5'); /* kosme, its second letter of three octets */
add('6.2.1', 'mixed text in one frame', [once(frame(TEXT, mixed))], [text(mixed)], FINE);
add('6.2.2', 'mixed text, cut between code points', [once(...fragments(TEXT, [mixed.subarray(0, 6), mixed.subarray(6)]))], [text(mixed)], FINE);
add('6.2.3', 'mixed text, a fragment an octet', [once(...fragments(TEXT, single(mixed)))], [text(mixed)], FINE);
add('6.2.4', 'greek text, a fragment an octet', [once(...fragments(TEXT, single(greek)))], [text(greek)], FINE);

/* 6.3: a surrogate inside good text. */
const spoiled = Buffer.concat([greek, hex('eda080'), Buffer.from('edited')]);
add('6.3.1', 'good text, a surrogate, good text', [once(frame(TEXT, spoiled))], [], fails(1007));
add('6.3.2', 'the same, a fragment an octet', [once(...fragments(TEXT, single(spoiled)))], [], fails(1007));

/* 6.4: the fault is found when its octets are there; the rest of the message is never sent. */
const [begin, fault] = [frame(TEXT, greek, { fin: false }), frame(CONTINUATION, hex('f4908080'), { fin: false })];
add('6.4.1', 'a second fragment beyond U+10FFFF, the third never sent', [once(begin), once(fault)], [], fails(1007));
add('6.4.2', 'a second fragment whose first two octets are beyond U+10FFFF already',
	[once(begin), once(frame(CONTINUATION, hex('f490'), { fin: false }))], [], fails(1007));
const long = frame(TEXT, Buffer.concat([greek, hex('f4908080'), Buffer.from('edited')]));
const headLength = 6;
add('6.4.3', 'one frame, cut after the bad code point, the rest never sent',
	[once(long.subarray(0, headLength + greek.length)), once(long.subarray(headLength + greek.length, headLength + greek.length + 4))], [], fails(1007));
add('6.4.4', 'one frame, cut inside the bad code point, the rest never sent',
	[once(long.subarray(0, headLength + greek.length)), once(long.subarray(headLength + greek.length, headLength + greek.length + 2))], [], fails(1007));

/* 6.5: good text cut inside a code point. */
[[1], [3], [4], [6], [1, 2, 3, 4, 5]].forEach((cuts, at) => {
	const edges = [0, ...cuts, greek.length];
	const pieces = edges.slice(1).map((edge, index) => greek.subarray(edges[index], edge));
	add(`6.5.${at + 1}`, `greek text in fragments cut at ${cuts.join(", ")}`, [once(...fragments(TEXT, pieces))], [text(greek)], FINE);
});

/* 6.6: every beginning of a text; good only where a code point ends. */
const ends = new Set([2, 5, 7, 9, 11]);
addRows(6, 'the beginning of a text', Array.from({ length: 11 }, (_, at) => [greek.subarray(0, at + 1), ends.has(at + 1)]));

addRows(7, 'the first code point of each length', good('00', 'c280', 'e0a080', 'f0908080'));
addRows(8, 'five and six octets, which UTF-8 no longer has', bad('f888808080', 'fc8480808080'));
addRows(9, 'the last code point of each length', good('7f', 'dfbf', 'efbfbf', 'f48fbfbf'));
addRows(10, 'beyond the last code point', bad('f7bfbfbf', 'fbbfbfbfbf', 'fdbfbfbfbfbf'));
addRows(11, 'beside the surrogates and the end', [...good('ed9fbf', 'ee8080', 'efbfbd', 'f48fbfbf'), ...bad('f4908080')]);
addRows(12, 'continuation octets of nothing', bad('80', 'bf', '80bf', '80bf80', '80bf80bf', '80bf80bf80', '80bf80bf80bf',
	Buffer.from(Array.from({ length: 64 }, (_, at) => 0x80 + at))));
const lonely = (from, count) => Buffer.from(Array.from({ length: count }, (_, at) => [from + at, 0x20]).flat());
addRows(13, 'first octets left alone', bad(lonely(0xc0, 32), lonely(0xe0, 16), lonely(0xf0, 8), lonely(0xf8, 4), lonely(0xfc, 2)));
const cutShort = ['c0', 'e080', 'f08080', 'f8808080', 'fc80808080', 'df', 'efbf', 'f7bfbf', 'fbbfbfbf', 'fdbfbfbfbf'];
addRows(14, 'the last octet missing', bad(...cutShort));
addRows(15, 'all of those together', bad(hex(cutShort.join(''))));
addRows(16, 'octets UTF-8 never has', bad('fe', 'ff', 'fefeffff'));
addRows(17, 'a slash written too long', bad('c0af', 'e080af', 'f08080af', 'f8808080af', 'fc80808080af'));
addRows(18, 'the longest of what is written too long', bad('c1bf', 'e09fbf', 'f08fbfbf', 'f887bfbfbf', 'fc83bfbfbfbf'));
addRows(19, 'NUL written too long', bad('c080', 'e08080', 'f0808080', 'f880808080', 'fc8080808080'));
const singles = ['eda080', 'edadbf', 'edae80', 'edafbf', 'edb080', 'edbe80', 'edbfbf'];
addRows(20, 'one surrogate', bad(...singles));
addRows(21, 'a pair of surrogates', bad('eda080edb080', 'eda080edbfbf', 'edadbfedb080', 'edadbfedbfbf',
	'edae80edb080', 'edae80edbfbf', 'edafbfedb080', 'edafbfedbfbf'));

/* 6.22: the two last code points of each plane are no characters, and good UTF-8 all the same. */
const planes = Array.from({ length: 17 }, (_, plane) => [0xfffe, 0xffff].map((low) => Buffer.from(String.fromCodePoint(plane * 0x10000 + low))));
addRows(22, 'a code point that is no character', good(...planes.flat()));
const specials = Array.from({ length: 7 }, (_, at) => Buffer.from(String.fromCodePoint(0xfff9 + at)));
addRows(23, 'the specials block', good(...specials));

export default cases;

/* Beyond the counted groups: fail fast at the very octet, whatever the cut. */
export const eager = [
	testCase('utf8.1', 'a lone continuation octet at the end of a first fragment', [once(frame(TEXT, hex('6180'), { fin: false }))], [], fails(1007)),
	testCase('utf8.2', 'a surrogate known by its second octet', [once(frame(TEXT, hex('eda0'), { fin: false }))], [], fails(1007)),
	testCase('utf8.3', 'a code point written too long, known by its second octet', [once(frame(TEXT, hex('e080'), { fin: false }))], [], fails(1007)),
	testCase('utf8.4', 'a code point open over an empty fragment', [once(...fragments(TEXT, [hex('f09f'), '', hex('9880')]))], [text('😀')], FINE),
	testCase('utf8.5', "a code point left open at the message's end, the next message never judged with it",
		[once(frame(TEXT, hex('f09f')), frame(TEXT, hex('9880')))], [], fails(1007)),
	testCase('utf8.6', 'each message is judged anew', [once(frame(TEXT, greek)), hears(1), octets(frame(TEXT, greek))], [text(greek), text(greek)], FINE),
];
