// SPDX-License-Identifier: Apache-2.0
// Servers behind a gateway under test: the published ones, our own, and their processes.

import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './wait.mjs';

const require = createRequire(import.meta.url);
const HERE = dirname(fileURLToPath(import.meta.url));

export const SDK_SERVER = join(HERE, 'sdk_server.mjs');
export const ODD_SERVER = join(HERE, 'odd_server.mjs');

/** The start file of a published server, found by its package's own description. */
export function published(name) {
	const manifest = `@modelcontextprotocol/server-${name}/package.json`;
	const folder = dirname(require.resolve.paths(manifest).map((base) => join(base, manifest))
		.find((path) => { try { readFileSync(path); return true; } catch { return false; } }));
	const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	return join(folder, Object.values(bin)[0]);
}

/** One [[servers]] entry that runs a JavaScript file with this very Node. */
export function entry(id, script, args = [], more = '') {
	return `[[servers]]\nid = ${JSON.stringify(id)}\ncommand = ${JSON.stringify(process.execPath)}\n`
		+ `args = ${JSON.stringify([script, ...args])}\n${more}\n`;
}

function processes() {
	return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
}

/** The parent of a process and whether it still runs; undefined when it is gone. */
function statusOf(pid) {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
		const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
		return { state, parent: Number(parent) };
	} catch {
		return undefined;
	}
}

/** All descendants of a process that still run. */
export function descendants(root) {
	const parents = new Map();
	for (const pid of processes()) {
		const status = statusOf(pid);
		if (status && status.state !== 'Z')
			parents.set(pid, status.parent);
	}
	const found = new Set([root]);
	for (let grew = true; grew;) {
		grew = false;
		for (const [pid, parent] of parents) {
			if (found.has(parent) && !found.has(pid)) {
				found.add(pid);
				grew = true;
			}
		}
	}
	found.delete(root);
	return [...found];
}

/** Processes that were started with this word among their arguments, wherever they now hang. */
export function processesWith(word) {
	return processes().filter((pid) => {
		try {
			return pid !== process.pid && statusOf(pid)?.state !== 'Z'
				&& readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
		} catch {
			return false;
		}
	});
}

/** The Node processes among the descendants of `root` that run this script: the servers, not what wraps them. */
export function serversOf(root, script) {
	const here = readlinkSync('/proc/self/exe');
	const family = descendants(root);
	return processesWith(script).filter((pid) => {
		try {
			return family.includes(pid) && readlinkSync(`/proc/${pid}/exe`) === here;
		} catch {
			return false;
		}
	});
}

/** What tells a process from a later one of the same id. */
export function birthOf(pid) {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
		const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
		return rest[0] === 'Z' ? undefined : `${pid} ${rest[19]}`;
	} catch {
		return undefined;
	}
}

/** SIGKILL for each of these that still runs. */
export function killEach(pids) {
	for (const pid of pids) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch (error) {
			if (error.code !== 'ESRCH')
				throw error;
		}
	}
}

/** Waits until none of those births runs any more. */
export function allGone(births) {
	return until(() => {
		const left = births.filter((birth) => birthOf(Number(birth.split(' ')[0])) === birth);
		if (left.length > 0)
			throw new Error(`still there: ${left.join(', ')}`);
		return true;
	}, 'every one of these processes has ended');
}

/** Open descriptors of a process. */
export function descriptors(pid) {
	return readdirSync(`/proc/${pid}/fd`).length;
}

/** Memory of a process that is its own, in octets. */
export function privateMemory(pid) {
	const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
	return [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0);
}

/** The peak of resident memory of a process since it began, in octets. */
export function peakMemory(pid) {
	return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
