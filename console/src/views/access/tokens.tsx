// SPDX-License-Identifier: Apache-2.0
/** Tokens: whose there are, what each may, when it ends; sessions of browsers are marked. One can be made, and each revoked. */
import type { Session, TokenRecord } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { CheckField, TextField } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { KIND_WORDS, PrivilegeBadge } from '../../parts/person';
import { plain } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';
import { usePoll } from '../../stores/poll';
import { gateway, session } from '../../stores/session';
import { MakeToken } from './make_token';
import { RevokeToken } from './revoke_token';

const EVERY_MS = 3000;
const SHOWN = 500;
const TONES: Record<string, string> = { active: 'is-good', expired: '', revoked: 'is-danger' };

/** Which session we look with: the gateway does not name it, but it ends when ours does. */
export function ownSession(tokens: readonly TokenRecord[], me: Session): TokenRecord | undefined {
	return tokens.find((one) => one.session && one.status === 'active' && one.id === me.id && one.expiresAt === me.expires);
}

function Ends({ token }: { token: TokenRecord }) {
	if (!token.expiresAt) return <span class="soft">never</span>;
	return <time dateTime={token.expiresAt} class="access-time">{new Date(token.expiresAt).toLocaleString()}</time>;
}

function Whose({ token, isOwn }: { token: TokenRecord; isOwn: boolean }) {
	return (
		<>
			<span class="strong breaks">{plain(token.id)}</span>
			{token.name && token.name !== token.id && <span class="soft"> {plain(token.name)}</span>}
			<span class="tiny soft row wraps"><code>{token.tokenId}</code>{isOwn && <span class="badge is-accent">this session</span>}</span>
		</>
	);
}

function RevokeButton({ token, onRevoke }: { token: TokenRecord; onRevoke: (token: TokenRecord) => void }) {
	if (token.status !== 'active') return null;
	const label = `Revoke the ${token.session ? 'session' : 'token'} ${token.tokenId} of ${plain(token.id)}`;
	return <button type="button" class="button is-small" aria-label={label} onClick={() => onRevoke(token)}>Revoke</button>;
}

function Sort({ token }: { token: TokenRecord }) {
	return (
		<span class="row wraps">
			{token.session ? <span class="badge">session</span> : <span class="soft">token</span>}
			{token.admin && <span class="badge is-accent">administrator</span>}
		</span>
	);
}

function columnsWith(own: TokenRecord | undefined, onRevoke: (token: TokenRecord) => void): Column<TokenRecord>[] {
	const asSet = <span class="soft">as the gateway is set</span>;
	return [
		{ label: 'Whose', isTitle: true, cell: (token) => <Whose token={token} isOwn={token === own} /> },
		{ label: 'Sort', cell: (token) => <Sort token={token} /> },
		{ label: 'Kind', cell: (token) => <span class="soft">{(token.kind && KIND_WORDS[token.kind]) ?? 'not said'}</span> },
		{ label: 'Privilege', cell: (token) => (token.privilege ? <PrivilegeBadge privilege={token.privilege} /> : asSet) },
		{ label: 'Rooms', cell: (token) => (token.topics?.length ? <span class="breaks">{token.topics.join(', ')}</span> : <span class="soft">all</span>) },
		{ label: 'Ends', cell: (token) => <Ends token={token} /> },
		{ label: 'State', cell: (token) => <span class={`badge ${TONES[token.status] ?? ''}`}>{token.status}</span> },
		{ label: 'Revoke', isActions: true, cell: (token) => <RevokeButton token={token} onRevoke={onRevoke} /> },
	];
}

/** Those that browsers made with that token. */
function sessionsOf(tokens: readonly TokenRecord[] = [], { tokenId }: TokenRecord): TokenRecord[] {
	return tokens.filter((one) => one.parent === tokenId && one.status === 'active');
}

function newestFirst(one: TokenRecord, other: TokenRecord): number {
	return other.createdAt.localeCompare(one.createdAt);
}

export function Tokens() {
	const { value, error, again } = usePoll(() => gateway.tokens(), EVERY_MS);
	const [text, setText] = useState('');
	const [isOver, setOver] = useState(false);
	const [isMaking, setMaking] = useState(false);
	const [revoking, setRevoking] = useState<TokenRecord | null>(null);
	const own = value && session.value ? ownSession(value, session.value) : undefined;
	const word = text.trim().toLowerCase();
	const wordsOf = (token: TokenRecord) => `${token.id} ${token.name ?? ''} ${token.tokenId}`.toLowerCase();
	const fits = value?.filter((token) => (isOver || token.status === 'active') && wordsOf(token).includes(word)).sort(newestFirst);
	return (
		<>
			<div class="row wraps fields-head">
				<TextField label="Filter" type="search" isGrowing placeholder="Whose, or its name" value={text} onChange={setText} />
				<CheckField label="Show those that ended" isChecked={isOver} onChange={setOver} />
				<button type="button" class="button is-main" onClick={() => setMaking(true)}><Icon name="plus" size={16} />Make a token</button>
			</div>
			{error && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="the tokens" />}
			{fits?.length === 0 && <Empty icon="key" title="There is no such token">
				In a terminal: <code class="access-command">hustings token create --id bot --kind agent --privilege restricted</code>
			</Empty>}
			{fits && fits.length > 0 && (
				<Table label="Tokens" columns={columnsWith(own, setRevoking)} rows={fits.slice(0, SHOWN)} keyOf={(token) => token.tokenId} />
			)}
			{fits && fits.length > SHOWN && <p class="small soft">The newest {SHOWN} of {fits.length} are shown: the filter narrows.</p>}
			{isMaking && <MakeToken onClose={() => setMaking(false)} onDone={again} />}
			{revoking && <RevokeToken token={revoking} sessions={sessionsOf(value, revoking)} own={own} onClose={() => setRevoking(null)} onDone={again} />}
		</>
	);
}
