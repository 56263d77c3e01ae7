// SPDX-License-Identifier: Apache-2.0
/** Inbox: everything that waits for a person's yes or no, one beside its list (#/inbox?id=...); #/inbox/history has what was decided. */
import './inbox.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from 'hustings-client';
import { Empty, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { decisions, decisionsState, openDecisions } from '../../stores/decisions';
import { go, route, to } from '../../stores/route';
import { isAdmin, session } from '../../stores/session';
import { alerts, switchAlerts } from './alerts';
import { Detail } from './detail';
import { History } from './history';
import { KeyHelp, useKeys } from './keys';
import { EVERYTHING, Filters, itemId, List, narrow } from './list';
import { Elsewhere, Settled } from './settled';

const SETTLED = 3;

function AlertSwitch() {
	const state = alerts.value;
	if (state === 'none') return null;
	if (state === 'refused') return <span class="small soft">This browser does not let the console notify you.</span>;
	return (
		<button type="button" class="button is-small" role="switch" aria-checked={state === 'on'} onClick={() => void switchAlerts()}>
			<Icon name="bell" size={15} />
			Desktop notifications: {state}
		</button>
	);
}

function Nothing() {
	const { why, isRead, state } = decisionsState.value;
	if (why && (state === 'ended' || why.status === 403))
		return (
			<Empty icon="lock" title="You cannot see any question here">
				{why.message}
			</Empty>
		);
	if (!isRead) return <Waiting what="what waits" />;
	return (
		<Empty icon="inbox" title="Nothing waits for you">
			{isAdmin.value
				? "Calls, proposals and whatever else needs a person's yes or no will stand here as soon as it is asked."
				: 'Questions that name you as their decider will stand here, and those of rooms where you have full privilege. ' +
					'All others are for administrators.'}
		</Empty>
	);
}

/** The one that is looked at: that of the address, else the first. What was open here and is settled now has left. */
function useSelected(open: readonly Decision[], shown: readonly Decision[], wanted: string | null): Decision | undefined {
	const seen = useRef(new Set<string>());
	for (const { id } of open) seen.current.add(id);
	const found = open.find((one) => one.id === wanted);
	const closed = found || wanted === null || seen.current.has(wanted) ? undefined : decisions.value.find((one) => one.id === wanted);
	return found ?? closed ?? shown[0];
}

function Open({ wanted }: { wanted: string | null }) {
	const [by, setBy] = useState(EVERYTHING);
	const [answered, setAnswered] = useState<Decision[]>([]);
	const next = useRef<string | null>(null);
	const settledPlace = useRef<HTMLDivElement>(null);
	const open = decisions.value
		.filter((one) => one.state === 'pending')
		.sort((one, other) => one.expiresAt.localeCompare(other.expiresAt) || one.id.localeCompare(other.id));
	const shown = narrow(open, by);
	const selected = useSelected(open, shown, wanted);
	const at = shown.findIndex((one) => one.id === selected?.id);

	const select = (id: string, isFocused: boolean) => {
		go(`${to('inbox')}?id=${encodeURIComponent(id)}`, true);
		if (isFocused) next.current = id;
	};
	const step = (by_: number) => {
		const one = shown[Math.min(shown.length - 1, Math.max(0, at + by_))];
		if (one) select(one.id, true);
	};
	useKeys({ next: () => step(1), before: () => step(-1), open: () => document.getElementById('inbox-title')?.focus() });
	useEffect(() => {
		if (next.current === null) return;
		const place =
			next.current === '' ? settledPlace.current?.querySelector<HTMLElement>('.inbox-settled') : document.getElementById(itemId(next.current));
		next.current = null;
		place?.focus();
	});
	const onAnswered = (decision: Decision) => {
		if (route.value.path.join('/') !== 'inbox') return; // one has gone elsewhere meanwhile, and stays there
		const left = shown.filter((one) => one.id !== decision.id);
		const following = left[Math.min(Math.max(at, 0), left.length - 1)];
		setAnswered((before) => [decision, ...before.filter((one) => one.id !== decision.id)].slice(0, SETTLED));
		if (following) select(following.id, true);
		else {
			go(to('inbox'), true);
			next.current = '';
		}
	};

	return (
		<>
			<div ref={settledPlace} class="column inbox-answered">
				{answered.map((one) => (
					<Settled key={one.id} answered={one} onDismiss={() => setAnswered((before) => before.filter((other) => other.id !== one.id))} />
				))}
			</div>
			<Elsewhere />
			{open.length === 0 && !selected ? (
				<Nothing />
			) : (
				<div class="inbox">
					<div class="column inbox-side">
						{open.length > 0 && <Filters open={open} by={by} onChange={setBy} />}
						<p class="small soft" role="status">
							{shown.length === open.length ? `${open.length} open` : `${shown.length} of ${open.length} open`}
						</p>
						<List shown={shown} selected={selected?.id} onSelect={(id) => select(id, false)} />
						{shown.length === 0 && open.length > 0 && (
							<p class="soft">
								None fits.{' '}
								<button type="button" class="button is-small" onClick={() => setBy(EVERYTHING)}>
									Show all
								</button>
							</p>
						)}
						<KeyHelp />
					</div>
					{selected && <Detail key={selected.id} decision={selected} onAnswered={onAnswered} />}
				</div>
			)}
		</>
	);
}

function Break() {
	const { state, why } = decisionsState.value;
	if (state !== 'waiting') return null;
	return (
		<p class="notice" role="status">
			The connection is away{why ? `: ${why.message}` : ''}. It comes back by itself; what is here may be old.
		</p>
	);
}

export function Inbox({ path, query }: { path: string[]; query: URLSearchParams }) {
	const isHistory = path[0] === 'history';
	const waiting = openDecisions.value.length;
	return (
		<Page title="Inbox" words={session.value?.open ? undefined : "Questions that need a person's yes or no."} actions={<AlertSwitch />}>
			<Tabs
				label="Open and decided"
				tabs={[
					{ href: to('inbox'), label: 'Waiting', count: waiting, isHere: !isHistory },
					{ href: to('inbox', 'history'), label: 'Decided', isHere: isHistory },
				]}
			/>
			<Break />
			{isHistory ? <History /> : <Open wanted={query.get('id')} />}
		</Page>
	);
}
