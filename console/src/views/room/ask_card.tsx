// SPDX-License-Identifier: Apache-2.0
/** Ask card: a tool asks the room whether a call may run (MCPx ADR-001): who wants what, and the answer. */
import { useState } from 'preact/hooks';
import { Raw } from '../../parts/call/raw';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { Countdown, Moment } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import { answerDecision, decisions } from '../../stores/decisions';
import type { AskItem } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { refusalWords } from '../../stores/room_words';

const TONES = { open: 'is-warn', granted: 'is-good', denied: 'is-danger', revoked: '' } as const;

export function AskCard({ item, store, isOpen, onToggle }: { item: AskItem; store: RoomStore; isOpen: boolean; onToggle: () => void }) {
	const [isBusy, setBusy] = useState(false);
	const [wrong, setWrong] = useState('');
	const { ask } = item;
	const me = store.me.value;
	const isOver = ask.state !== 'open' || (ask.until !== undefined && Date.parse(ask.until) < Date.now());
	const mayAnswer = !isOver && me?.privilege !== 'restricted' && me?.id !== ask.requester;
	const answer = async (isYes: boolean) => {
		setBusy(true);
		setWrong('');
		try {
			const decision = decisions.value.find((one) => one.id === ask.id && one.state === 'pending');
			if (decision) await answerDecision(decision, { decision: isYes ? 'approve' : 'deny' });
			else await store.room.authorize({ authorizationId: ask.id, granted: isYes, owner: ask.owner });
		} catch (error) {
			setWrong(refusalWords(error));
		}
		setBusy(false);
	};
	return (
		<div class={`room-proposal is-${ask.state}`}>
			<button type="button" class="call-head" aria-expanded={isOpen} onClick={onToggle}>
				<span class="icon-turns">
					<Icon name="right" size={14} />
				</span>
				<span class="call-what">
					<strong>{plainLine(ask.owner, 60)}</strong> <span class="soft">asks whether</span>{' '}
					<strong>{plainLine(ask.requester ?? 'somebody', 60)}</strong> <span class="soft">may run </span>
					<span class="call-tool">{plainLine(ask.tool ?? 'a call', 100)}</span>
				</span>
				<span class="call-side">
					{!isOver && ask.until !== undefined && <Countdown until={ask.until} />}
					<span class={`badge ${TONES[ask.state]}`}>{ask.state === 'open' && isOver ? 'over' : ask.state}</span>
					<span class="tiny soft">
						<Moment at={item.at} isClock />
					</span>
				</span>
			</button>
			<div class="room-proposal-body">
				{ask.message && <p class="breaks">{plain(ask.message)}</p>}
				{(!isOver || isOpen) && ask.args !== undefined && <Json value={ask.args} label="Arguments" />}
				{mayAnswer && (
					<div class="row wraps">
						<button type="button" class="button is-main is-small" disabled={isBusy} onClick={() => void answer(true)}>
							<Icon name="check" size={15} />
							Allow this call
						</button>
						<button type="button" class="button is-small" disabled={isBusy} onClick={() => void answer(false)}>
							Deny
						</button>
					</div>
				)}
				{ask.state !== 'open' && ask.by && (
					<p class="small soft breaks">
						{ask.state} by <strong>{plainLine(ask.by, 80)}</strong>
						{ask.why && <>: {plain(ask.why)}</>}
					</p>
				)}
				{wrong !== '' && (
					<p class="small room-wrong" role="alert">
						{plain(wrong)}
					</p>
				)}
			</div>
			{isOpen && (
				<div class="call-body">
					<Raw envelopes={ask.envelopes} />
				</div>
			)}
		</div>
	);
}
