// SPDX-License-Identifier: Apache-2.0
/** May somebody use something? The kernel's own answer, and the grant or policy that decides. */
import { useState } from 'preact/hooks';
import { TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { plain } from '../../parts/plain';
import { asking, gateway } from '../../stores/session';
import { useKnown, useToolNames } from './known';

interface Answer { permission: 'allow' | 'deny'; source: string; granted_by: string | null; granted_at: string | null; expires_at: string | null }

const SOURCES: Record<string, string> = {
	tool_grant: 'by a grant of this very tool',
	server_grant: 'by a grant of the server',
	default_policy: 'by the server\'s default policy, since no grant says anything',
	administrator: 'as an administrator',
};

function Verdict({ asked, answer }: { asked: string; answer: Answer }) {
	const isYes = answer.permission === 'allow';
	return (
		<p class="row wraps" role="status">
			<span class={`badge ${isYes ? 'is-good' : 'is-danger'}`}>{isYes ? 'yes' : 'no'}</span>
			<span class="breaks">{asked}: {SOURCES[answer.source] ?? plain(answer.source)}
				{answer.granted_by && <>, by {plain(answer.granted_by)}</>}
				{answer.granted_at && <> on {new Date(answer.granted_at).toLocaleString()}</>}
				{answer.expires_at && <>, until {new Date(answer.expires_at).toLocaleString()}</>}.</span>
		</p>
	);
}

export function MayUse() {
	const [agent, setAgent] = useState('');
	const [server, setServer] = useState('');
	const [tool, setTool] = useState('');
	const [state, setState] = useState<{ asked?: string; answer?: Answer; error?: string }>({});
	const known = useKnown();
	const tools = useToolNames(server, known.servers);
	const submit = async (event: Event) => {
		event.preventDefault();
		const asked = `${plain(agent)} and ${tool ? `${plain(tool)} of ` : ''}${plain(server)}`;
		try {
			setState({ asked, answer: await asking(gateway.queryAccess(agent.trim(), server.trim(), tool.trim() || undefined)) });
		} catch (failure) {
			setState({ error: (failure as Error).message });
		}
	};
	return (
		<details class="card access-query">
			<summary class="card-head"><Icon name="search" size={16} /><h2>May somebody use something?</h2></summary>
			<form class="card-body column" onSubmit={(event) => void submit(event)}>
				<div class="access-ask">
					<TextField label="Who asks" isRequired value={agent} names={known.ids} onChange={setAgent} />
					<TextField label="Of which server" isRequired value={server} names={known.servers} onChange={setServer} />
					<TextField label="Which tool (or none)" value={tool} names={tools} onChange={setTool} />
					<button type="submit" class="button">Ask the kernel</button>
				</div>
				{state.answer && <Verdict asked={state.asked!} answer={state.answer} />}
				{state.error && <p class="notice is-danger breaks" role="alert">{state.error}</p>}
			</form>
		</details>
	);
}
