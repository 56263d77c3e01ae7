// SPDX-License-Identifier: Apache-2.0
/** Grants: who may use which server or tool, by whom, until when and why; more are added, and each can be taken back. */
import type { Grant } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { plain } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';
import { tell } from '../../stores/notices';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { asking, gateway } from '../../stores/session';
import { AddGrant } from './add_grant';
import { MayUse } from './may_use';

const EVERY_MS = 3000;
const SHOWN = 500;

function keyOf(grant: Grant): string {
	return [grant.entry_type, grant.agent_id, grant.server_id, grant.tool_name ?? ''].join('\n');
}

export function grantWords(grant: Grant): string {
	return `${plain(grant.agent_id)}: ${grant.permission} ${grant.tool_name ? `${plain(grant.tool_name)} of ` : ''}${plain(grant.server_id)}`;
}

function Until({ at }: { at: string | null | undefined }) {
	if (!at) return <span class="soft">for good</span>;
	return Date.parse(at) < Date.now() ? <span class="badge is-warn">it has ended</span> : <time dateTime={at}>{new Date(at).toLocaleString()}</time>;
}

function By({ grant }: { grant: Grant }) {
	return (
		<>
			{grant.granted_by ? plain(grant.granted_by) : <span class="soft">not said</span>}
			{grant.granted_at && <span class="tiny soft access-under"><Moment at={grant.granted_at} /></span>}
		</>
	);
}

function RemoveButton({ grant, onRemove }: { grant: Grant; onRemove: (grant: Grant) => void }) {
	return <button type="button" class="button is-small" aria-label={`Remove the grant ${grantWords(grant)}`} onClick={() => onRemove(grant)}>Remove</button>;
}

function columnsWith(onRemove: (grant: Grant) => void): Column<Grant>[] {
	return [
		{ label: 'Who', isTitle: true, cell: (grant) => <span class="strong breaks">{plain(grant.agent_id)}</span> },
		{ label: 'May', cell: (grant) => <span class={`badge ${grant.permission === 'allow' ? 'is-good' : 'is-danger'}`}>{grant.permission}</span> },
		{ label: 'Server', cell: (grant) => <a class="breaks" href={to('servers', grant.server_id)}>{plain(grant.server_id)}</a> },
		{ label: 'Tool', cell: (grant) => (grant.tool_name ? <code class="breaks">{plain(grant.tool_name)}</code> : <span class="soft">all of it</span>) },
		{ label: 'By', cell: (grant) => <By grant={grant} /> },
		{ label: 'Until', cell: (grant) => <Until at={grant.expires_at} /> },
		{ label: 'Why', cell: (grant) => <span class="breaks">{grant.justification ? plain(grant.justification) : <span class="soft">–</span>}</span> },
		{ label: 'Remove', isActions: true, cell: (grant) => <RemoveButton grant={grant} onRemove={onRemove} /> },
	];
}

function RemoveGrant({ grant, onClose, onDone }: { grant: Grant; onClose: () => void; onDone: () => void }) {
	const run = async () => {
		await asking(gateway.removeGrant(grant));
		tell('The grant was removed.', 'good');
		onDone();
	};
	return (
		<Confirm title="Remove this grant?" action="Remove" isDanger run={run} onClose={onClose}>
			<p class="strong breaks">{grantWords(grant)}</p>
			<p>
				{grant.permission === 'allow' ? 'Calls that it alone allows are refused from now on.'
					: 'What it denied is allowed again where another grant or the server\'s policy allows it.'}
			</p>
		</Confirm>
	);
}

function NoGrants() {
	return (
		<>
			Who has none uses nothing, where a server is opt-in. In a terminal:
			<code class="access-command">hustings access grant bot files --expires 8h</code>
		</>
	);
}

export function Grants() {
	const { value, error, again } = usePoll(() => gateway.grants(), EVERY_MS);
	const [text, setText] = useState('');
	const [isAdding, setAdding] = useState(false);
	const [removing, setRemoving] = useState<Grant | null>(null);
	const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
	const fits = value?.filter((grant) => words.every((word) => grantWords(grant).toLowerCase().includes(word)));
	return (
		<>
			<MayUse />
			<div class="row wraps fields-head">
				<TextField label="Filter" type="search" isGrowing placeholder="Who, server or tool" value={text} onChange={setText} />
				<button type="button" class="button is-main" onClick={() => setAdding(true)}><Icon name="plus" size={16} />Add a grant</button>
			</div>
			{error && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="the grants" />}
			{value?.length === 0 && <Empty icon="key" title="There are no grants"><NoGrants /></Empty>}
			{fits && fits.length === 0 && value!.length > 0 && <p class="soft" role="status">No grant has these words.</p>}
			{fits && fits.length > 0 && <Table label="Grants" columns={columnsWith(setRemoving)} rows={fits.slice(0, SHOWN)} keyOf={keyOf} />}
			{fits && fits.length > SHOWN && <p class="small soft">{SHOWN} of {fits.length} are shown: the filter narrows.</p>}
			{isAdding && <AddGrant onClose={() => setAdding(false)} onDone={again} />}
			{removing && <RemoveGrant grant={removing} onClose={() => setRemoving(null)} onDone={again} />}
		</>
	);
}
