// SPDX-License-Identifier: Apache-2.0
// The commands of a room: say, send, watch, tools, call, join.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BINARY } from './lib/gateway.mjs';
import { Running, SCRIPTED, attached, stateOf } from './lib/attached.mjs';
import { freshTopic, history, house, houseFor, isPresence, joinAs, proposal } from './lib/house.mjs';
import { chatText } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();
const ME = await whoAmI();

/** The identity that local commands use. */
async function whoAmI() {
	const topic = freshTopic();
	const listener = await joinAs(gateway, topic, 'listener');
	await gateway.command(['say', topic, 'who am I?']);
	return (await listener.next((envelope) => envelope.kind === 'chat')).from;
}

/** A command that stays, on this gateway's data folder. */
function start(t, args, options) {
	const running = new Running(gateway, [...args, '--data', gateway.data], options);
	t.after(async () => {
		if (running.ended === undefined)
			await running.stop('SIGKILL');
	});
	return running;
}

test('say: everybody hears it, and nobody joins by it', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const said = await gateway.command(['say', topic, 'hello', 'there,', '"you"']);
	assert.deepEqual([said.code, said.stdout], [0, '']);
	const heard = await alice.next();
	assert.equal(heard.kind, 'chat');
	assert.deepEqual(heard.payload, { text: 'hello there, "you"', format: 'plain' });
	const again = await gateway.command(['say', topic, '--markdown', '--json', '**bold**']);
	const answer = JSON.parse(again.stdout);
	const second = await alice.next();
	assert.equal(second.id, answer.id);
	assert.equal(second.ts, answer.ts);
	assert.equal(second.payload.format, 'markdown');
});

test('say: a dash begins words behind --, and misuse exits with 2', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	assert.equal((await gateway.command(['say', topic, '--loud'])).code, 2);
	assert.equal((await gateway.command(['say', topic])).code, 2);
	assert.equal((await gateway.command(['say', 'no topic', 'x'])).code, 2);
	const said = new Running(gateway, ['say', topic, '--data', gateway.data, '--', '--loud']);
	assert.equal((await said.finished()).code, 0);
	assert.equal(chatText(await alice.next()), '--loud');
});

test('say: with a token it speaks as the token\'s identity; a refusal exits with 1', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const token = await gateway.token({ id: 'bob', topic });
	const said = new Running(gateway, ['say', '--url', gateway.url, topic, 'from bob'], { env: { HUSTINGS_TOKEN: token } });
	assert.equal((await said.finished()).code, 0, said.stderr);
	const heard = await alice.next();
	assert.equal(heard.from, 'bob');
	const elsewhere = new Running(gateway, ['say', '--url', gateway.url, freshTopic(), 'x'], { env: { HUSTINGS_TOKEN: token } });
	assert.equal((await elsewhere.finished()).code, 1);
	assert.match(elsewhere.stderr, /does not hold for this topic/);
	const stranger = new Running(gateway, ['say', '--url', gateway.url, topic, 'x']);
	assert.equal((await stranger.finished()).code, 1);
	assert.match(stranger.stderr, /token/);
});

test('send: an envelope of the command line, whole or in part', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const part = await gateway.command(['send', topic, '{"kind":"chat","payload":{"text":"one","n":1e400}}']);
	assert.equal(part.code, 0, part.stderr);
	const first = await alice.next();
	assert.equal(part.stdout.trim(), first.id);
	const whole = await gateway.command(['send', topic, JSON.stringify({
		protocol: 'mcp-x/v0', id: `whole-${topic}`, kind: 'mcp', to: ['alice'], payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
	})]);
	assert.equal(whole.stdout, `whole-${topic}\n`);
	assert.equal((await alice.next()).payload.method, 'ping');
	const refused = await gateway.command(['send', topic, '{"kind":"nonsense","payload":{}}']);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /bad_kind/);
});

test('send: lines of stdin, in order; those that are refused are named and the others sent', async () => {
	const topic = freshTopic();
	const lines = Array.from({ length: 20 }, (_, n) => JSON.stringify({ kind: 'chat', payload: { text: `line ${n}` } }));
	lines.splice(5, 0, '', '{"kind":"chat"}', 'no json');
	const sent = await gateway.command(['send', topic, '--json'], { input: lines.join('\n') });
	assert.equal(sent.code, 1);
	assert.match(sent.stderr, /line 7: .*payload/);
	assert.match(sent.stderr, /line 8: /);
	const answers = sent.stdout.trim().split('\n').map((line) => JSON.parse(line));
	const kept = (await history(gateway, topic, { token: gateway.adminToken() })).reverse();
	assert.deepEqual(kept.map(chatText), Array.from({ length: 20 }, (_, n) => `line ${n}`));
	assert.deepEqual(answers.map((answer) => answer.id), kept.map((envelope) => envelope.id));
});

test('send: waits where the pace is refused, and loses nothing', async (t) => {
	const own = await houseFor(t, { set: { 'rooms.pace': '5/s' } });
	const topic = freshTopic();
	const lines = Array.from({ length: 12 }, (_, n) => JSON.stringify({ kind: 'chat', payload: { text: `line ${n}` } }));
	const sent = await own.command(['send', topic], { input: `${lines.join('\n')}\n` });
	assert.equal(sent.code, 0, sent.stderr);
	const kept = (await history(own, topic, { token: own.adminToken() })).reverse();
	assert.deepEqual(kept.map(chatText), Array.from({ length: 12 }, (_, n) => `line ${n}`));
});

test('watch: what passes, as lines, with what was said before', async (t) => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', { kind: 'agent' });
	await alice.say('before');
	const watch = start(t, ['watch', topic, '--history', '5']);
	await watch.says(/alice: before\n/);
	await watch.says(/watching/, 'stderr');
	alice.chat('two\nlines\u001b[31m');
	const bob = await joinAs(gateway, topic, 'bob', { kind: 'robot' });
	await bob.close();
	await watch.says(/bob left\n/);
	assert.match(watch.stdout, /^\d\d:\d\d:\d\d alice: two\n {11}lines/m);
	assert.match(watch.stdout, /^\d\d:\d\d:\d\d \* bob, robot, joined$/m);
	assert.ok(!watch.stdout.includes('\u001b'));
	assert.equal((await watch.stop('SIGINT')).code, 0);
});

test('watch --json: envelopes, one a line, octet for octet', async (t) => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	await alice.say('before');
	const watch = start(t, ['watch', topic, '--history', '5', '--json']);
	await watch.says(/before/);
	alice.send('{"protocol":"mcpx/v0.1","id":"odd","kind":"chat","payload":{"text":"\\u0061","n":1e400}}');
	await watch.says(/1e400/);
	const lines = watch.stdout.trim().split('\n');
	assert.ok(lines.every((line) => JSON.parse(line).protocol === 'mcpx/v0.1'));
	assert.ok(lines.some((line) => line.includes('"payload":{"text":"\\u0061","n":1e400}')));
	assert.equal((await watch.stop()).code, 0);
});

test('watch sits beside: the identity keeps its connection, and joins once', async (t) => {
	const topic = freshTopic();
	const observer = await joinAs(gateway, topic, 'observer');
	const robot = await joinAs(gateway, topic, 'robot', { kind: 'robot' });
	await observer.next(isPresence('join', 'robot'));
	const watch = new Running(gateway, ['watch', topic, '--url', gateway.url], { env: { HUSTINGS_TOKEN: robot.token } });
	t.after(() => watch.stop('SIGKILL'));
	await watch.says(/watching/, 'stderr');
	await robot.say('still here');
	await watch.says(/still here/);
	await watch.stop();
	await robot.say('and still');
	const heard = await observer.collect((envelope) => chatText(envelope) === 'and still');
	assert.deepEqual(heard.filter((envelope) => envelope.kind === 'presence'), []);
});

test('tools and call: a participant\'s tools, as text and as JSON', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const shown = await gateway.command(['tools', topic]);
	assert.equal(shown.code, 0, shown.stderr);
	assert.match(shown.stdout, /^tools \(11 tools\)\n {2}echo\n {6}does echo$/m);
	const listed = JSON.parse((await gateway.command(['tools', topic, 'tools', '--json'])).stdout);
	assert.equal(listed.topic, topic);
	assert.equal(listed.participants[0].id, 'tools');
	assert.deepEqual(listed.participants[0].tools[0], { name: 'echo', description: 'does echo', inputSchema: { type: 'object' } });
	const called = await gateway.command(['call', topic, 'tools', 'echo', '{"text":"grüße"}']);
	assert.deepEqual([called.code, called.stdout], [0, 'grüße\n']);
	const input = await gateway.command(['call', topic, 'tools', 'echo', '-'], { input: '{"text":"from stdin"}' });
	assert.equal(input.stdout, 'from stdin\n');
	const octets = '{"big":1e400,"blank" : [ 1 ]}';
	const raw = await gateway.command(['call', topic, 'tools', 'octets', octets, '--json']);
	assert.equal(raw.stdout, `{"content":[],"structuredContent":${octets}}\n`);
});

test('call: what fails exits with 1 and says why', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const nobody = await gateway.command(['call', topic, 'nobody', 'echo', '{}']);
	assert.deepEqual([nobody.code, nobody.stderr],
		[1, `hustings: nobody is not in the room: \`hustings tools ${topic}\` lists who is\n`]);
	const listed = await gateway.command(['tools', topic, 'nobody']);
	assert.deepEqual([listed.code, listed.stderr], [1, nobody.stderr]);
	const late = await gateway.command(['call', topic, 'tools', 'wait', '--timeout', '1s']);
	assert.equal(late.code, 1);
	assert.match(late.stderr, /time/);
	assert.equal((await gateway.command(['call', topic, 'tools', 'echo', 'no json'])).code, 2);
	assert.equal((await gateway.command(['call', topic, 'tools', 'echo', '[]'])).code, 2);
});

test('tools and call open no room that is not there', async () => {
	const topic = freshTopic();
	for (const args of [['tools', topic], ['call', topic, 'notes', 'echo']]) {
		const refused = await gateway.command(args);
		assert.deepEqual([refused.code, refused.stdout], [1, '']);
		assert.match(refused.stderr, /there is no topic .*topic list/);
	}
	const topics = await gateway.command(['topic', 'list', '--json']);
	assert.ok(!topics.stdout.includes(`"${topic}"`));
});

test('where nothing runs, commands ask for the address', async () => {
	const token = { env: { HUSTINGS_TOKEN: 'hus_x' } };
	const commands = [['say', 'demo', 'x'], ['join', 'demo'], ['watch', 'demo'], ['tools', 'demo'],
		['call', 'demo', 'notes', 'echo'], ['attach', 'demo', '--id', 'notes']];
	for (const [verb, ...words] of commands) {
		const rest = verb === 'attach' ? ['--', process.execPath, SCRIPTED, 'nowhere'] : [];
		const failed = new Running(gateway, [verb, ...words, '--url', 'http://127.0.0.1:1', ...rest], token);
		assert.equal((await failed.finished()).code, 1, verb);
		assert.match(failed.stderr, /does a gateway run at http:\/\/127.0.0.1:1\?/, verb);
	}
	const port = new URL(gateway.url).port;
	const plain = new Running(gateway, ['say', 'demo', 'x', '--url', `https://127.0.0.1:${port}`], token);
	assert.equal((await plain.finished()).code, 1);
	assert.match(plain.stderr, /is it http:\/\/127/);
});

test('call: Ctrl-C cancels what is under way', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const call = start(t, ['call', topic, 'tools', 'wait', '--timeout', '10m']);
	await until(async () => (await stateOf(alice, 'tools')).waiting.length === 1, 'the call waits at the server');
	assert.equal((await call.stop('SIGINT')).code, 1);
	await until(async () => (await stateOf(alice, 'tools')).cancelled.length === 1, 'the server hears of the cancel');
});

test('call: a restricted caller hears why not', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const token = await gateway.token({ id: 'intern', privilege: 'restricted' });
	const call = new Running(gateway, ['call', topic, 'tools', 'echo', '{"text":"x"}', '--url', gateway.url], { env: { HUSTINGS_TOKEN: token } });
	assert.equal((await call.finished()).code, 1);
	assert.match(call.stderr, /rivilege/);
});

test('join without a terminal: each line of stdin is one', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const input = ['hello all', '/who', '/tools tools', '/call tools echo {"text":"called"}', '/nonsense', '/call tools', '//slash', ''].join('\n');
	const joined = await gateway.command(['join', topic], { input });
	assert.equal(joined.code, 0, joined.stderr);
	assert.match(joined.stdout, new RegExp(`^\\* in ${topic} as ${ME} \\(full\\)`, 'm'));
	assert.match(joined.stdout, new RegExp(`^\\d\\d:\\d\\d:\\d\\d ${ME}: hello all$`, 'm'));
	assert.match(joined.stdout, /^ {2}alice: full$/m);
	assert.match(joined.stdout, /^tools \(11 tools\)$/m);
	assert.match(joined.stdout, /^tools echo: called$/m);
	assert.match(joined.stdout, /^! there is no \/nonsense/m);
	assert.match(joined.stdout, /^! it goes: \/call PARTICIPANT TOOL/m);
	assert.ok(!joined.stdout.includes('\u001b'));
	const heard = await alice.collect(isPresence('leave', ME));
	assert.ok(heard.some(isPresence('join', ME)));
	assert.deepEqual(heard.map(chatText).filter((said) => said !== undefined), ['hello all', '/slash']);
});

test('join: a proposal is approved by the beginning of its id, another one rejected', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const intern = await joinAs(gateway, topic, 'intern', { privilege: 'restricted' });
	const early = intern.send(proposal('tools', { params: { name: 'echo', arguments: { text: 'early' } }, reason: 'before you came' }));
	await intern.next((envelope) => envelope.id === early);
	const join = start(t, ['join', topic], { input: 'pipe' });
	await join.says(/^\* in /m);
	const late = intern.send(proposal('tools', { params: { name: 'echo', arguments: { text: 'late' } } }));
	await join.says(new RegExp(`intern proposes ${late.slice(0, 8)} to tools: tools/call echo`));
	join.child.stdin.write('/proposals\n');
	await join.says(new RegExp(`^  ${early.slice(0, 8)} of intern to tools: tools/call`, 'm'));
	join.child.stdin.write(`/approve ${early.slice(0, 8)}\n`);
	await join.says(/^tools tools\/call: early$/m);
	const request = await intern.next((envelope) => envelope.kind === 'mcp' && envelope.correlation_id === early);
	assert.equal(request.from, ME);
	assert.deepEqual(request.payload.params, { name: 'echo', arguments: { text: 'early' } });
	join.child.stdin.write(`/reject ${late.slice(0, 8)} not today\n`);
	const rejected = await intern.next((envelope) => envelope.payload.event === 'proposal' && envelope.payload.status === 'rejected');
	assert.equal(rejected.payload.proposalId, late);
	assert.equal(rejected.payload.reason, 'not today');
	await join.says(new RegExp(`proposal ${late.slice(0, 8)} rejected by`));
	join.child.stdin.write(`/approve ${late.slice(0, 8)}\n`);
	await join.says(/^! no proposal that waits begins with/m);
	join.child.stdin.end();
	assert.equal((await join.finished()).code, 0);
});

test('join: who is restricted proposes, and may take it back', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const alice = await joinAs(gateway, topic, 'alice');
	const token = await gateway.token({ id: 'intern', privilege: 'restricted', kind: 'human' });
	const join = new Running(gateway, ['join', topic, '--url', gateway.url], { env: { HUSTINGS_TOKEN: token }, input: 'pipe' });
	t.after(() => join.stop('SIGKILL'));
	await join.says(/as intern \(restricted\)/);
	join.child.stdin.write('/call tools echo {"text":"x"}\n');
	await join.says(/rivilege.*`\/propose tools echo` asks somebody full/);
	join.child.stdin.write('/propose tools echo {"text":"please"}\n');
	const proposed = await alice.next((envelope) => envelope.kind === 'mcp/proposal');
	assert.deepEqual(proposed.to, ['tools']);
	assert.deepEqual(proposed.payload.params, { name: 'echo', arguments: { text: 'please' } });
	await join.says(/intern proposes/);
	join.child.stdin.write('/proposals\n');
	await join.says(new RegExp(`^  ${proposed.id.slice(0, 8)} of intern`, 'm'));
	join.child.stdin.write(`/withdraw ${proposed.id}\n`);
	await alice.next((envelope) => envelope.payload.event === 'proposal' && envelope.payload.status === 'withdrawn');
	await gateway.ask('POST', `/admin/participants/intern/promote?topic=${encodeURIComponent(topic)}`, 200, { token: gateway.adminToken() });
	await join.says(/you are now full/);
	join.child.stdin.write('/call tools echo {"text":"now"}\n');
	await join.says(/^tools echo: now$/m);
	join.child.stdin.write('/quit\n');
	assert.equal((await join.finished()).code, 0);
});

test('join on a terminal: lines are edited, what others say goes above, Ctrl-D leaves', async (t) => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const terminal = fileURLToPath(new URL('./lib/terminal.py', import.meta.url));
	const join = new Running(gateway, [], { env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' }, input: 'pipe',
		program: ['python3', terminal, BINARY, 'join', topic, '--data', gateway.data] });
	t.after(() => join.stop('SIGKILL'));
	await alice.next(isPresence('join', ME));
	await join.says(/in room:[^\n]* as /);
	await join.says(/> $/);
	join.child.stdin.write('helo');
	await join.says(/helo/);
	const before = join.stdout.length;
	await alice.say('I interrupt');
	await until(() => /I interrupt[\s\S]*> [^\n]*helo/.test(join.stdout.slice(before)), 'the typed line stands under what was said');
	assert.ok(join.stdout.slice(before).includes('\u001b['), 'names have colours');
	join.child.stdin.write('\u007flo grüße\r');
	assert.equal(chatText(await alice.next((envelope) => envelope.from === ME && chatText(envelope) !== undefined)), 'hello grüße');
	join.child.stdin.write('/who\r');
	await join.says(/you, full/);
	join.child.stdin.write('\u0004');
	await alice.next(isPresence('leave', ME));
	assert.equal((await join.finished()).code, 0);
});

test('call on a terminal: what may destroy is asked about first', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic);
	const terminal = fileURLToPath(new URL('./lib/terminal.py', import.meta.url));
	const call = (words) => new Running(gateway, [], { env: { TERM: 'xterm' }, input: 'pipe',
		program: ['python3', terminal, BINARY, 'call', topic, 'tools', 'destroy', '{"text":"boom"}', '--data', gateway.data, ...words] });
	const no = call([]);
	await no.says(/may destroy something. Call it\? \[y\/N\] /);
	no.child.stdin.write('n\n');
	assert.equal((await no.finished()).code, 1);
	assert.match(no.stdout, /not called/);
	const yes = call([]);
	await yes.says(/\[y\/N\] /);
	yes.child.stdin.write('y\n');
	assert.equal((await yes.finished()).code, 0, yes.stdout);
	assert.match(yes.stdout, /boom/);
	const unasked = call(['--yes']);
	assert.equal((await unasked.finished()).code, 0, unasked.stdout);
	assert.doesNotMatch(unasked.stdout, /y\/N/);
});
