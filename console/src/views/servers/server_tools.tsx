// SPDX-License-Identifier: Apache-2.0
/** Tools of a server: those that are in use, with risk and pinned definition; and those in quarantine, with what changed in them. */
import type { Decision, ServerRecord, Tool } from 'hustings-client';
import { decisionLink } from '../../parts/decision_link';
import { QuarantineDiff } from '../../parts/diff';
import { Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { Moment } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import { hintsOf, RiskBadge } from '../../parts/risk';
import { riskOf, serverFace } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { gateway } from '../../stores/session';

const EVERY_MS = 3000;
const SHOWN = 300;

/** The newest question about each changed definition that keeps its tool out of use: nobody has answered, or somebody has denied it. */
async function quarantinesOf(server: string): Promise<Decision[]> {
	const { decisions } = await gateway.decisions({ kind: 'quarantine' });
	const newest = new Map<string, Decision>();
	for (const decision of decisions) {
		if (decision.server !== server || !decision.tool) continue;
		const other = newest.get(decision.tool);
		if (!other || other.createdAt < decision.createdAt) newest.set(decision.tool, decision);
	}
	return [...newest.values()].filter((one) => one.state !== 'approved' && one.state !== 'used');
}

function Quarantined({ decision }: { decision: Decision }) {
	const isOpen = decision.state === 'pending';
	return (
		<li class="servers-quarantine">
			<div class="row wraps">
				<Icon name="lock" size={16} /><strong class="breaks">{plain(decision.tool ?? '')}</strong>
				<span class={`badge ${isOpen ? 'is-warn' : 'is-danger'}`}>{isOpen ? 'in quarantine' : `out of use: ${decision.state}`}</span>
				<span class="tiny soft">
					changed <Moment at={decision.createdAt} />{decision.decidedBy && <>, {decision.state} by {plain(decision.decidedBy)}</>}
				</span>
				<span class="grows" />
				{isOpen && <a class="button is-small" href={decisionLink(decision.id)}>Decide in the inbox</a>}
			</div>
			<details open={isOpen}>
				<summary class="small">What changed</summary>
				<QuarantineDiff decision={decision} />
			</details>
		</li>
	);
}

function ToolRow({ server, tool }: { server: string; tool: Tool }) {
	const permissions = tool.security?.permissions_required ?? [];
	return (
		<li class="servers-tool">
			<div class="row wraps">
				<a class="strong breaks" href={to('tools', server, tool.name)}>{plain(tool.name)}</a>
				<RiskBadge risk={riskOf(tool)} />
				<span class="tiny soft">{[...hintsOf(tool), ...permissions.map((one) => `needs ${plain(one)}`)].join(' · ')}</span>
			</div>
			{tool.description && <p class="small soft breaks">{plainLine(tool.description, 220)}</p>}
			<details>
				<summary class="tiny soft">Pinned definition</summary>
				<Json value={tool} label={`Definition of ${plain(tool.name)}`} />
			</details>
		</li>
	);
}

export function ServerTools({ server }: { server: ServerRecord }) {
	const isUp = server.state === 'connected';
	const read = async () => (isUp ? serverFace(server.id).listTools() : undefined);
	const { value: tools, error, again } = usePoll(read, EVERY_MS, [server.id, isUp, server.tools]);
	const { value: held } = usePoll(() => quarantinesOf(server.id), EVERY_MS, [server.id]);
	return (
		<section class="card" aria-labelledby="servers-tools">
			<header class="card-head">
				<h2 id="servers-tools" class="grows">Tools{tools && <span class="soft"> {tools.length}</span>}</h2>
				{held && held.length > 0 && <span class="badge is-warn" role="status">{held.length} in quarantine</span>}
			</header>
			{held && held.length > 0 && (
				<div class="servers-held">
					<p class="small">A definition that changes is not used until a person has seen what changed.</p>
					<ul class="column">{held.map((decision) => <Quarantined key={decision.id} decision={decision} />)}</ul>
				</div>
			)}
			{!isUp && <p class="card-body soft">Its tools can be seen when it is connected.</p>}
			{isUp && error && <div class="card-body"><Failed error={error} again={again} /></div>}
			{isUp && !tools && !error && <div class="card-body"><Waiting what="its tools" /></div>}
			{isUp && tools?.length === 0 && <p class="card-body soft">It offers no tool that is in use.</p>}
			<ul>{isUp && tools?.slice(0, SHOWN).map((tool) => <ToolRow key={tool.name} server={server.id} tool={tool} />)}</ul>
			{isUp && tools && tools.length > SHOWN && (
				<p class="card-body small soft">{SHOWN} of {tools.length} are shown: <a href={to('tools', server.id)}>find others under Tools</a>.</p>
			)}
		</section>
	);
}
