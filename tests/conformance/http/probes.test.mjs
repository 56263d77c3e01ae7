/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP as attackers write it, against the gateway: every probe answered as the rules say, and the house goes on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HttpExchange } from '../support/http_exchange.mjs';
import { HealthyParticipant, startGateway } from '../support/programs.mjs';
import { MESSAGE, POST_TARGET, post, request, runProbe } from './probe.mjs';
import smuggling from './smuggling.mjs';
import heads from './heads.mjs';

let probes = 0;
let suspicious = 0;
async function counted(work) {
	probes++;
	suspicious++;
	await work();
	suspicious--;
}
after(() => console.log(`HTTP conformance: ${probes} probes, ${suspicious} suspicious`));

describe('HTTP probes', () => {
	let gateway;
	let healthy;
	before(async () => {
		gateway = await startGateway('--set', 'gateway.head_deadline=60s', '--set', 'gateway.body_deadline=60s', '--set', 'rooms.pace=off');
		healthy = await HealthyParticipant.join(gateway.port, 'probe');
	});
	after(async () => {
		healthy?.peer.destroy();
		await gateway?.stop();
	});

	for (const [name, group] of Object.entries({ ...smuggling, ...heads })) {
		describe(name, () => {
			for (const probe of group) test(`${probe.name}: ${probe.then}`, () => counted(() => runProbe(gateway.port, probe)));
			test(`after ${name} a participant still chats`, () => healthy.chats());
		});
	}

	describe('expectations', () => {
		test('Expect: 100-continue is answered before the body is sent', () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.write(post(`Expect: 100-continue\r\nContent-Length: ${MESSAGE.length}\r\n`));
			assert.ok(await exchange.untilInterim(1), `no 100 but ${exchange.statuses()}`);
			assert.deepEqual(exchange.interim, [100]);
			await exchange.write(MESSAGE);
			assert.ok(await exchange.untilAnswers(1));
			assert.deepEqual(exchange.statuses(), [201]);
			exchange.destroy();
		}));

		test('an expectation that is refused gets no 100', () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.write(`POST ${POST_TARGET} HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`);
			assert.ok(await exchange.untilAnswers(1));
			assert.deepEqual([exchange.interim, exchange.statuses()], [[], [403]]);
			exchange.destroy();
		}));

		test('a request in single octets is the same request', () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.raw.writeChopped(Buffer.from(post(`Content-Length: ${MESSAGE.length}\r\n`, MESSAGE) + request('/healthz')), [1]);
			assert.ok(await exchange.untilAnswers(2));
			assert.deepEqual(exchange.statuses(), [201, 200]);
			exchange.destroy();
		}));

		test('a client that ends its half still gets the answers it asked for', () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.write(request('/healthz') + request('/healthz', 'Connection: close\r\n'));
			exchange.raw.finish();
			await exchange.untilEnd();
			assert.deepEqual(exchange.statuses(), [200, 200]);
			exchange.destroy();
		}));
	});

	test('after all probes a participant leaves in good order', () => healthy.leave());
});

/* Time-outs of one second; whatever else is asked of this gateway may take as long as it takes. */
describe('HTTP deadlines', () => {
	let gateway;
	before(async () => { gateway = await startGateway('--set', 'gateway.head_deadline=1s', '--set', 'gateway.body_deadline=1s'); });
	after(async () => { await gateway?.stop(); });

	const slow = {
		'a head that stops': 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
		'a head that stops in its request line': 'GET /heal',
		'a body that stops': post('Content-Length: 100\r\n', '{"kind":'),
		'a body that never begins': post('Content-Length: 100\r\n'),
		'a body that stops between chunks': post('Transfer-Encoding: chunked\r\n', '5\r\n{"kin\r\n'),
		'a body that stops inside a chunk head': post('Transfer-Encoding: chunked\r\n', '5'),
	};
	for (const [name, bytes] of Object.entries(slow)) {
		test(`${name} is answered 408`, () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.write(bytes);
			await exchange.untilEnd();
			assert.deepEqual(exchange.statuses(), [408]);
			exchange.destroy();
		}));
	}

	const drips = {
		'a head that drips': ['GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', 'a'],
		'a body that drips': [post('Content-Length: 100000\r\n'), ' '],
	};
	for (const [name, [begin, drop]] of Object.entries(drips)) {
		test(`${name} is answered 408: its deadline is for the whole`, () => counted(async () => {
			const exchange = await HttpExchange.open(gateway.port);
			await exchange.write(begin);
			for (let left = 200; left > 0 && !exchange.raw.ended && exchange.raw.available === 0; left--) {
				await exchange.write(drop);
				await new Promise((resolve) => setTimeout(resolve, 200));
			}
			await exchange.untilEnd();
			assert.deepEqual(exchange.statuses(), [408]);
			exchange.destroy();
		}));
	}

	test('a connection that says nothing is ended', () => counted(async () => {
		const exchange = await HttpExchange.open(gateway.port);
		await exchange.untilEnd();
		assert.ok(exchange.answers.every((one) => one.status === 408), `${exchange.statuses()}`);
		exchange.destroy();
	}));

	test('sixty-four half heads at once are all ended, and the house answers', () => counted(async () => {
		const open = await Promise.all(Array.from({ length: 64 }, () => HttpExchange.open(gateway.port)));
		await Promise.all(open.map((one) => one.write('GET /v0/ws?topic=probe HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: web')));
		await Promise.all(open.map((one) => one.untilEnd()));
		open.forEach((one) => { assert.ok(one.answers.every((answer) => answer.status === 408 || answer.status === 503)); one.destroy(); });
		const exchange = await HttpExchange.open(gateway.port);
		await exchange.write(request('/healthz', 'Connection: close\r\n'));
		await exchange.untilEnd();
		assert.deepEqual(exchange.statuses(), [200]);
		exchange.destroy();
	}));
});

/* Last: the count is whole only when all else has run. */
test('no probe is suspicious', () => assert.equal(suspicious, 0));
