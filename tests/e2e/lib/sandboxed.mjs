// SPDX-License-Identifier: Apache-2.0
// A command in the sandbox of net/, by the test program `sandboxed`, as whoever the tests run as, and
// where that is root as somebody else too: the two ways in which a sandbox is made.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshFolder } from './gateway.mjs';
import { within } from './wait.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const BUILD = process.env.HUSTINGS_BUILD ?? resolve(HERE, '../../../build');
export const SANDBOXED = join(BUILD, 'tests/sandboxed');
export const ESCAPES = join(BUILD, 'tests/escapes');
export const NOT_STARTED = 70;
const SOMEBODY = 12345;
const NODE_FOLDER = dirname(realpathSync(process.execPath));

const running = new Set();
process.on('exit', () => { for (const child of running) child.kill('SIGKILL'); });

/** The users to test as: {name, ids}, where ids are options of spawn(). */
export const users = [{ name: process.getuid() === 0 ? 'root' : 'this user', ids: {} }];
if (process.getuid() === 0)
	users.push({ name: 'another user', ids: { uid: SOMEBODY, gid: SOMEBODY } });

/** A home with a project, a key and somebody else's folder beside it; readable for the user alone. */
export function makeHome(user) {
	const root = freshFolder();
	const place = { root, home: join(root, 'home'), project: join(root, 'home/project'), data: join(root, 'home/data') };
	for (const folder of [place.home, place.project, place.data, join(place.home, '.ssh')])
		mkdirSync(folder);
	writeFileSync(join(place.home, '.ssh/id'), 'very secret');
	writeFileSync(join(place.data, 'admin.token'), 'very secret');
	writeFileSync(join(root, 'file'), 'very secret');
	writeFileSync(join(place.project, 'file'), 'for everybody');
	chmodSync(root, 0o755);
	if (user.ids.uid)
		for (const path of [place.home, place.project, place.data, join(place.home, '.ssh'), join(place.home, '.ssh/id')])
			chownSync(path, user.ids.uid, user.ids.gid);
	return place;
}

/** The arguments of `sandboxed`; our own programs and this very Node are shown. */
export function sandboxArguments(place, options, argv) {
	return ['--read', dirname(ESCAPES), '--read', NODE_FOLDER, '--hide', place.data, '--folder', place.project,
		...options, '--', ...argv];
}

/** Starts it; `ended` resolves to {code, stdout, stderr}. */
export function start(user, place, options, argv, { env = {}, stdio = [] } = {}) {
	const child = spawn(SANDBOXED, sandboxArguments(place, options, argv), {
		...user.ids, cwd: place.project, env: { PATH: process.env.PATH, HOME: place.home, ...env },
		stdio: ['pipe', 'pipe', 'pipe', ...stdio],
	});
	running.add(child);
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
	child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
	child.stdin.on('error', () => {});
	child.said = () => stdout;
	child.ended = new Promise((done, failed) => {
		child.on('error', failed);
		child.on('close', (code, signal) => { running.delete(child); done({ code, signal, stdout, stderr }); });
	});
	return child;
}

/** Runs it to its end. */
export async function run(user, place, options, argv, more) {
	const child = start(user, place, options, argv, more);
	child.stdin.end();
	return within(child.ended, `sandboxed ${argv.join(' ')}`).catch((error) => { child.kill('SIGKILL'); throw error; });
}

/** Why no sandbox can be made here as that user; '' when it can. */
export function impossible(user) {
	const place = makeHome(user);
	const tried = spawnSync(SANDBOXED, sandboxArguments(place, [], ['true']),
		{ ...user.ids, cwd: '/', env: { PATH: process.env.PATH, HOME: place.home }, encoding: 'utf8' });
	if (tried.error?.code === 'EACCES')
		return `${SANDBOXED} is closed to it`;
	return tried.status === NOT_STARTED ? tried.stderr : '';
}
