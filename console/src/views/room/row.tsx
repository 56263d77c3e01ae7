// SPDX-License-Identifier: Apache-2.0
/** Row: one item of the list, with the line of a new day and the line of what is new above it. It is drawn anew only when it changed. */
import { Component, type ComponentChildren } from 'preact';
import { CallCard } from '../../parts/call/call_card';
import { Raw } from '../../parts/call/raw';
import { Icon } from '../../parts/icon';
import { Markdown, PlainText } from '../../parts/markdown';
import { Moment } from '../../parts/moment';
import { Face } from '../../parts/person';
import { plain, plainLine } from '../../parts/plain';
import { isQuiet, type CallItem, type ChatItem, type Item, type NoteItem, type PresenceItem, type RefusalItem } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { INPUT } from '../../stores/room_words';
import { AskCard } from './ask_card';
import { InputCard } from './input_card';
import { ProposalCard } from './proposal_card';

export interface RowMeans {
	store: RoomStore;
	toggle(key: string): void;
	cancel(item: CallItem): void;
	answer(item: CallItem): void;
}

interface RowProps {
	item: Item;
	rev: number;
	index: number;
	count: number;
	isGrouped: boolean;
	hasDay: boolean;
	hasMark: boolean;
	isOpen: boolean;
	isActive: boolean;
	means: RowMeans;
	measure: (node: HTMLElement | null) => void;
}

function day(at: number): string {
	const date = new Date(at);
	const isThisYear = date.getFullYear() === new Date().getFullYear();
	return date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) });
}

function Chat({ item, isGrouped, isOpen, means }: { item: ChatItem; isGrouped: boolean; isOpen: boolean; means: RowMeans }) {
	const { store } = means;
	const isOwn = item.from === store.me.value?.id;
	const who = store.people.value.find(({ id }) => id === item.from);
	return (
		<div class={`room-chat${isGrouped ? ' is-grouped' : ''}${isOwn ? ' is-own' : ''}`}>
			{isGrouped ? <span class="room-chat-gap" /> : <Face id={item.from} kind={who?.kind} />}
			<div class="grows">
				{!isGrouped && (
					<p class="room-chat-head">
						<strong class="cut" title={plainLine(item.from)}>
							{plainLine(item.from, 80)}
						</strong>
						{isOwn && <span class="badge is-accent">you</span>}
						{item.to && item.to.length > 0 && <span class="tiny soft">to {plainLine(item.to.join(', '))}</span>}
						<span class="tiny soft">
							<Moment at={item.at} isClock />
						</span>
					</p>
				)}
				{isGrouped && <span class="only-read">{plainLine(item.from, 80)}: </span>}
				{item.format === 'plain' ? <PlainText text={item.text} /> : <Markdown text={item.text} />}
				{isOpen && <Raw envelopes={[item.envelope]} />}
			</div>
		</div>
	);
}

function Presence({ item }: { item: PresenceItem }) {
	const names = (event: 'join' | 'leave') => [...new Set(item.moves.filter((move) => move.event === event).map(({ who }) => plainLine(who.id, 60)))];
	const words = (all: string[], verb: string) =>
		all.length === 0 ? '' : `${all.slice(0, 5).join(', ')}${all.length > 5 ? ` and ${all.length - 5} more` : ''} ${verb}`;
	return (
		<p class="room-line">
			<Icon name="people" size={14} />
			<span class="grows breaks">{[words(names('join'), 'joined'), words(names('leave'), 'left')].filter((one) => one !== '').join('; ')}</span>
			<span class="tiny">
				<Moment at={item.at} isClock />
			</span>
		</p>
	);
}

function Note({ item, isOpen }: { item: NoteItem; isOpen: boolean }) {
	const isGateway = item.from.startsWith('system:');
	return (
		<div class="room-line-frame">
			<p class="room-line">
				<Icon name="audit" size={14} />
				<span class="grows breaks">
					{!isGateway && <strong>{plainLine(item.from, 60)} </strong>}
					{plainLine(item.words, 300)}
					{item.times !== undefined && <span class="soft"> ({item.times} times)</span>}
				</span>
				<span class="tiny">
					<Moment at={item.at} isClock />
				</span>
			</p>
			{isOpen && <Raw envelopes={[item.envelope]} />}
		</div>
	);
}

function Refusal({ item, isOpen }: { item: RefusalItem; isOpen: boolean }) {
	return (
		<div class="room-refusal">
			<p class="row">
				<Icon name="lock" size={15} />
				<span class="grows breaks">
					<strong>Refused</strong>
					{item.gate && (
						<>
							{' '}
							at gate <code>{plainLine(item.gate, 40)}</code>
						</>
					)}
					: {plain(item.message)}
				</span>
				<span class="tiny soft">
					<Moment at={item.at} isClock />
				</span>
			</p>
			{isOpen && <Raw envelopes={[item.envelope]} />}
		</div>
	);
}

function body({ item, isGrouped, isOpen, means }: RowProps): ComponentChildren {
	const toggle = () => means.toggle(item.key);
	switch (item.sort) {
		case 'chat':
			return <Chat item={item} isGrouped={isGrouped} isOpen={isOpen} means={means} />;
		case 'call':
			if (item.call.method === INPUT)
				return <InputCard item={item} store={means.store} isOpen={isOpen} onToggle={toggle} onAnswer={() => means.answer(item)} />;
			return (
				<CallCard
					call={item.call}
					isOpen={isOpen}
					isQuiet={isQuiet(item)}
					onToggle={toggle}
					onCancel={item.from === means.store.me.value?.id ? () => means.cancel(item) : undefined}
				/>
			);
		case 'proposal':
			return <ProposalCard item={item} store={means.store} isOpen={isOpen} onToggle={toggle} />;
		case 'ask':
			return <AskCard item={item} store={means.store} isOpen={isOpen} onToggle={toggle} />;
		case 'refusal':
			return <Refusal item={item} isOpen={isOpen} />;
		case 'presence':
			return <Presence item={item} />;
		case 'note':
			return <Note item={item} isOpen={isOpen} />;
	}
}

export class Row extends Component<RowProps> {
	override shouldComponentUpdate(next: RowProps): boolean {
		const now = this.props;
		return (
			next.item !== now.item ||
			next.rev !== now.rev ||
			next.index !== now.index ||
			next.isOpen !== now.isOpen ||
			next.isActive !== now.isActive ||
			next.isGrouped !== now.isGrouped ||
			next.hasDay !== now.hasDay ||
			next.hasMark !== now.hasMark ||
			next.means !== now.means
		);
	}

	override render(props: RowProps) {
		const { item, index, count, hasDay, hasMark, isActive, measure } = props;
		return (
			<div
				class={`room-row is-${item.sort}${isActive ? ' is-active' : ''}`}
				role="listitem"
				aria-setsize={count}
				aria-posinset={index + 1}
				data-index={index}
				data-key={item.key}
				ref={measure}
				tabIndex={-1}
			>
				{hasDay && (
					<p class="room-day">
						<span>{day(item.at)}</span>
					</p>
				)}
				{hasMark && (
					<p class="room-mark">
						<span>New since you looked</span>
					</p>
				)}
				{body(props)}
			</div>
		);
	}
}
