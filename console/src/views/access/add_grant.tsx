// SPDX-License-Identifier: Apache-2.0
/** Add a grant: who, which server or tool, allowed or denied, until when, and why. One of the same key takes the place of the one before. */
import { useState } from 'preact/hooks';
import { RadioField, SelectField, TextField, type Choices } from '../../parts/fields';
import { FormDialog } from '../../parts/form_dialog';
import { tell } from '../../stores/notices';
import { asking, gateway } from '../../stores/session';
import { useKnown, useToolNames } from './known';

/** Hours, as texts. */
const SPANS: Choices = [['', 'for good'], ['1', '1 hour'], ['8', '8 hours'], ['24', '1 day'], ['168', '7 days'], ['720', '30 days']];
const PERMISSIONS: Choices = [['allow', 'allow'], ['deny', 'deny']];
const REASON_MOST = 1000;

interface Draft { agent: string; server: string; tool: string; permission: string; hours: string; why: string }

function add({ agent, server, tool, permission, hours, why }: Draft) {
	return asking(gateway.addGrant({
		entry_type: tool.trim() ? 'tool_grant' : 'server_grant', agent_id: agent.trim(), server_id: server.trim(), tool_name: tool.trim() || null,
		permission: permission === 'deny' ? 'deny' : 'allow', justification: why.trim() || null,
		expires_at: hours ? new Date(Date.now() + Number(hours) * 3600_000).toISOString() : null,
	}));
}

export function AddGrant({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
	const [draft, setDraft] = useState<Draft>({ agent: '', server: '', tool: '', permission: 'allow', hours: '', why: '' });
	const known = useKnown();
	const tools = useToolNames(draft.server, known.servers);
	const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
	const send = async () => {
		await add(draft);
		tell('The grant counts from now on.', 'good');
		onDone();
		onClose();
	};
	return (
		<FormDialog title="Add a grant" action="Add the grant" send={send} onClose={onClose}>
			<TextField label="Who" hint="The id of a person, an agent or a robot." isRequired names={known.ids}
				value={draft.agent} onChange={(agent) => set({ agent })} />
			<TextField label="Server" isRequired names={known.servers} value={draft.server} onChange={(server) => set({ server })} />
			<TextField label="Tool" hint="Empty: the server as a whole. A tool's own grant counts before the server's." names={tools}
				value={draft.tool} onChange={(tool) => set({ tool })} />
			<RadioField legend="May use it" value={draft.permission} choices={PERMISSIONS} onChange={(permission) => set({ permission })} />
			<SelectField label="Until" value={draft.hours} choices={SPANS} onChange={(hours) => set({ hours })} />
			<TextField label="Why" maxLength={REASON_MOST} value={draft.why} onChange={(why) => set({ why })} />
		</FormDialog>
	);
}
