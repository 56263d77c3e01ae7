// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP as it stands on the wire: one POST, its JSON or its events, in either era.

import { within } from './wait.mjs';

export const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';

/** The messages of an event stream, as they come. */
async function* events(response) {
	let rest = '';
	for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
		rest += part;
		for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
			const data = rest.slice(0, end).split('\n').filter((line) => line.startsWith('data:'));
			if (data.length > 0)
				yield JSON.parse(data.map((line) => line.slice(5).trimStart()).join('\n'));
		}
	}
}

/** One POST: {status, headers, next()}; next() is the next message of the answer, undefined at its end. */
export async function post(url, message, { headers = {}, signal, token } = {}) {
	const response = await within(fetch(url, {
		method: 'POST', body: JSON.stringify(message), signal,
		headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
	}), `POST ${url}`);
	const isStream = (response.headers.get('content-type') ?? '').includes('text/event-stream');
	const messages = isStream ? events(response) : (async function* () {
		const text = await response.text();
		if (text !== '')
			yield JSON.parse(text);
	})();
	return {
		status: response.status, headers: response.headers, isStream,
		next: () => within(messages.next(), `a message from ${url}`).then(({ value }) => value),
	};
}

/** A request of 2026-07-28, with the metadata and headers that it needs. */
export function modern(url, method, params = {}, { capabilities = {}, id = 1, headers = {}, signal, token } = {}) {
	const name = params.name ?? params.uri;
	return post(url, { jsonrpc: '2.0', id, method, params: { ...params, _meta: {
		[`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: capabilities,
		[`${META}clientInfo`]: { name: 'test', version: '1' }, ...params._meta } } }, {
		headers: { 'mcp-protocol-version': MODERN, 'mcp-method': method,
			...(name === undefined ? {} : { 'mcp-name': name }), ...headers }, signal, token });
}

/** A legacy session: initialize, then request() and post() with its id. */
export async function legacy(url, { capabilities = {}, version = '2025-11-25', token } = {}) {
	const begun = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {
		protocolVersion: version, capabilities, clientInfo: { name: 'test', version: '1' } } }, { token });
	const { result } = await begun.next();
	const id = begun.headers.get('mcp-session-id');
	const headers = { 'mcp-session-id': id, 'mcp-protocol-version': version };
	const say = (message) => post(url, { jsonrpc: '2.0', ...message }, { headers, token });
	await say({ method: 'notifications/initialized' });
	return { id, result, headers, say, request: (method, params = {}, number = 1) => say({ id: number, method, params }) };
}
