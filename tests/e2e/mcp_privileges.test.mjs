// SPDX-License-Identifier: Apache-2.0
// Who may call tools of hosted servers directly: full principals and administrators; a restricted one
// sees what there is, and is told to propose.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';
import { entry, published } from './lib/hosted.mjs';
import { legacy, modern } from './lib/mcp_wire.mjs';
import { until } from './lib/wait.mjs';

const gateway = await Gateway.start({ config: entry('every', published('everything')) });
test.after(() => gateway.finish());
const restricted = await gateway.token({ id: 'intern', privilege: 'restricted' });
const full = await gateway.token({ id: 'alice', privilege: 'full' });
const admin = gateway.adminToken();

/** Who may use the server at all (MGP 5): that is another question than the privilege. */
async function mayUse(...agents) {
	for (const agent of agents)
		assert.equal((await gateway.command(['access', 'grant', agent, 'every'])).code, 0);
}
await mayUse('intern', 'alice', 'bob');

const faces = [[`${gateway.url}/mcp`, 'every__echo'], [`${gateway.url}/mcp/servers/every`, 'echo']];
const echo = (name) => ({ name, arguments: { message: 'hi' } });

async function calls(face, name, token) {
	const session = await legacy(face, { token });
	const answers = [await (await session.request('tools/call', echo(name))).next(),
		await (await modern(face, 'tools/call', echo(name), { token })).next()];
	return answers.map((answer) => {
		assert.ok(answer.result, JSON.stringify(answer));
		return answer.result;
	});
}

for (const [face, name] of faces) {
	test(`a restricted principal sees the tools of ${new URL(face).pathname} and calls none`, async () => {
		const session = await legacy(face, { token: restricted });
		const { result } = await (await session.request('tools/list')).next();
		assert.ok(result.tools.some((tool) => tool.name === name));
		for (const answer of await calls(face, name, restricted)) {
			assert.equal(answer.isError, true);
			assert.match(answer.content[0].text, /restricted.*proposal/s);
		}
	});

	test(`full principals and administrators call the tools of ${new URL(face).pathname}`, async () => {
		for (const token of [full, admin]) {
			for (const answer of await calls(face, name, token))
				assert.equal(answer.content[0].text, 'Echo: hi');
		}
	});
}

test('a demotion counts soon, and a promotion as well', async () => {
	const [face, name] = faces[1];
	const token = await gateway.token({ id: 'bob', privilege: 'full' });
	const refused = async () => (await calls(face, name, token)).map((answer) => answer.isError === true).join();
	assert.equal(await refused(), 'false,false');
	assert.equal((await gateway.command(['demote', 'bob'])).code, 0);
	await until(async () => await refused() === 'true,true', 'both eras are refused');
	assert.equal((await gateway.command(['promote', 'bob'])).code, 0);
	await until(async () => await refused() === 'false,false', 'both eras call again');
});

test('refusals are audited, the first of a principal at once', async () => {
	const { records } = await gateway.ask('GET', '/admin/audit?event=refused&actor=intern', 200, { token: admin });
	assert.equal(records.length, 1);
	assert.equal(records[0].gate, 'privilege');
	assert.equal(records[0].target, 'every');
});
