// SPDX-License-Identifier: Apache-2.0
// JSON web tokens as bearers: keys, algorithms and claims.

import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshFolder } from './lib/gateway.mjs';
import { freshTopic, house } from './lib/house.mjs';
import { base64url, jwt, now } from './lib/jwt.mjs';
import { RoomClient } from './lib/room_client.mjs';

const secret = randomBytes(32);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');

const jwks = {
	keys: [
		{ kty: 'oct', kid: 'hs', alg: 'HS256', k: secret.toString('base64url') },
		{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rs', use: 'sig' },
		{ ...ec.publicKey.export({ format: 'jwk' }), kid: 'es', use: 'sig' },
		{ ...ed.publicKey.export({ format: 'jwk' }), kid: 'ed', use: 'sig' },
	],
};
const jwksFile = join(freshFolder(), 'jwks.json');
writeFileSync(jwksFile, JSON.stringify(jwks));

const gateway = await house({ config: `
[auth.jwt]
algorithms = ["HS256", "RS256", "PS256", "ES256", "EdDSA"]
jwks = "${jwksFile}"
issuer = "https://issuer.example"
audience = "hustings"
` });

function claims(changes = {}) {
	return { iss: 'https://issuer.example', aud: 'hustings', sub: 'jane', iat: now(), exp: now() + 600, privilege: 'full', ...changes };
}

const SIGNERS = { HS256: [secret, 'hs'], RS256: [rsa.privateKey, 'rs'], PS256: [rsa.privateKey, 'rs'], ES256: [ec.privateKey, 'es'], EdDSA: [ed.privateKey, 'ed'] };

function signed(algorithm, changes) {
	const [key, kid] = SIGNERS[algorithm];
	return jwt(algorithm, key, claims(changes), { kid });
}

for (const algorithm of Object.keys(SIGNERS)) {
	test(`a token signed with ${algorithm} opens the door`, async () => {
		const jane = await RoomClient.connect({ gateway, topic: freshTopic(), token: signed(algorithm) });
		assert.equal(jane.id, 'jane');
		assert.equal(jane.welcome.payload.participant.privilege, 'full');
		await jane.say('signed');
	});
}

test('the claim of privilege is obeyed, and without one the default holds', async () => {
	for (const [privilege, expected] of [['full', 'full'], ['restricted', 'restricted'], [undefined, 'restricted']]) {
		const jane = await RoomClient.connect({ gateway, topic: freshTopic(), token: signed('RS256', { privilege }) });
		assert.equal(jane.welcome.payload.participant.privilege, expected);
	}
});

test('the claim of topics is obeyed', async () => {
	const topic = freshTopic();
	const token = signed('RS256', { topics: [topic] });
	await RoomClient.connect({ gateway, topic, token });
	assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), token })).status, 403);
});

test('REST takes the same tokens', async () => {
	assert.equal((await gateway.request('GET', '/v0/topics', { token: signed('ES256') })).status, 200);
});

const good = signed('RS256');
const [head, body, signature] = good.split('.');
const refused = {
	'another key': jwt('RS256', stranger.privateKey, claims(), { kid: 'rs' }),
	'no signature': `${head}.${body}.`,
	'two parts': `${head}.${body}`,
	'changed claims': `${head}.${base64url(claims({ sub: 'admin' }))}.${signature}`,
	'a changed signature': `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`,
	'the algorithm none': jwt('none', null, claims()),
	'the algorithm None': jwt('none', null, claims(), { alg: 'None', signAs: 'none' }),
	'HS256 with the public key as the secret': jwt('HS256', rsa.publicKey.export({ type: 'spki', format: 'pem' }), claims(), { kid: 'rs' }),
	'HS512, which is not allowed': jwt('HS512', secret, claims(), { kid: 'hs' }),
	'an expired token': signed('RS256', { exp: now() - 600 }),
	'a token of the future': signed('RS256', { nbf: now() + 3600 }),
	'another issuer': signed('RS256', { iss: 'https://evil.example' }),
	'no issuer': signed('RS256', { iss: undefined }),
	'another audience': signed('RS256', { aud: 'somebody-else' }),
	'no audience': signed('RS256', { aud: undefined }),
	'no subject': signed('RS256', { sub: undefined }),
	'an empty subject': signed('RS256', { sub: '' }),
	'the gateway as subject': signed('RS256', { sub: 'system:gateway' }),
	'a subject that is a number': signed('RS256', { sub: 7 }),
	'an expiry that is text': signed('RS256', { exp: 'tomorrow' }),
	'a key in its own head': jwt('RS256', stranger.privateKey, claims(), { kid: 'mine', jwk: stranger.publicKey.export({ format: 'jwk' }) }),
	'a key address in its own head': jwt('RS256', stranger.privateKey, claims(), { kid: 'mine', jku: 'http://127.0.0.1:1/jwks.json' }),
	'a critical header it does not know': jwt('RS256', rsa.privateKey, claims(), { kid: 'rs', crit: ['x'], x: 1 }),
};

for (const [what, token] of Object.entries(refused)) {
	test(`refused: ${what}`, async () => {
		assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), token })).status, 401);
		assert.equal((await gateway.request('GET', '/v0/topics', { token })).status, 401);
	});
}

test('a connection ends when its token expires', async () => {
	const leeway = 30; // auth.jwt.leeway, which counts here too
	const token = signed('HS256', { exp: now() - leeway + 12 });
	const jane = await RoomClient.connect({ gateway, topic: freshTopic(), token });
	assert.equal((await jane.expectClose()).code, 4003);
});

test('no claim makes an administrator unless the configuration says so', async () => {
	const token = signed('RS256', { admin: true, role: 'admin' });
	assert.equal((await gateway.request('GET', '/admin/tokens', { token })).status, 403);
});

test('opaque tokens go on working beside', async () => {
	const token = await gateway.token({ id: 'opaque', privilege: 'full' });
	assert.equal((await RoomClient.connect({ gateway, topic: freshTopic(), token })).id, 'opaque');
});
