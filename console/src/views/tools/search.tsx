// SPDX-License-Identifier: Apache-2.0
/** Search, as the kernel does it for agents (MGP 16): what fits best, its score, and what the answer costs in a context. */
import { HustingsError, type FoundTools } from 'hustings-client';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Waiting } from '../../parts/empty';
import { CheckField, SelectField, TextField, type Choices } from '../../parts/fields';
import { Meter } from '../../parts/meter';
import { plain, plainLine } from '../../parts/plain';
import { RiskBadge } from '../../parts/risk';
import { Table, type Column } from '../../parts/table';
import { asAgentsGetIt, kernelFace, riskOf, tokensOf } from '../../stores/catalogue';
import { go, to } from '../../stores/route';
import { asking } from '../../stores/session';
import { Budget } from './budget';
import { Categories } from './categories';

const MANY = 50;
const QUERY_MOST = 1000;
const RISKS: Choices = [['', 'any'], ['safe', 'safe alone'], ['moderate', 'up to moderate']];

interface Wish { query: string; category: string; risk: string; isMany: boolean }

type Found = FoundTools['tools'][number];

function Name({ tool }: { tool: Found }) {
	const server = String(tool.server_id);
	return (
		<>
			<a class="strong breaks" href={to('tools', server, tool.name)}>{plain(tool.name)}</a>
			<span class="tiny soft tools-of">{plain(server)}</span>
		</>
	);
}

function Score({ tool }: { tool: Found }) {
	const score = tool.relevance_score ?? 0;
	return <Meter value={score} most={1} label={`Score of ${plain(tool.name)}`} words={score.toFixed(2)} />;
}

const COLUMNS: Column<Found>[] = [
	{ label: 'Tool', isTitle: true, cell: (tool) => <Name tool={tool} /> },
	{ label: 'Score', cell: (tool) => <Score tool={tool} /> },
	{ label: 'What it does', cell: (tool) => <span class="breaks">{plainLine(tool.description ?? '', 160)}</span> },
	{ label: 'Risk', cell: (tool) => <RiskBadge risk={riskOf(tool)} /> },
	{ label: 'Tokens', isFigure: true, cell: (tool) => tokensOf(asAgentsGetIt(tool)) },
];

function ask({ query, category, risk, isMany }: Wish, signal: AbortSignal): Promise<FoundTools> {
	return asking(kernelFace().find(query, {
		signal,
		...(isMany && { maxResults: MANY }),
		...(category && { categories: [category] }),
		...(risk && { riskLevelMax: risk as 'safe' | 'moderate' | 'dangerous' }),
	}));
}

function countWords({ tools, total_available, semantic_source, query_time_ms }: FoundTools): string {
	if (tools.length === 0) return 'Nothing fits: say in other words what it should do.';
	const how = semantic_source === 'embeddings' ? 'by meaning' : 'by words and what stands for them';
	return `${tools.length} of ${total_available ?? '?'} tools that you may use, found ${how} in ${query_time_ms ?? 0} ms`;
}

function LeftOut({ names, onAsk }: { names: string[]; onAsk: (query: string) => void }) {
	return (
		<p class="small">What fits as well, and has no place in this answer: {names.map((name, at) => (
			<span key={name}>{at > 0 && ', '}<button type="button" class="tools-link breaks" onClick={() => onAsk(name)}>{plain(name)}</button></span>
		))}</p>
	);
}

function Answer({ found, wish, onAsk }: { found: FoundTools; wish: Wish; onAsk: (query: string) => void }) {
	const used = found.tools.reduce((sum, tool) => sum + tokensOf(asAgentsGetIt(tool)), 0);
	const left: string[] = Array.isArray(found.left_out) ? found.left_out.map(String) : [];
	const isNothing = found.tools.length === 0;
	return (
		<section class="column" aria-label="Found tools">
			<p class="small soft" role="status">{countWords(found)}</p>
			{!isNothing && <Table label="Found tools" columns={COLUMNS} rows={found.tools} keyOf={(tool) => `${String(tool.server_id)} ${tool.name}`} />}
			{isNothing && wish.category && wish.query && (
				<p><button type="button" class="button is-small" onClick={() => onAsk('')}>Show all of {plain(wish.category)}</button></p>
			)}
			{left.length > 0 && <LeftOut names={left} onAsk={onAsk} />}
			{!isNothing && <Budget used={used} words={wish.isMany ? 'This answer' : 'This answer, as an agent gets it'} />}
		</section>
	);
}

export function ToolSearch({ asked }: { asked: string }) {
	const [wish, setWish] = useState<Wish>({ query: asked, category: '', risk: '', isMany: false });
	const [text, setText] = useState(asked);
	const [state, setState] = useState<{ found?: FoundTools; error?: Error; isBusy: boolean }>({ isBusy: false });
	const set = (part: Partial<Wish>) => setWish((before) => ({ ...before, ...part }));
	const isAsked = wish.query !== '' || wish.category !== '';
	useEffect(() => {
		if (!isAsked) return setState({ isBusy: false });
		const stop = new AbortController();
		setState((before) => ({ ...before, isBusy: true }));
		ask(wish, stop.signal).then((found) => setState({ found, isBusy: false }), (error: Error) => {
			if (!stop.signal.aborted) setState({ error, isBusy: false });
		});
		return () => stop.abort(new HustingsError({ message: 'another search took its place', status: 0, code: 'aborted' }));
	}, [wish.query, wish.category, wish.risk, wish.isMany]);
	const look = (query: string) => {
		setText(query);
		set({ query });
		go(`${to('tools')}?find=${encodeURIComponent(query)}`, true);
	};
	return (
		<div class="column tools-search">
			<form class="row wraps tools-ask" role="search" onSubmit={(event) => { event.preventDefault(); look(text.trim()); }}>
				<TextField label="What should be done, in a few words" type="search" isGrowing maxLength={QUERY_MOST} placeholder="read a text file"
					value={text} onChange={setText} />
				<SelectField label="Risk" value={wish.risk} choices={RISKS} onChange={(risk) => set({ risk })} />
				<button type="submit" class="button is-main">Search</button>
			</form>
			<CheckField label="Show lesser ones too (an agent gets five at most, and none under half the best score)" isChecked={wish.isMany}
				onChange={(isMany) => set({ isMany })} />
			<Categories chosen={wish.category} onChoose={(category) => set({ category })} />
			{state.error && <Failed error={state.error} />}
			{state.isBusy && !state.found && <Waiting what="what fits" />}
			{isAsked && state.found && <Answer found={state.found} wish={wish} onAsk={look} />}
			{!isAsked && (
				<p class="soft">An agent asks like this for each step of its task. In a terminal: <code>hustings tools --find "read a text file"</code></p>
			)}
		</div>
	);
}
