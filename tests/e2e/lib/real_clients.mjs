// SPDX-License-Identifier: Apache-2.0
// The official clients behind one shape, so that a test asks the same of each:
// "sdk": @modelcontextprotocol/sdk 1.x; "client": @modelcontextprotocol/client 2.x as it is by default,
// which is legacy; "modern": the same, negotiating the newest era; "old": 1.x over HTTP+SSE as of 2024-11-05.

import assert from 'node:assert/strict';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as V2Stdio } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as V1Sse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { BINARY } from './gateway.mjs';
import { BOUND, within } from './wait.mjs';

export const KINDS = ['sdk', 'client', 'modern'];
/** Roots are declared by who has an answer alone: a server that begins asks for them whenever it can. */
const declared = (answers) => ({
	elicitation: { form: {}, url: {} }, sampling: {}, ...('roots/list' in answers && { roots: { listChanged: true } }) });
const schemas = {
	'elicitation/create': types.ElicitRequestSchema, 'sampling/createMessage': types.CreateMessageRequestSchema,
	'roots/list': types.ListRootsRequestSchema,
	'notifications/message': types.LoggingMessageNotificationSchema,
	'notifications/progress': types.ProgressNotificationSchema,
	'notifications/resources/updated': types.ResourceUpdatedNotificationSchema,
	'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
};
const OPTIONS = { timeout: BOUND };

/** The transport of one kind to `to`: {url, token} or {args, home}, the latter for `hustings ARGS`
 * (or another command) as a child. */
function transportTo(kind, to) {
	if (to.url !== undefined) {
		const requestInit = to.token === undefined ? {} : { headers: { authorization: `Bearer ${to.token}` } };
		const Transport = { sdk: V1Http, old: V1Sse }[kind] ?? v2.StreamableHTTPClientTransport;
		return new Transport(new URL(to.url), { requestInit });
	}
	const transport = new (kind === 'sdk' ? V1Stdio : V2Stdio)({
		command: to.command ?? BINARY, args: to.args, env: { HOME: to.home, PATH: process.env.PATH }, stderr: 'pipe',
		maxBufferSize: 64 * 1024 * 1024 });
	transport.stderr?.on('data', () => {});
	return transport;
}

export class RealClient {
	/** answers: {method: function} for what a server may ask; capabilities: what is declared. */
	static async connect(kind, to, { answers = {}, capabilities = declared(answers) } = {}) {
		const real = new RealClient();
		const isFirst = kind === 'sdk' || kind === 'old';
		Object.assign(real, { kind, isModern: kind === 'modern', isFirst, heard: [] });
		const info = { name: `test-${kind}`, version: '1.0.0' };
		real.client = isFirst ? new V1Client(info, { capabilities })
			: new v2.Client(info, { capabilities, versionNegotiation: { mode: real.isModern ? 'auto' : 'legacy' } });
		for (const [method, answer] of Object.entries(answers))
			real.client.setRequestHandler(isFirst ? schemas[method] : method, answer);
		for (const method of Object.keys(schemas).filter((one) => one.startsWith('notifications/') && !one.endsWith('progress')))
			real.client.setNotificationHandler(isFirst ? schemas[method] : method,
				(notification) => { real.heard.push(notification); });
		real.transport = transportTo(kind, to);
		await within(real.client.connect(real.transport), `${kind} connects`);
		if (!isFirst)
			assert.equal(real.client.getProtocolEra(), real.isModern ? 'modern' : 'legacy');
		return real;
	}

	call(name, args = {}, { signal, onprogress, meta, timeout = BOUND } = {}) {
		const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
		const options = { timeout, ...(signal && { signal }), ...(onprogress && { onprogress }) };
		return this.isFirst ? this.client.callTool(params, undefined, options) : this.client.callTool(params, options);
	}

	async text(name, args, options) {
		const result = await this.call(name, args, options);
		assert.notEqual(result.isError, true, JSON.stringify(result));
		return result.content.map((one) => one.text ?? '').join('\n');
	}

	/** Everything of a list, page by page. */
	async all(verb, member) {
		const found = [];
		for (let cursor, first = true; first || cursor !== undefined; first = false) {
			const page = await this.client[verb](cursor === undefined ? {} : { cursor }, OPTIONS);
			found.push(...page[member]);
			cursor = page.nextCursor;
		}
		return found;
	}

	tools() { return this.all('listTools', 'tools'); }
	prompts() { return this.all('listPrompts', 'prompts'); }
	resources() { return this.all('listResources', 'resources'); }
	templates() { return this.all('listResourceTemplates', 'resourceTemplates'); }
	prompt(name, args = {}) { return this.client.getPrompt({ name, arguments: args }, OPTIONS); }
	read(uri) { return this.client.readResource({ uri }, OPTIONS); }
	complete(ref, argument, context) {
		return this.client.complete({ ref, argument, ...(context && { context }) }, OPTIONS);
	}

	/** Hears of changes of one resource, in the way of its era; hands out what ends that. */
	async watch(uri) {
		if (this.isModern) {
			const subscription = await this.client.listen({ resourceSubscriptions: [uri] }, OPTIONS);
			return () => subscription.close();
		}
		await this.client.subscribeResource({ uri }, OPTIONS);
		return () => this.client.unsubscribeResource({ uri }, OPTIONS);
	}

	close() { return within(this.client.close(), `${this.kind} closes`); }
}
