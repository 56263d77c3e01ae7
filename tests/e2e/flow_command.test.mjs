// SPDX-License-Identifier: Apache-2.0
// `hustings flow`: a guided session on a terminal of its own and by lines of JSON, with a participant that speaks MCP Flow
// itself, written from its text: every type of prompt, refused answers, progress, the end in every way.

import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Running } from './lib/attached.mjs';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { freshTopic, house, houseFor, joinAs } from './lib/house.mjs';
import { entry, published } from './lib/hosted.mjs';
import { RoomClient } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const TERMINAL = fileURLToPath(new URL('./lib/terminal.py', import.meta.url));
const ROOM = freshTopic();
const HOSTED = entry('asker', published('everything'), [], `rooms = [${JSON.stringify(ROOM)}]\n`);
const gateway = await house({ config: HOSTED });

const PROMPTS = [
	{ type: 'text', name: 'city', message: 'Where to?', placeholder: 'Rome', validation: { required: true, min: 2 } },
	{ type: 'choice', name: 'seat', message: 'Which seat?', choices: [{ value: 'w', label: 'Window' }, { value: 'a', label: 'Aisle' }], defaultValue: 'a' },
	{ type: 'confirm', name: 'meal', message: 'With a meal?', validation: { required: true } },
	{ type: 'number', name: 'people', message: 'How many people?', validation: { required: true, min: 1, max: 9 } },
	{ type: 'date', name: 'day', message: 'When?', validation: { required: true } },
	{ type: 'file', name: 'passport', message: 'Your passport', validation: { required: true, accept: ['application/pdf'] } },
	{ type: 'custom', name: 'extras', message: 'What else?', schema: { type: 'array', items: { type: 'string' } } },
];

/** A participant that asks these prompts, one after the other; it refuses the city "Nowhere" once more by itself. */
async function booking(t, topic, { prompts = PROMPTS, result = { success: true }, id = 'booking' } = {}) {
	const token = await gateway.token({ id, privilege: 'full', kind: 'robot' });
	const client = await RoomClient.connect({ gateway, topic, token, query: { mcp: '2025-06-18', kind: 'robot' } });
	t.after(() => client.close());
	const one = { heard: [], answers: {}, at: 0, state: 'waiting_user' };
	const progress = () => ({ current: one.at + 1, total: prompts.length, message: `Step ${one.at + 1}` });
	const current = () => (one.state === 'waiting_user' ? { currentPrompt: { promptId: `p${one.at}`, ...prompts[one.at] }, progress: progress() } : {});
	const does = {
		initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: id, version: '1' } }),
		'tools/list': () => ({ tools: [{ name: 'book', inputSchema: { type: 'object' } }] }),
		'interaction.start': () => ({ sessionId: 'session_1', state: 'idle', initialPrompt: { promptId: 'p0', ...prompts[0] } }),
		'interaction.respond': ({ response, promptId }) => {
			assert.equal(promptId, `p${one.at}`);
			if (response.value === 'Nowhere')
				return { accepted: false, validation: { valid: false, error: 'There is no such city', suggestion: 'Rome' } };
			one.answers[prompts[one.at].name] = response.value;
			one.at += 1;
			if (one.at === prompts.length && one.state === 'waiting_user')
				one.state = one.looks === undefined ? 'completed' : 'processing';
			return { accepted: true, validation: { valid: true } };
		},
		'interaction.getState': () => {
			const state = one.state;
			if (state === 'processing' && (one.looks -= 1) === 0)
				one.state = 'completed';
			return { sessionId: 'session_1', state, metadata: {}, history: [], ...current(), ...one.more };
		},
		'interaction.complete': () => ({ success: true, finalResult: { data: { content: [{ type: 'text', text: JSON.stringify(one.answers) }] }, ...result } }),
		'interaction.cancel': () => ({ cancelled: true }),
	};
	(async () => {
		for (;;) {
			const { kind, to, from, id: about, payload } = await client.next(() => true, { timeout: 600_000 });
			if (kind !== 'mcp' || !to?.includes(id) || payload.id === undefined || payload.method === undefined)
				continue;
			one.heard.push(payload);
			const said = does[payload.method] === undefined ? { error: { code: -32601, message: 'no such method' } } : { result: does[payload.method](payload.params) };
			client.send({ kind: 'mcp', to: [from], correlation_id: about, payload: { jsonrpc: '2.0', id: payload.id, ...said } });
		}
	})().catch(() => {});
	one.of = (method) => one.heard.filter((payload) => payload.method === method).map(({ params }) => params);
	return one;
}

/** `hustings flow ...` on a terminal. */
function onTerminal(t, words, at = gateway) {
	const flow = new Running(at, [], { env: { TERM: 'xterm', LC_ALL: 'C.UTF-8' }, input: 'pipe',
		program: ['python3', TERMINAL, BINARY, 'flow', ...words, '--data', at.data] });
	t.after(() => flow.stop('SIGKILL'));
	let seen = 0;
	/** Waits for these words behind what was waited for before, then types. */
	flow.answers = async (pattern, line) => {
		await until(() => {
			const found = pattern.exec(flow.stdout.slice(seen));
			if (found === null && flow.ended !== undefined)
				throw new Error(`ended: ${flow.stdout}`);
			if (found !== null)
				seen += found.index + found[0].length;
			return found !== null;
		}, `${pattern}`).catch((error) => { throw new Error(`${error.message}\n${flow.stdout}`); });
		flow.child.stdin.write(line);
	};
	return flow;
}

const folder = realpathSync(freshFolder());
const PASSPORT = join(folder, 'my pass.pdf');
writeFileSync(PASSPORT, 'twelve octets');
writeFileSync(join(folder, 'photo.png'), 'png');
const FILE = { uri: `file://${folder}/my%20pass.pdf`, name: 'my pass.pdf', size: 13, mimeType: 'application/pdf' };
const ANSWERS = { city: 'Rome', seat: 'a', meal: true, people: 3, day: '2027-01-02', passport: FILE, extras: ['tea'] };

test('every type of prompt is drawn, answered by hand, asked again where it does not fit, and shows how far it is', async (t) => {
	const topic = freshTopic();
	const one = await booking(t, topic);
	one.looks = 3;
	const flow = onTerminal(t, [topic, 'booking', 'book', '{"note":"quiet"}']);
	await flow.answers(/1 of 7 {2}Step 1\r\ncity: Where to\?\r\n {4}such as Rome\r\n {2}> $/, 'R\n');
	await flow.answers(/! it has to be at least 2 characters: a longer text\r\n {2}> $/, 'Nowhere\n');
	await flow.answers(/! There is no such city: Rome\r\n1 of 7 {2}Step 1\r\ncity: Where to\?[\s\S]*> $/, 'Rome\n');
	await flow.answers(/2 of 7 {2}Step 2\r\nseat: Which seat\?\r\n {4}1 {2}w - Window\r\n {4}2 {2}a - Aisle\r\n[^\n]*\[a\] > $/, '3\n');
	await flow.answers(/! that is none of the choices[^\n]*\r\n {2}> $/, '2\n');
	await flow.answers(/3 of 7 {2}Step 3\r\nmeal: With a meal\?\r\n {2}\(y\/n\) > $/, 'perhaps\n');
	await flow.answers(/! write y or n\r\n {2}> $/, 'y\n');
	await flow.answers(/people: How many people\?\r\n {2}\(a number from 1 to 9\) > $/, 'three\n');
	await flow.answers(/! write a number[^\n]*\r\n {2}> $/, '12\n');
	await flow.answers(/! it may be at most 9: a number from 1 to 9\r\n {2}> $/, '3\n');
	await flow.answers(/day: When\?\r\n {2}\(YYYY-MM-DD\) > $/, 'tomorrow\n');
	await flow.answers(/! this is not [^\n]*\r\n {2}> $/, '2027-01-02\n');
	await flow.answers(/passport: Your passport\r\n {2}\(the path of a file\) > $/, `${folder}/nothing.pdf\n`);
	await flow.answers(/! no file can be read there[^\n]*\r\n {2}> $/, `${folder}/photo.png\n`);
	await flow.answers(/! files of this type are not taken[^\n]*\r\n {2}> $/, `${PASSPORT}\n`);
	await flow.answers(/7 of 7 {2}Step 7\r\nextras: What else\?\r\n {4}\{"type":"array"[^\n]*\r\n {2}\(JSON\) [^\n]*> $/, 'tea\n');
	await flow.answers(/! that is no JSON[^\n]*\r\n {2}> $/, '["tea"]\n');
	assert.equal((await flow.finished()).code, 0, flow.stdout);
	assert.ok(flow.stdout.includes(JSON.stringify(ANSWERS)), flow.stdout);
	assert.deepEqual(one.of('interaction.start'), [{ toolName: 'book', initialParams: { note: 'quiet' } }]);
	for (const { response } of one.of('interaction.respond'))
		assert.ok(Number.isInteger(response.timestamp) && response.timestamp > 1.7e12, response.timestamp);
});

test('an empty line takes what stands in brackets, or leaves out what is not required', async (t) => {
	const topic = freshTopic();
	const one = await booking(t, topic, { prompts: [{ ...PROMPTS[1], validation: { required: true } },
		{ type: 'text', name: 'note', message: 'Anything else?', validation: { required: false } }] });
	const flow = onTerminal(t, [topic, 'book']);
	await flow.answers(/\[a\] > $/, '\n');
	await flow.answers(/\(may be left out\) > $/, '\n');
	assert.equal((await flow.finished()).code, 0, flow.stdout);
	assert.deepEqual(one.answers, { seat: 'a', note: null });
});

for (const [name, key] of [['Ctrl-C', '\u0003'], ['Ctrl-D', '\u0004']]) {
	test(`${name} cancels the session`, async (t) => {
		const topic = freshTopic();
		const one = await booking(t, topic);
		const flow = onTerminal(t, [topic, 'booking', 'book']);
		await flow.answers(/Where to\?[\s\S]*> $/, key);
		assert.equal((await flow.finished()).code, 1, flow.stdout);
		assert.match(flow.stdout, /cancelled/);
		assert.deepEqual(one.of('interaction.cancel'), [{ sessionId: 'session_1', reason: 'the user cancelled' }]);
	});
}

test('Ctrl-C cancels a session at the face of a server too', async (t) => {
	const flow = onTerminal(t, ['asker', 'echo']);
	await flow.answers(/message[\s\S]*> $/, '\u0003');
	assert.equal((await flow.finished()).code, 1, flow.stdout);
	assert.match(flow.stdout, /hustings: cancelled/);
});

test('call asks on the terminal for what it lacks', async (t) => {
	const call = new Running(gateway, [], { env: { TERM: 'xterm' }, input: 'pipe', program: ['python3', TERMINAL, BINARY, 'call', '--server', 'asker',
		'echo', '--data', gateway.data, '--yes'] });
	t.after(() => call.stop('SIGKILL'));
	await call.says(/echo of server asker needs: message\./);
	call.child.stdin.write('by a form\n');
	assert.equal((await call.finished()).code, 0, call.stdout);
	assert.match(call.stdout, /Echo: by a form/);
});

test('a tool that works for long can be cancelled as well', async (t) => {
	const topic = freshTopic();
	const one = await booking(t, topic, { prompts: [PROMPTS[0]] });
	one.looks = 1e9;
	const flow = onTerminal(t, [topic, 'booking', 'book']);
	await flow.answers(/> $/, 'Rome\n');
	await until(() => one.of('interaction.getState').length > 2, 'it looks how it goes');
	flow.child.stdin.write('\u0003');
	assert.equal((await flow.finished()).code, 1, flow.stdout);
	assert.equal(one.of('interaction.cancel').length, 1);
});

test('what a prompt says is shown harmless', async (t) => {
	const topic = freshTopic();
	await booking(t, topic, { prompts: [{ type: 'text', name: 'x\u001b[31m', message: 'Red\u001b[31m and \u202eback', validation: { required: true } }] });
	const flow = onTerminal(t, [topic, 'booking', 'book']);
	await flow.answers(/> $/, 'ok\n');
	assert.equal((await flow.finished()).code, 0, flow.stdout);
	assert.ok(!/\u001b\[31m|\u202e/.test(flow.stdout), JSON.stringify(flow.stdout));
});

for (const isStateless of [false, true]) {
	test(`a hosted server's tool is asked through, at its face and in a room (${isStateless ? 'without state' : 'with state'})`, async (t) => {
		const at = isStateless ? await houseFor(t, { config: `[flow]\nstateless = true\n${HOSTED}` }) : gateway;
		for (const where of [['asker'], ['--server', 'asker'], [ROOM, 'asker'], [ROOM]]) {
			const flow = onTerminal(t, [...where, 'echo'], at);
			await flow.answers(/message[\s\S]*> $/, `hello at ${where.at(-1)}\n`);
			assert.equal((await flow.finished()).code, 0, flow.stdout);
			assert.match(flow.stdout.split('> ').at(-1), new RegExp(`hello at ${where.at(-1)}\r\n.*hello at ${where.at(-1)}`, 's'));
			const whole = onTerminal(t, [...where, 'echo', '{"message":"all of it"}'], at);
			assert.equal((await whole.finished()).code, 0, whole.stdout);
			assert.match(whole.stdout, /^Echo: all of it/);
		}
		const unknown = await at.command(['flow', 'asker', 'paint']);
		assert.equal(unknown.code, 1);
		assert.match(unknown.stderr, /-32602/);
	});
}

/** With --json: answers on stdin, a line each. */
const script = (words, answers) => gateway.command(['flow', ...words, '--json'], { input: answers.map((one) => `${JSON.stringify(one)}\n`).join('') });
const lines = (text) => text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));

test('a script answers by lines of JSON, and reads prompts, refusals and the result as such', async (t) => {
	const topic = freshTopic();
	await booking(t, topic);
	const { code, stdout, stderr } = await script([topic, 'booking', 'book'], ['Nowhere', ...Object.values(ANSWERS)]);
	assert.equal(code, 0, stderr);
	const said = lines(stdout);
	assert.deepEqual(said.map((line) => Object.keys(line)[0]), ['prompt', 'validation', ...PROMPTS.map(() => 'prompt'), 'result']);
	assert.deepEqual(said[0].prompt, { promptId: 'p0', ...PROMPTS[0] });
	assert.deepEqual(said[1].validation, { valid: false, error: 'There is no such city', suggestion: 'Rome' });
	assert.deepEqual(said[3].progress, { current: 2, total: 7, message: 'Step 2' });
	assert.deepEqual(JSON.parse(said.at(-1).result.data.content[0].text), ANSWERS);
});

test('a script that ends too early, or says what is no JSON, cancels the session', async (t) => {
	const topic = freshTopic();
	const one = await booking(t, topic);
	assert.equal((await script([topic, 'booking', 'book'], ['Rome'])).code, 1);
	assert.equal(one.of('interaction.cancel').length, 1);
	const long = await script([topic, 'booking', 'book'], ['x'.repeat(70_000)]);
	assert.equal(long.code, 1);
	assert.match(long.stderr, /65536 octets/);
	assert.equal(one.of('interaction.cancel').length, 2);
	one.at = 0;
	const { code, stderr } = await gateway.command(['flow', topic, 'booking', 'book', '--json'], { input: 'Rome\n' });
	assert.equal(code, 1);
	assert.match(stderr, /JSON/);
	assert.equal(one.of('interaction.cancel').length, 3);
});

test('the exit status says that the tool failed, that the session did, that nobody speaks Flow', async (t) => {
	const topic = freshTopic();
	const failed = await booking(t, topic, { prompts: [PROMPTS[0]], result: { success: false } });
	assert.equal((await script([topic, 'booking', 'book'], ['Rome'])).code, 1);
	failed.at = 0;
	failed.state = 'error';
	failed.more = { summary: 'the line is down' };
	const broken = await script([topic, 'booking', 'book'], ['Rome']);
	assert.equal(broken.code, 1);
	assert.match(broken.stderr, /in error: the line is down/);
	const mute = await joinAs(gateway, topic, 'mute');
	t.after(() => mute.close());
	const nobody = await script([topic, 'nobody', 'book'], []);
	assert.equal(nobody.code, 1);
	assert.match(nobody.stderr, /nobody is not in the room/);
	assert.match((await script([topic, 'paint'], [])).stderr, /nobody in the room offers paint/);
	await booking(t, topic, { id: 'other' });
	assert.match((await script([topic, 'book'], [])).stderr, /booking and other both offer book/);
	assert.match((await script(['no-such-place', 'book'], [])).stderr, /there is no server and no topic no-such-place/);
});

test('its words are checked, and --help teaches', async () => {
	for (const words of [[], ['a'], ['a', 'b', 'c', 'd'], ['a', 'b', '{"x":']])
		assert.equal((await gateway.command(['flow', ...words])).code, 2, words.join(' '));
	const { code, stdout } = await gateway.command(['flow', '--help']);
	assert.equal(code, 0);
	for (const word of ['SERVER', 'TOPIC', 'PARTICIPANT', '--json', 'Ctrl-C', 'hustings flow files write_file'])
		assert.ok(stdout.includes(word), word);
});
