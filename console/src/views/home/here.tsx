// SPDX-License-Identifier: Apache-2.0
/** Who is here: the rooms with somebody in them, and who that is. */
import type { Participant } from 'hustings-client';
import { Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Person } from '../../parts/person';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';
import { gateway } from '../../stores/session';

const ROOMS = 8;
const PEOPLE = 8;
const EVERY_MS = 4000;

interface Room { topic: string; people: Participant[] }

async function look(): Promise<{ rooms: Room[]; empty: string[] }> {
	const topics = await gateway.topics();
	const lively = topics.filter((one) => one.participants > 0).sort((one, other) => other.participants - one.participants);
	const rooms = await Promise.all(lively.slice(0, ROOMS).map(async ({ topic }) => ({ topic, people: await gateway.participants(topic) })));
	return { rooms, empty: topics.filter((one) => one.participants === 0).map((one) => one.topic) };
}

function RoomOf({ topic, people }: Room) {
	return (
		<div class="home-room">
			<a href={to('room', topic)}><span class="cut">{topic}</span><span class="soft small">{people.length}</span></a>
			<ul class="home-people">
				{people.slice(0, PEOPLE).map((one) => <li key={one.id}><Person id={one.id} name={one.name} kind={one.kind} privilege={one.privilege} /></li>)}
				{people.length > PEOPLE && <li class="small soft">and {people.length - PEOPLE} more</li>}
			</ul>
		</div>
	);
}

export function Here() {
	const { value, error, again } = usePoll(look, EVERY_MS);
	return (
		<section class="card" aria-labelledby="home-here">
			<header class="card-head"><Icon name="people" /><h2 id="home-here" class="grows">Who is here</h2><a class="small" href={to('room')}>All rooms</a></header>
			{error && !value && <div class="card-body"><Failed error={error} again={again} /></div>}
			{!value && !error && <div class="card-body"><Waiting what="the rooms" /></div>}
			{value?.rooms.map((room) => <RoomOf key={room.topic} {...room} />)}
			{value?.rooms.length === 0 && <p class="home-quiet">Nobody yet. <a href={to('room', 'lobby')}>Open the room lobby</a>, or let an agent join: <code>hustings join lobby</code>.</p>}
			{value && value.rooms.length > 0 && value.empty.length > 0 && <p class="home-quiet small">{value.empty.length} more {value.empty.length === 1 ? 'room is' : 'rooms are'} empty.</p>}
		</section>
	);
}
