// SPDX-License-Identifier: Apache-2.0
/** Change a privilege: where, to what, and in words what that changes, before it is done. It holds at once, on live connections too. */
import type { Privilege } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { RadioField, SelectField, TextField, type Choices } from '../../parts/fields';
import { plain } from '../../parts/plain';
import { tell } from '../../stores/notices';
import { asking, gateway } from '../../stores/session';
import { useKnown } from './known';
import type { Somebody } from './people';

const EVERYWHERE = '';
const PRIVILEGES: Choices = [['full', 'full'], ['restricted', 'restricted']];

function wordsFor(who: string, where: string, privilege: Privilege): string {
	const place = where === EVERYWHERE ? 'in every room' : `in ${where}`;
	return privilege === 'full'
		? `${who} may call tools ${place}, answer calls and fulfil the proposals of others.`
		: `${who} may chat and propose ${place}; calls have to be approved by somebody with full privilege.`;
}

/** Of somebody who is in a room, or (null) of whoever is named. */
export function ChangePrivilege({ somebody, onClose, onDone }: { somebody: Somebody | null; onClose: () => void; onDone: () => void }) {
	const known = useKnown();
	const [named, setNamed] = useState('');
	const held = somebody?.places ?? [];
	const id = somebody?.id ?? named.trim();
	const first = held[0];
	const [where, setWhere] = useState(first?.topic ?? EVERYWHERE);
	const now = held.find((place) => place.topic === where)?.privilege;
	const [privilege, setPrivilege] = useState<Privilege>(first?.privilege === 'full' ? 'restricted' : 'full');
	const who = plain(id) || 'Whoever that is';
	const places: Choices = [...held.map(({ topic }) => [topic, `in ${topic}`] as const), [EVERYWHERE, 'everywhere']];
	const run = async () => {
		const topic = where === EVERYWHERE ? undefined : where;
		if (id === '') throw new Error('Say whose privilege it is.');
		await asking(privilege === 'full' ? gateway.promote(id, topic) : gateway.demote(id, topic));
		tell(`${who} has ${privilege} privilege ${topic === undefined ? 'everywhere' : `in ${topic}`}.`, 'good');
		onDone();
	};
	const move = (topic: string) => {
		setWhere(topic);
		const before = held.find((one) => one.topic === topic)?.privilege;
		if (before) setPrivilege(before === 'full' ? 'restricted' : 'full');
	};
	return (
		<Confirm title={somebody ? `Privilege of ${who}` : 'Privilege of somebody'} action={privilege === 'full' ? 'Promote' : 'Demote'} isDanger={privilege === 'restricted'}
			run={run} onClose={onClose}>
			{!somebody && (
				<TextField label="Who" hint="The id of a person, an agent or a robot, here or not." names={known.ids} value={named} onChange={setNamed} />
			)}
			<SelectField label="Where" value={where} choices={places}
				hint={where === EVERYWHERE ? 'It takes the place of what was said for single rooms.' : undefined} onChange={move} />
			<RadioField legend={<>Privilege{now && <span class="soft"> (now {now})</span>}</>} value={privilege} choices={PRIVILEGES}
				onChange={(one) => setPrivilege(one as Privilege)} />
			<p>{wordsFor(who, where, privilege)} It holds at once, and stays so when they come again.</p>
		</Confirm>
	);
}
