// SPDX-License-Identifier: Apache-2.0
// How the console folds envelopes into what it shows, and how it reads texts of peers: its own modules, without a browser.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshFolder } from '../e2e/lib/gateway.mjs';

const CONSOLE = resolve(fileURLToPath(import.meta.url), '../../../console');

let Fold, matcher, filterOf, plain, tokensOf, safeAddress, unescaped;

before(async () => {
	const { build } = await import(pathToFileURL(createRequire(join(CONSOLE, 'package.json')).resolve('vite')));
	const outDir = freshFolder();
	const input = { fold: 'stores/room_fold.ts', filter: 'views/room/filter.ts', plain: 'parts/plain.ts', tokens: 'parts/markdown_tokens.ts' };
	await build({
		configFile: false,
		root: CONSOLE,
		logLevel: 'error',
		resolve: { alias: { 'hustings-client': resolve(CONSOLE, '../clients/ts/src/index.ts') } },
		ssr: { noExternal: true },
		build: {
			ssr: true,
			outDir,
			emptyOutDir: true,
			rollupOptions: {
				input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(CONSOLE, 'src', path)])),
				output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
			},
		},
	});
	const load = (name) => import(pathToFileURL(join(outDir, `${name}.mjs`)));
	({ Fold } = await load('fold'));
	({ matcher, filterOf } = await load('filter'));
	({ plain } = await load('plain'));
	({ tokensOf, safeAddress, unescaped } = await load('tokens'));
});

let numbers = 0;
const envelope = (from, kind, payload, more = {}) => ({
	protocol: 'mcpx/v0.1',
	id: `e${(numbers += 1)}`,
	ts: new Date(1_700_000_000_000 + numbers * 1000).toISOString(),
	from,
	kind,
	payload,
	...more,
});
const rpc = (from, to, message, about) =>
	envelope(from, 'mcp', { jsonrpc: '2.0', ...message }, { to: [to], ...(about === undefined ? {} : { correlation_id: about }) });
const call = (from, to, name, args = {}, id = 7, about) =>
	rpc(from, to, { id, method: 'tools/call', params: { name, arguments: args, _meta: { progressToken: 'p' } } }, about);
const event = (payload, about) => envelope('system:gateway', 'system', payload, { correlation_id: about });

function folded(...envelopes) {
	const fold = new Fold();
	for (const one of envelopes) fold.add(one, 10);
	return fold;
}

test('a request, its progress, its parts and its answer are one call', () => {
	const asked = call('ann', 'calc', 'add', { a: 1 });
	const fold = folded(
		asked,
		rpc('calc', 'ann', { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 4, message: 'a quarter' } }),
		rpc('calc', 'ann', { method: 'notifications/mgp.stream.chunk', params: { request_id: 7, index: 0, content: { type: 'text', text: 'for' } } }),
		rpc('calc', 'ann', { method: 'notifications/mgp.stream.chunk', params: { request_id: 7, index: 1, content: { type: 'text', text: 'ty' } } }, asked.id),
	);
	assert.equal(fold.items.length, 1);
	const [{ call: one }] = fold.items;
	assert.deepEqual([one.state, one.tool, one.progress.total, one.streamed, one.chunks], ['running', 'add', 4, 'forty', 2]);
	fold.add(rpc('calc', 'ann', { id: 7, result: { content: [] } }, asked.id), 10);
	assert.deepEqual([one.state, one.envelopes.length, fold.items.length, fold.weight], ['done', 5, 1, 50]);
});

test("two askers with the same ids do not get one another's progress", () => {
	const [first, second] = [call('ann', 'calc', 'add'), call('bob', 'calc', 'add')];
	const fold = folded(first, second, rpc('calc', 'bob', { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } }));
	assert.deepEqual(
		fold.items.map((item) => item.call.progress?.progress),
		[undefined, 1],
	);
});

test('errors, refusals, results with isError and cancels end a call each in its own way', () => {
	const ends = [
		['error', (asked) => rpc('calc', 'ann', { id: 7, error: { code: -32603, message: 'broke' } }, asked.id)],
		['error', (asked) => rpc('calc', 'ann', { id: 7, result: { isError: true, content: [] } }, asked.id)],
		['refused', (asked) => rpc('calc', 'ann', { id: 7, error: { code: -32002, message: 'denied' } }, asked.id)],
		['cancelled', (asked) => rpc('ann', 'calc', { method: 'notifications/cancelled', params: { requestId: 7 } }, asked.id)],
		['waiting', (asked) => rpc('calc', 'ann', { id: 7, error: { code: -32001, message: 'wait', data: { authorizationRequest: { id: 'd' } } } }, asked.id)],
	];
	for (const [state, end] of ends) {
		const asked = call('ann', 'calc', 'add');
		const fold = folded(asked, end(asked));
		assert.deepEqual([fold.items.length, fold.items[0].call.state], [1, state]);
	}
	const asked = call('ann', 'calc', 'add');
	const fold = folded(
		asked,
		ends[4][1](asked),
		rpc('calc', 'ann', { method: 'notifications/authorization/resolved', params: { requestId: 7, result: { content: [] } } }, asked.id),
	);
	assert.deepEqual([fold.items.length, fold.items[0].call.state], [1, 'done']);
});

test('an error in the room says why, where its data does', () => {
	const denied = { code: -32002, message: 'Authorization denied', data: { reason: 'not today', type: 'authorization_denied' } };
	const asked = call('ann', 'calc', 'add');
	const [{ call: one }] = folded(asked, rpc('calc', 'ann', { id: 7, error: denied }, asked.id)).items;
	assert.deepEqual([one.state, one.error.message, one.error.data], ['refused', 'Authorization denied: not today', denied.data]);
	const later = call('ann', 'calc', 'add');
	const waits = { code: -32001, message: 'Authorization required', data: { authorizationRequest: { id: 'd' } } };
	const [{ call: two }] = folded(
		later,
		rpc('calc', 'ann', { id: 7, error: waits }, later.id),
		rpc('calc', 'ann', { method: 'notifications/authorization/resolved', params: { requestId: 7, error: denied } }, later.id),
	).items;
	assert.deepEqual([two.state, two.error.message], ['refused', 'Authorization denied: not today']);
	const violation = { code: -32001, message: 'Privilege violation', data: { type: 'privilege_violation', reason: 'you may propose' } };
	const [refused] = folded(rpc('system:gateway', 'rita', { id: 7, error: violation }, 'lost')).items;
	assert.deepEqual([refused.sort, refused.message, refused.code], ['refusal', 'Privilege violation: you may propose', 'privilege_violation']);
	const [orphan] = folded(rpc('calc', 'ann', { id: 7, error: denied }, 'lost')).items;
	assert.equal(orphan.words, 'answered with an error: Authorization denied: not today');
	const hostile = call('ann', 'calc', 'add');
	const [{ call: odd }] = folded(hostile, rpc('calc', 'ann', { id: 7, error: { code: 'x', message: 7, data: { reason: ['no text'] } } }, hostile.id)).items;
	assert.equal(odd.error.message, 'an error without words');
});

test('a proposal, its fulfilment, its event and the result are one card, in whatever way it was fulfilled', () => {
	for (const isNamed of [true, false]) {
		const proposed = envelope(
			'rita',
			'mcp/proposal',
			{ method: 'tools/call', params: { name: 'add', arguments: { a: 1 } }, reason: 'please' },
			{ to: ['calc'] },
		);
		const asked = call('ann', 'calc', 'add', { a: 1 }, 9, isNamed ? proposed.id : undefined);
		const fold = folded(
			proposed,
			asked,
			event({ event: 'proposal', proposalId: proposed.id, status: 'fulfilled', by: 'ann' }, proposed.id),
			rpc('calc', 'ann', { id: 9, result: { content: [] } }, asked.id),
		);
		assert.equal(fold.items.length, 1);
		const [{ proposal }] = fold.items;
		assert.deepEqual([proposal.state, proposal.by, proposal.call.state], ['fulfilled', 'ann', 'done']);
		assert.equal(fold.home(asked.id), fold.items[0]);
	}
});

test('older pages complete what is here: answers find their requests, fulfilments their proposals', () => {
	const proposed = envelope('rita', 'mcp/proposal', { method: 'tools/call', params: { name: 'add', arguments: {} } }, { to: ['calc'] });
	const hello = envelope('ann', 'chat', { text: 'hello' });
	const early = call('ann', 'calc', 'slow', {}, 1);
	const progress = rpc('calc', 'ann', { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } }, early.id);
	const asked = call('ann', 'calc', 'add', {}, 2, proposed.id);
	const fold = folded(
		progress,
		asked,
		rpc('calc', 'ann', { id: 2, result: { content: [] } }, asked.id),
		rpc('calc', 'ann', { id: 1, result: { content: [] } }, early.id),
		event({ event: 'proposal', proposalId: proposed.id, status: 'fulfilled', by: 'ann' }, proposed.id),
	);
	assert.equal(fold.items.length, 4);
	fold.addBefore([proposed, hello, early].map((one) => ({ envelope: one, weight: 10 })));
	assert.deepEqual(
		fold.items.map(({ sort }) => sort),
		['proposal', 'chat', 'call'],
	);
	assert.deepEqual(
		[fold.items[0].proposal.state, fold.items[0].proposal.call.state, fold.items[2].call.state, fold.items[2].call.progress.progress],
		['fulfilled', 'done', 'done', 1],
	);
	assert.equal(fold.weight, 80);
});

test('a question of a tool and its answer are one card; what its owner does not take decides nothing', () => {
	const asked = rpc('vault', 'all', {
		method: 'notifications/authorization/request',
		params: { id: 'd1', tool: 'drop', requester: 'rita', arguments: { a: 1 }, expiresAt: '2030-01-01T00:00:00Z' },
	});
	const answer = rpc('bob', 'vault', { id: 3, method: 'authorization/respond', params: { authorizationId: 'd1', decision: 'approve' } });
	const fold = folded(asked, answer);
	const [{ ask }] = fold.items;
	assert.deepEqual([fold.items.length, ask.state, ask.by], [1, 'granted', 'bob']);
	fold.add(rpc('vault', 'bob', { id: 3, error: { code: -32602, message: 'no decider' } }, answer.id), 10);
	assert.deepEqual([fold.items.length, ask.state], [1, 'open']);
	fold.add(rpc('ann', 'vault', { method: 'authorization/respond', params: { authorizationId: 'd1', decision: 'deny', reason: 'no' } }), 10);
	assert.deepEqual([ask.state, ask.by, ask.why], ['denied', 'ann', 'no']);
});

test('each envelope counts once, and what nobody foresaw harms nothing', () => {
	const hello = envelope('ann', 'chat', { text: 'hello' });
	const odd = [
		null,
		1,
		'text',
		[],
		{ method: 5 },
		{ method: 'notifications/progress', params: null },
		{ error: null },
		{ error: 'words' },
		{ id: 1, method: 'tools/call', params: 'x' },
		{ id: null, method: 'x' },
		{ method: 'notifications/authorization/request', params: { id: 5 } },
		{ result: {} },
	];
	const fold = folded(hello, hello);
	assert.equal(fold.items.length, 1);
	for (const kind of ['mcp', 'mcp/proposal', 'chat', 'presence', 'system', 'new'])
		for (const payload of odd) fold.add(envelope('eve', kind, payload, { to: ['ann'], correlation_id: hello.id }), 1);
	assert.equal(fold.items[0].text, 'hello');
	assert.ok(fold.items.every((item) => typeof item.key === 'string' && Number.isFinite(item.at)));
});

test('the oldest leave when there are too many, and are not known any more', () => {
	const said = Array.from({ length: 50 }, (_, at) => envelope('ann', 'chat', { text: `${at}` }));
	const fold = folded(...said);
	assert.equal(fold.trim(20, 1e9).length, 30);
	assert.deepEqual([fold.items.length, fold.items[0].text, fold.weight, fold.has(said[0].id), fold.has(said[49].id)], [20, '30', 200, false, true]);
	fold.trim(20, 55);
	assert.deepEqual([fold.items.length, fold.weight], [5, 50]);
});

test('a call keeps so many envelopes and characters, and its answer whatever came before', () => {
	const asked = call('ann', 'calc', 'floods');
	const fold = folded(asked);
	for (let at = 0; at < 1000; at += 1)
		fold.add(
			rpc(
				'calc',
				'ann',
				{ method: 'notifications/mgp.stream.chunk', params: { request_id: 7, content: { type: 'text', text: 'x'.repeat(1000) } } },
				asked.id,
			),
			1000,
		);
	fold.add(rpc('calc', 'ann', { id: 7, result: { content: [] } }, asked.id), 10);
	const [{ call: one }] = fold.items;
	assert.deepEqual([one.state, one.chunks, one.streamed.length, one.envelopes.length, one.leftOut], ['done', 1000, 256 * 1024, 200, 802]);
	assert.deepEqual([one.envelopes[0].id, one.envelopes.at(-1).payload.result.content.length], [asked.id, 0]);
});

test('a filter finds words in any order, phrases, senders and kinds', () => {
	const asked = call('bob', 'calc', 'add', { note: 'Quarterly Report' });
	const fold = folded(
		envelope('ann', 'chat', { text: 'the report of this quarter' }),
		asked,
		rpc('calc', 'bob', { id: 7, error: { code: -32002, message: 'denied' } }, asked.id),
	);
	const found = (query) => fold.items.filter(matcher(filterOf(new URLSearchParams(query)))).map(({ sort }) => sort);
	assert.deepEqual(found('find=report'), ['chat', 'call']);
	assert.deepEqual(found('find=quarter report'), ['chat', 'call']);
	assert.deepEqual(found('find="quarterly report"'), ['call']);
	assert.deepEqual(found('from=ann'), ['chat']);
	assert.deepEqual(found('kind=calls'), ['call']);
	assert.deepEqual(found('kind=refusals'), ['call']);
	assert.deepEqual(found('kind=nonsense'), ['chat', 'call']);
});

test('signs that are not seen, or that turn writing around, are left out; letters of all languages stay', () => {
	assert.equal(plain('a\u202eb\u2066c\u0000d\u001b[31m\u200be\ufeff\u061c'), 'abcd[31me');
	assert.equal(plain('zwei\r\nZeilen\ttab, שלום, مرحبا, नमस्ते, 👩‍👩‍👧'), 'zwei\nZeilen\ttab, שלום, مرحبا, नमस्ते, 👩‍👩‍👧');
	assert.equal(plain('a\u{e0041}b'), 'ab');
});

test('markdown that is long, deep or full of signs is not read', () => {
	assert.ok(tokensOf('# a\n\n- b **c**'));
	for (const text of ['x'.repeat(20_001), '> '.repeat(20), '- '.repeat(12), '['.repeat(2000), '*a_ '.repeat(1000), `${'> '.repeat(9)}a`])
		assert.equal(tokensOf(text), undefined, text.slice(0, 20));
});

test('links lead to http, https and mailto alone; references are the characters that they mean', () => {
	for (const href of ['https://a.example/', 'http://a.example', 'mailto:a@a.example', 'HTTPS://A.example']) assert.equal(safeAddress(href), href);
	for (const href of [
		'javascript:alert(1)',
		' javascript:alert(1)',
		'java\nscript:alert(1)',
		'data:text/html,x',
		'file:///etc/passwd',
		'/relative',
		'#x',
		'//host/',
		'vbscript:x',
		'blob:x',
		undefined,
		5,
	])
		assert.equal(safeAddress(href), undefined, String(href));
	assert.equal(unescaped('&lt;b&gt; &amp;amp; &#65;&#x42; &#x110000; &bogus; &'), '<b> &amp; AB \ufffd &bogus; &');
});

test('that somebody offers other tools is said in words, once for all the times', () => {
	const fold = new Fold();
	const tell = (from, method) => fold.add(envelope(from, 'mcp', { jsonrpc: '2.0', method }), 1);
	for (let time = 0; time < 3; time += 1) tell('everything', 'notifications/tools/list_changed');
	tell('notes', 'notifications/tools/list_changed');
	tell('notes', 'notifications/unheard/of');
	assert.deepEqual(fold.items.map(({ from, words, times }) => [from, words, times]), [
		['everything', 'offers other tools now', 3],
		['notes', 'offers other tools now', undefined],
		['notes', 'tells of unheard/of', undefined],
	]);
	assert.equal(fold.items[0].ids.length, 3);
});
