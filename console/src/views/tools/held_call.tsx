// SPDX-License-Identifier: Apache-2.0
/** Held call: says that a call under way waits for somebody's yes, where the inbox shows a question about it. */
import type { Decision } from 'hustings-client';
import { decisionLink } from '../../parts/decision_link';
import { Countdown } from '../../parts/moment';
import { plain } from '../../parts/plain';
import { decisions } from '../../stores/decisions';
import { session } from '../../stores/session';

const SLACK_MS = 5000; // between this clock and the gateway's

function isOfCall(one: Decision, server: string, tool: string): boolean {
	if (one.server !== server) return false;
	if (one.kind === 'permission') return true;
	return (one.kind === 'call' || one.kind === 'authorization') && one.tool === tool && one.requester === session.value?.id;
}

export function HeldCall({ server, tool, since }: { server: string; tool: string; since: number }) {
	const waiting = decisions.value.filter((one) => one.state === 'pending' && Date.parse(one.createdAt) > since - SLACK_MS);
	const held = waiting.find((one) => isOfCall(one, server, tool));
	if (!held) return null;
	return (
		<p class="notice row wraps">
			<span class="grows breaks">Somebody has to agree first: {plain(held.message)} <a href={decisionLink(held.id)}>Open the question</a></span>
			<Countdown until={held.expiresAt} />
		</p>
	);
}
