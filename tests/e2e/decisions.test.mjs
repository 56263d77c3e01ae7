// SPDX-License-Identifier: Apache-2.0
// Questions to people: a dangerous call waits for its answer, given by command or REST; what becomes of
// it over a restart; who may answer; the webhook and the policy hook.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { BINARY, Gateway, freshFolder } from './lib/gateway.mjs';
import { entry } from './lib/hosted.mjs';
import { legacy, modern, post } from './lib/mcp_wire.mjs';
import { until, within } from './lib/wait.mjs';

const SERVER = fileURLToPath(new URL('./lib/stdio_server.mjs', import.meta.url));
const SECRET = `whsec_${Buffer.from('a key of twenty-four octets.').toString('base64')}`;

/** A gateway whose one server has a tool that destroys, and so needs a yes. */
async function houseOf(t, more = '', options = {}) {
	const config = `${more}\n${entry('scripted', SERVER, ['decisions'],
		'[servers.mgp]\npolicy = "auto_approve"\napproval = "interactive"\ndefault_policy = "opt-out"')}`;
	const gateway = await Gateway.start({ config, ...options });
	t.after(() => gateway.finish());
	gateway.bot = await gateway.token({ id: 'bot', privilege: 'full' });
	return gateway;
}

let calls = 0;

/** A call that needs a yes; its answer's result comes later. `arguments` may be said again. */
function destroy(gateway, what = { text: `thing ${calls += 1}` }, token = gateway.bot) {
	return modern(`${gateway.url}/mcp/servers/scripted`, 'tools/call', { name: 'destroy', arguments: what }, { token })
		.then((answer) => answer.next()).then(({ result, error }) => result ?? error);
}

async function pending(gateway) {
	const { code, stdout, stderr } = await gateway.command(['pending', '--json']);
	assert.equal(code, 0, stderr);
	return JSON.parse(stdout).decisions;
}

test('who is asked sees the characters that hide', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'list\u202e \u{e0041}it' };
	const made = destroy(gateway, what);
	const { id } = await question(gateway, what);
	const shown = await run(gateway, ['show', id]);
	assert.match(shown, /list\\u\{202e\} \\u\{e0041\}it/);
	assert.match(await run(gateway, ['deny', id]), /denied/);
	await made;
});

test('the trace of a call holds the question, its answer and who gave it', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'traced' };
	const made = destroy(gateway, what);
	const { id } = await question(gateway, what);
	await run(gateway, ['approve', id]);
	await made;
	const events = async () => {
		const { stdout } = await gateway.command(['audit', '--json', '--limit', '100']);
		return stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)).flatMap((one) => one.records ?? [one]);
	};
	const traced = await until(async () => {
		const all = await events();
		const asked = all.find((one) => one.event === 'dev.hustings.approval_asked');
		const same = all.filter((one) => asked && one.trace_id === asked.trace_id);
		return same.some((one) => one.event === 'TOOL_EXECUTED') && same;
	}, 'the records of the trace');
	const answer = traced.find((one) => one.event === 'dev.hustings.approval_answered');
	assert.equal(answer.result, 'SUCCESS');
	assert.equal(answer.actor, 'admin');
	assert.ok(traced.every((one) => JSON.stringify(one.details ?? {}).includes(id)), JSON.stringify(traced));
});

/** The one question about these arguments. */
function question(gateway, what) {
	return until(async () => (await pending(gateway)).find((one) => one.arguments.text === what.text),
		`a question about ${what.text}`);
}

async function run(gateway, args) {
	const { code, stdout, stderr } = await gateway.command(args);
	assert.equal(code, 0, stderr);
	return stdout;
}

const decision = (gateway, id, token = gateway.adminToken()) =>
	gateway.request('GET', `/admin/decisions/${id}`, { token }).then(({ json }) => json);

test('a call waits for a yes that a command gives, and is made once', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'the barn' };
	const answer = destroy(gateway, what);
	const asked = await question(gateway, what);
	assert.equal(asked.kind, 'call');
	assert.equal(asked.requester, 'bot');
	assert.equal(asked.server, 'scripted');
	assert.equal(asked.tool, 'destroy');
	assert.match(asked.id, /^d-[0-9a-z]{8}$/);
	const { text: metrics } = await gateway.request('GET', '/metrics');
	assert.match(metrics, /^hustings_decisions_open 1$/m);
	assert.match(await run(gateway, ['pending']), new RegExp(`^${asked.id} +call +bot +scripted +destroy `, 'm'));
	assert.match(await run(gateway, ['show', asked.id]), /^arguments +\{"text":"the barn"\}$/m);
	assert.equal(await run(gateway, ['approve', asked.id, '--reason', 'it is old']), `${asked.id} approved\n`);
	assert.equal((await answer).content[0].text, 'the barn');
	const after = await decision(gateway, asked.id);
	assert.equal(after.state, 'used');
	assert.equal(after.decidedBy, 'admin');
	assert.equal(after.reason, 'it is old');
	const again = await gateway.command(['approve', asked.id]);
	assert.equal(again.code, 1);
	assert.match(again.stderr, /used already/);
	// The same call is another question.
	const second = destroy(gateway, what);
	const other = await question(gateway, what);
	assert.notEqual(other.id, asked.id);
	assert.equal(await run(gateway, ['deny', other.id, '--reason', 'not twice']), `${other.id} denied\n`);
	assert.equal((await second).isError, true);
	assert.match((await second).content[0].text, /not twice/);
});

test('an approval with an end holds for the same arguments until it is taken back', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'the fence' };
	const answer = destroy(gateway, what);
	const { id } = await question(gateway, what);
	await run(gateway, ['approve', id, '--valid-until', '1h']);
	assert.equal((await answer).content[0].text, 'the fence');
	assert.equal((await destroy(gateway, what)).content[0].text, 'the fence');
	const other = destroy(gateway, { text: 'the fences' });
	const next = await question(gateway, { text: 'the fences' });
	await run(gateway, ['deny', next.id]);
	assert.equal((await other).isError, true);
	assert.equal(await run(gateway, ['deny', id]), `${id} revoked\n`);
	const asked = destroy(gateway, what);
	await run(gateway, ['deny', (await question(gateway, what)).id]);
	assert.equal((await asked).isError, true);
});

test('who asked does not answer, an administrator does not either', async (t) => {
	const gateway = await houseOf(t);
	const admin = await gateway.token({ id: 'chief', privilege: 'full', admin: true });
	const what = { text: 'the gate' };
	const answer = destroy(gateway, what, admin);
	const { id } = await question(gateway, what);
	const say = (token, body) => gateway.request('POST', `/admin/decisions/${id}`, { token, body })
		.then(({ status }) => status);
	assert.equal(await say(admin, { decision: 'approve' }), 403);
	assert.equal(await say(gateway.bot, { decision: 'approve' }), 403);
	assert.equal(await say(undefined, { decision: 'approve' }), 401);
	assert.equal(await say(gateway.adminToken(), { decision: 'yes' }), 400);
	assert.equal(await say(gateway.adminToken(), { decision: 'approve' }), 200);
	assert.equal(await say(gateway.adminToken(), { decision: 'approve' }), 409);
	assert.equal((await answer).content[0].text, 'the gate');
	const trail = await until(async () => {
		const { json } = await gateway.request('GET', '/admin/audit?event=decision', { token: gateway.adminToken() });
		return json.records.filter((one) => one.target === id).length >= 6 && json.records.filter((one) => one.target === id);
	}, 'the trail');
	const results = trail.map((one) => one.result);
	for (const word of ['opened', 'refused', 'unknown_word', 'approved', 'used'])
		assert.ok(results.includes(word), `${word} in ${results}`);
});

test('a restart loses no question and grants nothing; an approval is then good for one call', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'the shed' };
	const lost = destroy(gateway, what).catch((error) => error);
	const asked = await question(gateway, what);
	gateway.child.kill('SIGKILL');
	await gateway.exit;
	await lost;
	// The folder of a gateway that does not run: the same commands.
	assert.deepEqual((await pending(gateway)).map(({ id, expiresAt }) => [id, expiresAt]), [[asked.id, asked.expiresAt]]);
	await gateway.launch();
	assert.equal((await decision(gateway, asked.id)).state, 'pending');
	await run(gateway, ['approve', asked.id]);
	assert.equal((await decision(gateway, asked.id)).state, 'approved');
	assert.equal((await destroy(gateway, what)).content[0].text, 'the shed');
	assert.equal((await decision(gateway, asked.id)).state, 'used');
	const second = destroy(gateway, what);
	await run(gateway, ['deny', (await question(gateway, what)).id]);
	assert.equal((await second).isError, true);
});

test('a gateway that is told to end keeps its questions', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'the bridge' };
	const lost = destroy(gateway, what).catch((error) => error);
	const { id } = await question(gateway, what);
	gateway.child.kill('SIGTERM');
	gateway.child.kill('SIGTERM');
	await within(gateway.exit, 'the end');
	await lost;
	await gateway.launch();
	assert.equal((await decision(gateway, id)).state, 'pending');
	await run(gateway, ['approve', id]);
	assert.equal((await destroy(gateway, what)).content[0].text, 'the bridge');
});

test('an answer may be given while the gateway does not run', async (t) => {
	const gateway = await houseOf(t);
	const what = { text: 'the well' };
	const lost = destroy(gateway, what).catch((error) => error);
	const { id } = await question(gateway, what);
	gateway.child.kill('SIGKILL');
	await gateway.exit;
	await lost;
	assert.equal(await run(gateway, ['approve', id]), `${id} approved\n`);
	const twice = await gateway.command(['approve', id]);
	assert.match(twice.stderr, /approved already/);
	assert.match(await run(gateway, ['show', id]), /^decidedBy +admin$/m);
	await gateway.launch();
	assert.equal((await destroy(gateway, what)).content[0].text, 'the well');
	assert.equal((await gateway.command(['audit', 'verify'])).code, 0);
});

test('pending --follow prints each question as it comes', async (t) => {
	const gateway = await houseOf(t);
	const child = spawn(BINARY, ['pending', '--follow', '--json', '--data', gateway.data], { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => child.kill('SIGKILL'));
	let printed = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { printed += text; });
	const answers = [];
	for (const text of ['one', 'two']) {
		answers.push(destroy(gateway, { text }));
		const line = await until(() => printed.split('\n').filter((one) => one.includes(`"text":"${text}"`))[0], text);
		await run(gateway, ['deny', JSON.parse(line).id]);
	}
	for (const answer of await Promise.all(answers))
		assert.equal(answer.isError, true);
	assert.equal(printed.trim().split('\n').length, 2);
});

test('cancelling a call takes its question back', async (t) => {
	const gateway = await houseOf(t);
	const session = await legacy(`${gateway.url}/mcp/servers/scripted`, { token: gateway.bot });
	const what = { text: 'the mill' };
	session.request('tools/call', { name: 'destroy', arguments: what }, 77).catch(() => {});
	const { id } = await question(gateway, what);
	await session.say({ method: 'notifications/cancelled', params: { requestId: 77 } });
	await until(async () => (await decision(gateway, id)).state === 'withdrawn', 'the question is withdrawn');
	const { stderr } = await gateway.command(['approve', id]);
	assert.match(stderr, /withdrawn already/);
});

test('a legacy client that hangs up has not cancelled: its question stays, and its call is made', async (t) => {
	const gateway = await houseOf(t);
	const face = `${gateway.url}/mcp/servers/scripted`;
	const session = await legacy(face, { token: gateway.bot });
	const what = { text: 'the mine' };
	const params = { name: 'destroy', arguments: what };
	const hangUp = new AbortController();
	post(face, { jsonrpc: '2.0', id: 5, method: 'tools/call', params },
		{ headers: session.headers, token: gateway.bot, signal: hangUp.signal }).catch(() => {});
	const { id } = await question(gateway, what);
	hangUp.abort();
	assert.equal((await decision(gateway, id)).state, 'pending');
	await run(gateway, ['approve', id]);
	await until(async () => (await decision(gateway, id)).state === 'used', 'the approval is used');
	assert.deepEqual(await pending(gateway), []);
});

/** A receiver of webhooks that checks each signature as Standard Webhooks says. */
async function receiver(t, answers = []) {
	const told = [];
	const server = http.createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8').on('data', (text) => { body += text; }).on('end', () => {
			const id = request.headers['webhook-id'];
			const stamp = request.headers['webhook-timestamp'];
			const mac = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64')).update(`${id}.${stamp}.${body}`).digest('base64');
			told.push({ id, isSigned: request.headers['webhook-signature'] === `v1,${mac}`, age: Date.now() / 1000 - stamp, ...JSON.parse(body) });
			response.writeHead(answers.shift() ?? 204).end();
		});
	});
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	t.after(() => server.close());
	return { told, url: `http://127.0.0.1:${server.address().port}/hook` };
}

test('a webhook is told of every change, signed and in order', async (t) => {
	const { told, url } = await receiver(t);
	const gateway = await houseOf(t, `[decide]\nwebhook_url = "${url}"\nwebhook_secret = "${SECRET}"`);
	const what = { text: 'the dam' };
	const answer = destroy(gateway, what);
	const { id } = await question(gateway, what);
	await run(gateway, ['approve', id]);
	await answer;
	await until(() => told.length === 3, 'three messages');
	assert.deepEqual(told.map(({ type }) => type), ['decision.opened', 'decision.approved', 'decision.used']);
	for (const one of told) {
		assert.ok(one.isSigned);
		assert.ok(Math.abs(one.age) < 120);
		assert.equal(one.data.id, id);
		assert.deepEqual(one.data.arguments, what);
	}
	assert.equal(new Set(told.map((one) => one.id)).size, 3);
	assert.ok(!gateway.stderr.includes(SECRET.slice(6)));
});

test('what the webhook was not told is told after a restart', async (t) => {
	const { told, url } = await receiver(t, [500]);
	const gateway = await houseOf(t, `[decide]\nwebhook_url = "${url}"\nwebhook_secret = "${SECRET}"`);
	const what = { text: 'the tower' };
	const lost = destroy(gateway, what).catch((error) => error);
	const { id } = await question(gateway, what);
	await until(() => told.length === 1, 'the first try');
	gateway.child.kill('SIGKILL');
	await gateway.exit;
	await lost;
	await gateway.launch();
	await until(() => told.length === 2, 'the second try');
	assert.equal(told[1].id, told[0].id);
	assert.equal(told[1].data.id, id);
	assert.ok(told[1].isSigned);
});

test('a policy hook says yes or no before people are asked; its silence asks them', async (t) => {
	const folder = freshFolder();
	const hook = join(folder, 'hook.mjs');
	writeFileSync(hook, `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, arguments: { text } } = JSON.parse(line);
	const decision = { good: 'allow', bad: 'deny', odd: 'perhaps' }[text];
	if (decision) console.log(JSON.stringify({ id, decision, reason: 'rule ' + text }));
});\n`);
	const gateway = await houseOf(t, `[decide]\npolicy_hook = "${process.execPath} ${hook}"`);
	assert.equal((await destroy(gateway, { text: 'good' })).content[0].text, 'good');
	const refused = await destroy(gateway, { text: 'bad' });
	assert.equal(refused.isError, true);
	assert.match(refused.content[0].text, /rule bad/);
	for (const text of ['odd', 'silent']) {
		const answer = destroy(gateway, { text });
		await run(gateway, ['approve', (await question(gateway, { text })).id]);
		assert.equal((await answer).content[0].text, text);
	}
});

test('what is configured wrongly is refused at the start', async () => {
	const wrong = [
		['[decide]\nwebhook_url = "http://127.0.0.1:1/"', /webhook_secret/],
		['[decide]\nwebhook_url = "ftp://x/"\nwebhook_secret = "0123456789abcdef"', /webhook_url/],
		['[decide]\nwebhook_url = "http://127.0.0.1:1/"\nwebhook_secret = "short"', /at least 16/],
		['[decide]\nttl = "0s"', /decide\.ttl/],
	];
	for (const [config, words] of wrong) {
		const gateway = new Gateway({ config });
		await assert.rejects(within(gateway.launch(), 'an end'), words);
	}
});
