// SPDX-License-Identifier: Apache-2.0
/** Make a token: for whom, with what privilege, where and how long. Its text is shown this once, and is gone with this window. */
import type { Kind, NewToken, Privilege, TokenWish } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Copy } from '../../parts/copy';
import { Dialog } from '../../parts/dialog';
import { CheckField, SelectField, TextField, type Choices } from '../../parts/fields';
import { FormDialog } from '../../parts/form_dialog';
import { plain } from '../../parts/plain';
import { asking, gateway } from '../../stores/session';

interface Draft { id: string; name: string; kind: string; privilege: string; topics: string; admin: boolean; ttl: string }

const LIVES: Choices = [['1h', '1 hour'], ['24h', '1 day'], ['7d', '7 days'], ['30d', '30 days'], ['365d', '1 year']];
const KINDS: Choices = [['', 'not said'], ['human', 'person'], ['agent', 'agent'], ['robot', 'robot']];
const PRIVILEGES: Choices = [['', 'as the gateway is set'], ['restricted', 'restricted: chats and proposes'], ['full', 'full: calls tools']];

function wishOf(draft: Draft): TokenWish {
	const topics = draft.topics.split(/[\s,]+/).filter((topic) => topic !== '');
	return {
		id: draft.id.trim(), ttl: draft.ttl,
		...(draft.name.trim() && { name: draft.name.trim() }),
		...(draft.kind && { kind: draft.kind as Kind }),
		...(draft.privilege && { privilege: draft.privilege as Privilege }),
		...(topics.length > 0 && { topics }),
		...(draft.admin && { admin: true }),
	};
}

function Made({ token, onClose }: { token: NewToken; onClose: () => void }) {
	return (
		<Dialog title={`Token for ${plain(token.id)}`} isKept onClose={onClose}>
			<p>Copy it now: it is kept hashed, and cannot be shown again.</p>
			<Copy label="Token" text={token.token} />
			<p class="small soft">It signs in at this console, and in a terminal: <code>HUSTINGS_TOKEN=… hustings join lobby</code></p>
			<div class="dialog-foot"><button type="button" class="button is-main" onClick={onClose}>Done</button></div>
		</Dialog>
	);
}

export function MakeToken({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
	const [draft, setDraft] = useState<Draft>({ id: '', name: '', kind: '', privilege: '', topics: '', admin: false, ttl: '24h' });
	const [made, setMade] = useState<NewToken | null>(null);
	const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
	const send = async () => {
		setMade(await asking(gateway.createToken(wishOf(draft))));
		onDone();
	};
	if (made) return <Made key="made" token={made} onClose={onClose} />;
	return (
		<FormDialog key="wish" title="Make a token" action="Make the token" send={send} onClose={onClose}>
			<TextField label="Id" hint="Who that is, in rooms, grants and the audit trail." isRequired value={draft.id} onChange={(id) => set({ id })} />
			<div class="fields-pair">
				<TextField label="Name" value={draft.name} onChange={(name) => set({ name })} />
				<SelectField label="Kind" value={draft.kind} choices={KINDS} onChange={(kind) => set({ kind })} />
				<SelectField label="Privilege" value={draft.privilege} choices={PRIVILEGES} onChange={(privilege) => set({ privilege })} />
				<SelectField label="Holds for" value={draft.ttl} choices={LIVES} onChange={(ttl) => set({ ttl })} />
			</div>
			<TextField label="Rooms" hint="Separated by spaces. Empty: all of them." value={draft.topics} onChange={(topics) => set({ topics })} />
			<CheckField label="Administrator: governs servers, tokens and access" isChecked={draft.admin} onChange={(admin) => set({ admin })} />
		</FormDialog>
	);
}
