// SPDX-License-Identifier: Apache-2.0
/** Revoke a token: says what ends with it, and when that is one's own session, before it is done. */
import type { TokenRecord } from 'hustings-client';
import { Confirm } from '../../parts/confirm';
import { plain } from '../../parts/plain';
import { tell } from '../../stores/notices';
import { asking, gateway, lost } from '../../stores/session';

export function RevokeToken({ token, sessions, own, onClose, onDone }: {
	token: TokenRecord; sessions: readonly TokenRecord[]; own: TokenRecord | undefined; onClose: () => void; onDone: () => void;
}) {
	const isOwn = own !== undefined && (own.tokenId === token.tokenId || own.parent === token.tokenId);
	const what = token.session ? 'session' : 'token';
	const withThem = sessions.length > 0 ? `, with ${sessions.length} ${sessions.length === 1 ? 'session' : 'sessions'} of browsers that came by it` : '';
	const run = async () => {
		await asking(gateway.revokeToken(token.tokenId));
		if (isOwn) return lost(`You revoked the ${what} that this page was signed in with.`);
		tell(`The ${what} of ${plain(token.id)} was revoked; its connections are closed.`, 'good');
		onDone();
	};
	return (
		<Confirm title={`Revoke this ${what} of ${plain(token.id)}?`} action="Revoke" isDanger run={run} onClose={onClose}>
			<p><code>{token.tokenId}</code> lets nobody in from now on. Its connections are closed at once{withThem}.</p>
			{isOwn && (
				<p class="notice is-danger"><strong>
					{token.session ? 'This is your own session: you will be signed out.' : 'Your own session came by this token: you will be signed out.'}
				</strong></p>
			)}
		</Confirm>
	);
}
