// SPDX-License-Identifier: Apache-2.0
/** Add a server: a program that the gateway starts, or the address of a remote one. Whatever is wrong is said by the gateway. */
import type { ServerRecord, ServerWish } from 'hustings-client';
import { useState } from 'preact/hooks';
import { LinesField, RadioField, SelectField, TextField, type Choices } from '../../parts/fields';
import { FormDialog } from '../../parts/form_dialog';
import { asking, gateway } from '../../stores/session';

interface Draft { id: string; sort: string; command: string; args: string; url: string; env: string; rooms: string; trust: string; share: string }

interface PartProps { draft: Draft; set: (part: Partial<Draft>) => void }

const EMPTY: Draft = { id: '', sort: 'program', command: '', args: '', url: '', env: '', rooms: '', trust: '', share: '' };

const SORTS: Choices = [['program', 'A program'], ['remote', 'A remote server']];
const TRUST: Choices = [['', 'as the gateway is set'], ['sandboxed', 'sandboxed'], ['standard', 'standard'], ['trusted', 'trusted']];
const SHARES: Choices = [['', 'as the gateway is set'], ['principal', 'one for each person'], ['all', 'one for all'], ['call', 'one for each call']];

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, '')).filter((line) => line !== '');

/** "NAME=VALUE" a line; throws a sentence where a line is none. */
function pairsOf(text: string): Record<string, string> {
	return Object.fromEntries(linesOf(text).map((line) => {
		const at = line.indexOf('=');
		if (at < 1) throw new Error(`Environment: "${line}" has to be NAME=VALUE.`);
		return [line.slice(0, at), line.slice(at + 1)];
	}));
}

function wishOf(draft: Draft): ServerWish {
	const rooms = draft.rooms.split(/[\s,]+/).filter((room) => room !== '');
	const env = draft.sort === 'program' ? pairsOf(draft.env) : {};
	return {
		id: draft.id.trim(),
		...(draft.sort === 'program' ? { command: draft.command.trim(), args: linesOf(draft.args) } : { url: draft.url.trim() }),
		...(Object.keys(env).length > 0 && { env }),
		...(rooms.length > 0 && { rooms }),
		...(draft.share && { share: draft.share }),
		...(draft.trust && { mgp: { trust_level: draft.trust } }),
	};
}

function Program({ draft, set }: PartProps) {
	return (
		<>
			<p class="notice is-danger">
				This starts a program on the gateway's machine, with the rights of the gateway's user. Add only what you trust, or choose the sandbox.
			</p>
			<TextField label="Command" hint="A program's name or path. No shell reads it." isRequired isCode placeholder="npx"
				value={draft.command} onChange={(command) => set({ command })} />
			<LinesField label="Arguments" hint="One on each line." value={draft.args} onChange={(args) => set({ args })} />
			<LinesField label="Environment" hint="NAME=VALUE on each line. Values are kept by the gateway, and never shown again." rows={2}
				value={draft.env} onChange={(env) => set({ env })} />
		</>
	);
}

function Remote({ draft, set }: PartProps) {
	return (
		<TextField label="Address" hint="Its MCP endpoint. The gateway asks it for whoever may use it; nobody's token is passed on."
			type="url" isRequired isCode placeholder="https://example.org/mcp" value={draft.url} onChange={(url) => set({ url })} />
	);
}

export function AddServer({ onClose, onAdded }: { onClose: () => void; onAdded: (server: ServerRecord) => void }) {
	const [draft, setDraft] = useState<Draft>(EMPTY);
	const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
	const isProgram = draft.sort === 'program';
	return (
		<FormDialog title="Add a server" action={isProgram ? 'Add and start it' : 'Add it'} onClose={onClose}
			send={async () => onAdded(await asking(gateway.addServer(wishOf(draft))))}>
			<TextField label="Name" hint="Letters, digits and _-. It stands before the names of its tools." isRequired maxLength={64}
				value={draft.id} onChange={(id) => set({ id })} />
			<RadioField legend="What it is" value={draft.sort} choices={SORTS} onChange={(sort) => set({ sort })} />
			{isProgram ? <Program draft={draft} set={set} /> : <Remote draft={draft} set={set} />}
			<TextField label="Rooms" hint="In which it sits for everybody there to use; separated by spaces. May be empty."
				value={draft.rooms} onChange={(rooms) => set({ rooms })} />
			<div class="fields-pair">
				<SelectField label="Trust" value={draft.trust} choices={TRUST} onChange={(trust) => set({ trust })} />
				<SelectField label="Processes" value={draft.share} choices={SHARES} onChange={(share) => set({ share })} />
			</div>
		</FormDialog>
	);
}
