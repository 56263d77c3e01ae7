// SPDX-License-Identifier: Apache-2.0
/** People: the participants of all rooms, each with the privilege that holds in each of them; both can be changed. */
import type { Participant, Privilege } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Face, KIND_WORDS, PrivilegeBadge } from '../../parts/person';
import { plain } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { gateway } from '../../stores/session';
import { ChangePrivilege } from './change_privilege';

const EVERY_MS = 2000;
const ROOMS = 50;
const PEOPLE = 1000;

/** One identity, wherever it is. */
export interface Somebody { id: string; name?: string | undefined; kind?: Participant['kind']; places: { topic: string; privilege?: Privilege | undefined }[] }

async function look(): Promise<Somebody[]> {
	const topics = (await gateway.topics()).filter((one) => one.participants > 0).sort((one, other) => other.participants - one.participants).slice(0, ROOMS);
	const rooms = await Promise.all(topics.map(async ({ topic }) => ({ topic, people: await gateway.participants(topic) })));
	const all = new Map<string, Somebody>();
	for (const { topic, people } of rooms) {
		for (const one of people) {
			if (!all.has(one.id) && all.size >= PEOPLE) continue;
			const somebody = all.get(one.id) ?? { id: one.id, name: one.name, kind: one.kind, places: [] };
			somebody.places.push({ topic, privilege: one.privilege });
			all.set(one.id, somebody);
		}
	}
	return [...all.values()].sort((one, other) => one.id.localeCompare(other.id));
}

function Who({ somebody: { id, name, kind } }: { somebody: Somebody }) {
	return (
		<span class="row">
			<Face id={plain(id)} kind={kind} />
			<span class="grows">
				<span class="strong breaks">{plain(id)}</span>
				{name && name !== id && <span class="tiny soft access-under">{plain(name)}</span>}
			</span>
		</span>
	);
}

function Places({ places }: { places: Somebody['places'] }) {
	return (
		<ul class="access-places">
			{places.map(({ topic, privilege }) => (
				<li key={topic} class="row wraps"><a class="breaks" href={to('room', topic)}>{topic}</a><PrivilegeBadge privilege={privilege} /></li>
			))}
		</ul>
	);
}

function ChangeButton({ id, onClick }: { id: string; onClick: () => void }) {
	return <button type="button" class="button is-small" aria-label={`Change privilege of ${plain(id)}`} onClick={onClick}>Change privilege</button>;
}

function columnsWith(onChange: (somebody: Somebody) => void): Column<Somebody>[] {
	return [
		{ label: 'Who', isTitle: true, cell: (somebody) => <Who somebody={somebody} /> },
		{ label: 'Kind', cell: ({ kind }) => <span class="soft">{(kind && KIND_WORDS[kind]) ?? 'not said'}</span> },
		{ label: 'Rooms', cell: ({ places }) => <Places places={places} /> },
		{ label: 'Change', isActions: true, cell: (somebody) => <ChangeButton id={somebody.id} onClick={() => onChange(somebody)} /> },
	];
}

function Nobody() {
	return (
		<Empty icon="people" title="Nobody is in a room">
			Open <a href={to('room', 'lobby')}>the room lobby</a>, or in a terminal: <code class="access-command">hustings join lobby</code>
		</Empty>
	);
}

export function People() {
	const { value, error, again } = usePoll(look, EVERY_MS);
	const [changing, setChanging] = useState<Somebody | 'else' | null>(null);
	return (
		<>
			{error && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="who is here" />}
			{value?.length === 0 && <Nobody />}
			{value && value.length > 0 && <Table label="People" columns={columnsWith(setChanging)} rows={value} keyOf={(one) => one.id} />}
			<div><button type="button" class="button is-small" onClick={() => setChanging('else')}>Somebody who is not here</button></div>
			<p class="small soft">In a terminal: <code>hustings promote ID --topic T</code>, <code>hustings demote ID</code>.</p>
			{changing && <ChangePrivilege somebody={changing === 'else' ? null : changing} onClose={() => setChanging(null)} onDone={again} />}
		</>
	);
}
