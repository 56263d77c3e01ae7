// SPDX-License-Identifier: Apache-2.0
/** Answer: yes, no, yes for an hour, and why. What is grave is asked about once more before the yes leaves. */
import { useRef, useState } from 'preact/hooks';
import type { Answer, Decision, Tool } from 'hustings-client';
import { Confirm } from '../../parts/confirm';
import { focusWrong, type Errors } from '../../parts/form';
import { plainLine } from '../../parts/plain';
import { answerDecision, standingOf } from '../../stores/decisions';
import { isGrave, toolOf } from './facts';
import { Permissions } from './permissions';
import { checkAnswer, Question } from './question';
import { Octets } from './subject';
import { callPath, storyOf, wishOf } from './words';

const HOUR = '1h';
const REASON = 1000;

const NOT_YOURS: Record<string, string> = {
	own: 'This is yours: somebody else has to decide.',
	deny: 'Only those who are named above may approve it. As an administrator you may deny it.',
	no: 'You may look at it. Those who are named above decide.',
};

function Again({ decision, answer, onClose, run }: { decision: Decision; answer: Answer; onClose: () => void; run: () => Promise<unknown> }) {
	const story = storyOf(decision);
	const target =
		decision.kind === 'proposal'
			? wishOf(decision)
					.to.map((one) => plainLine(one, 120))
					.join(', ')
			: plainLine(decision.server ?? '', 120);
	const tool = decision.kind === 'proposal' ? wishOf(decision).tool : decision.tool;
	const isNew = decision.kind === 'registration';
	return (
		<Confirm
			title={isNew ? 'Run this program?' : 'This may do harm. Run it?'}
			action={isNew ? 'Yes, run it' : 'Yes, approve'}
			isDanger
			onClose={onClose}
			run={run}
		>
			<p class="breaks">
				{story.title}. {answer.validUntil ? 'The same call runs whenever it is asked for, until an hour from now.' : story.yes}
			</p>
			<dl class="inbox-facts">
				{tool && (
					<div class="inbox-fact">
						<dt>Tool</dt>
						<dd class="breaks">
							<code>{plainLine(tool, 120)}</code>
						</dd>
					</div>
				)}
				<div class="inbox-fact">
					<dt>{decision.kind === 'proposal' ? 'Sent to' : 'Server'}</dt>
					<dd class="breaks">{target}</dd>
				</div>
			</dl>
			<h3>{isNew ? 'Definition' : 'Arguments'}</h3>
			<Octets decision={decision} path={callPath(decision)} label="Arguments, once more" />
		</Confirm>
	);
}

export function AnswerForm({ decision, tool, onAnswered }: { decision: Decision; tool: Tool | undefined; onAnswered: (decision: Decision) => void }) {
	const story = storyOf(decision);
	const standing = standingOf(decision);
	const names: string[] = Array.isArray(decision['permissions']) ? decision['permissions'].map(String) : [];
	const [reason, setReason] = useState('');
	const [granted, setGranted] = useState<ReadonlySet<string>>(new Set(names));
	const [value, setValue] = useState<unknown>(undefined);
	const [errors, setErrors] = useState<Errors>({});
	const [busy, setBusy] = useState('');
	const [failure, setFailure] = useState('');
	const [again, setAgain] = useState<Answer>();
	const place = useRef<HTMLDivElement>(null);
	const mayApprove = standing === 'yes';
	const mayDeny = standing === 'yes' || standing === 'deny';

	const send = async (answer: Answer) => onAnswered(await answerDecision(decision, answer));
	const answerOf = (word: 'approve' | 'deny', isLasting: boolean): Answer => ({
		decision: word,
		...(reason.trim() === '' ? {} : { reason: reason.trim() }),
		...(isLasting ? { validUntil: HOUR } : {}),
		...(word === 'approve' && names.length > 0 && granted.size < names.length ? { only: names.filter((name) => granted.has(name)) } : {}),
		...(word === 'approve' && decision.kind === 'callback' ? { answer: value as any } : {}),
	});
	const press = async (word: 'approve' | 'deny', isLasting = false) => {
		if (busy) return;
		const wrong = word === 'approve' && decision.kind === 'callback' ? checkAnswer(decision, value) : {};
		setErrors(wrong);
		setFailure('');
		if (Object.keys(wrong).length > 0) return focusWrong(place.current);
		if (word === 'approve' && names.length > 0 && granted.size === 0) return setFailure('Nothing is ticked: deny it instead.');
		const answer = answerOf(word, isLasting);
		setBusy(word);
		try {
			if (word === 'approve' && isGrave(decision, tool ?? (await toolOf(decision)))) setAgain(answer);
			else await send(answer);
		} catch (error) {
			setFailure((error as Error).message);
		}
		setBusy('');
	};

	return (
		<div class="inbox-answer" ref={place}>
			<hr class="inbox-line" />
			{decision.kind === 'permission' && <Permissions names={names} granted={granted} onChange={setGranted} />}
			{decision.kind === 'callback' && <Question decision={decision} value={value} onChange={setValue} errors={errors} />}
			{NOT_YOURS[standing] && <p class="inbox-note">{NOT_YOURS[standing]}</p>}
			{mayDeny && (
				<>
					{mayApprove && (
						<p class="small">
							<strong>{story.approve}:</strong> {story.yes}
						</p>
					)}
					<p class="small">
						<strong>{story.deny}:</strong> {story.no} No answer until the deadline is a no.
					</p>
					<div class="field">
						<label for="inbox-reason">Reason</label>
						<input
							id="inbox-reason"
							type="text"
							maxLength={REASON}
							autocomplete="off"
							placeholder="may be left out; whoever asked reads it"
							value={reason}
							onInput={(event) => setReason(event.currentTarget.value)}
						/>
					</div>
					{failure && (
						<p class="notice is-danger breaks" role="alert">
							{failure}
						</p>
					)}
					<div class="row wraps inbox-buttons">
						{mayApprove && (
							<button type="button" class="button is-main" data-key="a" disabled={busy !== ''} onClick={() => void press('approve')}>
								{busy === 'approve' ? 'Working …' : story.approve}
							</button>
						)}
						{mayApprove && story.canLast && (
							<button
								type="button"
								class="button"
								aria-label={`${story.approve} for an hour`}
								disabled={busy !== ''}
								onClick={() => void press('approve', true)}
							>
								<span>
									<span class="inbox-verb">{story.approve} </span>for an hour
								</span>
							</button>
						)}
						<button type="button" class="button inbox-deny" data-key="d" disabled={busy !== ''} onClick={() => void press('deny')}>
							{busy === 'deny' ? 'Working …' : story.deny}
						</button>
					</div>
				</>
			)}
			{again && <Again decision={decision} answer={again} onClose={() => setAgain(undefined)} run={() => send(again)} />}
		</div>
	);
}
