// SPDX-License-Identifier: Apache-2.0
/** Detail: one question in full, and the answer to it; one that is settled shows how it ended. */
import type { Decision } from 'hustings-client';
import { plain } from '../../parts/plain';
import { AnswerForm } from './answer';
import { useTool } from './facts';
import { Settled } from './settled';
import { Facts, Subject } from './subject';
import { KINDS, storyOf } from './words';

export function Detail({ decision, onAnswered }: { decision: Decision; onAnswered: (decision: Decision) => void }) {
	const tool = useTool(decision);
	const story = storyOf(decision);
	const message = plain(decision.message);
	const isOwnWords = decision.kind === 'authorization' && !/\((safe|moderate|dangerous|risk unknown)\)$/.test(message);
	return (
		<article class="card inbox-detail" aria-labelledby="inbox-title">
			<div class="card-body column">
				<div class="column inbox-head">
					<span class="badge">{KINDS[decision.kind]}</span>
					<h2 id="inbox-title" class="breaks" tabIndex={-1}>
						{story.title}
					</h2>
					{isOwnWords && <p class="inbox-asked breaks">{message}</p>}
				</div>
				<Facts decision={decision} tool={tool} />
				<Subject decision={decision} />
				{decision.state === 'pending' ? <AnswerForm decision={decision} tool={tool} onAnswered={onAnswered} /> : <Settled answered={decision} />}
			</div>
		</article>
	);
}
