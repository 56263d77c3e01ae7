/* SPDX-License-Identifier: Apache-2.0 */
/* Request lines, targets, Hosts and Origins, sizes, and the life of a connection (RFC 9112 2 to 9; DNS rebinding). */
import assert from 'node:assert/strict';
import { MESSAGE, either, last, post, refused, request, served } from './probe.mjs';

const OK = [200];
const NOWHERE = [400, 403, 404, 405, 501];
const host = (value) => ({ host: `Host: ${value}\r\n` });

const lines = [
	['no version', 'GET /healthz\r\n\r\n', 400, 505], ['only a method', 'GET\r\n\r\n', 400], ['two blanks', 'GET  /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
	['a blank in the target', 'GET /health z HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400], ['a tab for a blank', 'GET\t/healthz\tHTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
	['a blank before the method', ' GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400], ['a blank behind the version', 'GET /healthz HTTP/1.1 \r\nHost: 127.0.0.1\r\n\r\n', 400],
	['LF alone behind the request line', 'GET /healthz HTTP/1.1\nHost: 127.0.0.1\r\n\r\n', 400], ['HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 505],
	['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nHost: 127.0.0.1\r\n\r\n', 400, 505], ['http/1.1 in small letters', 'GET /healthz http/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400, 505],
	['HTTP/11', 'GET /healthz HTTP/11\r\nHost: 127.0.0.1\r\n\r\n', 400, 505], ['HTTP/1.1 with more behind', 'GET /healthz HTTP/1.1x\r\nHost: 127.0.0.1\r\n\r\n', 400, 505],
	['a method that is no token', 'G(T /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400], ['NUL in the method', 'G\0T /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400],
	['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400], ['an empty line and nonsense', '\r\n\0\r\n\r\n', 400],
].map(([name, bytes, ...statuses]) => refused(name, bytes, ...statuses));

const methods = ['BREW', 'get', 'TRACE', 'DELETE', 'PUT'].map((method) =>
	either(`${method} on a page that only reads`, request('/healthz', '', { method }), [NOWHERE]));
methods.push(
	either('CONNECT', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n', [NOWHERE]),
	either('OPTIONS *', request('*', '', { method: 'OPTIONS' }), [[200, 204, ...NOWHERE]]));

const refusedTargets = [
	['a fragment', '/healthz#part'], ['octets that are not ASCII', '/health\xe9'], ['a control character', '/health\x01z'], ['NUL', '/health\0z'],
	['no slash', 'healthz'], ['a backslash for a slash', '\\healthz'], ['another scheme', 'ftp://127.0.0.1/healthz'], ['a broken escape', '/v0/topics/%zz/history'],
	['a cut escape', '/v0/topics/a%2/history'], ['an escaped NUL', '/v0/topics/a%00b/history'],
];
const targets = [
	...refusedTargets.map(([name, target]) => either(`a target with ${name}`, request(target), [[400, 404]])),
	...['/../../etc/passwd', '/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/../../etc/passwd', '//etc/passwd', '/./../etc/passwd', '/..\\..\\etc'].map((target) =>
		either(`a way out of the house: ${target}`, request(target), [[301, 308, 400, 403, 404]])),
	served('a whole URL of ours as the target', request('http://127.0.0.1/healthz'), [OK]),
	either('a whole URL of another host as the target', request('http://evil.example/v0/topics'), [[400, 403]]),
	either('a topic with a way out in it', request('/v0/topics/..%2F..%2Fadmin/participants'), [[400, 403, 404]]),
	either('a page nobody wrote', request('/no/such/page'), [[404]]),
];

const goodHosts = ['localhost', 'LOCALHOST', 'localhost:1', '127.0.0.1:65535', '[::1]', '[::1]:7410'];
const foreignHosts = ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', 'xlocalhost', 'evil-localhost'];
const brokenHosts = ['', 'user@127.0.0.1', '127.0.0.1:port', '127.0.0.1:99999', '127.0.0.1/evil', '127.0.0.1, evil.example', '[::1', '127.0.0.1 evil.example', 'a:b:c'];
const hosts = [
	...goodHosts.map((value) => served(`Host: ${value}`, request('/v0/topics', '', host(value)), [OK])),
	...foreignHosts.map((value) => either(`Host: ${value}`, request('/v0/topics', '', host(value)), [[403]])),
	...brokenHosts.map((value) => either(`Host: ${JSON.stringify(value)}`, request('/v0/topics', '', host(value)), [[400, 403]])),
	refused('no Host', request('/v0/topics', '', { host: '' }), 400),
	refused('two Hosts', request('/v0/topics', 'Host: evil.example\r\n'), 400),
	refused('two equal Hosts', request('/v0/topics', 'Host: 127.0.0.1\r\n'), 400),
];

const goodOrigins = ['http://localhost', 'http://localhost:5173', 'http://127.0.0.1:9', 'https://127.0.0.1', 'http://[::1]:3000'];
const foreignOrigins = ['http://evil.example', 'https://evil.example:7410', 'null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example',
	'http://evil.example/127.0.0.1', 'http://127.0.0.1@evil.example', 'http://evil.example#127.0.0.1', 'file://', '127.0.0.1', 'http://', 'http://localhost, http://evil.example'];
const origins = [
	...goodOrigins.map((value) => served(`Origin: ${value}`, request('/v0/topics', `Origin: ${value}\r\n`), [OK])),
	...foreignOrigins.map((value) => either(`Origin: ${value}`, request('/v0/topics', `Origin: ${value}\r\n`), [[400, 403]])),
	either('two Origins, one foreign', request('/v0/topics', 'Origin: http://localhost\r\nOrigin: http://evil.example\r\n'), [[400, 403]]),
	...['evil.example', 'null'].map((value) => either(`a POST from Origin ${value}`,
		post(`Origin: ${value === "null" ? value : `http://${value}`}\r\nContent-Length: ${MESSAGE.length}\r\n`, MESSAGE), [[403]])),
];

const sizes = [
	served('a head of 16 KiB', request('/healthz', `X-Long: ${"a".repeat(16000)}\r\n`), [OK]),
	refused('one field over 32 KiB', request('/healthz', `X-Long: ${"a".repeat(40000)}\r\n`), 431),
	refused('many fields over 32 KiB', request('/healthz', `X-Field: ${"a".repeat(900)}\r\n`.repeat(45)), 431),
	refused('five thousand short fields', request('/healthz', 'A: b\r\n'.repeat(5000)), 431),
	refused('40 KiB of head without its end', `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"a".repeat(40000)}`, 431),
	refused('a target of 40 KiB', request(`/${"a".repeat(40000)}`), 414, 431),
	refused('a name of 40 KiB', request('/healthz', `${"n".repeat(40000)}: a\r\n`), 400, 431),
	refused('a body of 64 MiB, announced and never sent', post('Content-Length: 67108864\r\n'), 413),
	refused('a body of 64 MiB, announced with Expect and never sent', post('Expect: 100-continue\r\nContent-Length: 67108864\r\n'), 413, 417),
	refused('a body of 2 to the 62 octets, announced and never sent', post('Content-Length: 4611686018427387904\r\n'), 400, 413),
];

const bodyOf = (answer) => answer.body.toString('latin1');
const life = [
	served('a connection of HTTP/1.1 goes on', request('/healthz'), [OK]),
	last('Connection: close is heard', request('/healthz', 'Connection: close\r\n'), [OK]),
	last('Connection: CLOSE among other words', request('/healthz', 'Connection: te, CLOSE\r\n'), [OK]),
	last('what follows Connection: close is not answered', request('/healthz', 'Connection: close\r\n') + request('/healthz'), [OK]),
	last('a connection of HTTP/1.0 ends', request('/healthz', '', { version: 'HTTP/1.0' }), [OK]),
	either('HTTP/1.0 with keep-alive', request('/healthz', 'Connection: keep-alive\r\n', { version: 'HTTP/1.0' }), [OK]),
	served('ten requests in one send, answered in order', Array.from({ length: 10 }, (_, at) =>
		request(at % 2 ? `/no/such/page/${at}` : '/healthz')).join(''), Array.from({ length: 10 }, (_, at) => at % 2 ? [404] : OK)),
	served('a slow page and a quick one in one send, in order', post(`Content-Length: ${MESSAGE.length}\r\n`, MESSAGE) + request('/v0/topics') + request('/no/such/page'),
		[[201], OK, [404]], { check: (answers) => assert.match(bodyOf(answers[1]), /"topics"/) }),
	last('a bad request behind two good ones ends the connection after their answers',
		request('/healthz') + request('/healthz') + request('/healthz', 'X : a\r\n') + request('/healthz'), [OK, OK, [400]]),
	served('HEAD has the head of GET and no body', request('/healthz', '', { method: 'HEAD' }) + request('/healthz'), [OK, OK],
		{ methods: ['HEAD', 'GET'] }),
	served('HEAD of a page nobody wrote has no body', request('/no/such/page', '', { method: 'HEAD' }) + request('/healthz'), [[404], OK], { methods: ['HEAD', 'GET'] }),
	either('an expectation nobody knows', post('Expect: 200-maybe\r\nContent-Length: 2\r\n', '{}'), [[417]]),
	either('an empty line before the request line', `\r\n${request("/healthz")}`, [[200, 400]]),
	either('a mebibyte of empty lines before the request line', `${'\r\n'.repeat(524288)}${request('/healthz')}`, [[200, 400, 431]]),
];

export default {
	'request lines': lines, 'methods': methods, 'targets': targets, 'hosts': hosts, 'origins': origins, 'sizes': sizes, 'life of a connection': life,
};
