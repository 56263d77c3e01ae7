// SPDX-License-Identifier: Apache-2.0
// A client of MGP written from the specification alone: `capabilities.mgp` on initialize in the legacy era, the
// extension dev.hustings/mgp in every request of the modern one; a trace id in every request. Without mgp it is a
// plain MCP client. What is notified is collected, from the answers of requests and from its open stream.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MODERN, modern, post } from './mcp_wire.mjs';
import { until, within } from './wait.mjs';

export const EXTENSION = 'dev.hustings/mgp';
/** The extensions of MGP 2.2. */
export const ALL = ['security', 'access_control', 'audit', 'code_safety', 'lifecycle', 'streaming', 'bidirectional', 'discovery',
	'tool_discovery'];
export const MGP = { version: '0.2.0', extensions: ALL };
const META = 'io.modelcontextprotocol/';
const LATEST_LEGACY = '2025-11-25';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

export const isUuid = (text) => UUID.test(text);

export class MgpClient {
	heard = [];
	number = 1;
	streams = new Set();

	/** mgp: null for a plain client; token; capabilities: further ones of MCP; version: of MCP. */
	constructor(url, { token, mgp = MGP, capabilities = {}, version = LATEST_LEGACY }) {
		Object.assign(this, { url, token, asks: mgp, capabilities, version });
	}

	/** Begins with initialize. */
	static async legacy(url, options = {}) {
		const client = new MgpClient(url, options);
		const mgp = client.asks === null ? {} : { mgp: client.asks };
		const begun = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {
			protocolVersion: client.version, capabilities: { ...client.capabilities, ...mgp },
			clientInfo: { name: 'outside', version: '1.0.0' } } }, { token: client.token });
		const said = await begun.next();
		assert.ok(said?.result, `initialize at ${url}: ${begun.status} ${JSON.stringify(said)}`);
		client.hello = said.result;
		client.mgp = said.result.capabilities.mgp;
		client.headers = { 'mcp-session-id': begun.headers.get('mcp-session-id'), 'mcp-protocol-version': client.version };
		await client.notify('notifications/initialized');
		return client;
	}

	/** Begins with server/discover. */
	static async modern(url, options = {}) {
		const client = new MgpClient(url, options);
		client.isModern = true;
		const said = await client.request('server/discover');
		assert.ok(said.result, `server/discover at ${url}: ${JSON.stringify(said)}`);
		client.hello = said.result;
		client.mgp = said.result.capabilities.extensions?.[EXTENSION];
		return client;
	}

	notify(method, params = {}) {
		return post(this.url, { jsonrpc: '2.0', method, params }, { headers: this.headers, token: this.token });
	}

	extensions() {
		return this.asks === null ? {} : { extensions: { [EXTENSION]: this.asks } };
	}

	/** Sends one request: {status, headers, next()}; trace: null for none; top: fields beside params. */
	send(method, params = {}, { trace = randomUUID(), top = {}, signal, id = this.number++ } = {}) {
		const traced = this.asks === null || trace === null ? params : { trace_id: trace, ...params };
		if (this.isModern)
			return modern(this.url, method, traced, { id, signal, token: this.token,
				capabilities: { ...this.capabilities, ...this.extensions() } });
		return post(this.url, { jsonrpc: '2.0', id, method, params: traced, ...top }, { headers: this.headers, token: this.token, signal });
	}

	/** Answers what the gateway asks, by method: a function from params to {result} or {error}. */
	answers = {};

	/** One request to its end: the message that answers it, as it came. */
	request(method, params, options = {}) {
		return this.begin(method, params, options).answer;
	}

	/**
	 * Begins a request: {id, messages, answer, abort()}. What comes on its stream is kept there in order, with its answer,
	 * and is heard as it comes.
	 */
	begin(method, params, options = {}) {
		const id = options.id ?? this.number++;
		const control = new AbortController();
		const begun = { id, messages: [], abort: () => control.abort(), client: this };
		begun.hears = (name, fits = () => true) => until(
			() => begun.messages.find((one) => one.method === name && fits(one.params)), `${name} on the stream of ${method}`);
		begun.answer = this.toItsEnd(begun, method, params, { signal: control.signal, ...options, id });
		begun.answer.catch(() => {});
		return begun;
	}

	async toItsEnd(begun, method, params, options) {
		const answer = await this.send(method, params, options);
		begun.status = answer.status;
		for (;;) {
			const message = await answer.next();
			if (message === undefined)
				throw new Error(`${method} at ${this.url}: ${answer.status}, and the answer ended`);
			begun.messages.push(message);
			if (message.method === undefined && message.id === options.id)
				return this.rest(begun, answer, message);
			this.heard.push(message);
			this.answerTo(message);
		}
	}

	/** The answer is the last of its stream: whatever comes behind it is kept too, for a test to find. */
	async rest(begun, answer, message) {
		begun.whole = (async () => {
			for (let more; (more = await answer.next()) !== undefined;)
				begun.messages.push(more);
		})();
		begun.whole.catch(() => {});
		return message;
	}

	/** What the gateway asks of a legacy client is answered in a POST of its own. */
	answerTo({ id, method, params }) {
		if (id === undefined || method === undefined)
			return;
		const does = this.answers[method];
		const said = does === undefined ? { error: { code: -32601, message: `no method ${method}` } } : does(params);
		Promise.resolve(said).then((body) => body && post(this.url, { jsonrpc: '2.0', id, ...body }, { headers: this.headers, token: this.token }))
			.catch(() => {});
	}

	/**
	 * mgp/events/subscribe: {subscription_id, subscribed, unsupported, close()}. In the modern era events come on its own
	 * stream, in the legacy era on that of open().
	 */
	async subscribe(params, options = {}) {
		if (!this.isModern)
			return { ...await this.ask('mgp/events/subscribe', params, options), close() {} };
		const control = new AbortController();
		this.streams.add(control);
		const messages = [];
		const response = await within(this.ownStream('mgp/events/subscribe', params, control.signal, options.id), 'the stream of a subscription');
		this.collect(response, messages).catch(() => {});
		const first = await until(() => messages[0], 'the first event of a subscription');
		assert.ok(first.error === undefined, JSON.stringify(first));
		return { ...(first.result ?? first.params), first, type: response.headers.get('content-type'), messages,
			close: () => control.abort() };
	}

	/** The notifications of that method that were heard, oldest first. */
	all(method, fits = () => true) {
		return this.heard.filter((message) => message.method === method && fits(message.params)).map(({ params }) => params);
	}

	/** The events of a subscription that were heard. */
	events(subscription) {
		return this.all('notifications/mgp.event', (params) => params.subscription_id === subscription.subscription_id);
	}

	/** Waits for an event of a subscription. */
	event(subscription, fits = () => true) {
		return until(() => this.events(subscription).find(fits), `an event of ${subscription.subscription_id} with ${fits}`);
	}

	/** The result of a request that has to have one. */
	async ask(method, params, options) {
		const { result, error } = await this.request(method, params, options);
		assert.ok(error === undefined, `${method}: ${JSON.stringify(error)}`);
		return result;
	}

	/** The error of a request that has to have one. */
	async refusal(method, params, options) {
		const { result, error } = await this.request(method, params, options);
		assert.ok(error !== undefined, `${method} was not refused: ${JSON.stringify(result)}`);
		return error;
	}

	call(name, args = {}, options) {
		return this.request('tools/call', { name, arguments: args }, options);
	}

	/** The text of a call that has to succeed. */
	async text(name, args, options) {
		const { result, error } = await this.call(name, args, options);
		assert.ok(error === undefined && result.isError !== true, `${name}: ${JSON.stringify(error ?? result)}`);
		return result.content[0].text;
	}

	/** The error of a call that has to be refused. */
	async refused(name, args, options) {
		const { result, error } = await this.call(name, args, options);
		assert.ok(error !== undefined, `${name} was not refused: ${JSON.stringify(result)}`);
		return error;
	}

	/** All tools by name. */
	async tools() {
		const found = new Map();
		for (let cursor; ;) {
			const page = await this.ask('tools/list', cursor === undefined ? {} : { cursor });
			for (const tool of page.tools)
				found.set(tool.name, tool);
			cursor = page.nextCursor;
			if (cursor === undefined)
				return found;
		}
	}

	/** Opens the stream of notifications: GET, or subscriptions/listen. It may be quiet for as long as it likes. */
	async open({ lastEventId } = {}) {
		const control = new AbortController();
		this.streams.add(control);
		const response = await within(this.isModern ? this.listen(control.signal) : this.get(control.signal, lastEventId), `a stream of ${this.url}`);
		assert.equal(response.status, 200);
		this.stream = control;
		this.listening = this.collect(response).catch(() => {});
		if (this.isModern)
			await this.hears('notifications/subscriptions/acknowledged');
		return this;
	}

	authorization() {
		return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
	}

	/** Its stream of notifications breaks off. */
	async shut() {
		this.stream.abort();
		await this.listening;
	}

	get(signal, lastEventId) {
		return fetch(this.url, { signal, headers: { accept: 'text/event-stream', ...this.headers, ...this.authorization(),
			...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) } });
	}

	listen(signal) {
		return this.ownStream('subscriptions/listen', { notifications: { toolsListChanged: true, [EXTENSION]: true } }, signal);
	}

	/** A request of the modern era whose answer stays open. */
	ownStream(method, params, signal, id = this.number++) {
		return fetch(this.url, { method: 'POST', signal, headers: { 'content-type': 'application/json',
			accept: 'application/json, text/event-stream', 'mcp-protocol-version': MODERN, 'mcp-method': method, ...this.authorization() },
		body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: {
				[`${META}protocolVersion`]: MODERN, [`${META}clientInfo`]: { name: 'outside', version: '1.0.0' },
				[`${META}clientCapabilities`]: { ...this.capabilities, ...this.extensions() } } } }) });
	}

	/** Keeps the messages of a stream, and the id of its last event. */
	async collect(response, messages = []) {
		let rest = '';
		for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
			rest += part;
			for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
				const lines = rest.slice(0, end).split('\n');
				const text = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
				const id = lines.find((line) => line.startsWith('id:'));
				if (id !== undefined)
					this.lastEventId = id.slice(3).trim();
				if (text === '')
					continue;
				const message = JSON.parse(text);
				messages.push(message);
				this.heard.push(message);
				if (!this.isModern)
					this.answerTo(message);
			}
		}
	}

	/** Waits until a notification of this method, for which `fits` holds, has come. */
	hears(method, fits = () => true) {
		return until(() => this.heard.find((message) => message.method === method && fits(message.params)), `${method} is heard`);
	}

	async close() {
		for (const control of this.streams)
			control.abort();
		await this.listening;
		if (!this.isModern)
			await fetch(this.url, { method: 'DELETE', headers: { ...this.headers, ...this.authorization() } });
	}
}
