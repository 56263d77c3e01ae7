// SPDX-License-Identifier: Apache-2.0
/** All tools that this person may use, by server; a filter over names and descriptions. */
import type { Tool } from 'hustings-client';
import { useId, useState } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { TextField } from '../../parts/fields';
import { plain, plainLine } from '../../parts/plain';
import { hintsOf, RiskBadge } from '../../parts/risk';
import { Table, type Column } from '../../parts/table';
import { readCatalogue, riskOf, tokensOf, type Offer } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { isAdmin, session } from '../../stores/session';
import { Budget } from './budget';

const EVERY_MS = 15000;
const SHOWN = 300;

function Name({ server, tool }: { server: string; tool: Tool }) {
	return (
		<>
			<a class="strong breaks" href={to('tools', server, tool.name)}>{plain(tool.name)}</a>
			{tool.title && tool.title !== tool.name && <span class="tiny soft tools-of breaks">{plainLine(tool.title, 80)}</span>}
		</>
	);
}

function columnsFor(server: string): Column<Tool>[] {
	const unsaid = <span class="soft">it does not say</span>;
	return [
		{ label: 'Tool', isTitle: true, cell: (tool) => <Name server={server} tool={tool} /> },
		{ label: 'What it does', cell: (tool) => <span class="breaks">{plainLine(tool.description ?? '', 160) || unsaid}</span> },
		{ label: 'Risk', cell: (tool) => <RiskBadge risk={riskOf(tool)} /> },
		{ label: 'It says', cell: (tool) => <span class="soft">{hintsOf(tool).join(', ') || '–'}</span> },
		{ label: 'Needs', cell: (tool) => <span class="soft">{tool.security?.permissions_required?.map(plain).join(', ') || '–'}</span> },
		{ label: 'Tokens', isFigure: true, cell: (tool) => tokensOf(tool) },
	];
}

function fits(tool: Tool, words: string[]): boolean {
	const text = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
	return words.every((word) => text.includes(word));
}

const sumOf = (tools: Tool[]) => tools.reduce((sum, tool) => sum + tokensOf(tool), 0);

/** Why there is no table of tools. */
function whyNone(offer: Offer): string {
	if (offer.status === 'connected') return 'It offers no tool that you may use.';
	return offer.names.length > 0 ? `Known from before: ${offer.names.map(plain).join(', ')}.` : 'Its tools can be seen when it is connected.';
}

function OfServer({ offer, words }: { offer: Offer; words: string[] }) {
	const tools = offer.tools.filter((tool) => fits(tool, words));
	const title = useId();
	const isUp = offer.status === 'connected';
	const name = plain(offer.server);
	if (words.length > 0 && tools.length === 0) return null;
	return (
		<section class="column tools-server" aria-labelledby={title}>
			<div class="row wraps">
				<h2 id={title}>{isAdmin.value ? <a class="tools-quiet" href={to('servers', offer.server)}>{name}</a> : name}</h2>
				{isUp ? <span class="soft small">{offer.tools.length} {offer.tools.length === 1 ? 'tool' : 'tools'}, {sumOf(offer.tools)} tokens</span>
					: <span class="badge is-warn">{offer.status}</span>}
			</div>
			{offer.error ? <Failed error={offer.error} /> : tools.length === 0 && <p class="soft small breaks">{whyNone(offer)}</p>}
			{tools.length > 0 && (
				<Table label={`Tools of ${name}`} columns={columnsFor(offer.server)} rows={tools.slice(0, SHOWN)} keyOf={(tool) => tool.name} />
			)}
			{tools.length > SHOWN && <p class="small soft">{SHOWN} of {tools.length} are shown: the filter narrows.</p>}
		</section>
	);
}

function NoTools() {
	const command = isAdmin.value ? 'hustings server add files -- npx -y @modelcontextprotocol/server-filesystem /srv'
		: `hustings access grant ${plain(session.value?.id ?? '')} SERVER`;
	return (
		<Empty icon="tool" title="There is no tool that you may use">
			{isAdmin.value ? <><a href={to('servers')}>Add a server</a>, or in a terminal:</> : 'Whoever administers this gateway grants the use of a server:'}
			<code class="tools-command">{command}</code>
		</Empty>
	);
}

export function ToolList({ only }: { only?: string | undefined }) {
	const [parts, setParts] = useState<Offer[] | undefined>();
	const grow = (offers: Offer[]) => setParts((before) => (before && before.length > offers.length ? before : offers));
	const { value: whole, error, again } = usePoll(() => readCatalogue(grow), EVERY_MS);
	const value = whole ?? parts;
	const [text, setText] = useState('');
	const offers = value?.filter((offer) => only === undefined || offer.server === only);
	const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
	const isNothing = offers && words.length > 0 && !offers.some((offer) => offer.tools.some((tool) => fits(tool, words)));
	return (
		<>
			{error && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="the tools" />}
			{offers?.length === 0 && <NoTools />}
			{offers && offers.length > 0 && (
				<>
					<div class="row wraps fields-head">
						<TextField label="Filter" type="search" isGrowing placeholder="Words of a name or description" value={text} onChange={setText} />
					</div>
					{isNothing && (
						<p class="soft" role="status">
							No tool has these words. <a href={`${to('tools')}?find=${encodeURIComponent(text)}`}>Search by meaning</a>, as agents do.
						</p>
					)}
					{offers.map((offer) => <OfServer key={offer.server} offer={offer} words={words} />)}
					{whole && <Budget used={offers.reduce((sum, offer) => sum + sumOf(offer.tools), 0)} words="All of these in a model's context" />}
				</>
			)}
		</>
	);
}
