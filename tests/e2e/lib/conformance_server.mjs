// SPDX-License-Identifier: Apache-2.0
// An MCP server on stdio that offers what the published server scenarios name, in one era or both:
// node conformance_server.mjs [--era legacy|modern|dual]. It keeps nothing but what it subscribed to.

import { createHmac } from 'node:crypto';
import { createInterface } from 'node:readline';

const ERA = process.argv.includes('--era') ? process.argv[process.argv.indexOf('--era') + 1] : 'legacy';
const META = 'io.modelcontextprotocol/';
const MODERN = '2026-07-28';
const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const INFO = { name: 'conformance', version: '1.0.0' };
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const CAPABILITIES = {
	tools: { listChanged: true }, prompts: { listChanged: true }, completions: {}, logging: {},
	resources: { subscribe: true, listChanged: true },
};

let lastId = 0;
const asked = new Map(); // our requests toward a legacy client
const listening = new Map(); // modern subscriptions: id -> filter

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const form = (message, properties, required = Object.keys(properties)) => ({
	method: 'elicitation/create', params: { message, requestedSchema: { type: 'object', properties, required } },
});
const sample = (words, maxTokens = 100) => ({
	method: 'sampling/createMessage',
	params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens },
});
const roots = { method: 'roots/list', params: {} };
const question = { string: { type: 'string' }, boolean: { type: 'boolean' } };

class RpcError extends Error {
	constructor(code, message, data) { super(message); this.code = code; this.data = data; }
}

const capability = { 'elicitation/create': 'elicitation', 'sampling/createMessage': 'sampling', 'roots/list': 'roots' };

// What a tool asks its client for: requests of ours in the legacy era, input_required in the modern.
class InputRequired {
	constructor(requests, state) { this.requests = requests; this.state = state; }
}

const sign = (words) => `${words}.${createHmac('sha256', 'conformance').update(words).digest('hex')}`;

async function ask(call, requests, state) {
	if (!call.isModern) {
		const answers = {};
		await Promise.all(Object.entries(requests).map(async ([key, request]) => {
			const id = ++lastId;
			send({ id, ...request });
			answers[key] = await new Promise((done, failed) => asked.set(id, { done, failed }));
		}));
		return answers;
	}
	for (const { method } of Object.values(requests)) {
		const needed = capability[method];
		if (!call.capabilities[needed])
			throw new RpcError(-32021, `the client lacks ${needed}`, { requiredCapabilities: { [needed]: {} } });
	}
	if (call.state !== undefined && call.state !== sign(state ?? ''))
		throw new RpcError(-32602, 'requestState is not ours');
	const isSound = (key) => typeof call.responses?.[key] === 'object' && call.responses[key] !== null;
	if (Object.keys(requests).every(isSound) && (state === undefined || call.state !== undefined))
		return call.responses;
	throw new InputRequired(requests, state === undefined ? undefined : sign(state));
}

const confirm = { confirm: form('Please confirm', { ok: question.boolean }) };
const name = { user_name: form('What is your name?', { name: question.string }) };
const answer = async (call, requests, state) => text(`state-ok ${JSON.stringify(await ask(call, requests, state))}`);

const tools = {
	test_simple_text: () => text('This is a simple text response for testing.'),
	test_image_content: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
	test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
	test_embedded_resource: () => ({ content: [{ type: 'resource', resource: {
		uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] }),
	test_multiple_content_types: () => ({ content: [
		{ type: 'text', text: 'Multiple content types test:' }, { type: 'image', data: PNG, mimeType: 'image/png' },
		{ type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json',
			text: '{"test":"data","value":123}' } }] }),
	test_tool_with_logging: (call) => {
		for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
			call.log(data);
		return text('logged');
	},
	test_logging_tool: (call) => { call.log('a line'); return text('logged'); },
	test_error_handling: () => ({ isError: true,
		content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }] }),
	test_tool_with_progress: (call) => {
		for (const progress of [0, 50, 100])
			call.progress(progress);
		return text('done');
	},
	test_sampling: async (call, { prompt }) => {
		const { response } = await ask(call, { response: sample(prompt) });
		return text(`LLM response: ${response.content.text}`);
	},
	test_elicitation: async (call, { message }) => {
		const { user } = await ask(call, { user: form(message, { username: question.string, email: question.string }) });
		return text(`User response: ${JSON.stringify(user)}`);
	},
	test_elicitation_sep1034_defaults: async (call) => {
		const { user } = await ask(call, { user: form('Please review', {
			name: { type: 'string', default: 'John Doe' }, age: { type: 'integer', default: 30 },
			score: { type: 'number', default: 95.5 }, verified: { type: 'boolean', default: true },
			status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' } }) });
		return text(`Elicitation completed: action=${user.action}, content=${JSON.stringify(user.content)}`);
	},
	test_elicitation_sep1330_enums: async (call) => {
		const titled = [['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']]
			.map(([value, title]) => ({ const: value, title }));
		const { user } = await ask(call, { user: form('Choose', {
			untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
			titledSingle: { type: 'string', oneOf: titled },
			legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'],
				enumNames: ['Option One', 'Option Two', 'Option Three'] },
			untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
			titledMulti: { type: 'array', items: { anyOf: titled } } }) });
		return text(`Elicitation completed: action=${user.action}, content=${JSON.stringify(user.content)}`);
	},
	test_input_required_result_elicitation: async (call) => {
		const { user_name: user } = await ask(call, name);
		return text(`Hello, ${user.content?.name}!`);
	},
	test_input_required_result_sampling: async (call) =>
		answer(call, { capital_question: sample('What is the capital of France?') }),
	test_input_required_result_list_roots: async (call) => answer(call, { client_roots: roots }),
	test_input_required_result_request_state: async (call) => answer(call, confirm, 'request-state'),
	test_input_required_result_tampered_state: async (call) => answer(call, confirm, 'tampered-state'),
	test_input_required_result_multiple_inputs: async (call) =>
		answer(call, { ...name, greeting: sample('Generate a greeting', 50), client_roots: roots }, 'multiple'),
	test_input_required_result_multi_round: async (call) => {
		const first = { step1: form('Step 1: What is your name?', { name: question.string }) };
		const second = { step2: form('Step 2: What is your favorite color?', { color: question.string }) };
		if (!call.isModern) {
			await ask(call, first);
			return answer(call, second);
		}
		if (call.state === sign('round-2'))
			return answer(call, second, 'round-2');
		await ask(call, first, 'round-1');
		throw new InputRequired(second, sign('round-2'));
	},
	test_input_required_result_capabilities: async (call) =>
		answer(call, { question: sample('What is the capital of France?') }),
	test_missing_capability: async (call) => answer(call, { question: sample('Anybody there?') }),
	test_streaming_elicitation: async (call) => answer(call, name),
	test_headers: (call, { where }) => text(`in ${where}`),
	json_schema_2020_12_tool: (call, given) => text(JSON.stringify(given)),
	test_trigger_tool_change: () => { changed('tools'); return text('changed'); },
	test_trigger_prompt_change: () => { changed('prompts'); return text('changed'); },
};

const prompts = {
	test_simple_prompt: () => [{ type: 'text', text: 'This is a simple prompt for testing.' }],
	test_prompt_with_arguments: (call, { arg1, arg2 }) =>
		[{ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }],
	test_prompt_with_embedded_resource: (call, { resourceUri }) => [
		{ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' } },
		{ type: 'text', text: 'Please process the embedded resource above.' }],
	test_prompt_with_image: () => [{ type: 'image', data: PNG, mimeType: 'image/png' },
		{ type: 'text', text: 'Please analyze the image above.' }],
	test_input_required_result_prompt: async (call) => {
		const { user_context: context } = await ask(call,
			{ user_context: form('What context should the prompt use?', { context: question.string }) });
		return [{ type: 'text', text: `Context: ${context.content?.context}` }];
	},
};
const promptArguments = {
	test_prompt_with_arguments: ['arg1', 'arg2'], test_prompt_with_embedded_resource: ['resourceUri'],
};

const resources = {
	'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
	'test://static-binary': { mimeType: 'image/png', blob: PNG },
	'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

function changed(kind) {
	const method = `notifications/${kind}/list_changed`;
	send({ method });
	for (const [id, filter] of listening)
		if (filter[`${kind}ListChanged`])
			send({ method, params: { _meta: { [`${META}subscriptionId`]: id } } });
}

function read(uri, isModern) {
	const found = resources[uri] ?? (/^test:\/\/template\/([^/]+)\/data$/.test(uri) && {
		mimeType: 'application/json', text: JSON.stringify({ id: uri.split('/')[3], templateTest: true }) });
	if (!found)
		throw new RpcError(isModern ? -32602 : -32002, 'Resource not found', { uri });
	return { contents: [{ uri, ...found }] };
}

// Input schemas that say more than that there is an object.
const schemas = {
	test_headers: { type: 'object', required: ['where'],
		properties: { where: { type: 'string', 'x-mcp-header': 'Where' } } },
	json_schema_2020_12_tool: {
		$schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object',
		$defs: { address: { $anchor: 'addressDef', type: 'object',
			properties: { street: { type: 'string' }, city: { type: 'string' } } } },
		properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' },
			contactMethod: { type: 'string', enum: ['phone', 'email'] },
			phone: { type: 'string' }, email: { type: 'string' } },
		allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
		if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
		then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false,
	},
};

const methods = {
	'tools/list': () => ({ tools: Object.keys(tools).map((one) => ({ name: one, description: `Test tool ${one}`,
		inputSchema: schemas[one] ?? { type: 'object', properties: {}, additionalProperties: true } })) }),
	'tools/call': async (call, { name: tool, arguments: given }) => {
		if (!tools[tool])
			throw new RpcError(-32602, `Unknown tool: ${tool}`);
		return tools[tool](call, given ?? {});
	},
	'prompts/list': () => ({ prompts: Object.keys(prompts).map((one) => ({ name: one, description: one,
		arguments: (promptArguments[one] ?? []).map((argument) => ({ name: argument, required: true })) })) }),
	'prompts/get': async (call, { name: prompt, arguments: given }) => {
		if (!prompts[prompt])
			throw new RpcError(-32602, `Unknown prompt: ${prompt}`);
		const parts = await prompts[prompt](call, given ?? {});
		return { messages: parts.map((content) => ({ role: 'user', content })) };
	},
	'resources/list': () => ({ resources: Object.entries(resources).map(([uri, { mimeType }]) =>
		({ uri, name: uri.slice(7), description: uri, mimeType })) }),
	'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'test://template/{id}/data',
		name: 'template', description: 'A template', mimeType: 'application/json' }] }),
	'resources/read': (call, { uri }) => read(uri, call.isModern),
	'completion/complete': () => ({ completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } }),
};
const legacyMethods = {
	initialize: (call, { protocolVersion }) => ({ protocolVersion: LEGACY.includes(protocolVersion)
		? protocolVersion : LEGACY.at(-1), capabilities: CAPABILITIES, serverInfo: INFO }),
	ping: () => ({}),
	'logging/setLevel': () => ({}),
	'resources/subscribe': () => ({}),
	'resources/unsubscribe': () => ({}),
};
const modernMethods = {
	'server/discover': () => ({ supportedVersions: [MODERN], capabilities: CAPABILITIES, ttlMs: 0, cacheScope: 'public' }),
};

function dress(result) {
	return { resultType: 'complete', ttlMs: 0, cacheScope: 'public', ...result,
		_meta: { [`${META}serverInfo`]: INFO, ...result._meta } };
}

async function serve({ id, method, params = {} }) {
	const meta = params._meta ?? {};
	const isModern = meta[`${META}protocolVersion`] !== undefined;
	const level = meta[`${META}logLevel`];
	const call = {
		isModern, capabilities: meta[`${META}clientCapabilities`] ?? {}, responses: params.inputResponses,
		state: params.requestState,
		log: (data) => (!isModern || level) && send({ method: 'notifications/message', params: { level: 'info', data } }),
		progress: (progress) => meta.progressToken !== undefined && send({ method: 'notifications/progress',
			params: { progressToken: meta.progressToken, progress, total: 100, message: `${progress}` } }),
	};
	const known = isModern ? ERA !== 'legacy' && modernMethods[method] : ERA !== 'modern' && legacyMethods[method];
	const run = known || ((isModern ? ERA !== 'legacy' : ERA !== 'modern') && methods[method]);
	try {
		if (isModern && ERA !== 'legacy' && method === 'subscriptions/listen') {
			listening.set(id, params.notifications);
			send({ method: 'notifications/subscriptions/acknowledged', params: {
				_meta: { [`${META}subscriptionId`]: id }, notifications: params.notifications } });
			return;
		}
		if (!run)
			throw new RpcError(-32601, `Method not found: ${method}`);
		const result = await run(call, params);
		send({ id, result: isModern ? dress(result) : result });
	} catch (error) {
		if (error instanceof InputRequired)
			send({ id, result: { resultType: 'input_required', inputRequests: error.requests,
				...(error.state === undefined ? {} : { requestState: error.state }),
				_meta: { [`${META}serverInfo`]: INFO } } });
		else if (method === 'tools/call' && !(error instanceof RpcError && error.code !== -32603 && isModern))
			send({ id, result: { isError: true, content: [{ type: 'text', text: error.message }] } });
		else
			send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
	}
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		const one = asked.get(message.id);
		asked.delete(message.id);
		if (message.error)
			one?.failed(new Error(message.error.message));
		else
			one?.done(message.result);
	} else if (message.id !== undefined) {
		serve(message);
	} else if (message.method === 'notifications/cancelled') {
		listening.delete(message.params?.requestId);
	}
}).on('close', () => process.exit(0));
