// SPDX-License-Identifier: Apache-2.0
/** List: what waits, the one that ends first on top, narrowed by kind, server and requester. */
import type { Decision } from 'hustings-client';
import { Icon, type IconName } from '../../parts/icon';
import { Countdown } from '../../parts/moment';
import { plainLine } from '../../parts/plain';
import { standingOf } from '../../stores/decisions';
import { to } from '../../stores/route';
import { KINDS, storyOf } from './words';

export interface Narrowed {
	kind: string;
	server: string;
	requester: string;
}

export const EVERYTHING: Narrowed = { kind: '', server: '', requester: '' };

const ICONS: Record<Decision['kind'], IconName> = {
	proposal: 'room',
	authorization: 'lock',
	call: 'call',
	permission: 'key',
	callback: 'flow',
	quarantine: 'warning',
	registration: 'server',
};

export function narrow(open: readonly Decision[], by: Narrowed): Decision[] {
	return open.filter(
		(one) =>
			(by.kind === '' || one.kind === by.kind) &&
			(by.server === '' || one.server === by.server) &&
			(by.requester === '' || one.requester === by.requester),
	);
}

export function itemId(id: string): string {
	return `inbox-item-${id}`;
}

function Pick({
	label,
	value,
	values,
	wordOf = (one) => plainLine(one, 60),
	onPick,
}: {
	label: string;
	value: string;
	values: string[];
	wordOf?: (one: string) => string;
	onPick: (value: string) => void;
}) {
	return (
		<select aria-label={label} value={value} onChange={(event) => onPick(event.currentTarget.value)}>
			<option value="">{label}: all</option>
			{[...new Set(value === '' ? values : [...values, value])].sort().map((one) => (
				<option key={one} value={one}>
					{wordOf(one)}
				</option>
			))}
		</select>
	);
}

export function Filters({ open, by, onChange }: { open: readonly Decision[]; by: Narrowed; onChange: (by: Narrowed) => void }) {
	const some = (values: (string | undefined)[]) => values.filter((one): one is string => one !== undefined);
	return (
		<div class="inbox-filters">
			<Pick
				label="Kind"
				value={by.kind}
				values={open.map((one) => one.kind)}
				wordOf={(one) => KINDS[one as Decision['kind']] ?? one}
				onPick={(kind) => onChange({ ...by, kind })}
			/>
			<Pick label="Server" value={by.server} values={some(open.map((one) => one.server))} onPick={(server) => onChange({ ...by, server })} />
			<Pick label="Asked by" value={by.requester} values={open.map((one) => one.requester)} onPick={(requester) => onChange({ ...by, requester })} />
		</div>
	);
}

export function List({ shown, selected, onSelect }: { shown: readonly Decision[]; selected: string | undefined; onSelect: (id: string) => void }) {
	return (
		<ol class="inbox-list" aria-label="Open questions">
			{shown.map((decision) => (
				<li key={decision.id}>
					<a
						id={itemId(decision.id)}
						class="inbox-item"
						href={`${to('inbox')}?id=${encodeURIComponent(decision.id)}`}
						aria-current={decision.id === selected ? 'true' : undefined}
						onClick={(event) => {
							if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
								event.preventDefault();
								onSelect(decision.id);
							}
						}}
					>
						<span class="inbox-icon">
							<Icon name={ICONS[decision.kind]} size={17} />
						</span>
						<span class="grows">
							<span class="breaks inbox-title">{storyOf(decision).title}</span>
							<span class="row wraps tiny soft">
								<span>{KINDS[decision.kind]}</span>
								{decision.topic && <span>in {plainLine(decision.topic, 60)}</span>}
								{standingOf(decision) === 'own' && <span class="badge">yours</span>}
								<Countdown until={decision.expiresAt} />
							</span>
						</span>
					</a>
				</li>
			))}
		</ol>
	);
}
