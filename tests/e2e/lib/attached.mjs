// SPDX-License-Identifier: Apache-2.0
// `hustings attach` as a process of a test, and requests to whoever sits in a room.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BINARY, freshFolder } from './gateway.mjs';
import { until, within } from './wait.mjs';

export const SCRIPTED = fileURLToPath(new URL('./stdio_server.mjs', import.meta.url));

const running = new Set();
process.on('exit', () => {
	for (const child of running)
		child.kill('SIGKILL');
});

/** A command of the binary that stays: its output so far, its end. */
export class Running {
	constructor(gateway, args, { env = {}, cwd, input = 'ignore', program = [BINARY] } = {}) {
		const environment = Object.fromEntries(Object.entries(process.env)
			.filter(([name]) => !/^(HUSTINGS_|MGP_|XDG_)/.test(name)));
		this.child = spawn(program[0], [...program.slice(1), ...args], {
			cwd: cwd ?? gateway.home, env: { ...environment, HOME: gateway.home, ...env }, stdio: [input, 'pipe', 'pipe'],
		});
		running.add(this.child);
		this.stdout = '';
		this.stderr = '';
		this.child.stdout.setEncoding('utf8').on('data', (text) => { this.stdout += text; });
		this.child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
		this.end = new Promise((done) => {
			this.child.on('close', (code, signal) => {
				running.delete(this.child);
				this.ended = { code, signal };
				done(this.ended);
			});
		});
	}

	/** Waits for output that fits. */
	async says(pattern, stream = 'stdout') {
		await until(() => {
			if (!pattern.test(this[stream]) && this.ended !== undefined)
				throw new Error(`ended with ${JSON.stringify(this.ended)}`);
			return pattern.test(this[stream]);
		}, `${pattern} on ${stream}`).catch((error) => {
			throw new Error(`${error.message}\n${this.stdout}\n${this.stderr}`);
		});
	}

	finished() {
		return within(this.end, `the command ends\n${this.stdout}\n${this.stderr}`);
	}

	async stop(signal = 'SIGTERM') {
		if (this.ended === undefined)
			this.child.kill(signal);
		return this.finished();
	}
}

/** Starts `hustings attach`; options.server: command words instead of the scripted server's. */
export function startAttach(t, gateway, topic, { id = 'tools', args = [], server, env, marker = randomUUID() } = {}) {
	const words = server ?? [process.execPath, SCRIPTED, marker];
	const attach = new Running(gateway,
		['attach', topic, '--id', id, ...(env?.HUSTINGS_URL === undefined ? ['--data', gateway.data] : []), ...args, '--', ...words], { env });
	attach.marker = marker;
	t.after(async () => {
		if (attach.ended === undefined)
			await attach.stop('SIGKILL');
	});
	return attach;
}

/** The same, waited for until it sits in the room. */
export async function attached(t, gateway, topic, options = {}) {
	const attach = startAttach(t, gateway, topic, options);
	await attach.says(/^attached /m);
	return attach;
}

/** The processes whose command line has that word. */
export function processesWith(word) {
	return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => {
		try {
			return readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
		} catch {
			return false;
		}
	});
}

/** Sends a request; hands out the envelope's id. */
export function ask(client, to, method, params, payloadId = 1) {
	return client.send({ kind: 'mcp', to: [to], payload: { jsonrpc: '2.0', id: payloadId, method, ...(params === undefined ? {} : { params }) } });
}

export function isAnswer(id) {
	return (envelope) => envelope.kind === 'mcp' && envelope.correlation_id === id
		&& (envelope.payload.result !== undefined || envelope.payload.error !== undefined);
}

/** Asks and waits for the answer's envelope. */
export function answerOf(client, to, method, params, payloadId = 1) {
	return client.next(isAnswer(ask(client, to, method, params, payloadId)));
}

/** Calls a tool and waits for its result; throws the error. */
export async function callTool(client, to, name, args = {}) {
	const { payload } = await answerOf(client, to, 'tools/call', { name, arguments: args });
	if (payload.error !== undefined)
		throw Object.assign(new Error(payload.error.message), { code: payload.error.code });
	return payload.result;
}

/** What the scripted server remembers. */
export async function stateOf(client, to) {
	return JSON.parse((await callTool(client, to, 'state')).content[0].text);
}

/** A whole MCP handshake (MCPx v0 4.1); hands out the result of initialize. */
export async function introduce(client, to) {
	const { payload } = await answerOf(client, to, 'initialize', {
		protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' },
	});
	client.send({ kind: 'mcp', to: [to], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	return payload.result;
}

/** An MCP transport of the official SDK over a room: what an SDK client says goes to one participant. */
export class RoomTransport {
	constructor(client, to) {
		this.client = client;
		this.to = to;
		this.open = new Map();
	}

	async start() {
		this.client.socket.on('message', (data) => {
			const envelope = JSON.parse(data.toString());
			if (envelope.kind !== 'mcp' || envelope.from !== this.to || !(envelope.to ?? []).includes(this.client.id))
				return;
			if (envelope.payload.method !== undefined && envelope.payload.id !== undefined)
				this.open.set(envelope.payload.id, envelope.id);
			setImmediate(() => this.onmessage?.(envelope.payload)); // the SDK forgets a progress that comes in one go with the result
		});
	}

	async send(message) {
		const about = message.method === undefined ? this.open.get(message.id) : undefined;
		this.client.send({ kind: 'mcp', to: [this.to], ...(about && { correlation_id: about }), payload: message });
	}

	async close() {
		this.onclose?.();
	}
}

export { freshFolder };
