// SPDX-License-Identifier: Apache-2.0
// The official clients, of either era, at every face that shows the published "everything" server:
// /mcp, /mcp/servers/everything, and hustings mcp with and without --server. All do the same there.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';
import { entry, published, SDK_SERVER } from './lib/hosted.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { until, within } from './lib/wait.mjs';

const CONFIG = entry('everything', published('everything')) + entry('sdk', SDK_SERVER);
const FACES = {
	'/mcp': { prefix: true, http: () => '/mcp' },
	'/mcp/servers/{id}': { prefix: false, http: (server) => `/mcp/servers/${server}` },
	'hustings mcp': { prefix: true, args: () => [] },
	'hustings mcp --server': { prefix: false, args: (server) => ['--server', server] },
};

let gateway;

before(async () => { gateway = await Gateway.start({ config: CONFIG }); });
after(() => gateway.finish());

for (const kind of KINDS) {
	for (const [face, way] of Object.entries(FACES))
		describe(`${kind} at ${face}`, () => suite(kind, way));
}
describe('old at /mcp/sse', () => suite('old', { prefix: true, http: () => '/mcp/sse' }));
describe('old at /mcp/servers/{id}/sse', () => suite('old', { prefix: false, http: (server) => `/mcp/servers/${server}/sse` }));

function suite(kind, way) {
	const asked = [];
	const answers = {
		'elicitation/create': ({ params }) => {
			asked.push(params);
			return params.mode === 'url' ? { action: 'accept' }
				: { action: 'accept', content: { name: 'Zoe', said: `answer to ${params.message}` } };
		},
		'sampling/createMessage': ({ params }) => {
			asked.push(params);
			return { model: 'test-model', role: 'assistant', content: { type: 'text',
				text: `sampled ${params.messages[0].content.text ?? params.messages[0].content[0]?.text}` } };
		},
		'roots/list': () => ({ roots: [{ uri: 'file:///home/ann', name: 'ann' }] }),
	};
	const named = (server, name) => (way.prefix ? `${server}__${name}` : name);
	const clients = {};
	let token;

	async function connect(server, capabilities) {
		const to = way.http ? { url: gateway.url + way.http(server), token }
			: { args: ['mcp', '--data', gateway.data, ...way.args(server)], home: gateway.home };
		return RealClient.connect(kind, to, capabilities ? { capabilities } : { answers });
	}

	before(async () => {
		token = way.http && await gateway.token({ id: `${kind}-${way.prefix ? 'all' : 'one'}`, admin: true });
		clients.everything = await connect('everything');
		clients.sdk = way.prefix ? clients.everything : await connect('sdk');
		clients.plain = await connect('sdk', {});
	});
	after(async () => {
		for (const client of new Set(Object.values(clients)))
			await client.close();
	});

	const text = (server, name, args, options) => clients[server].text(named(server, name), args, options);

	test('lists and calls tools', async () => {
		await until(async () => {
			const names = (await clients.everything.tools()).map((tool) => tool.name);
			return ['echo', 'get-sum', 'get-structured-content'].every((name) => names.includes(named('everything', name)));
		}, 'the tools of everything');
		assert.match(await text('everything', 'echo', { message: 'good morning' }), /good morning/);
		assert.match(await text('everything', 'get-sum', { a: 20, b: 22 }), /42/);
	});

	test('gets structured content, pictures and links', async () => {
		const weather = await clients.everything.call(named('everything', 'get-structured-content'), { location: 'New York' });
		assert.equal(typeof weather.structuredContent.temperature, 'number');
		const picture = await clients.everything.call(named('everything', 'get-tiny-image'));
		const { data } = picture.content.find((part) => part.type === 'image');
		assert.equal(Buffer.from(data, 'base64').subarray(1, 4).toString(), 'PNG');
		const links = await clients.everything.call(named('everything', 'get-resource-links'), { count: 3 });
		assert.equal(links.content.filter((part) => part.type === 'resource_link').length, 3);
	});

	test('a call that the server refuses is an error, and the connection stays', async () => {
		const refused = await clients.everything.call(named('everything', 'get-sum'), { a: 'one' })
			.then((result) => result.isError, () => true);
		assert.equal(refused, true);
		const unknown = await clients.everything.call(named('everything', 'no-such-tool')).then((result) => result.isError, () => true);
		assert.equal(unknown, true);
		assert.match(await text('everything', 'echo', { message: 'still here' }), /still here/);
	});

	test('lists and gets prompts', async () => {
		const names = (await clients.everything.prompts()).map((prompt) => prompt.name);
		for (const name of ['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt'])
			assert.ok(names.includes(named('everything', name)), name);
		const { messages } = await clients.everything.prompt(named('everything', 'args-prompt'), { city: 'Oslo' });
		assert.match(messages[0].content.text, /Oslo/);
	});

	test('lists and reads resources, those of templates too', async () => {
		const resources = await clients.everything.resources();
		const document = resources.find((one) => one.uri.startsWith('demo://resource/static/document/'));
		assert.ok(document, 'a document is listed');
		const { contents } = await clients.everything.read(document.uri);
		assert.equal(contents[0].uri, document.uri);
		assert.ok(contents[0].text.length > 0);
		const templates = (await clients.everything.templates()).map((one) => one.uriTemplate);
		assert.ok(templates.some((one) => one.startsWith('demo://resource/dynamic/text/')), `${templates}`);
		const dynamic = await clients.everything.read('demo://resource/dynamic/text/7');
		assert.equal(dynamic.contents[0].uri, 'demo://resource/dynamic/text/7');
		assert.match(dynamic.contents[0].text, /7/);
	});

	test('completes an argument of a prompt and a variable of a template', async () => {
		const ref = { type: 'ref/prompt', name: named('everything', 'completable-prompt') };
		const department = await clients.everything.complete(ref, { name: 'department', value: 'S' });
		assert.deepEqual([...department.completion.values].sort(), ['Sales', 'Support']);
		const person = await clients.everything.complete(ref, { name: 'name', value: '' }, { arguments: { department: 'Sales' } });
		assert.deepEqual(person.completion.values, ['David', 'Eve', 'Frank']);
	});

	test('is asked by a server during a call (a form), and its answer arrives', async () => {
		asked.length = 0;
		const said = await text('everything', 'trigger-elicitation-request');
		assert.equal(asked.length, 1);
		assert.ok(asked[0].requestedSchema.properties.name, 'the schema as the server has it');
		assert.deepEqual(asked[0].requestedSchema.properties.titledSingleSelectEnum.oneOf[1], { const: 'hero-2', title: 'Green Lantern' });
		assert.match(said, /Name: Zoe/);
	});

	test('is asked by a server to open a page', async () => {
		asked.length = 0;
		const said = await text('everything', 'trigger-url-elicitation',
			{ url: 'https://93.184.215.14/consent', message: 'Please agree', elicitationId: 'consent-1' });
		assert.equal(asked.length, 1);
		assert.equal(asked[0].mode, 'url');
		assert.equal(asked[0].url, 'https://93.184.215.14/consent');
		assert.match(said, /completed the URL elicitation/);
	});

	test('samples for a server', async () => {
		asked.length = 0;
		const said = await text('everything', 'trigger-sampling-request', { prompt: 'What is up?', maxTokens: 20 });
		assert.equal(asked.length, 1);
		assert.equal(asked[0].maxTokens, 20);
		assert.equal(asked[0].systemPrompt, 'You are a helpful test server.');
		assert.match(said, /sampled .*What is up\?/);
	});

	test('tells a server its roots during a call', async () => {
		assert.deepEqual(JSON.parse(await text('sdk', 'roots')), [{ uri: 'file:///home/ann', name: 'ann' }]);
	});

	// Who may be asked has a process of the server for each call under way in the modern era; who may not, has one.
	const plain = (name, args, options) => clients.plain.text(named('sdk', name), args, options);

	test('hears the progress of its own call alone, in order', async () => {
		const heard = { 3: [], 4: [] };
		const marks = [3, 4].map((count) => `${kind}-${way.prefix}-${way.http ? 'http' : 'stdio'}-${count}`);
		const calls = [3, 4].map((count, index) => plain('steps', { count, name: marks[index] },
			{ onprogress: ({ progress, total, message }) => heard[count].push([progress, total, message]) }));
		await until(() => heard[3].length >= 3 && heard[4].length >= 4, 'all steps are heard');
		for (const name of marks)
			await until(async () => await plain('release', { name }) === 'done', `${name} is released`);
		assert.deepEqual(await within(Promise.all(calls), 'both answers'), ['all steps', 'all steps']);
		for (const count of [3, 4])
			assert.deepEqual(heard[count], [1, 2, 3, 4].slice(0, count).map((step) => [step, count, `step ${step}`]));
	});

	test('a call that is cancelled is cancelled at the server', async () => {
		const name = `${kind}-${way.prefix}-${way.http ? 'http' : 'stdio'}`;
		const aborted = new AbortController();
		const call = clients.plain.call(named('sdk', 'hold'), { name }, { signal: aborted.signal })
			.then(() => assert.fail('a cancelled call has no result'), () => 'cancelled');
		await until(async () => JSON.parse(await plain('held')).includes(name), 'the call is held');
		aborted.abort('changed my mind');
		assert.equal(await within(call, 'the call ends'), 'cancelled');
		await until(async () => JSON.parse(await plain('cancelled')).includes(name), 'the server heard of it');
		assert.equal(JSON.parse(await plain('held')).includes(name), false);
	});

	test('_meta of a call arrives at the server', async () => {
		const meta = JSON.parse(await text('sdk', 'meta', {}, { meta: { 'example.com/trip': { leg: 2 } } }));
		assert.deepEqual(meta['example.com/trip'], { leg: 2 });
	});

	test('hears what a server logs at the level that it chose', async () => {
		const { heard } = clients.sdk;
		const data = (word) => heard.filter((one) => one.method === 'notifications/message' && one.params.data === word);
		const level = { meta: { 'io.modelcontextprotocol/logLevel': 'warning' } };
		if (kind !== 'modern')
			await clients.sdk.client.setLoggingLevel('warning');
		const options = kind === 'modern' ? level : {};
		const mark = `${kind}-${Math.random()}`;
		await text('sdk', 'log', { level: 'info', data: `quiet ${mark}` }, options);
		await text('sdk', 'log', { level: 'error', data: `loud ${mark}` }, options);
		await until(() => data(`loud ${mark}`).length === 1, 'the loud line');
		assert.equal(data(`quiet ${mark}`).length, 0);
		assert.equal(data(`loud ${mark}`)[0].params.level, 'error');
	});

	test('hears that a resource changed which it watches, and not afterwards', async () => {
		const { heard } = clients.sdk;
		const updates = () => heard.filter((one) => one.method === 'notifications/resources/updated');
		const stop = await clients.sdk.watch('sdk:watched');
		heard.length = 0;
		await until(async () => {
			await text('sdk', 'touch', { uri: 'sdk:watched' });
			return updates().length > 0;
		}, 'the change');
		assert.equal(updates()[0].params.uri, 'sdk:watched');
		await stop();
		await until(async () => !JSON.parse(await text('sdk', 'touch', { uri: 'sdk:watched' })).includes('sdk:watched'),
			'the server knows of no subscription');
	});
}
