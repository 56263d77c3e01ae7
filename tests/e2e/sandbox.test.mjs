// SPDX-License-Identifier: Apache-2.0
// Breaking out of the sandbox, tried in earnest: files, network, processes, memory, system calls; and
// that ordinary servers can live in it. Where no sandbox can be made it is checked that nothing starts.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Gateway, command, freshFolder } from './lib/gateway.mjs';
import { published } from './lib/hosted.mjs';
import { ESCAPES, NOT_STARTED, SANDBOXED, impossible, makeHome, run, sandboxArguments, start, users } from './lib/sandboxed.mjs';
import { until, within } from './lib/wait.mjs';

const NODE = realpathSync(process.execPath);
const lines = (text) => text.trim().split('\n').filter((line) => line !== '');
const sh = (script) => ['sh', '-c', script];

/** The ids of the processes whose command line holds `mark`. */
function marked(mark) {
	return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
		} catch {
			return false;
		}
	}).map(Number);
}

for (const user of users) {
	const reason = impossible(user);
	const check = (name, body) => test(`${name}, as ${user.name}`, { skip: reason ? `no sandbox: ${reason}` : false }, (t) => body(t, makeHome(user)));

	test(`without bubblewrap nothing runs, as ${user.name}`, { skip: /is closed to it/.test(reason) ? reason : false }, async () => {
		const place = makeHome(user);
		const shown = join(place.root, 'shown');
		mkdirSync(shown);
		chmodSync(shown, 0o777);
		const ended = await run(user, place, ['--write', shown], ['/usr/bin/touch', join(shown, 'mark')], { env: { PATH: '/no/such/folder' } });
		assert.equal(ended.code, NOT_STARTED, ended.stderr);
		assert.match(ended.stderr, /no sandbox can be made here: bwrap is not in PATH; install bubblewrap/);
		assert.equal(existsSync(join(shown, 'mark')), false);
	});

	test(`where bubblewrap makes the namespaces the sandbox can be made, as ${user.name}`, (t) => {
		const tried = spawnSync('bwrap', ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'],
			{ ...user.ids, cwd: '/' });
		if (tried.status !== 0 || /is closed to it/.test(reason))
			return t.skip('none are made here');
		assert.equal(reason, '');
	});

	check('secrets are not read', async (t, place) => {
		const secrets = ['/etc/shadow', '/etc/gshadow', '/root/.bashrc', '/root/.profile', join(place.home, '.ssh/id'),
			join(place.data, 'admin.token'), join(place.root, 'file'), `/proc/${process.pid}/environ`, '/proc/1/root/etc/shadow',
			`/proc/self/root${place.root}/file`, `${place.project}/../.ssh/id`, '/proc/self/cwd/../../file', '/dev/mem', '/proc/kcore'];
		const ended = await run(user, place, [], sh(`cat file; echo; for f in ${secrets.join(' ')}; do cat $f && echo read $f; done; `
			+ `ls -A ${place.data} ${place.root} /home /root/.ssh /run /var/lib /mnt /srv 2>/dev/null; echo end`));
		assert.deepEqual(lines(ended.stdout).filter((line) => !/^\/.*:$/.test(line)), ['for everybody', 'home', 'end'], ended.stderr);
	});

	check('secrets are not read where a folder around them is shown', async (t, place) => {
		const ended = await run(user, place, ['--read', place.home, '--write', place.data], sh(`cat file; echo; ls -A ~/.ssh ~/data; cat ~/.ssh/id ~/data/admin.token; `
			+ 'echo x > ~/data/made; mv ~/.ssh ~/other; rmdir ~/.ssh ~/data; umount ~/.ssh; umount ~/data; echo end'));
		assert.deepEqual(lines(ended.stdout).filter((line) => !/^\/.*:$/.test(line)), ['for everybody', 'end'], ended.stderr);
	});

	check('it writes only where it may, and finds /tmp and its home empty and its own', async (t, place) => {
		const shown = join(place.root, 'shown');
		mkdirSync(shown);
		chmodSync(shown, 0o777);
		const ended = await run(user, place, ['--write', shown], sh(
			`for f in file new /escaped /etc/escaped /usr/escaped /dev/escaped /proc/escaped /var/escaped; do (echo x > $f) 2>/dev/null && echo wrote $f; done; `
			+ `(chmod 777 file || mv file other || rm -f file) 2>/dev/null && echo changed; echo x > ${shown}/made && echo made; `
			+ `echo x > /tmp/x && echo x > ~/x && ls -A /tmp | grep -x x; ls -A ~; echo x > ${place.root}/new; echo end`));
		assert.deepEqual(lines(ended.stdout), ['made', 'x', 'project', 'x', 'end'], ended.stderr);
		assert.equal(readFileSync(join(shown, 'made'), 'utf8'), 'x\n');
			for (const path of [join(place.home, 'x'), join(place.root, 'new')])
			assert.equal(existsSync(path), false, path);
		assert.equal(readFileSync(join(place.project, 'file'), 'utf8'), 'for everybody');
	});

	check("the machine's sockets are out of reach, and the network where it is granted is reached", async (t, place) => {
		const heard = [];
		const server = net.createServer((socket) => { heard.push(1); socket.end('hello'); });
		await new Promise((done) => server.listen(0, '127.0.0.1', done));
		t.after(() => server.close());
		const path = join(place.root, 'socket');
		const local = net.createServer((socket) => socket.end('hello'));
		await new Promise((done) => local.listen(path, done));
		chmodSync(path, 0o777);
		t.after(() => local.close());
		const name = `hustings-${process.pid}-${user.name}`;
		const abstract = spawn(ESCAPES, ['listen', name], { stdio: ['pipe', 'pipe', 'inherit'] });
		t.after(() => abstract.kill('SIGKILL'));
		await within(new Promise((done) => abstract.stdout.once('data', done)), 'the abstract socket is there');

		const dial = `const s = require('net').connect(${server.address().port}, '127.0.0.1'); s.on('data', (d) => console.log(String(d))); s.on('error', (e) => console.log(e.code));`;
		const dialPath = `require('net').connect(${JSON.stringify(path)}).on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code));`;
		const alone = await run(user, place, [], [NODE, '-e', dial]);
		assert.deepEqual(lines(alone.stdout), ['ECONNREFUSED'], alone.stderr);
		assert.deepEqual(heard, []);
		for (const options of [[], ['--network']]) {
			const by = async (...argv) => (await run(user, place, options, argv)).stdout;
			assert.match(await by(ESCAPES, 'connect', name), options.length ? /^connect EAFNOSUPPORT$/m : /^connect ECONNREFUSED$/m);
			assert.match(await by(NODE, '-e', dialPath), /^(ENOENT|EAFNOSUPPORT|EACCES)$/m);
		}
		const granted = await run(user, place, ['--network'], [NODE, '-e', dial]);
		assert.deepEqual(lines(granted.stdout), ['hello'], granted.stderr);
		assert.deepEqual(heard, [1]);
		const outside = spawn(ESCAPES, ['connect', name], { stdio: ['ignore', 'pipe', 'inherit'] });
		const answer = await within(new Promise((done) => outside.stdout.once('data', (data) => done(String(data)))), 'a connection from outside');
		assert.equal(answer, 'connect worked\n');
	});

	check('other processes are not seen, signalled or read', async (t, place) => {
		const other = spawn('sleep', ['600'], { ...user.ids, stdio: 'ignore' });
		t.after(() => other.kill('SIGKILL'));
		const ended = await run(user, place, [], sh(`for p in ${other.pid} ${process.pid}; do kill -0 $p && echo reached $p; `
			+ `[ -e /proc/$p ] && [ $p -gt 20 ] && echo seen $p; cat /proc/$p/environ && echo read $p; done; `
			+ 'for p in /proc/[0-9]*; do [ ${p#/proc/} -gt 20 ] && echo $p; done; echo end'));
		assert.deepEqual(lines(ended.stdout), ['end'], ended.stderr);
		assert.equal(other.exitCode ?? other.signalCode, null);
	});

	check('system calls that lead out are refused, ordinary ones work', async (t, place) => {
		const told = async (options) => Object.fromEntries(
			lines((await run(user, place, options, [ESCAPES, 'calls'])).stdout).map((line) => line.split(' ')));
		const wanted = {
			terminal: 'worked', tiocsti: 'EPERM', hostname: 'EACCES', core_pattern: 'EACCES', dev_mem: 'ENOENT', new_process: 'worked',
			mmap_shared: 'ENOMEM', memfd_create: 'ENOSYS', shmget: 'ENOSYS', dev_zero: 'EACCES', mmap_private: 'worked',
			socket_unix: 'worked', socket_unix_high: 'EAFNOSUPPORT', socketpair: 'worked', socket_inet: 'worked', socket_raw: 'EPERM',
			socket_packet: 'EAFNOSUPPORT', socket_vsock: 'EAFNOSUPPORT', socket_alg: 'EAFNOSUPPORT', netlink_route: 'worked',
			netlink_audit: 'EAFNOSUPPORT', younger: 'ENOSYS', clone3: 'ENOSYS', other_processor: 'ended',
		};
		for (const name of ['bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup', 'keyctl', 'add_key', 'personality', 'kexec_load',
			'init_module', 'sethostname', 'syslog', 'ptrace', 'process_vm_readv', 'pidfd_getfd', 'kcmp', 'mount', 'umount2', 'pivot_root',
			'chroot', 'fsopen', 'open_tree', 'clone_user', 'clone_net', 'unshare_user', 'unshare_mount', 'setns', 'open_by_handle_at'])
			wanted[name] = 'EPERM';
		const alone = await told([]);
		for (const [name, answer] of Object.entries(wanted))
			assert.equal(alone[name], answer, name);
		assert.notEqual(alone.setuid, 'worked');
		assert.notEqual(alone.sysrq, 'worked');
		assert.notEqual(alone.kcore, 'worked');
		const granted = await told(['--network']);
		assert.equal(granted.socket_unix, 'EAFNOSUPPORT');
		assert.equal(granted.socketpair, 'worked');
		assert.equal(granted.ptrace, 'EPERM');
	});

	check('it is nobody who matters, inside and outside', async (t, place) => {
		const mark = `86399.${process.pid}1`;
		const child = start(user, place, [], sh(`id -u; grep -E 'Cap(Eff|Prm|Bnd)|NoNewPrivs|Seccomp:' /proc/self/status; sleep ${mark} & wait`));
		t.after(() => child.kill('SIGKILL'));
		const pid = await until(() => marked(mark).find((one) => readFileSync(`/proc/${one}/comm`, 'utf8') === 'sleep\n'), 'it sleeps');
		const uid = user.ids.uid ?? (process.getuid() || 65534);
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		assert.match(status, new RegExp(`^Uid:\t${uid}\t${uid}\t${uid}\t${uid}$`, 'm'));
		assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'), '1000\n');
		await until(() => lines(child.said()).length === 6, 'it says who it is');
		assert.deepEqual(lines(child.said()), [String(uid), 'CapPrm:\t0000000000000000', 'CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000',
			'NoNewPrivs:\t1', 'Seccomp:\t2']);
		child.kill('SIGKILL');
		await until(() => marked(mark).length === 0, 'nothing of it is left');
	});

	check('its first process, which it may reach into, is bound as it is', async (t, place) => {
		const ended = await run(user, place, ['--processes', '33', '--memory', String(200 << 20)],
			sh("grep -E '^(Max processes|Max data size|Max core)' /proc/1/limits; grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/1/status; "
				+ '(exec 3<>/proc/1/mem) && echo reached; ls -l /proc/1/fd 2>/dev/null | grep -E "memfd|sandboxed" && echo leaked'));
		if (/reached/.test(ended.stdout)) {
			assert.match(ended.stdout, /^Max processes +33 +33 /m);
			assert.match(ended.stdout, /^Max data size +209715200 +209715200 /m);
			assert.match(ended.stdout, /^CapEff:\t0+$/m);
			assert.match(ended.stdout, /^CapBnd:\t0+$/m);
			assert.match(ended.stdout, /^Seccomp:\t2$/m);
		}
		assert.doesNotMatch(ended.stdout, /leaked/);
	});

	check('no descriptor comes along', async (t, place) => {
		const ended = await run(user, place, [], sh('for d in 3 4 5 6 7 8 9 10 11 12 57; do [ -e /proc/$$/fd/$d ] && echo $d; done; echo end'),
			{ stdio: ['pipe', 'pipe', 'pipe'] });
		assert.deepEqual(lines(ended.stdout), ['end'], ended.stderr);
	});

	check('processes and memory are bounded', async (t, place) => {
		const told = async (options, ...argv) => Number((await run(user, place, options, [ESCAPES, ...argv])).stdout);
		const processes = await told(['--processes', '20'], 'fork', '500');
		assert.ok(processes > 5 && processes < 20, `${processes} processes`);
		assert.equal(await told(['--processes', '600'], 'fork', '500'), 500);
		const memory = await told(['--memory', String(100 << 20)], 'memory', '400');
		assert.ok(memory > 50 && memory < 100, `${memory} MiB of memory`);
		assert.equal(await told(['--memory', String(600 << 20)], 'memory', '400'), 400);
		for (const file of ['/tmp/x', '/var/tmp/x', '/dev/shm/x', join(place.home, 'x')]) {
			const filled = await told(['--scratch', String(10 << 20)], 'fill', file, '40');
			assert.ok(filled >= 9 && filled <= 10, `${filled} MiB in ${file}`);
		}
	});

	check('a hog and a spinner end with a reason, and cost others nothing', async (t, place) => {
		const hog = await run(user, place, ['--memory', String(300 << 20)], [NODE, '-e', 'const all = []; for (;;) all.push(Buffer.alloc(1 << 24, 1))']);
		assert.notEqual(hog.code, 0);
		const spinner = await run(user, place, ['--cpu', '1'], sh('while :; do :; done'));
		assert.match(spinner.stderr, /was ended by signal (9|24)\)/);
	});

	check('nothing outlives kill -9 of the gateway', async (t, place) => {
		const mark = `86399.${process.pid}2`;
		const child = start(user, place, [], sh(`sleep ${mark} & setsid sleep ${mark} & ( ( setsid sleep ${mark} & ) & ) & `
			+ `setsid sh -c 'trap "" TERM HUP INT; sleep ${mark}; true' & trap "" TERM HUP INT; sleep ${mark}; true`));
		t.after(() => child.kill('SIGKILL'));
		const sleeping = () => marked(mark).filter((pid) => {
			try { return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n'; } catch { return false; }
		});
		await until(() => sleeping().length === 5, 'all of it runs');
		child.kill('SIGKILL');
		await until(() => marked(mark).length === 0, 'nothing of it is left');
	});

	check('a published server lives in it: it reads its folder, and no other', async (t, place) => {
		const shown = join(place.root, 'shown');
		mkdirSync(shown);
		chmodSync(shown, 0o777);
		const server = realpathSync(published('filesystem'));
		const modules = server.slice(0, server.indexOf('/node_modules/') + '/node_modules'.length);
		const transport = new StdioClientTransport({
			command: user.ids.uid ? 'setpriv' : SANDBOXED,
			args: [...(user.ids.uid ? [`--reuid=${user.ids.uid}`, `--regid=${user.ids.gid}`, '--clear-groups', SANDBOXED] : []),
				...sandboxArguments(place, ['--read', modules, '--write', shown], [NODE, server, place.project, shown])],
			env: { PATH: process.env.PATH, HOME: place.home }, cwd: '/', stderr: 'ignore',
		});
		const client = new Client({ name: 'test', version: '1' });
		t.after(() => client.close());
		await within(client.connect(transport), 'the server is connected');
		const call = async (name, args) => {
			const result = await within(client.callTool({ name, arguments: args }), name);
			return `${result.isError ? 'error: ' : ''}${result.content[0].text}`;
		};
		assert.equal(await call('read_text_file', { path: join(place.project, 'file') }), 'for everybody');
		assert.match(await call('write_file', { path: join(place.project, 'new'), content: 'x' }), /error: .*EROFS/);
		assert.match(await call('write_file', { path: join(shown, 'new'), content: 'hello' }), /Successfully/);
		assert.equal(readFileSync(join(shown, 'new'), 'utf8'), 'hello');
		assert.match(await call('read_text_file', { path: join(place.root, 'file') }), /error: /);
	});
}

test('doctor tells whether sandboxed servers can run', async () => {
	const ended = await command(['doctor']);
	const reason = impossible(users[0]);
	assert.match(ended.stdout + ended.stderr, reason ? /sandboxed servers (not at all|stay in error)/ : /sandboxed servers their sandbox/);
});

test('a server whose trust level is sandboxed runs in a sandbox, or stays in error', async (t) => {
	const folder = dirname(ESCAPES);
	const gateway = await Gateway.start({
		config: `[[servers]]\nid = "one"\ncommand = ${JSON.stringify(join(folder, 'mcp_server'))}\ncwd = ${JSON.stringify(folder)}\n`
			+ '[servers.mgp]\ntrust_level = "sandboxed"\n',
	});
	t.after(() => gateway.finish());
	const reason = impossible(users[0]);
	const server = await until(async () => {
		const listed = await gateway.command(['server', 'list', '--json']);
		const [found] = JSON.parse(listed.stdout).servers;
		return (reason ? found.state === 'error' && found : found.state === 'connected' && found.pid > 0 && found);
	}, 'it has come to something');
	if (reason) {
		assert.match(server.reason, /no sandbox can be made here/);
		return;
	}
	const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
	assert.match(status, /^Name:\tmcp_server$/m);
	assert.doesNotMatch(status, /^Uid:.*\t0(\t|$)/m);
	assert.match(status, /^Seccomp:\t2$/m);
	assert.match(status, /^NSpid:\t\d+\t2$/m);
});

test('a sandboxed server in the folder of the configuration does not read it', async (t) => {
	const reason = impossible(users[0]);
	if (reason)
		return t.skip(`no sandbox: ${reason}`);
	const folder = freshFolder();
	const file = join(folder, 'house.toml');
	chmodSync(folder, 0o755);
	writeFileSync(join(folder, 'other'), 'for everybody');
	writeFileSync(file, `[gateway]\naudit_file = ${JSON.stringify(join(folder, 'audit.jsonl'))}\n`
		+ `[[servers]]\nid = "one"\ncommand = "sh"\ncwd = ${JSON.stringify(folder)}\n`
		+ 'args = ["-c", "cat other >/dev/null || exit 3; cat house.toml && exit 4; cat audit.jsonl && exit 5; exit 6"]\n'
		+ '[servers.mgp]\ntrust_level = "sandboxed"\nmax_restarts = 0\n');
	chmodSync(file, 0o644);
	const gateway = await Gateway.start({ args: ['--config', file] });
	t.after(() => gateway.finish());
	const server = await until(async () => {
		const [found] = JSON.parse((await gateway.command(['server', 'list', '--json'])).stdout).servers;
		return found.state === 'error' && found;
	}, 'it has ended');
	assert.match(server.reason, /6/);
});
