// SPDX-License-Identifier: Apache-2.0
/** Change a privilege: where, to what, and in words what that changes, before it is done. It holds at once, on live connections too. */
import type { Privilege } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { RadioField, SelectField, type Choices } from '../../parts/fields';
import { plain } from '../../parts/plain';
import { tell } from '../../stores/notices';
import { asking, gateway } from '../../stores/session';
import type { Somebody } from './people';

const EVERYWHERE = '';
const PRIVILEGES: Choices = [['full', 'full'], ['restricted', 'restricted']];

function wordsFor(who: string, where: string, privilege: Privilege): string {
	const place = where === EVERYWHERE ? 'in every room' : `in ${where}`;
	return privilege === 'full'
		? `${who} may call tools ${place}, answer calls and fulfil the proposals of others.`
		: `${who} may chat and propose ${place}; calls have to be approved by somebody with full privilege.`;
}

export function ChangePrivilege({ somebody, onClose, onDone }: { somebody: Somebody; onClose: () => void; onDone: () => void }) {
	const first = somebody.places[0];
	const [where, setWhere] = useState(first?.topic ?? EVERYWHERE);
	const now = somebody.places.find((place) => place.topic === where)?.privilege;
	const [privilege, setPrivilege] = useState<Privilege>(first?.privilege === 'full' ? 'restricted' : 'full');
	const who = plain(somebody.id);
	const places: Choices = [...somebody.places.map(({ topic }) => [topic, `in ${topic}`] as const), [EVERYWHERE, 'everywhere']];
	const run = async () => {
		const topic = where === EVERYWHERE ? undefined : where;
		await asking(privilege === 'full' ? gateway.promote(somebody.id, topic) : gateway.demote(somebody.id, topic));
		tell(`${who} has ${privilege} privilege ${topic === undefined ? 'everywhere' : `in ${topic}`}.`, 'good');
		onDone();
	};
	const move = (topic: string) => {
		setWhere(topic);
		const held = somebody.places.find((one) => one.topic === topic)?.privilege;
		if (held) setPrivilege(held === 'full' ? 'restricted' : 'full');
	};
	return (
		<Confirm title={`Privilege of ${who}`} action={privilege === 'full' ? 'Promote' : 'Demote'} isDanger={privilege === 'restricted'}
			run={run} onClose={onClose}>
			<SelectField label="Where" value={where} choices={places}
				hint={where === EVERYWHERE ? 'A word that was said for one room counts before this one.' : undefined} onChange={move} />
			<RadioField legend={<>Privilege{now && <span class="soft"> (now {now})</span>}</>} value={privilege} choices={PRIVILEGES}
				onChange={(one) => setPrivilege(one as Privilege)} />
			<p>{wordsFor(who, where, privilege)} It holds at once, and stays so when they come again.</p>
		</Confirm>
	);
}
