// SPDX-License-Identifier: Apache-2.0
// A gateway with outside MGP servers behind it, its administrator, its agents, and what was recorded about them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { freshFolder, Gateway } from './gateway.mjs';
import { MgpClient } from './mgp_client.mjs';
import { MGP_SERVER } from './mgp_server.mjs';
import { until } from './wait.mjs';

/** Settings of a kernel under which permissions, approvals and access stand in nobody's way. */
export const FREE = { policy: 'auto_approve', approval: 'auto_approve', default_policy: 'opt-out' };

function toml(value) {
	if (Array.isArray(value))
		return `[${value.map(toml).join(', ')}]`;
	if (value !== null && typeof value === 'object')
		return `{ ${Object.entries(value).map(([key, one]) => `${key} = ${toml(one)}`).join(', ')} }`;
	return JSON.stringify(value);
}

function table(name, keys) {
	const lines = Object.entries(keys).map(([key, value]) => `${key} = ${toml(value)}\n`);
	return lines.length === 0 ? '' : `[${name}]\n${lines.join('')}`;
}

/** One hosted server of tests/e2e/lib/mgp_server.mjs, and what it was told. */
export class Outsider {
	/** plan: how it behaves; mgp: its [servers.mgp]; more: further keys of its [[servers]]: one process, if not said otherwise. */
	constructor(id, plan = {}, mgp = {}, more = {}) {
		this.id = id;
		this.folder = freshFolder();
		this.plan = { id, folder: this.folder, ...plan };
		this.mgp = mgp;
		this.more = { share: 'all', ...more };
	}

	get config() {
		const start = this.more.url === undefined
			? { command: process.execPath, args: [MGP_SERVER, JSON.stringify(this.plan)] } : {};
		return `[[servers]]\n${Object.entries({ id: this.id, ...start, ...this.more })
			.map(([key, value]) => `${key} = ${toml(value)}\n`).join('')}${table('servers.mgp', this.mgp)}\n`;
	}

	/** Everything its processes received, oldest first: {at, message}. */
	get received() {
		const file = join(this.folder, 'received.jsonl');
		if (!existsSync(file))
			return [];
		return readFileSync(file, 'utf8').split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
	}

	/** What it received of one method, oldest first. */
	of(method) {
		return this.received.filter(({ message }) => message.method === method);
	}

	methods() {
		return this.received.map(({ message }) => message.method);
	}

	/** The calls of one tool that reached it. */
	calls(name) {
		return this.of('tools/call').filter(({ message }) => message.params.name === name);
	}

	/** Waits for the first message of a method for which `fits` holds. */
	hears(method, fits = () => true) {
		return until(() => this.of(method).find(({ message }) => fits(message.params)), `${this.id} hears ${method}`)
			.then(({ message }) => message);
	}

	/** Ends what it holds: everything, or what holds under that name. */
	release(name) {
		writeFileSync(join(this.folder, name === undefined ? 'release' : `release-${name}`), '');
	}

	health(status) {
		writeFileSync(join(this.folder, 'health'), status);
	}
}

/** The server to which audit events are forwarded. */
export function auditor() {
	return new Outsider('audit', { extensions: ['audit'] });
}

export class MgpHouse {
	/**
	 * kernel: keys of [kernel]; servers: Outsiders; audit: an audit server is there too; text: further TOML;
	 * before: TOML before all of it.
	 */
	static async start({ kernel = FREE, servers = [], audit = false, text = '', before = '', ...options } = {}) {
		const house = new MgpHouse();
		house.auditor = audit ? auditor() : undefined;
		house.servers = audit ? [...servers, house.auditor] : servers;
		house.kernel = { ...kernel, ...(audit ? { audit_server: 'audit' } : {}) };
		house.gateway = await Gateway.start({ ...options,
			config: before + table('kernel', house.kernel) + house.servers.map((one) => one.config).join('') + text });
		house.tokens = new Map();
		house.clients = [];
		if (audit)
			await house.is('audit', 'connected');
		return house;
	}

	/** For a whole file. */
	static async forFile(options) {
		const house = await MgpHouse.start(options);
		after(() => house.finish());
		return house;
	}

	/** For one test. */
	static async forTest(t, options) {
		const house = await MgpHouse.start(options);
		t.after(() => house.finish());
		return house;
	}

	async finish() {
		for (const client of this.clients)
			await client.close().catch(() => {});
		for (const server of this.servers)
			server.release();
		await this.gateway.finish();
	}

	url(path = '/mcp') {
		return `${this.gateway.url}${path.startsWith('/') ? path : `/mcp/servers/${path}`}`;
	}

	async token(id) {
		if (!this.tokens.has(id))
			this.tokens.set(id, await this.gateway.token({ id, privilege: 'full', kind: 'agent' }));
		return this.tokens.get(id);
	}

	/** A client of that agent at a server's face, or at a path; era: "legacy" or "modern". */
	async client(id, where, { era = 'legacy', ...options } = {}) {
		const client = await MgpClient[era](this.url(where), { token: await this.token(id), ...options });
		this.clients.push(client);
		return client;
	}

	/** The administrator's client. */
	async admin(where, { era = 'legacy', ...options } = {}) {
		const client = await MgpClient[era](this.url(where), { token: this.gateway.adminToken(), ...options });
		this.clients.push(client);
		return client;
	}

	/** A client that knows nothing of MGP. */
	plain(id, where, options = {}) {
		return this.client(id, where, { ...options, mgp: null });
	}

	/** A REST request of the administrator, which has to be answered with `status`. */
	rest(method, path, { body, status = 200, token = this.gateway.adminToken() } = {}) {
		return this.gateway.ask(method, path, status, { body, token });
	}

	/** A command, which has to succeed: what it printed. */
	async run(...args) {
		const ended = await this.gateway.command(args);
		assert.equal(ended.code, 0, `hustings ${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
		return ended.stdout;
	}

	server(id) {
		return this.rest('GET', `/admin/servers/${id}`);
	}

	/** Waits until a server is in that state; hands out what is known of it. */
	is(id, state) {
		return until(async () => {
			const server = await this.server(id);
			if (server.state !== state)
				throw new Error(`${id} is ${server.state}: ${server.reason}`);
			return server;
		}, `${id} is ${state}`);
	}

	allConnected() {
		return Promise.all(this.servers.map((one) => this.is(one.id, 'connected')));
	}

	/** The states of a server's permissions by name. */
	async permissions(id) {
		const { permissions } = await this.server(id);
		return Object.fromEntries(permissions.map((one) => [one.permission ?? one.name, one.state]));
	}

	async grant(agent_id, server_id, tool_name = null, more = {}) {
		const body = { entry_type: tool_name === null ? 'server_grant' : 'tool_grant', agent_id, server_id, tool_name,
			permission: 'allow', justification: 'a test wants it', expires_at: null, ...more };
		const answer = await this.gateway.request('POST', '/admin/grants', { body, token: this.gateway.adminToken() });
		assert.ok(answer.status === 200 || answer.status === 201, `${answer.status} ${answer.text}`);
	}

	async decisions(query = '?state=pending') {
		return (await this.rest('GET', `/admin/decisions${query}`)).decisions;
	}

	/** Waits for an open decision for which `fits` holds. */
	pending(fits) {
		return until(async () => (await this.decisions()).find(fits), `an open decision with ${fits}`);
	}

	decide(id, decision, more = {}) {
		return this.rest('POST', `/admin/decisions/${id}`, { body: { decision, ...more } });
	}

	/** The audit events that were forwarded so far. */
	get events() {
		return this.auditor.of('notifications/mgp.audit').map(({ message }) => message.params);
	}

	/** Waits for an audit event of that type for which `fits` holds. */
	audited(type, fits = () => true) {
		return until(() => this.events.find((event) => event.event_type === type && fits(event)),
			`the audit event ${type} with ${fits}`);
	}
}

/** The recovery of an error, which has to be there in the form of MGP 14.4 and 14.5. */
export function recoveryOf(error) {
	const mgp = error.data?._mgp;
	assert.ok(mgp !== undefined, `no data._mgp in ${JSON.stringify(error)}`);
	assert.ok(['security', 'lifecycle', 'resource', 'validation', 'external'].includes(mgp.category), mgp.category);
	assert.equal(typeof mgp.retryable, 'boolean');
	for (const name of ['retry_after_ms', 'max_retries'])
		assert.ok(mgp[name] === undefined || (Number.isFinite(mgp[name]) && mgp[name] >= 0), `${name}: ${mgp[name]}`);
	assert.ok(mgp.retry_strategy === undefined || ['immediate', 'fixed_delay', 'exponential_backoff'].includes(mgp.retry_strategy));
	assert.ok(mgp.fallback_tool === undefined || typeof mgp.fallback_tool === 'string');
	assert.ok(mgp.details === undefined || (typeof mgp.details === 'object' && !Array.isArray(mgp.details)));
	return mgp;
}

/** An answer to a plain client has nothing of MGP in it. */
export function isPlain(answer) {
	assert.doesNotMatch(JSON.stringify(answer), /mgp/i);
	assert.ok(!(answer.error?.code >= 1000 && answer.error?.code < 6000), JSON.stringify(answer));
}
