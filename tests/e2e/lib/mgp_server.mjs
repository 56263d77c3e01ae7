// SPDX-License-Identifier: Apache-2.0
// An MGP server written from the specification alone. `node mgp_server.mjs PLAN` speaks on stdin and stdout, and
// MgpHttpServer over Streamable HTTP; PLAN is JSON and says how it behaves:
//
//   id, version, extensions, permissions, trust   what stands in its mgp capabilities (permissions: N is N made-up ones);
//   plain       it has none
//   unasked     it says mgp to whoever asks                 hello    further fields of its mgp capabilities
//   eras        ["legacy"], ["modern"] or both              manner   how it misbehaves from the start, see `manners`
//   tools       definitions, each with `does`: steps, one for each call of it, the last of them for all further ones
//   folder      where received.jsonl is written, where `release` ends what is held, and `health` is the status it tells
//   health, shutdown   what it answers to mgp/health/* and mgp/lifecycle/shutdown; "silent": nothing
//   grants      what it claims when it is asked for permissions         claims   what it notifies once it is initialized
//   cancel, events, subscribe   how it cancels streams, the channels it has, how it is subscribed to: see mgp_play.mjs
//
// A step is {text}, {result}, {error}, {hold}, {silent}, {exit}, {say: [messages]}, {tools: [definitions]}, {octets},
// {garbage}, {status} (HTTP alone), or {script: [acts]}: streams, progress, callbacks, events, see mgp_play.mjs; a tool
// that does "told" plays the script of its arguments. Without a step a call is answered with its own params as JSON text.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Play, talkMethods } from './mgp_play.mjs';

export const MGP_SERVER = fileURLToPath(import.meta.url);
export const EXTENSION = 'dev.hustings/mgp';
const META = 'io.modelcontextprotocol/';
const MODERN = '2026-07-28';
const MIB = 1024 * 1024;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class MgpServer {
	constructor(plan, write) {
		this.plan = { eras: ['legacy'], extensions: [], tools: [], ...plan };
		this.write = (message) => write({ jsonrpc: '2.0', ...message });
		this.tools = this.plan.tools;
		this.calls = new Map();
		this.plays = new Map();
		this.asked = new Map();
		this.subscriptions = new Map();
		this.numbers = 0;
		this.received = [];
		this.pending = 0;
		this.began = Date.now();
	}

	/** Remembers a message, in a file too, for a test to read. */
	remember(message) {
		const record = { at: Date.now(), message };
		this.received.push(record);
		if (this.plan.folder !== undefined) {
			try {
				appendFileSync(join(this.plan.folder, 'received.jsonl'), `${JSON.stringify(record)}\n`);
			} catch {
				// In a sandbox there is no such folder: the tool "seen" tells instead.
			}
		}
	}

	/** What a client says it knows of MGP, in either era. */
	static spokenBy({ params }) {
		return params?.capabilities?.mgp ?? params?._meta?.[`${META}clientCapabilities`]?.extensions?.[EXTENSION];
	}

	/** Its own mgp capabilities towards a client that said these; undefined: not a word. */
	mgpFor(client) {
		const { plan } = this;
		if (plan.plain || (client === undefined && !plan.unasked))
			return undefined;
		const known = client?.extensions ?? plan.extensions;
		return {
			version: plan.version ?? '0.2.0', extensions: plan.extensions.filter((one) => plan.unasked || known.includes(one)),
			...(plan.permissions === undefined ? {} : { permissions_required: this.permissions() }),
			...(plan.id === undefined ? {} : { server_id: plan.id }),
			...(plan.trust === undefined ? {} : { trust_level: plan.trust }), ...plan.hello,
		};
	}

	permissions() {
		const { permissions } = this.plan;
		return Array.isArray(permissions) ? permissions : [...Array(permissions).keys()].map((one) => `com.example.p${one}`);
	}

	/** Handles one message; `reply` is for its answer, `broken` for what is no message, `tell` for what it says before. */
	receive(message, reply, broken = () => {}, tell = this.write) {
		this.remember(message);
		if (message.method === undefined && this.asked.has(message.id)) {
			this.asked.get(message.id)(message.result ?? { error: message.error });
			return void this.asked.delete(message.id);
		}
		const answer = (body) => reply({ jsonrpc: '2.0', id: message.id, ...body });
		if (message.method === undefined || message.id === undefined)
			return this.hear(message);
		const does = this.methods[message.method];
		if (does === undefined || (message.method === 'server/discover' && !this.plan.eras.includes('modern')))
			return void answer({ error: { code: -32601, message: `no method ${message.method}` } });
		return does.call(this, message, answer, broken, tell);
	}

	/** Tells everybody who has subscribed to its channel. */
	raise(event) {
		for (const [subscription_id, channels] of this.subscriptions) {
			if (channels.some((one) => one === event.channel || Play.covers(one, event.channel)))
				this.write({ method: 'notifications/mgp.event', params: { subscription_id, ...event } });
		}
	}

	eraOf({ method, params }) {
		if (method === 'initialize')
			return 'legacy';
		return params?._meta?.[`${META}protocolVersion`] !== undefined && this.plan.eras.includes('modern') ? 'modern' : 'legacy';
	}

	hear({ method, params }) {
		if (method === 'notifications/cancelled')
			this.plays.get(params.requestId)?.end(undefined);
		if (method === 'notifications/initialized') {
			for (const claim of this.plan.claims ?? [])
				this.write(claim);
			if (this.plan.manner === 'dies-when-initialized')
				this.end?.(1);
		}
	}

	/** The definitions as a client may see them. */
	definitions(client) {
		return this.tools.map(({ does, security, ...definition }) => ({
			inputSchema: { type: 'object' }, ...definition,
			...(security === undefined || (this.mgpFor(client) === undefined && !this.plan.unasked) ? {} : { security }),
		}));
	}

	status() {
		try {
			return readFileSync(join(this.plan.folder, 'health'), 'utf8').trim();
		} catch {
			return 'healthy';
		}
	}

	methods = {
		initialize(message, answer) {
			if (!this.plan.eras.includes('legacy'))
				return void answer({ error: { code: -32022, message: 'another version', data: { supported: [MODERN],
					requested: message.params.protocolVersion } } });
			const client = MgpServer.spokenBy(message);
			this.client = client;
			const mgp = this.mgpFor(client);
			answer({ result: {
				protocolVersion: message.params.protocolVersion,
				capabilities: { tools: { listChanged: true }, ...(mgp === undefined ? {} : { mgp }) },
				serverInfo: { name: this.plan.name ?? 'outside', version: '1.0.0' },
			} });
		},
		'server/discover'(message, answer) {
			const mgp = this.mgpFor(MgpServer.spokenBy(message));
			answer({ result: {
				resultType: 'complete', supportedVersions: [MODERN], ttlMs: 0, cacheScope: 'private',
				capabilities: { tools: { listChanged: true }, ...(mgp === undefined ? {} : { extensions: { [EXTENSION]: mgp } }) },
			} });
		},
		ping: (message, answer) => answer({ result: {} }),
		'tools/list'(message, answer) {
			const isModern = this.eraOf(message) === 'modern';
			answer({ result: { tools: this.definitions(isModern ? MgpServer.spokenBy(message) : this.client),
				...(isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}) } });
		},
		'tools/call': MgpServer.prototype.call,
		'mgp/health/ping'(message, answer) {
			const { health = {} } = this.plan;
			if (health === 'silent')
				return;
			answer({ result: { status: this.status(), timestamp: new Date().toISOString(),
				uptime_secs: Math.floor((Date.now() - this.began) / 1000), server_id: this.plan.id, ...health.ping } });
		},
		'mgp/health/status'(message, answer) {
			const { health = {} } = this.plan;
			if (health === 'silent')
				return;
			answer({ result: { status: this.status(), uptime_secs: Math.floor((Date.now() - this.began) / 1000),
				tools_available: this.tools.length, tools_total: this.tools.length, pending_requests: this.pending,
				resources: { memory_bytes: process.memoryUsage().rss }, checks: { model_reachable: true }, ...health.status } });
		},
		async 'mgp/lifecycle/shutdown'(message, answer) {
			if (this.plan.shutdown === 'silent')
				return;
			const id = this.plan.id;
			const told = (previous_state, new_state) => this.write({ method: 'notifications/mgp.lifecycle', params: {
				server_id: id, previous_state, new_state, reason: message.params.reason, timestamp: new Date().toISOString() } });
			answer({ result: { accepted: true, pending_requests: this.pending, estimated_drain_ms: 1000, ...this.plan.shutdown } });
			told('connected', 'draining');
			while (this.pending > 0)
				await pause(20);
			told('draining', 'disconnected');
			this.end?.(0);
		},
		'mgp/permission/request': MgpServer.prototype.permission,
		'mgp/permission/await': MgpServer.prototype.permission,
		'mgp/permission/response': MgpServer.prototype.permission,
		'mgp/permission/grant': MgpServer.prototype.permission,
		...talkMethods,
	};

	permission({ params }, answer) {
		answer({ result: { request_id: params.request_id, ...(this.plan.grants === undefined ? {} : { grants: this.plan.grants, approved_by: 'myself' }) } });
	}

	/** The step of this call of that tool. */
	stepOf(tool) {
		const number = this.calls.get(tool.name) ?? 0;
		this.calls.set(tool.name, number + 1);
		const steps = tool.does ?? [];
		return steps[Math.min(number, steps.length - 1)] ?? {};
	}

	async call(message, reply, broken, tell) {
		const { name } = message.params;
		const complete = this.eraOf(message) === 'modern' ? { resultType: 'complete' } : {};
		const answer = (body) => reply(body.result === undefined ? body : { result: { ...complete, ...body.result } });
		const text = (words) => answer({ result: { content: [{ type: 'text', text: words }] } });
		const tool = this.tools.find((one) => one.name === name);
		if (tool === undefined)
			return answer({ error: { code: -32602, message: `no tool ${name}` } });
		if (tool.does === 'seen')
			return text(JSON.stringify(this.received));
		const step = tool.does === 'told' ? { script: message.params.arguments.script } : this.stepOf(tool);
		if (step.script !== undefined) {
			const result = await new Play(this, message, tell).run(step.script);
			if (result?.fault !== undefined)
				return answer({ error: result.fault });
			return result === undefined ? undefined : answer({ result });
		}
		for (const one of step.say ?? [])
			this.write(one);
		if (step.tools !== undefined) {
			this.tools = step.tools;
			this.write({ method: 'notifications/tools/list_changed' });
		}
		if (step.exit !== undefined)
			return this.end?.(step.exit);
		if (step.octets !== undefined || step.garbage !== undefined || step.status !== undefined)
			return broken(step, message);
		if (step.silent)
			return undefined;
		if (step.hold) {
			this.pending += 1;
			while (!existsSync(join(this.plan.folder, 'release')))
				await pause(20);
			this.pending -= 1;
		}
		if (step.error !== undefined)
			return answer({ error: step.error });
		return step.result === undefined ? text(step.text ?? JSON.stringify(message.params)) : answer({ result: step.result });
	}
}

/** How one misbehaves from its first moment. */
const manners = {
	garbage() {
		process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x7b, 0x0a, 0x5b, 0x5d, 0x0a]));
		setInterval(() => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":\n<html>no</html>\n42\nnull\n[{}]\n'), 100);
	},
	'stderr-flood'() {
		const line = `${'e'.repeat(200)}\n`.repeat(300);
		const pour = () => { while (process.stderr.write(line)) { /* until it is full */ } };
		process.stderr.on('drain', pour);
		setInterval(pour, 10);
	},
	forks({ marker }) {
		for (let number = 0; number < 20; number += 1)
			spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', marker], { detached: number % 2 === 0, stdio: 'inherit' });
	},
	silent() {},
};

/** What is no answer: a line without end, or octets that are no JSON. */
async function breakStdout({ octets, garbage }, { id }) {
	if (garbage !== undefined)
		return void process.stdout.write(`${garbage}\n`);
	process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
	const part = 'x'.repeat(MIB);
	for (let rest = octets; rest > 0; rest -= MIB) {
		if (!process.stdout.write(part))
			await new Promise((done) => process.stdout.once('drain', done));
	}
	process.stdout.write('"}]}}\n');
}

function serveStdio(plan) {
	const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
	const server = new MgpServer(plan, write);
	server.end = (code) => process.exit(code);
	manners[plan.manner]?.(plan);
	createInterface({ input: process.stdin }).on('line', (line) => {
		if (plan.manner !== 'silent' && plan.manner !== 'garbage')
			server.receive(JSON.parse(line), write, breakStdout);
	}).on('close', () => process.exit(0));
}

/** The same server behind a URL of this process; `state` "ok", "hangs" or "refuses" says how calls fare on the way. */
export class MgpHttpServer {
	static async start(plan) {
		const own = new MgpHttpServer();
		own.streams = new Set();
		own.held = new Set();
		own.headers = [];
		own.server = new MgpServer(plan, (message) => own.push(message));
		own.http = createServer((request, response) => {
			own.handle(request, response).catch((error) => response.destroy(error));
		});
		await new Promise((done) => own.http.listen(0, '127.0.0.1', done));
		own.port = own.http.address().port;
		own.url = `http://127.0.0.1:${own.port}/mcp`;
		return own;
	}

	/** A notification goes out on every open stream. */
	push(message) {
		for (const stream of this.streams)
			stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
	}

	async handle(request, response) {
		if (request.method === 'GET') {
			response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
			this.streams.add(response);
			response.on('close', () => this.streams.delete(response));
			return;
		}
		if (request.method !== 'POST')
			return void response.writeHead(200).end();
		let text = '';
		for await (const part of request.setEncoding('utf8'))
			text += part;
		const message = JSON.parse(text);
		this.headers.push(request.headers);
		if (message.id === undefined || message.method === undefined) {
			this.server.receive(message, () => {});
			return void response.writeHead(202).end();
		}
		const head = { 'content-type': 'application/json', ...(message.method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {}) };
		this.held.add(response);
		response.on('close', () => this.held.delete(response));
		let isStream = false;
		const tell = (one) => {
			if (!isStream)
				response.writeHead(200, { ...head, 'content-type': 'text/event-stream' });
			isStream = true;
			response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...one })}\n\n`);
		};
		const reply = (answer) => {
			if (isStream)
				return void response.end(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
			response.writeHead(200, head).end(JSON.stringify(answer));
		};
		this.server.receive(message, reply,
			({ status, garbage }) => response.writeHead(status ?? 200, head).end(garbage ?? '{"error":"upstream"}'), tell);
	}

	get received() {
		return this.server.received;
	}

	/** Nobody answers at its address any more. */
	async stop() {
		this.http.closeAllConnections();
		if (this.http.listening)
			await new Promise((done) => this.http.close(done));
	}
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === MGP_SERVER)
	serveStdio(JSON.parse(process.argv[2]));
