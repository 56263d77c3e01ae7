// SPDX-License-Identifier: Apache-2.0
/** What an agent sees: at the search face two tools that find the others, against the whole list; both as they are sent. */
import type { Tool } from 'hustings-client';
import { Failed, Waiting } from '../../parts/empty';
import { Json } from '../../parts/json';
import { plain, plainLine } from '../../parts/plain';
import { tokensOf } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';
import { asking, gateway, session } from '../../stores/session';
import { Budget } from './budget';

const EVERY_MS = 15000;

const listOf = (how: 'search' | 'all') => () => asking(gateway.mcp(`/mcp?tools=${how}`).listTools());

const sum = (tools: Tool[]) => tools.reduce((total, tool) => total + tokensOf(tool), 0);

export function AgentSight() {
	const { value: few, error, again } = usePoll(listOf('search'), EVERY_MS);
	const { value: all, error: wrong } = usePoll(listOf('all'), EVERY_MS);
	if (error && !few) return <Failed error={error} again={again} />;
	if (!few) return <Waiting what="what an agent sees" />;
	return (
		<div class="column tools-search">
			<p>
				An agent in the name of {plain(session.value?.id ?? 'you')} that takes <code>/mcp?tools=search</code> is shown {few.length}
				{few.length === 1 ? ' tool' : ' tools'}, and finds the others when it needs them. <code>/mcp</code> shows all{all && ` ${all.length}`}.
			</p>
			<Budget used={sum(few)} words="The search face" />
			{all ? <Budget used={sum(all)} words="The list of all tools" /> : wrong ? <Failed error={wrong} /> : <Waiting what="the list of all tools" />}
			<section class="card" aria-labelledby="tools-sight">
				<header class="card-head"><h2 id="tools-sight" class="grows">Shown at the search face</h2></header>
				<ul>
					{few.map((tool) => (
						<li key={tool.name} class="tools-seen">
							<div class="row wraps">
								<strong class="breaks">{plain(tool.name)}</strong><span class="soft small">{tokensOf(tool)} tokens</span>
							</div>
							<p class="small soft breaks">{plainLine(tool.description ?? '', 300)}</p>
							<details>
								<summary class="tiny soft">As it is sent</summary>
								<Json value={tool} label={`Definition of ${plain(tool.name)}`} />
							</details>
						</li>
					))}
				</ul>
			</section>
			<p class="small soft">
				In a terminal: <code>hustings mcp --tools search</code> for an agent's host, <code>hustings tools --find "..."</code> to search as it does.
			</p>
		</div>
	);
}
