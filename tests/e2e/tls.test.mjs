// SPDX-License-Identifier: Apache-2.0
// https and wss with a certificate of our own, and a new one after SIGHUP.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { command, freshFolder } from './lib/gateway.mjs';
import { freshTopic, house, joinAs } from './lib/house.mjs';
import { RawSocket } from './lib/raw_socket.mjs';
import { until, within } from './lib/wait.mjs';

const folder = freshFolder();

function certificate(name) {
	const files = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
	execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30',
		'-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-keyout', files.key, '-out', files.cert],
	{ stdio: 'ignore' });
	return files;
}

const first = certificate('first');
const second = certificate('second');
const cert = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');

function use(files) {
	copyFileSync(files.cert, cert);
	copyFileSync(files.key, key);
}

use(first);
const gateway = await house({ config: `[gateway]\ntls_cert = "${cert}"\ntls_key = "${key}"\n` });

function connectTls(options = {}) {
	return within(new Promise((done, failed) => {
		const socket = tls.connect({ host: gateway.host, port: gateway.port, rejectUnauthorized: false, ...options });
		socket.on('secureConnect', () => {
			const seen = { name: socket.getPeerCertificate().subject.CN, protocol: socket.getProtocol() };
			socket.destroy();
			done(seen);
		});
		socket.on('error', failed);
	}), 'a TLS connection');
}

test('the ready line says https', () => {
	assert.match(gateway.url, /^https:\/\//);
});

test('REST and WebSocket work over TLS', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const echo = await alice.say('over wss');
	await bob.next((envelope) => envelope.id === echo.id);
	const { envelopes } = await gateway.ask('GET', `/v0/topics/${topic}/history`, 200, { token: alice.token });
	assert.equal(envelopes[0].id, echo.id);
});

test('large envelopes pass over TLS in both directions', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	for (let i = 0; i < 10; i += 1) {
		const text = `${i}`.repeat(500_000);
		const id = alice.chat(text);
		assert.equal((await bob.next((envelope) => envelope.id === id)).payload.text, text);
		await alice.next((envelope) => envelope.id === id);
	}
});

test('old versions of TLS are refused', async () => {
	await assert.rejects(connectTls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }));
});

test('plain HTTP on the TLS port gets nothing out of it', async () => {
	const raw = await RawSocket.open(gateway);
	raw.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n\r\n`);
	await raw.gone();
	assert.ok(!raw.received.toString('latin1').includes('200 OK'));
	raw.destroy();
	await joinAs(gateway, freshTopic(), 'alice');
});

test('SIGHUP brings the new certificate, and live connections stay', async () => {
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	assert.equal((await connectTls()).name, 'first');
	use(second);
	gateway.signal('SIGHUP');
	await until(async () => (await connectTls()).name === 'second', 'the second certificate is used');
	await alice.say('still here');
});

test('a bad certificate at SIGHUP keeps the old one', async () => {
	use(second);
	gateway.signal('SIGHUP');
	await until(async () => (await connectTls()).name === 'second', 'the second certificate is used');
	copyFileSync(first.key, cert);
	const before = gateway.stderr.length + gateway.stdout.length;
	gateway.signal('SIGHUP');
	await until(() => gateway.stderr.length + gateway.stdout.length > before, 'the failure is logged');
	assert.equal((await connectTls()).name, 'second');
	use(second);
});

test('a certificate that does not fit its key stops the start', async () => {
	const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(folder, 'data'),
		'--set', `gateway.tls_cert=${first.cert}`, '--set', `gateway.tls_key=${second.key}`]);
	assert.notEqual(served.code, 0);
	assert.ok(!served.stdout.includes('ready '));
});
