// SPDX-License-Identifier: Apache-2.0
// A Streamable HTTP server on the official SDK for tests of the stdio face: sessions with resumable
// streams, that a test can look at and break. A modern request is answered by hand, headers checked.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
	CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema, SetLevelRequestSchema, SubscribeRequestSchema,
	UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const TOKEN = 'hus_a-token-for-tests';
const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Events of all streams, so that a stream that was cut can go on. */
class Events {
	events = [];

	async storeEvent(streamId, message) {
		this.events.push({ streamId, message });
		return String(this.events.length);
	}

	async replayEventsAfter(lastEventId, { send }) {
		const { streamId } = this.events[Number(lastEventId) - 1];
		for (let at = Number(lastEventId); at < this.events.length; at += 1) {
			if (this.events[at].streamId === streamId)
				await send(String(at + 1), this.events[at].message);
		}
		return streamId;
	}
}

export class McpHttpServer {
	requests = [];
	sessions = new Map();
	begun = 0;
	subscribed = [];
	levels = [];
	cancelled = [];
	waiting = [];
	modernClosed = [];
	json = false;
	isAway = false;
	turnedAway = 0;
	token = TOKEN;

	static async start(options = {}) {
		const server = Object.assign(new McpHttpServer(), options);
		server.http = http.createServer((request, response) => {
			server.answer(request, response).catch((error) => response.destroy(error));
		});
		server.http.on('connection', (socket) => {
			if (server.isAway) {
				server.turnedAway += 1;
				socket.destroy();
			}
		});
		await new Promise((done) => server.http.listen(0, '127.0.0.1', done));
		server.port = server.http.address().port;
		server.url = `http://127.0.0.1:${server.port}`;
		return server;
	}

	async answer(request, response) {
		const chunks = [];
		for await (const chunk of request)
			chunks.push(chunk);
		const text = Buffer.concat(chunks).toString();
		const body = text === '' ? undefined : JSON.parse(text);
		this.requests.push({ method: request.method, url: request.url, headers: request.headers, body });
		if (request.headers.authorization !== `Bearer ${this.token}`)
			return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"unauthorized","message":"no"}');
		if (body?.params?._meta?.[VERSION] !== undefined)
			return this.answerModern(body, request, response);
		const id = request.headers['mcp-session-id'];
		if (id !== undefined && !this.sessions.has(id))
			return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":"session_not_found","message":"begin again"}');
		const transport = id === undefined ? await this.begin() : this.sessions.get(id).transport;
		return transport.handleRequest(request, response, body);
	}

	async begin() {
		this.begun += 1;
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: () => randomUUID(), enableJsonResponse: this.json, eventStore: new Events(), retryInterval: 50,
			onsessioninitialized: (id) => { this.sessions.set(id, { transport, server }); },
			onsessionclosed: (id) => { this.sessions.delete(id); },
		});
		const server = this.makeServer(transport);
		await server.connect(transport);
		return transport;
	}

	makeServer(transport) {
		const server = new Server({ name: 'http-fixture', version: '1' },
			{ capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} } });
		server.setRequestHandler(ListToolsRequestSchema, () => ({
			tools: ['echo', 'ask', 'steps', 'cut', 'wait'].map((name) => ({ name, inputSchema: { type: 'object' } })),
		}));
		server.setRequestHandler(SubscribeRequestSchema, ({ params }) => { this.subscribed.push(params.uri); return {}; });
		server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
		server.setRequestHandler(SetLevelRequestSchema, ({ params }) => { this.levels.push(params.level); return {}; });
		server.setRequestHandler(CallToolRequestSchema, (request, extra) => this.call(server, transport, request, extra));
		return server;
	}

	async call(server, transport, { params }, extra) {
		const say = (text) => ({ content: [{ type: 'text', text }] });
		if (params.name === 'ask') {
			const answer = await extra.sendRequest({ method: 'elicitation/create', params: {
				message: 'Which?', requestedSchema: { type: 'object', properties: { which: { type: 'string' } } },
			} }, ElicitResultSchema);
			return say(JSON.stringify(answer.content));
		}
		if (params.name === 'steps') {
			for (const progress of [1, 2, 3]) {
				await extra.sendNotification({ method: 'notifications/progress',
					params: { progressToken: extra._meta.progressToken, progress, total: 3 } });
			}
			return say('all steps');
		}
		if (params.name === 'cut') {
			extra.closeSSEStream();
			return say('after the cut');
		}
		if (params.name === 'wait') {
			return new Promise((done) => {
				this.waiting.push(() => done(say('waited')));
				extra.signal.addEventListener('abort', () => this.cancelled.push(extra.requestId));
			});
		}
		return say(params.arguments.text);
	}

	answerModern(body, request, response) {
		const sent = (status, message) => response.writeHead(status, { 'content-type': 'application/json' })
			.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...message }));
		const name = body.params.name ?? body.params.uri;
		const header = request.headers['mcp-name'];
		const plain = /^=\?base64\?(.*)\?=$/.exec(header ?? '');
		const told = plain === null ? header : Buffer.from(plain[1], 'base64').toString();
		if (request.headers['mcp-protocol-version'] !== body.params._meta[VERSION] || request.headers['mcp-method'] !== body.method ||
			(body.method === 'tools/call' && told !== name) || request.headers['mcp-session-id'] !== undefined)
			return void sent(400, { error: { code: -32020, message: 'headers' } });
		if (body.method === 'server/discover')
			return void sent(200, { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
		if (body.method !== 'tools/call' || name === 'nothing')
			return void sent(404, { error: { code: -32601, message: 'not here' } });
		if (name !== 'wait')
			return void sent(200, { result: { resultType: 'complete', content: [{ type: 'text', text: name }] } });
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.flushHeaders();
		this.waiting.push(() => response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: body.id,
			result: { resultType: 'complete', content: [{ type: 'text', text: 'waited' }] } })}\n\n`));
		response.on('close', () => { if (!response.writableFinished) this.modernClosed.push(body.id); });
	}

	/** Everything it knew of its clients is gone, as after a restart. */
	async forget() {
		const sessions = [...this.sessions.values()];
		this.sessions.clear();
		for (const { transport } of sessions)
			await transport.close();
	}

	/** It is gone, for whoever knocks, until isAway is false again. */
	async leave() {
		this.isAway = true;
		await this.forget();
		this.http.closeAllConnections();
	}

	async stop() {
		this.http.closeAllConnections();
		await new Promise((done) => this.http.close(done));
	}
}
