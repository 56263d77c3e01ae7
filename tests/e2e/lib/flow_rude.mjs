// SPDX-License-Identifier: Apache-2.0
// Rude servers (flow_rude_server.mjs) behind a gateway, and what they received.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUDE_SERVER } from './flow_rude_server.mjs';
import { freshFolder } from './gateway.mjs';
import { FREE, MgpHouse } from './mgp_house.mjs';
import { until } from './wait.mjs';

/** One rude server, and what it received. */
export class Rude {
	constructor(id, plan = {}, more = '') {
		Object.assign(this, { id, more, plan: { declares: true, says: 'yes', ...plan }, folder: freshFolder() });
	}

	get config() {
		return `[[servers]]\nid = ${JSON.stringify(this.id)}\ncommand = ${JSON.stringify(process.execPath)}\n`
			+ `args = ${JSON.stringify([RUDE_SERVER, this.folder, JSON.stringify(this.plan)])}\n${this.more}\n`;
	}

	get received() {
		const file = join(this.folder, 'received.jsonl');
		return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line)) : [];
	}

	of(method) {
		return this.received.filter((message) => message.method === method);
	}

	hears(method, fits = () => true) {
		return until(() => this.of(method).find(({ params }) => fits(params)), `${this.id} hears ${method}`);
	}

	/** Starts that it has held back are answered now, and later ones at once. */
	release() {
		writeFileSync(join(this.folder, 'release'), '');
	}

	/** What the gateway answered to one of its own requests. */
	answers(fits) {
		return until(() => this.received.find((message) => message.method === undefined && fits(message)), `${this.id} is answered`);
	}
}

export async function rudeHouse(t, servers, { kernel = FREE, flow = '', ...options } = {}) {
	const house = await MgpHouse.forTest(t, { kernel, before: flow === '' ? '' : `[flow]\n${flow}\n`, text: servers.map((one) => one.config).join(''), ...options });
	for (const { id } of servers)
		await house.is(id, 'connected');
	return house;
}

/** A legacy client that hears what comes by itself. */
export async function listener(house, who, server) {
	const client = await house.plain(who, server);
	for (const word of ['prompt', 'continue', 'complete'])
		client.answers[`interaction.${word}`] = () => ({ result: { acknowledged: true } });
	await client.open();
	return client;
}
