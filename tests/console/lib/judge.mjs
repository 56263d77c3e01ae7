// SPDX-License-Identifier: Apache-2.0
// What the judging tests share: real servers behind a gateway, a terminal in a room, and hands that find things by role and label.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY, freshFolder } from '../../e2e/lib/gateway.mjs';
import { until, within } from '../../e2e/lib/wait.mjs';

const MODULES = resolve(dirname(fileURLToPath(import.meta.url)), '../../node_modules/@modelcontextprotocol');
export const BOOKING = join(dirname(BINARY), 'examples/booking');

/** A [[servers]] of a published server, or of any command; more: further TOML lines of it. */
export function serverTable(id, command, args, more = '') {
	return `[[servers]]\nid = ${JSON.stringify(id)}\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}

/** The published file server with one file in a fresh folder. */
export function filesTable(more = '', id = 'files') {
	const folder = freshFolder();
	writeFileSync(join(folder, 'tide.txt'), 'high water at noon\n');
	return { folder, text: serverTable(id, process.execPath, [join(MODULES, 'server-filesystem/dist/index.js'), folder], more) };
}

/** The published server of everything, with its long running tool. */
export function everythingTable(more = '') {
	return serverTable('everything', process.execPath, [join(MODULES, 'server-everything/dist/index.js'), 'stdio'], more);
}

export function bookingTable(more = '') {
	return serverTable('booking', BOOKING, ['--stdio'], more);
}

export const log = (page) => page.getByRole('log');
export const composer = (page) => page.getByRole('textbox', { name: /^Say something/ });
export const roomAt = (topic) => `/#/room/${encodeURIComponent(topic)}`;

export async function say(page, words) {
	await composer(page).fill(words);
	await composer(page).press('Enter');
}

/** Waits until this person's page stands in its room. */
export function isIn(page) {
	return page.locator('#room-people').getByText('· you').waitFor({ state: 'attached' });
}

/** Opens the form of one tool of a participant. */
export async function openTool(page, to, tool) {
	await page.getByRole('button', { name: /^(Call a tool|Propose a call)$/ }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Participant').selectOption(to);
	await dialog.getByRole('radio', { name: new RegExp(`^${tool}\\b`) }).check();
	return dialog;
}

/** `hustings join` without a terminal: each line of what it is told is said, what it hears is in `heard`. */
export class Terminal {
	constructor(t, gateway, topic, token) {
		this.heard = '';
		this.child = spawn(BINARY, ['join', topic, '--url', gateway.url, '--token', token], {
			env: { ...process.env, HOME: gateway.home }, stdio: ['pipe', 'pipe', 'pipe'],
		});
		for (const stream of [this.child.stdout, this.child.stderr])
			stream.setEncoding('utf8').on('data', (text) => { this.heard += text; });
		this.child.stdin.on('error', () => {});
		const ended = new Promise((done) => { this.child.on('exit', done); });
		t.after(async () => {
			this.child.stdin.end();
			await within(ended, 'the terminal leaves').catch((error) => { this.child.kill('SIGKILL'); throw error; });
		});
	}

	says(line) {
		this.child.stdin.write(`${line}\n`);
	}

	hears(words) {
		return until(() => this.heard.includes(words), `the terminal hears ${words}; so far: ${this.heard}`);
	}
}

/** Whether something is within what the window shows now. */
export function isInSight(locator) {
	return locator.evaluate((one) => {
		const { top, bottom, height } = one.getBoundingClientRect();
		return height > 0 && top >= 0 && bottom <= innerHeight;
	});
}

export function isNarrow(page) {
	return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}
