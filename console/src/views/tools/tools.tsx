// SPDX-License-Identifier: Apache-2.0
/**
 * Tools: all that this person may use (#/tools), what a search finds (#/tools?find=...), what an agent sees (#/tools?see=agent), and one
 * tool (#/tools/SERVER/TOOL).
 */
import './tools.css';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { to } from '../../stores/route';
import { AgentSight } from './agent_sight';
import { ToolList } from './list';
import { ToolSearch } from './search';
import { ToolPage } from './tool_page';

export function ToolsView({ path, query }: { path: string[]; query: URLSearchParams }) {
	const [server, tool] = path;
	if (server !== undefined && tool !== undefined) return <ToolPage key={`${server}/${tool}`} server={server} name={tool} />;
	const find = query.get('find');
	const isAgent = query.get('see') === 'agent';
	const isList = find === null && !isAgent;
	const base = to('tools');
	return (
		<Page title="Tools" words="What the hosted servers offer to you. What you may not use is not shown, counted or found.">
			<Tabs label="Ways to look at tools" tabs={[
				{ href: base, label: 'All tools', isHere: isList },
				{ href: `${base}?find=`, label: 'Search', isHere: find !== null },
				{ href: `${base}?see=agent`, label: 'What an agent sees', isHere: isAgent },
			]} />
			{isList ? <ToolList only={server} /> : isAgent ? <AgentSight /> : <ToolSearch asked={find ?? ''} />}
		</Page>
	);
}
