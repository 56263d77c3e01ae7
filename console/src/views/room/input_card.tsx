// SPDX-License-Identifier: Apache-2.0
/** Input card: what somebody's tool asks during a call (elicitation), and how it was answered; who is asked opens the form here. */
import { useState } from 'preact/hooks';
import { CallBody, CallStateBadge } from '../../parts/call/call_card';
import { Icon } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import type { CallItem } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { isAsked, refusalWords } from '../../stores/room_words';

const ANSWERS: Record<string, string> = { accept: 'answered', decline: 'declined', cancel: 'put aside' };

export function InputCard({
	item: { call, at },
	store,
	isOpen,
	onToggle,
	onAnswer,
}: {
	item: CallItem;
	store: RoomStore;
	isOpen: boolean;
	onToggle: () => void;
	onAnswer: () => void;
}) {
	const [wrong, setWrong] = useState('');
	const params: any = call.args;
	const me = store.me.value?.id;
	const isOurs = isAsked(call, me);
	const isRunning = call.state === 'running';
	const answered = ANSWERS[call.result?.action];
	const decline = () =>
		store.answerInput(call, { action: 'decline' }).then(
			() => setWrong(''),
			(error) => setWrong(refusalWords(error)),
		);
	return (
		<div class={`room-proposal is-${isRunning ? 'open' : 'over'}`}>
			<button type="button" class="call-head" aria-expanded={isOpen} onClick={onToggle}>
				<span class="icon-turns">
					<Icon name="right" size={14} />
				</span>
				<span class="call-what">
					<strong>{plainLine(call.from, 60)}</strong> <span class="soft">asks</span> <strong>{call.to === me ? 'you' : plainLine(call.to, 60)}</strong>
					<span class="soft">: </span>
					{plainLine(String(params?.message ?? 'for more'), 160)}
				</span>
				<span class="call-side">
					{isRunning ? <span class="badge is-warn">waits</span> : answered ? <span class="badge">{answered}</span> : <CallStateBadge state={call.state} />}
					<span class="tiny soft">
						<Moment at={at} isClock />
					</span>
				</span>
			</button>
			<div class="room-proposal-body">
				{isOurs && (
					<div class="row wraps">
						<button type="button" class="button is-main is-small" onClick={onAnswer}>
							Answer
						</button>
						<button type="button" class="button is-small" onClick={() => void decline()}>
							Decline
						</button>
					</div>
				)}
				{wrong !== '' && (
					<p class="small room-wrong" role="alert">
						{plain(wrong)}
					</p>
				)}
			</div>
			{isOpen && <CallBody call={call} />}
		</div>
	);
}
