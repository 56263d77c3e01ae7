// SPDX-License-Identifier: Apache-2.0
/** Picker: the rooms that there are, and a field to join one or make it. */
import { useState } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Page } from '../../parts/page';
import { isListed, rooms, roomsError } from '../../stores/rooms';
import { go, to } from '../../stores/route';

const NAME = /^(?!.*\.\.)[A-Za-z0-9._:@\-/]{1,128}$/;

export function Picker() {
	const [name, setName] = useState('');
	const [wrong, setWrong] = useState('');
	const enter = () => {
		const topic = name.trim();
		if (NAME.test(topic)) go(to('room', topic));
		else setWrong('A name has 1 to 128 letters, digits or signs of . _ : @ - / and no two dots in a row.');
	};
	const found = rooms.value.filter(({ topic }) => topic.toLowerCase().includes(name.trim().toLowerCase()));
	return (
		<Page title="Rooms" words="Where people, agents and tools meet. Whoever is in a room sees everything that is said there." isReading>
			<form
				class="card card-body"
				onSubmit={(event) => {
					event.preventDefault();
					enter();
				}}
			>
				<div class="field">
					<label for="room-name">Find a room, or make one</label>
					<div class="row">
						<input
							id="room-name"
							class="grows"
							value={name}
							placeholder="lobby"
							autocomplete="off"
							spellcheck={false}
							aria-invalid={wrong !== ''}
							aria-describedby={wrong === '' ? undefined : 'room-name-wrong'}
							onInput={(event) => {
								setName(event.currentTarget.value);
								setWrong('');
							}}
						/>
						<button type="submit" class="button is-main" disabled={name.trim() === ''}>
							Go in
						</button>
					</div>
					{wrong !== '' && (
						<span class="wrong" id="room-name-wrong" role="alert">
							{wrong}
						</span>
					)}
				</div>
			</form>
			{roomsError.value && <Failed error={roomsError.value} />}
			{!isListed.value && !roomsError.value && <Waiting what="the rooms" />}
			{isListed.value && rooms.value.length === 0 && (
				<Empty icon="room" title="There is no room yet">
					Write a name above: the room is there with whoever comes first.
				</Empty>
			)}
			{found.length > 0 && (
				<ul class="card">
					{found.map((room) => (
						<li key={room.topic}>
							<a class="room-pick" href={to('room', room.topic)}>
								<Icon name="room" />
								<span class="grows strong breaks">{room.topic}</span>
								{room.unread > 0 && <span class="badge is-accent">{room.unread} new</span>}
								{room.isJoined && <span class="badge">you are in</span>}
								<span class="small soft">
									{room.participants} {room.participants === 1 ? 'participant' : 'participants'}
								</span>
							</a>
						</li>
					))}
				</ul>
			)}
		</Page>
	);
}
