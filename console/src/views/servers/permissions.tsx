// SPDX-License-Identifier: Apache-2.0
/** Permissions of a server: what it may do, who said so and until when; one that was granted can be taken back. */
import type { ServerRecord } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { decisionLink } from '../../parts/decision_link';
import { Moment } from '../../parts/moment';
import { plain } from '../../parts/plain';
import { tell } from '../../stores/notices';
import { asking, gateway } from '../../stores/session';

const TONES: Record<string, string> = { approved: 'is-good', denied: 'is-danger', revoked: 'is-danger', expired: 'is-warn', deferred: 'is-warn' };

type Permission = NonNullable<ServerRecord['permissions']>[number];

function Row({ permission, onRevoke }: { permission: Permission; onRevoke: () => void }) {
	return (
		<li class="servers-permission">
			<span class="grows">
				<code class="breaks">{plain(permission.permission)}</code>
				<span class="tiny soft servers-said">
					{permission.by && <>by {plain(permission.by)} </>}
					{permission.at && <Moment at={permission.at} />}
					{permission.expires_at && <>, until {new Date(permission.expires_at).toLocaleString()}</>}
				</span>
			</span>
			<span class={`badge ${TONES[permission.state] ?? ''}`}>{permission.state}</span>
			{permission.state === 'approved' && (
				<button type="button" class="button is-small" aria-label={`Revoke ${plain(permission.permission)}`} onClick={onRevoke}>Revoke</button>
			)}
		</li>
	);
}

export function Permissions({ server, again }: { server: ServerRecord; again: () => void }) {
	const [revoking, setRevoking] = useState<string | null>(null);
	const all = server.permissions ?? [];
	const isLacking = all.some((one) => one.state === 'denied' || one.state === 'revoked');
	const revoke = async () => {
		await asking(gateway.revokePermission(server.id, revoking!));
		tell(`${plain(server.id)} has no longer the permission ${plain(revoking!)}.`, 'good');
		again();
	};
	return (
		<section class="card" aria-labelledby="servers-permissions">
			<header class="card-head"><h2 id="servers-permissions" class="grows">Permissions</h2></header>
			{all.length === 0 && <p class="card-body soft">It names none, and gets none.</p>}
			<ul>{all.map((permission) => <Row key={permission.permission} permission={permission} onRevoke={() => setRevoking(permission.permission)} />)}</ul>
			{server.decision && <p class="card-body"><a href={decisionLink(server.decision)}>Open the decision</a> that it waits for.</p>}
			{isLacking && <p class="card-body small soft">A restart asks again for what was denied or revoked.</p>}
			{revoking !== null && (
				<Confirm title={`Revoke ${plain(revoking)}?`} action="Revoke" isDanger run={revoke} onClose={() => setRevoking(null)}>
					<p>
						Tools of {plain(server.id)} that need this permission are refused from now on. A sandbox is made anew without it.
						A restart of the server asks for it again.
					</p>
				</Confirm>
			)}
		</section>
	);
}
