// SPDX-License-Identifier: Apache-2.0
// JSON web tokens for the tests, signed with node:crypto alone.

import { createHmac, createSign, sign as signWith } from 'node:crypto';

export function base64url(value) {
	return Buffer.from(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)).toString('base64url');
}

function signature(algorithm, key, text) {
	switch (algorithm) {
	case 'HS256':
		return createHmac('sha256', key).update(text).digest();
	case 'HS512':
		return createHmac('sha512', key).update(text).digest();
	case 'RS256':
		return createSign('sha256').update(text).sign(key);
	case 'PS256':
		return createSign('sha256').update(text).sign({ key, padding: 6, saltLength: 32 });
	case 'ES256':
		return createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' });
	case 'EdDSA':
		return signWith(null, Buffer.from(text), key);
	case 'none':
		return Buffer.alloc(0);
	default:
		throw new Error(algorithm);
	}
}

/** A compact JWS over the claims; `head` overrides fields of the protected header. */
export function jwt(algorithm, key, claims, head = {}) {
	const text = `${base64url({ typ: 'JWT', alg: algorithm, ...head })}.${base64url(claims)}`;
	return `${text}.${signature(head.alg === undefined ? algorithm : head.signAs ?? algorithm, key, text).toString('base64url')}`;
}

export function now() {
	return Math.floor(Date.now() / 1000);
}
