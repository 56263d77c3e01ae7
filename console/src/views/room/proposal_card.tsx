// SPDX-License-Identifier: Apache-2.0
/** Proposal card: what somebody without the right asks others to run: how it stands, what came of it, and yes or no for who may say so. */
import { useState } from 'preact/hooks';
import { CallBody, CallStateBadge } from '../../parts/call/call_card';
import { Raw } from '../../parts/call/raw';
import { decisionLink } from '../../parts/decision_link';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { Countdown, Moment } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import { ToolResult } from '../../parts/result';
import { standingOf } from '../../stores/decisions';
import type { ProposalItem, ProposalState } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { refusalWords } from '../../stores/room_words';
import { approve, decisionOf, mayHarm, reject, withdraw } from './acts';

const TONES: Record<ProposalState, string> = { pending: 'is-warn', fulfilled: 'is-good', rejected: 'is-danger', withdrawn: '', expired: '' };
const WORDS: Record<ProposalState, string> = { pending: 'waits', fulfilled: 'approved', rejected: 'rejected', withdrawn: 'withdrawn', expired: 'expired' };

type Step = 'none' | 'busy' | 'sure' | 'reject';

function Actions({ item, store }: { item: ProposalItem; store: RoomStore }) {
	const [step, setStep] = useState<Step>('none');
	const [reason, setReason] = useState('');
	const [wrong, setWrong] = useState('');
	const { proposal } = item;
	const me = store.me.value;
	const run = async (act: () => Promise<void>) => {
		setStep('busy');
		setWrong('');
		try {
			await act();
		} catch (error) {
			setWrong(refusalWords(error));
		}
		setStep('none');
	};
	const ask = async () => {
		setStep('busy');
		if (await mayHarm(store, proposal)) setStep('sure');
		else await run(() => approve(store, proposal));
	};
	const isBusy = step === 'busy';
	const isOwn = proposal.from === me?.id;
	if (!isOwn && me?.privilege === 'restricted') {
		const decision = decisionOf(proposal);
		if (decision && standingOf(decision) === 'yes')
			return (
				<p class="small">
					You are restricted here, and may decide about it: <a href={decisionLink(decision.id)}>open it in the inbox</a>
				</p>
			);
		return <p class="small soft">Somebody with full privilege decides.</p>;
	}
	return (
		<>
			<div class="row wraps">
				{isOwn ? (
					<>
						<span class="small soft grows">Yours: somebody else decides.</span>
						<button type="button" class="button is-small" disabled={isBusy} onClick={() => void run(() => withdraw(store, proposal))}>
							Withdraw
						</button>
					</>
				) : (
					<>
						<button type="button" class="button is-main is-small" disabled={isBusy} onClick={() => void ask()}>
							<Icon name="check" size={15} />
							Approve and run
						</button>
						<button
							type="button"
							class="button is-small"
							disabled={isBusy}
							onClick={() => setStep(step === 'reject' ? 'none' : 'reject')}
							aria-expanded={step === 'reject'}
						>
							Reject
						</button>
					</>
				)}
			</div>
			{step === 'reject' && (
				<form
					class="row wraps"
					onSubmit={(event) => {
						event.preventDefault();
						void run(() => reject(store, proposal, reason));
					}}
				>
					<input
						class="grows"
						aria-label="Why it is rejected, for everybody to read"
						placeholder="Why (may be empty)"
						value={reason}
						maxLength={500}
						onInput={(event) => setReason(event.currentTarget.value)}
					/>
					<button type="submit" class="button is-danger is-small">
						Reject it
					</button>
				</form>
			)}
			{wrong !== '' && (
				<p class="small room-wrong" role="alert">
					{plain(wrong)}
				</p>
			)}
			{step === 'sure' && (
				<Dialog title="Run it? It may change or destroy something" onClose={() => setStep('none')}>
					<p>
						<strong>{plainLine(proposal.to)}</strong> runs <code>{plainLine(proposal.tool ?? proposal.method)}</code> in your name, as{' '}
						{plainLine(proposal.from)} proposes.
					</p>
					<Json value={proposal.args ?? {}} label="Arguments" />
					<div class="dialog-foot">
						<button type="button" class="button" onClick={() => setStep('none')}>
							Not now
						</button>
						<button type="button" class="button is-danger" onClick={() => void run(() => approve(store, proposal))}>
							Run it
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}

function Outcome({ item }: { item: ProposalItem }) {
	const { state, by, why, call } = item.proposal;
	if (state === 'pending') return null;
	return (
		<div class="room-outcome">
			<p class="row wraps small">
				<span class="soft">
					{WORDS[state]}
					{by && (
						<>
							{' '}
							by <strong>{plainLine(by, 80)}</strong>
						</>
					)}
				</span>
				{call && <CallStateBadge state={call.state} />}
				{why && <span class="breaks">{plain(why)}</span>}
			</p>
			{call?.error && <p class="small room-wrong breaks">{plain(call.error.message)}</p>}
			{call?.result !== undefined && <ToolResult result={call.result} />}
		</div>
	);
}

export function ProposalCard({ item, store, isOpen, onToggle }: { item: ProposalItem; store: RoomStore; isOpen: boolean; onToggle: () => void }) {
	const { proposal } = item;
	const decision = proposal.state === 'pending' ? decisionOf(proposal) : undefined;
	return (
		<div class={`room-proposal is-${proposal.state}`}>
			<button type="button" class="call-head" aria-expanded={isOpen} onClick={onToggle}>
				<span class="icon-turns">
					<Icon name="right" size={14} />
				</span>
				<span class="call-what">
					<strong>{plainLine(proposal.from, 60)}</strong> <span class="soft">proposes to</span> <strong>{plainLine(proposal.to, 60)}</strong>
					<span class="soft">: </span>
					<span class="call-tool">{plainLine(proposal.tool ?? proposal.method, 100)}</span>
				</span>
				<span class="call-side">
					{decision && <Countdown until={decision.expiresAt} />}
					<span class={`badge ${TONES[proposal.state]}`}>{WORDS[proposal.state]}</span>
					<span class="tiny soft">
						<Moment at={item.at} isClock />
					</span>
				</span>
			</button>
			<div class="room-proposal-body">
				{proposal.reason && <p class="breaks">“{plain(proposal.reason)}”</p>}
				{(proposal.state === 'pending' || isOpen) && <Json value={proposal.args ?? {}} label="Proposed arguments" />}
				{proposal.state === 'pending' && <Actions item={item} store={store} />}
				<Outcome item={item} />
			</div>
			{isOpen &&
				(proposal.call ? (
					<CallBody call={{ ...proposal.call, envelopes: [...proposal.envelopes, ...proposal.call.envelopes] }} />
				) : (
					<div class="call-body">
						<Raw envelopes={proposal.envelopes} />
					</div>
				))}
		</div>
	);
}
