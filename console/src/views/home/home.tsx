// SPDX-License-Identifier: Apache-2.0
/** Home: the three things somebody wants to know first: what waits for me, who is here, what just happened. */
import './home.css';
import { Page } from '../../parts/page';
import { session } from '../../stores/session';
import { Happened } from './happened';
import { Here } from './here';
import { WaitingForYou } from './waiting';

function greeting(): string {
	const hour = new Date().getHours();
	const words = hour < 5 ? 'Good night' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
	return `${words}, ${session.value!.name || session.value!.id}`;
}

export function Home() {
	return (
		<Page title="Overview" words={greeting()}>
			<div class="home">
				<div class="column home-main">
					<WaitingForYou />
					<Happened />
				</div>
				<Here />
			</div>
		</Page>
	);
}
