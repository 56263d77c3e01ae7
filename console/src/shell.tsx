// SPDX-License-Identifier: Apache-2.0
/** Shell: the ways on the left (a bar below on small screens), the view beside them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, Mark, type IconName } from './parts/icon';
import { Empty } from './parts/empty';
import { Face } from './parts/person';
import { plainLine } from './parts/plain';
import { openDecisions } from './stores/decisions';
import { rooms } from './stores/rooms';
import { route, to } from './stores/route';
import { isAdmin, session, signOut } from './stores/session';
import { nextTheme, theme } from './stores/theme';
import { views } from './views/table';

interface Way { path: string; icon: IconName; label: string; needsAdmin?: boolean }

const WAYS: Way[] = [
	{ path: '', icon: 'house', label: 'Overview' },
	{ path: 'inbox', icon: 'inbox', label: 'Inbox' },
	{ path: 'tools', icon: 'tool', label: 'Tools' },
	{ path: 'servers', icon: 'server', label: 'Servers', needsAdmin: true },
	{ path: 'access', icon: 'key', label: 'People and access', needsAdmin: true },
	{ path: 'audit', icon: 'audit', label: 'Audit', needsAdmin: true },
	{ path: 'figures', icon: 'figures', label: 'Figures', needsAdmin: true },
];

function WayLink({ way, isHere }: { way: Way; isHere: boolean }) {
	const waiting = way.path === 'inbox' ? openDecisions.value.length : 0;
	return (
		<a class="way" href={to(...(way.path ? [way.path] : []))} aria-current={isHere ? 'page' : undefined}>
			<Icon name={way.icon} />{way.label}
			{waiting > 0 && <span class="count"><span class="only-read">, waiting: </span>{waiting}</span>}
		</a>
	);
}

function Rail({ isOpen }: { isOpen: boolean }) {
	const [first = '', second] = route.value.path;
	const me = session.value!;
	const themeWord = theme.value === 'system' ? 'as the system' : theme.value;
	return (
		<nav class={`rail${isOpen ? ' is-open' : ''}`} id="rail" aria-label="Main">
			<a class="brand" href="#/"><Mark />Hustings</a>
			<div class="ways">{WAYS.filter((way) => !way.needsAdmin || isAdmin.value).map((way) => <WayLink key={way.path} way={way} isHere={way.path === first} />)}</div>
			<div class="ways">
				<h2 class="ways-title">Rooms</h2>
				{rooms.value.map((room) => (
					<a key={room.topic} class="way" href={to('room', room.topic)} aria-current={first === 'room' && second === room.topic ? 'page' : undefined}>
						<Icon name="room" /><span class="cut">{room.topic}</span>
						{room.unread > 0 && <span class="count is-quiet"><span class="only-read">, not read: </span>{room.unread > 99 ? '99+' : room.unread}</span>}
					</a>
				))}
				<a class="way" href={to('room')} aria-current={first === 'room' && second === undefined ? 'page' : undefined}><Icon name="plus" />Find a room</a>
			</div>
			<div class="rail-foot">
				<div class="row">
					<Face id={me.id} kind={me.kind} isSmall />
					<span class="grows rail-me" title={me.id}><strong class="small cut">{plainLine(me.name || me.id)}</strong>{me.admin && <span class="tiny soft">administrator</span>}</span>
					<button type="button" class="button is-quiet is-small is-icon" aria-label={`Colours: ${themeWord}. Change`} title={`Colours: ${themeWord}`} onClick={nextTheme}><Icon name="theme" size={15} /></button>
				</div>
				{!me.open && <button type="button" class="button is-quiet is-small rail-out" onClick={() => void signOut()}><Icon name="out" size={15} />Sign out</button>}
			</div>
		</nav>
	);
}

function Bar({ isOpen, onMore }: { isOpen: boolean; onMore: () => void }) {
	const first = route.value.path[0] ?? '';
	const topic = rooms.value[0]?.topic;
	const items: Way[] = [WAYS[0]!, { path: 'room', icon: 'room', label: 'Rooms' }, WAYS[1]!, WAYS[2]!];
	return (
		<nav class="bar" aria-label="Main, short">
			{items.map((way) => (
				<a key={way.path} href={way.path === 'room' && topic ? to('room', topic) : to(...(way.path ? [way.path] : []))} aria-current={way.path === first ? 'page' : undefined}>
					<Icon name={way.icon} size={20} />{way.label}
					{way.path === 'inbox' && openDecisions.value.length > 0 && <span class="count"><span class="only-read">, waiting: </span>{openDecisions.value.length}</span>}
				</a>
			))}
			<button type="button" aria-expanded={isOpen} aria-controls="rail" onClick={onMore}><Icon name="more" size={20} />More</button>
		</nav>
	);
}

export function Shell() {
	const [isOpen, setOpen] = useState(false);
	const page = useRef<HTMLElement>(null);
	const { path, query } = route.value;
	const address = path.join('/');
	const View = views[path[0] ?? ''];
	useEffect(() => { setOpen(false); page.current?.scrollTo(0, 0); }, [address]);
	return (
		<div class="shell">
			<button type="button" class="button skip" onClick={() => page.current?.focus()}>Skip to the page</button>
			<Rail isOpen={isOpen} />
			<main class="page" ref={page} tabIndex={-1}>
				{View ? <View path={path.slice(1)} query={query} /> : <Empty icon="search" title="There is nothing here"><a href="#/">Back to the overview</a></Empty>}
			</main>
			<Bar isOpen={isOpen} onMore={() => setOpen(!isOpen)} />
		</div>
	);
}
