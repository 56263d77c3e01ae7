// SPDX-License-Identifier: Apache-2.0
/** Waiting for you: the open decisions, the one that ends first on top; the inbox has the whole of each. */
import { Icon } from '../../parts/icon';
import { Countdown } from '../../parts/moment';
import { openDecisions } from '../../stores/decisions';
import { to } from '../../stores/route';
import { KINDS, storyOf } from '../inbox/words';

const AT_MOST = 6;

export function WaitingForYou() {
	const open = [...openDecisions.value].sort((one, other) => one.expiresAt.localeCompare(other.expiresAt));
	return (
		<section class="card home-waiting" aria-labelledby="home-waiting">
			<header class="card-head">
				<Icon name="inbox" /><h2 id="home-waiting" class="grows">What waits for you</h2>
				{open.length > 0 && <a class="small" href={to('inbox')}>{open.length > 1 ? `All ${open.length}` : 'Inbox'}</a>}
			</header>
			{open.length === 0 ? <p class="home-quiet">Nothing. Questions that need a person's yes or no will stand here.</p> : (
				<ul class="home-list">
					{open.slice(0, AT_MOST).map((decision) => (
						<li key={decision.id}>
							<a class="home-item" href={`${to('inbox')}?id=${encodeURIComponent(decision.id)}`}>
								<span class="grows"><span class="breaks">{storyOf(decision).title}</span><span class="tiny soft">{KINDS[decision.kind] ?? decision.kind}{decision.topic && ` in ${decision.topic}`}</span></span>
								<Countdown until={decision.expiresAt} />
							</a>
						</li>
					))}
				</ul>
			)}
		</section>
	);
}
