/* SPDX-License-Identifier: Apache-2.0 */
/* Requests whose end two readers could see in different places: all refused, none repaired (RFC 9112 6, 7, 11.2). */
import { MESSAGE, POST_TARGET, SMUGGLED, either, last, post, refused, request, served } from './probe.mjs';

const length = MESSAGE.length;
const chunk = `${length.toString(16)}\r\n${MESSAGE}\r\n`;
const chunked = `${chunk}0\r\n\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const CREATED = [201];

const lengths = [
	refused('Transfer-Encoding and Content-Length together', post(`Content-Length: ${length}\r\n${CHUNKED}`, chunked + SMUGGLED), 400),
	refused('Content-Length behind Transfer-Encoding', post(`${CHUNKED}Content-Length: 3\r\n`, chunked + SMUGGLED), 400),
	refused('two equal Content-Lengths', post(`Content-Length: ${length}\r\nContent-Length: ${length}\r\n`, MESSAGE + SMUGGLED), 400),
	refused('two different Content-Lengths', post(`Content-Length: ${length}\r\nContent-Length: 0\r\n`, MESSAGE + SMUGGLED), 400),
	refused('a list of equal lengths', post(`Content-Length: ${length}, ${length}\r\n`, MESSAGE + SMUGGLED), 400),
	refused('a list of different lengths', post(`Content-Length: ${length}, 0\r\n`, MESSAGE + SMUGGLED), 400),
	...[`+${length}`, `-${length}`, '0x10', '1e2', `${length}.0`, '', `${length} 1`, '99999999999999999999', 'abc', `"${length}"`, '\u00b2'].map((value) =>
		refused(`Content-Length: ${JSON.stringify(value)}`, post(`Content-Length: ${value}\r\n`, MESSAGE + SMUGGLED), 400)),
];

const codings = [
	refused('Transfer-Encoding in HTTP/1.0', post(CHUNKED, chunked + SMUGGLED).replace('HTTP/1.1', 'HTTP/1.0'), 400),
	refused('chunked, chunked', post('Transfer-Encoding: chunked, chunked\r\n', chunked + SMUGGLED), 400, 501),
	refused('two Transfer-Encoding fields', post(CHUNKED + CHUNKED, chunked + SMUGGLED), 400, 501),
	...['xchunked', 'gzip, chunked', 'chunked, gzip', 'identity', 'chunked;q=1', '"chunked"', 'chunked\v', 'chun ked', ','].map((value) =>
		refused(`Transfer-Encoding: ${JSON.stringify(value)}`, post(`Transfer-Encoding: ${value}\r\n`, chunked + SMUGGLED), 400, 501)),
	refused('Transfer-Encoding without value, with Content-Length', post(`Transfer-Encoding:\r\nContent-Length: ${length}\r\n`, MESSAGE + SMUGGLED), 400, 501),
	served('CHUNKED in capitals', post('Transfer-Encoding: CHUNKED\r\n', chunked), [CREATED]),
];

const badSizes = ['0x5', '-5', '+5', '5 ', ' 5', 'g', '', '5;\nx', '5\n'];
const chunks = [
	served('a body in chunks', post(CHUNKED, chunked), [CREATED]),
	served('a body in chunks with a small extension', post(CHUNKED, chunk.replace('\r\n', ';a=b\r\n') + '0\r\n\r\n'), [CREATED]),
	served('a body in chunks with a trailer', post(CHUNKED, `${chunk}0\r\nX-Trailer: yes\r\n\r\n`), [CREATED]),
	...badSizes.map((size) => refused(`chunk size ${JSON.stringify(size)}`, post(CHUNKED, `${size}\r\nhello\r\n0\r\n\r\n${SMUGGLED}`), 400)),
	refused('a chunk of 17 digits', post(CHUNKED, `FFFFFFFFFFFFFFFFF\r\nhello`), 400, 413),
	refused('a chunk of 2 to the 63', post(CHUNKED, `8000000000000000\r\nhello`), 400, 413),
	refused('a chunk of 64 MiB', post(CHUNKED, `4000000\r\nhello`), 413),
	refused('a chunk longer than it says', post(CHUNKED, `3\r\nhello\r\n0\r\n\r\n${SMUGGLED}`), 400),
	refused('a chunk ended by LF alone', post(CHUNKED, `5\r\nhello\n0\r\n\r\n${SMUGGLED}`), 400),
	refused('a chunk extension of 8 KiB', post(CHUNKED, `5;${"e".repeat(8192)}\r\nhello\r\n0\r\n\r\n${SMUGGLED}`), 400, 413, 431),
	refused('a thousand chunks of one octet with extensions', post(CHUNKED, `1;${"e".repeat(70)}\r\n{\r\n`.repeat(1000)), 400, 413, 431),
	refused('a trailer of 64 KiB', post(CHUNKED, `${chunk}0\r\nX: ${"t".repeat(65536)}\r\n\r\n${SMUGGLED}`), 400, 413, 431),
	refused('a folded trailer', post(CHUNKED, `${chunk}0\r\nX: a\r\n b\r\n\r\n${SMUGGLED}`), 400),
];

const fields = [
	['a folded line', 'X-Folded: a\r\n b\r\n'], ['a folded first line', ' X: a\r\n'], ['a bare CR in a value', 'X: a\rb\r\n'],
	['a line ended by LF alone', 'X: a\nY: b\r\n'], ['a line ended by CR alone', 'X: a\rContent-Length: 5\r\n'],
	['a blank before the colon', 'Content-Length : 0\r\n'], ['a tab before the colon', 'X\t: a\r\n'], ['NUL in a value', 'X: a\0b\r\n'],
	['NUL in a name', 'X\0: a\r\n'], ['a control character in a value', 'X: a\x01b\r\n'], ['DEL in a value', 'X: a\x7fb\r\n'],
	['no colon', 'nonsense\r\n'], ['no name', ': a\r\n'], ['a name that is no token', 'X(y): a\r\n'], ['a name that is not ASCII', 'X\xe9: a\r\n'],
].map(([name, line]) => refused(name, request('/healthz', line) + SMUGGLED, 400));

const bodies = [
	either('a GET whose body looks like a request', request('/healthz', `Content-Length: ${SMUGGLED.length}\r\n`) + SMUGGLED, [[200, 400, 413]]),
	served("two messages in one send: the second begins where the first's length ends",
		post(`Content-Length: ${length}\r\n`, MESSAGE) + post(`Content-Length: ${length}\r\n`, MESSAGE), [CREATED, CREATED]),
	served('a request right behind a body in chunks', post(CHUNKED, chunked) + SMUGGLED, [CREATED, [200]]),
	last('a body longer than its length is the beginning of a bad request', post(`Content-Length: ${length}\r\n`, `${MESSAGE}\0\0\0\0 garbage\r\n\r\n`), [CREATED, [400]]),
	refused('Content-Length with a tab inside', `POST ${POST_TARGET} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\t0\r\n\r\n${MESSAGE}`, 400),
];

export default {
	'lengths': lengths, 'codings': codings, 'chunks': chunks, 'fields': fields, 'bodies': bodies,
};
