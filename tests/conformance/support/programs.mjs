/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs under test: started from the build folder, on ports of the kernel's choosing, ended by their id.
 * $HUSTINGS_BUILD names the build folder; without it, `build` beside `tests`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RawSocket, WAIT_MS } from './raw_socket.mjs';
import { TEXT, WebsocketPeer, closeFrame, frame } from './websocket_peer.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const build = path.resolve(process.env.HUSTINGS_BUILD ?? path.join(here, '../../../build'));

function cleanEnvironment(home) {
	const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('HUSTINGS_') && name !== 'MGP_CONFIG_PATH');
	return { ...Object.fromEntries(kept), HOME: home, XDG_DATA_HOME: path.join(home, 'data'), XDG_CONFIG_HOME: path.join(home, 'config') };
}

class Program {
	constructor(file, args) {
		this.folder = mkdtempSync(path.join(os.tmpdir(), 'hustings-conformance-'));
		this.output = '';
		this.ended = null;
		this.child = spawn(path.join(build, file), args.map((one) => one === '@FOLDER' ? path.join(this.folder, 'data') : one),
			{ cwd: this.folder, env: cleanEnvironment(this.folder), stdio: ['ignore', 'pipe', 'pipe'] });
		this.child.stdout.on('data', (part) => { this.output += part; });
		this.child.stderr.on('data', (part) => { this.output += part; });
		this.exit = new Promise((resolve) => {
			this.child.once('error', (error) => { this.ended = `could not start: ${error.message}`; resolve(null); });
			this.child.once('exit', (code, signal) => { this.ended = `exit ${code ?? signal}`; resolve(code); });
		});
	}

	/* Polls a condition of the outside world, slowly; the program's death ends the wait. */
	async until(check, what) {
		const deadline = Date.now() + WAIT_MS;
		for (;;) {
			const value = await check();
			if (value) return value;
			if (this.ended) throw new Error(`${what}: ${this.ended}\n${this.output}`);
			if (Date.now() > deadline) throw new Error(`${what}: not within ${WAIT_MS} ms\n${this.output}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	async stop() {
		const late = setTimeout(() => this.child.kill('SIGKILL'), WAIT_MS);
		if (!this.ended) this.child.kill('SIGTERM');
		const code = await this.exit;
		clearTimeout(late);
		rmSync(this.folder, { recursive: true, force: true });
		return code;
	}
}

function freePort() {
	return new Promise((resolve, reject) => {
		const probe = net.createServer();
		probe.once('error', reject);
		probe.listen(0, '127.0.0.1', () => {
			const { port } = probe.address();
			probe.close(() => resolve(port));
		});
	});
}

async function answers(port) {
	try {
		(await RawSocket.connect(port)).destroy();
		return true;
	} catch {
		return false;
	}
}

/* The echo server of the gateway's own net and wire code. Another program may take the port first: three tries. */
export async function startEcho(...args) {
	for (let left = 3; ; left--) {
		const port = await freePort();
		const program = new Program('tests/ws_echo', [String(port), ...args]);
		try {
			await program.until(() => answers(port), 'ws_echo listens');
			return { port, stop: () => program.stop() };
		} catch (error) {
			await program.stop();
			if (left === 1) throw error;
		}
	}
}

/* A gateway in open mode, in a folder of its own. */
export async function startGateway(...args) {
	const program = new Program('hustings', ['serve', '--open', '--listen', '127.0.0.1:0', '--data', '@FOLDER', ...args]);
	const ready = await program.until(() => /^ready http:\/\/([^\s:]+):(\d+)/m.exec(program.output), 'the ready line')
		.catch(async (error) => { await program.stop(); throw error; });
	return {
		port: Number(ready[2]),
		alive: () => program.ended === null,
		async stop() {
			const code = await program.stop();
			assert.equal(code, 0, `serve ends well on SIGTERM\n${program.output}`);
		},
	};
}

/* A participant that behaves, in a room of its own or the probed one: proof that the gateway still works. */
export class HealthyParticipant {
	static async join(port, topic) {
		const healthy = new HealthyParticipant();
		healthy.id = `healthy-${randomUUID()}`;
		healthy.peer = await WebsocketPeer.open(port, { path: `/v0/ws?topic=${topic}&id=${healthy.id}` });
		return healthy;
	}

	async chats() {
		const id = randomUUID();
		const envelope = { protocol: 'mcpx/v0.1', id, ts: new Date().toISOString(), from: this.id, kind: 'chat', payload: { text: 'still here' } };
		await this.peer.send(frame(TEXT, JSON.stringify(envelope)));
		let seen = 0;
		const came = await this.peer.until(() => {
			for (; seen < this.peer.events.length; seen++) {
				const event = this.peer.events[seen];
				if (event.type === 'text' && JSON.parse(event.payload.toString()).id === id) return true;
			}
			return false;
		}, "the healthy participant's own chat message");
		this.peer.events.length = 0;
		assert.ok(came, `the healthy participant was closed: ${JSON.stringify(this.peer.close)}`);
		assert.deepEqual(this.peer.violations, []);
	}

	async leave() {
		await this.peer.send(closeFrame(1000));
		const close = await this.peer.untilClosed({ answered: true });
		assert.equal(close?.code, 1000);
	}
}
