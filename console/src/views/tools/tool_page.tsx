// SPDX-License-Identifier: Apache-2.0
/** One tool: what it says of itself, what the kernel found, its parameters, and a place to try it. */
import { HustingsError, type Tool } from 'hustings-client';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Page } from '../../parts/page';
import { plain } from '../../parts/plain';
import { hintsOf, RiskBadge } from '../../parts/risk';
import { riskOf, serverFace, tokensOf } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { isAdmin } from '../../stores/session';
import { Parameters } from './parameters';
import { TryTool } from './try';

const EVERY_MS = 30000;

async function find(server: string, name: string): Promise<Tool | null> {
	return (await serverFace(server).listTools()).find((tool) => tool.name === name) ?? null;
}

function Security({ tool }: { tool: Tool }) {
	const security: Record<string, unknown> = tool.security ?? {};
	const effects = Array.isArray(security.side_effects) ? security.side_effects.map(String) : [];
	const rows: [string, string][] = [
		['It says of itself', hintsOf(tool).join(', ')],
		['Permissions', tool.security?.permissions_required?.map(plain).join(', ') ?? ''],
		['Side effects', effects.map(plain).join(', ')],
		['Arguments checked by', tool.security?.validator && tool.security.validator !== 'none' ? plain(tool.security.validator) : ''],
		['Costs in a context', `${tokensOf(tool)} tokens`],
	];
	const said = rows.filter(([, words]) => words !== '');
	return <dl class="tools-facts">{said.map(([label, words]) => <div key={label}><dt>{label}</dt><dd class="breaks">{words}</dd></div>)}</dl>;
}

function Words({ server, tool }: { server: string; tool: Tool }) {
	return (
		<section class="card" aria-label="What it is">
			<div class="card-body column">
				<div class="row wraps">
					<RiskBadge risk={riskOf(tool)} />
					<span class="soft small">
						of {isAdmin.value ? <a href={to('servers', server)}>{plain(server)}</a> : plain(server)}
						{tool.title && tool.title !== tool.name && <>, it calls itself {plain(tool.title)}</>}
					</span>
				</div>
				<p class="tools-words breaks">{plain(tool.description ?? '') || 'It does not say what it does.'}</p>
				<Security tool={tool} />
			</div>
		</section>
	);
}

function Schema({ id, title, schema, label }: { id: string; title: string; schema: unknown; label: string }) {
	return (
		<section class="column" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			<Parameters schema={schema} label={label} />
		</section>
	);
}

export function ToolPage({ server, name }: { server: string; name: string }) {
	const { value: tool, error, again } = usePoll(() => find(server, name), EVERY_MS, [server, name]);
	const isUnknown = tool === null || (error instanceof HustingsError && error.status === 404);
	return (
		<Page title={plain(name)} words={<a href={to('tools')}>All tools</a>}
			actions={tool && <a class="button" href={to('flow', server, name)}><Icon name="flow" size={16} />Guide me</a>}>
			{isUnknown && (
				<Empty icon="tool" title={`There is no tool ${plain(name)} that you may use`}>
					Its server may be down, or the tool is in quarantine. <a href={to('tools')}>All tools</a>
				</Empty>
			)}
			{error && !isUnknown && <Failed error={error} again={again} />}
			{tool === undefined && !error && <Waiting what="the tool" />}
			{tool && (
				<div class="tools-page">
					<Words server={server} tool={tool} />
					<Schema id="tools-parameters" title="Parameters" schema={tool.inputSchema} label="Parameters" />
					<TryTool server={server} tool={tool} />
					{tool.outputSchema && <Schema id="tools-output" title="What it hands out" schema={tool.outputSchema} label="Members of the result" />}
				</div>
			)}
		</Page>
	);
}
