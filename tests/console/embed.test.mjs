// SPDX-License-Identifier: Apache-2.0
// How the console gets into the binary: the table that is made of its folder, and builds without it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freshFolder } from '../e2e/lib/gateway.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** tools/embed-console over folder/console; the table's text, or what was said. */
function embed(folder) {
	const [output, dependencies] = [join(folder, 'table.c'), join(folder, 'table.d')];
	const ran = spawnSync(join(ROOT, 'tools/embed-console'), [join(folder, 'console'), output, dependencies], { encoding: 'utf8' });
	return { status: ran.status, said: ran.stdout + ran.stderr, output, table: existsSync(output) && readFileSync(output, 'utf8'),
		dependencies: existsSync(dependencies) && readFileSync(dependencies, 'utf8') };
}

function write(folder, name, content) {
	mkdirSync(dirname(join(folder, 'console', name)), { recursive: true });
	writeFileSync(join(folder, 'console', name), content);
}

test('a folder that is missing gives a table of nothing, and is made, so that it can be watched', () => {
	const folder = freshFolder();
	const { status, table, dependencies } = embed(folder);
	assert.equal(status, 0);
	assert.match(table, /console_table\[\] = \{\n\t\{0\},\n\};/);
	assert.ok(existsSync(join(folder, 'console')));
	assert.equal(dependencies.trim(), `${join(folder, 'table.c')}: ${join(folder, 'console')}`);
});

test('the same folder gives the same table, which is not even touched', () => {
	const [folder, other] = [freshFolder(), freshFolder()];
	for (const one of [folder, other]) {
		write(one, 'index.html', '<!doctype html>');
		write(one, 'assets/a-1.js', 'console.log("\\\\?? \u00e4\u0000");\n'.repeat(50));
		write(one, 'assets/a-1.js.map', '{}');
	}
	const first = embed(folder);
	assert.equal(first.status, 0, first.said);
	utimesSync(first.output, 1000, 1000);
	utimesSync(join(folder, 'console/index.html'), 2000, 2000);
	assert.equal(embed(folder).table, first.table);
	assert.equal(statSync(first.output).mtimeMs, 1_000_000);
	assert.equal(embed(other).table, first.table);
	assert.match(first.table, /"\/", "text\/html/);
	assert.doesNotMatch(first.table, /\.map/);
	assert.match(first.dependencies, /console\/assets\/a-1\.js /);

	write(folder, 'index.html', '<!doctype html>2');
	assert.notEqual(embed(folder).table, first.table);
});

test('a file whose type is not known is refused by its name', () => {
	const folder = freshFolder();
	write(folder, 'assets/a.exe', 'x');
	const { status, said } = embed(folder);
	assert.equal(status, 1);
	assert.match(said, /assets\/a\.exe: .*\.exe/);
});

/** A folder of the programs that tools need, but for npm. */
function withoutNpm() {
	const folder = freshFolder();
	for (const name of ['sh', 'dirname', 'mkdir', 'find', 'sort', 'xargs', 'sha256sum', 'cat', 'rm', 'grep', 'python3', 'env']) {
		const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
		symlinkSync(found, join(folder, name));
	}
	return folder;
}

test('without npm the console is left out, which is said in a line, and the build goes on', () => {
	const build = freshFolder();
	const ran = spawnSync(join(ROOT, 'tools/build-console'), [build], { encoding: 'utf8', env: { PATH: withoutNpm() } });
	assert.equal(ran.status, 0, ran.stderr);
	assert.match(ran.stdout, /^the console is left out: it needs npm .*\n$/);
	assert.ok(!existsSync(join(build, 'console')));
});

test('CONSOLE=no leaves it out, and takes an older one away', () => {
	const build = freshFolder();
	mkdirSync(join(build, 'console'));
	const ran = spawnSync(join(ROOT, 'tools/build-console'), [build], { encoding: 'utf8', env: { ...process.env, CONSOLE: 'no' } });
	assert.equal(ran.status, 0, ran.stderr);
	assert.equal(ran.stdout, '');
	assert.ok(!existsSync(join(build, 'console')));
});
