// SPDX-License-Identifier: Apache-2.0
// One `hustings serve` process for a test: its own data folder, home and port, ended by process id.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until, within } from './wait.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const BUILD = process.env.HUSTINGS_BUILD ?? resolve(HERE, '../../../build');
export const BINARY = join(BUILD, 'hustings');

// Further flags for every gateway, such as "--threads 2", to run the whole suite under another setting.
const EXTRA_ARGS = (process.env.HUSTINGS_E2E_ARGS ?? '').split(' ').filter((one) => one !== '');

const running = new Set();
const folders = new Set();

function cleanUp() {
	for (const child of running)
		child.kill('SIGKILL');
	for (const folder of folders)
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

// The test runner rethrows what a file throws while it loads, and then there is no exit event.
process.on('exit', cleanUp);
process.on('uncaughtExceptionMonitor', cleanUp);
for (const [name, status] of [['SIGINT', 130], ['SIGTERM', 143]])
	process.once(name, () => process.exit(status));

/** A fresh folder that disappears with the test process. */
export function freshFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'hustings-e2e-'));
	folders.add(folder);
	return folder;
}

/** The environment of a gateway under test: nothing of the user's own configuration reaches it. */
function cleanEnvironment(home, extra) {
	const environment = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (!/^(HUSTINGS_|MGP_|XDG_)/.test(name))
			environment[name] = value;
	}
	return { ...environment, HOME: home, ...extra };
}

/** Runs one command of the binary to its end. */
export function command(args, { env = {}, cwd, input = '', home = freshFolder() } = {}) {
	const child = spawn(BINARY, args, {
		cwd: cwd ?? home, env: cleanEnvironment(home, env), stdio: ['pipe', 'pipe', 'pipe'],
	});
	running.add(child);
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
	child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	const ended = new Promise((done, failed) => {
		child.on('error', failed);
		child.on('close', (code, signal) => {
			running.delete(child);
			done({ code, signal, stdout, stderr });
		});
	});
	return within(ended, `hustings ${args.join(' ')} (so far: ${stdout}${stderr})`)
		.catch((error) => { child.kill('SIGKILL'); throw error; });
}

export class Gateway {
	/**
	 * Starts a gateway and waits for its ready line.
	 * args: further flags; config: TOML text; set: {key: value} for --set; open: open mode;
	 * data: a data folder to reuse; env: further environment.
	 */
	static async start(options = {}) {
		const gateway = new Gateway(options);
		await gateway.launch();
		return gateway;
	}

	constructor({ args = [], config, set = {}, open = false, data, env = {}, listen = '127.0.0.1:0' }) {
		this.home = freshFolder();
		this.data = data ?? join(this.home, 'data');
		this.env = env;
		this.args = ['serve', '--listen', listen, '--data', this.data];
		if (config !== undefined) {
			this.configFile = join(this.home, 'hustings.toml');
			writeFileSync(this.configFile, config);
			this.args.push('--config', this.configFile);
		}
		if (open)
			this.args.push('--open');
		for (const [key, value] of Object.entries(set))
			this.args.push('--set', `${key}=${value}`);
		this.args.push(...args, ...EXTRA_ARGS);
		this.stdout = '';
		this.stderr = '';
		this.tokens = new Map();
		this.clients = new Set();
	}

	async launch() {
		this.stdout = '';
		const child = spawn(BINARY, this.args, {
			cwd: this.home, env: cleanEnvironment(this.home, this.env), stdio: ['ignore', 'pipe', 'pipe'],
		});
		running.add(child);
		this.child = child;
		this.exit = new Promise((done) => {
			child.on('error', (error) => { running.delete(child); done({ error }); });
			child.on('exit', (code, signal) => { running.delete(child); done({ code, signal }); });
		});
		const ready = new Promise((done) => {
			child.stdout.setEncoding('utf8').on('data', (text) => {
				this.stdout += text;
				const line = /^ready (https?:\/\/\S+)\s*$/m.exec(this.stdout);
				if (line)
					done(line[1]);
			});
			child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
		});
		const early = this.exit.then((end) => {
			throw new Error(`the gateway ended before it was ready: ${JSON.stringify(end)}\n${this.stdout}\n${this.stderr}`);
		});
		try {
			this.url = await within(Promise.race([ready, early]), 'the ready line');
		} catch (error) {
			child.kill('SIGKILL');
			throw new Error(`${error.message}\n${this.stdout}\n${this.stderr}`);
		}
		this.url = this.url.replace(/\/$/, '');
		this.wsUrl = this.url.replace(/^http/, 'ws');
		const { hostname, port } = new URL(this.url);
		this.host = hostname.replace(/^\[|\]$/g, '');
		this.port = Number(port);
	}

	get pid() {
		return this.child.pid;
	}

	isRunning() {
		return running.has(this.child);
	}

	adminToken() {
		return readFileSync(join(this.data, 'admin.token'), 'utf8').trim();
	}

	/** Runs a command of the same binary on this gateway's data folder. */
	command(args, options = {}) {
		return command([...args, '--data', this.data], { home: this.home, ...options });
	}

	/** Makes a token by the command line and waits until the running gateway knows it. */
	async token({ id, topic, privilege, admin, ttl, kind, name, wait = true }) {
		const args = ['token', 'create', '--id', id];
		for (const one of topic === undefined ? [] : [topic].flat())
			args.push('--topic', one);
		for (const [flag, value] of Object.entries({ privilege, ttl, kind, name })) {
			if (value !== undefined)
				args.push(`--${flag}`, value);
		}
		if (admin)
			args.push('--admin');
		const made = await this.command(args);
		if (made.code !== 0)
			throw new Error(`token create: exit ${made.code}: ${made.stderr}`);
		const token = made.stdout.trim();
		if (wait)
			await until(async () => (await this.request('GET', '/v0/topics', { token })).status !== 401,
				`the gateway knows the token of ${id}`);
		return token;
	}

	/** One HTTP request on its own connection: {status, headers, text, json}. */
	request(method, path, { token, body, headers = {} } = {}) {
		const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
			? body : JSON.stringify(body);
		const head = { connection: 'close', ...headers };
		if (token !== undefined)
			head.authorization = `Bearer ${token}`;
		if (text !== undefined && head['content-type'] === undefined)
			head['content-type'] = 'application/json';
		if (text !== undefined)
			head['content-length'] = Buffer.byteLength(text);
		const secure = this.url.startsWith('https:');
		const answer = new Promise((done, failed) => {
			const asked = (secure ? https : http).request({
				host: this.host, port: this.port, method, path, headers: head, agent: false,
				...(secure ? { rejectUnauthorized: false } : {}),
			}, (response) => {
				let answered = '';
				response.setEncoding('utf8').on('data', (part) => { answered += part; });
				response.on('error', failed);
				response.on('end', () => done({
					status: response.statusCode, headers: response.headers, text: answered, json: readJson(answered),
				}));
			});
			asked.on('error', failed);
			asked.end(text);
		});
		return within(answer, `${method} ${path}`);
	}

	/** A request that has to be answered with `status`; hands out the JSON of the answer. */
	async ask(method, path, status, options) {
		const answer = await this.request(method, path, options);
		if (answer.status !== status)
			throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${answer.text}`);
		return answer.json;
	}

	signal(name) {
		this.child.kill(name);
	}

	/** SIGTERM, and the exit status has to be 0. */
	async stop() {
		if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null)
			return;
		this.child.kill('SIGTERM');
		const end = await within(this.exit, 'the gateway ends after SIGTERM').catch((error) => {
			this.child.kill('SIGKILL');
			throw error;
		});
		if (end.code !== 0)
			throw new Error(`the gateway ended with ${JSON.stringify(end)}\n${this.stderr}`);
	}

	/** The end of a test: its clients are dropped, then the gateway has to end cleanly. */
	async finish() {
		for (const client of this.clients)
			client.terminate();
		await this.stop();
	}

	async kill9() {
		this.child.kill('SIGKILL');
		await within(this.exit, 'the gateway is gone after SIGKILL');
	}

	/** Stops and starts again on the same data; `hard` uses SIGKILL. */
	async restart({ hard = false } = {}) {
		await (hard ? this.kill9() : this.stop());
		await this.launch();
	}
}

function readJson(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
