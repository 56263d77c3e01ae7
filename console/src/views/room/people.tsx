// SPDX-License-Identifier: Apache-2.0
/** People: who is in the room; opened, what each can do, and for administrators what each may do. */
import type { Participant, Tool } from 'hustings-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { Moment } from '../../parts/moment';
import { Face, KIND_WORDS, PrivilegeBadge } from '../../parts/person';
import { plain, plainLine } from '../../parts/plain';
import type { RoomStore } from '../../stores/room_store';
import { isDestructive, refusalWords } from '../../stores/room_words';
import { asking, gateway, isAdmin } from '../../stores/session';

const SHOWN = 200;

function ToolLine({ tool, onCall }: { tool: Tool; onCall: () => void }) {
	return (
		<li class="room-tool">
			<button type="button" onClick={onCall}>
				<span class="call-tool breaks">
					<span class="only-read">Use </span>
					{plainLine(tool.name, 100)}
				</span>
				{isDestructive(tool) && <span class="badge is-warn">may change things</span>}
				{tool.description && <span class="tiny soft breaks">{plainLine(tool.description, 180)}</span>}
			</button>
		</li>
	);
}

function Tools({ store, id, onCall }: { store: RoomStore; id: string; onCall: (tool: string) => void }) {
	const [state, setState] = useState<{ tools?: Tool[]; wrong?: string }>({});
	useEffect(() => {
		let isOver = false;
		store.toolsOf(id).then(
			(tools) => {
				if (!isOver) setState({ tools });
			},
			(error) => {
				if (!isOver) setState({ wrong: refusalWords(error) });
			},
		);
		return () => {
			isOver = true;
		};
	}, [store, id]);
	if (state.wrong !== undefined) return <p class="small soft breaks">Its tools could not be asked for: {plain(state.wrong)}</p>;
	if (!state.tools)
		return (
			<p class="small soft" aria-busy="true">
				Asking for its tools …
			</p>
		);
	if (state.tools.length === 0) return <p class="small soft">It offers no tools.</p>;
	return (
		<ul class="room-tools" aria-label={`Tools of ${plainLine(id)}`}>
			{state.tools.slice(0, SHOWN).map((tool) => (
				<ToolLine key={tool.name} tool={tool} onCall={() => onCall(tool.name)} />
			))}
			{state.tools.length > SHOWN && <li class="tiny soft">and {state.tools.length - SHOWN} more</li>}
		</ul>
	);
}

function Privilege({ store, who }: { store: RoomStore; who: Participant }) {
	const [isBusy, setBusy] = useState(false);
	const [wrong, setWrong] = useState('');
	const isFull = who.privilege !== 'restricted';
	const change = async () => {
		setBusy(true);
		setWrong('');
		try {
			await asking(isFull ? gateway.demote(who.id, store.topic) : gateway.promote(who.id, store.topic));
			store.changePrivilege(who.id, isFull ? 'restricted' : 'full');
		} catch (error) {
			setWrong(refusalWords(error));
		}
		setBusy(false);
	};
	return (
		<>
			<button type="button" class="button is-small" disabled={isBusy} onClick={() => void change()}>
				{isFull ? 'Make restricted here' : 'Make full here'}
			</button>
			{wrong !== '' && (
				<p class="small room-wrong" role="alert">
					{plain(wrong)}
				</p>
			)}
		</>
	);
}

function One({ store, who, onCall }: { store: RoomStore; who: Participant; onCall: (to: string, tool?: string) => void }) {
	const [isOpen, setOpen] = useState(false);
	const isMe = who.id === store.me.value?.id;
	const about = [who.kind && KIND_WORDS[who.kind], who.name !== who.id ? who.name && plainLine(who.name, 80) : undefined, isMe ? 'you' : undefined]
		.filter(Boolean)
		.join(' · ');
	return (
		<li class="room-person">
			<button type="button" class="room-person-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
				<Face id={who.id} kind={who.kind} />
				<span class="grows">
					<span class="strong breaks room-person-id" title={plainLine(who.id)}>
						{plainLine(who.id, 100)}
					</span>
					<span class="tiny soft cut room-person-id">{about}</span>
				</span>
				<PrivilegeBadge privilege={who.privilege} />
			</button>
			{isOpen && (
				<div class="room-person-body">
					{who.connectedAt && (
						<p class="tiny soft">
							here since <Moment at={who.connectedAt} isClock />
						</p>
					)}
					{!isMe && <Tools store={store} id={who.id} onCall={(tool) => onCall(who.id, tool)} />}
					{isAdmin.value && !isMe && <Privilege store={store} who={who} />}
				</div>
			)}
		</li>
	);
}

/** The drawer of small screens takes the keyboard while it is open. */
function useFocus(isOpen: boolean) {
	const place = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (isOpen) place.current?.focus();
	}, [isOpen]);
	return place;
}

export function People({
	store,
	isOpen,
	onClose,
	onCall,
}: {
	store: RoomStore;
	isOpen: boolean;
	onClose: () => void;
	onCall: (to: string, tool?: string) => void;
}) {
	const people = store.people.value;
	const closing = useFocus(isOpen);
	return (
		<aside
			class={`room-people${isOpen ? ' is-open' : ''}`}
			id="room-people"
			aria-label="Who is here"
			onKeyDown={(event) => {
				if (event.key === 'Escape' && isOpen) onClose();
			}}
		>
			<header class="row">
				<h2 class="grows">
					Who is here <span class="soft">{people.length}</span>
				</h2>
				<button ref={closing} type="button" class="button is-quiet is-small is-icon room-people-close" aria-label="Close" onClick={onClose}>
					<Icon name="close" size={16} />
				</button>
			</header>
			<ul class="room-people-list">
				{people.slice(0, SHOWN).map((who) => (
					<One key={who.id} store={store} who={who} onCall={onCall} />
				))}
			</ul>
			{people.length > SHOWN && <p class="tiny soft">and {people.length - SHOWN} more</p>}
		</aside>
	);
}
