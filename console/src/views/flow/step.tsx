// SPDX-License-Identifier: Apache-2.0
/** Step: the prompt at hand as one calm form: its control, what the server says of the answer, how far it is, and what was answered so far. */
import type { Prompt } from 'hustings-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { checkPrompt, firstAnswer, focusWrong, isNeeded, PromptControl, textOf, type Errors } from '../../parts/form';
import { Countdown } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import { now } from '../../stores/clock';
import type { Guided } from './guided';
import { nameOf, type Turn } from './phases';

const WARN_MS = 60_000;

export function Progress({ guided }: { guided: Guided }) {
	const progress = guided.state.value?.progress;
	if (!progress) return null;
	const { current, total, message } = progress;
	const words = message ? plainLine(message) : '';
	const step = total ? `Step ${current} of ${total}` : `Step ${current}`;
	return (
		<div class="flow-progress">
			<p class="small soft">{words && words !== step ? `${step}: ${words}` : step}</p>
			{total > 0 && <progress aria-label="How far it is" max={total} value={Math.min(current, total)} />}
		</div>
	);
}

/** How long the session still waits for an answer. */
export function Time({ guided }: { guided: Guided }) {
	const until = guided.state.value?.metadata?.expiresAt;
	if (typeof until !== 'number') return null;
	const left = until - now.value;
	return (
		<div class="flow-time">
			<Countdown until={new Date(until).toISOString()} />
			{left > 0 && left < WARN_MS && (
				<p class="flow-warn small" role="alert">
					Without an answer this session ends soon. An answer gives it new time.
				</p>
			)}
		</div>
	);
}

function valueWords({ prompt, value }: Turn): string {
	if (value === true) return 'Yes';
	if (value === false) return 'No';
	if (value === null || value === undefined) return 'nothing';
	const choice = prompt.choices?.find((one) => JSON.stringify(one.value) === JSON.stringify(value));
	if (choice?.label) return plainLine(choice.label);
	const file = value as { name?: unknown; uri?: unknown };
	return plainLine(typeof file.uri === 'string' ? String(file.name ?? file.uri) : textOf(value), 300);
}

/** What was answered so far; each answer can be gone back to. */
export function Answered({ guided, canChange, isOver }: { guided: Guided; canChange: boolean; isOver: boolean }) {
	const [asked, setAsked] = useState<number>();
	const turns = guided.turns;
	if (turns.length === 0) return null;
	return (
		<section class="card" aria-labelledby="flow-answered">
			<header class="card-head">
				<h2 id="flow-answered">{isOver ? 'What was answered' : 'Answered so far'}</h2>
			</header>
			<ol class="flow-turns">
				{turns.map((turn, at) => (
					<li key={at}>
						<span class="grows">
							<span class="small soft breaks">{plainLine(turn.prompt.message || turn.prompt.name || 'Question', 160)}</span>
							<span class="breaks flow-value">{valueWords(turn)}</span>
						</span>
						{canChange && (
							<button type="button" class="button is-small" onClick={() => setAsked(at)}>
								Change<span class="only-read"> {plainLine(turn.prompt.message || turn.prompt.name || '', 80)}</span>
							</button>
						)}
					</li>
				))}
			</ol>
			{asked !== undefined && (
				<Confirm
					title="Go back to this answer?"
					action="Go back"
					onClose={() => setAsked(undefined)}
					run={async () => {
						void guided.change(asked);
					}}
				>
					<p>
						The session starts over, and a call that runs is given up. What you answered before this is given again; this and what follows is asked anew, and begins with what you
						had written.
					</p>
				</Confirm>
			)}
		</section>
	);
}

function beginning(guided: Guided, prompt: Prompt): unknown {
	return guided.known(prompt) ?? firstAnswer(prompt);
}

export function Step({ guided, prompt }: { guided: Guided; prompt: Prompt }) {
	const [value, setValue] = useState<unknown>(() => beginning(guided, prompt));
	const [errors, setErrors] = useState<Errors>({});
	const [isLeaving, setLeaving] = useState(false);
	const form = useRef<HTMLFormElement>(null);
	const refused = guided.refused.value;
	const isSending = guided.isSending.value;
	/* The keyboard is where the answer goes, without a press. */
	useEffect(() => {
		const first = form.current?.querySelector<HTMLElement>('input:checked, input:not([type="file"]), select, textarea');
		first?.focus({ preventScroll: true });
	}, []);
	useEffect(() => {
		if (refused) focusWrong(form.current);
	}, [refused]);
	const change = (next: unknown) => {
		setValue(next);
		setErrors({});
		guided.refused.value = undefined;
	};
	const submit = (event: Event) => {
		event.preventDefault();
		const wrong = checkPrompt(prompt, value);
		setErrors(wrong);
		if (Object.keys(wrong).length > 0) return focusWrong(form.current);
		void guided.respond(prompt, value);
	};
	const isLeft = value === undefined && prompt.type !== 'confirm';
	const said = refused ? [refused.error, refused.suggestion && `Try: ${refused.suggestion}`].filter(Boolean).join('. ') : '';
	return (
		<form ref={form} class="card" aria-label="Question" onSubmit={submit} noValidate>
			<div class="card-body column flow-step">
				<Progress guided={guided} />
				<PromptControl prompt={prompt} value={value} onChange={change} error={said ? plain(said) : errors['']} errors={errors} />
				<span class="only-read" role="alert">
					{said || errors[''] || ''}
				</span>
				<div class="row wraps">
					<button type="submit" class="button is-main" disabled={isSending}>
						{isSending ? 'Sending …' : isLeft && !isNeeded(prompt) ? 'Leave out' : 'Next'}
					</button>
					{!isLeft && !isNeeded(prompt) && (
						<button type="button" class="button" disabled={isSending} onClick={() => void guided.respond(prompt, null)}>
							Leave out
						</button>
					)}
					<button type="button" class="button is-quiet" onClick={() => (guided.turns.length > 0 ? setLeaving(true) : void guided.cancel())}>
						Cancel
					</button>
					<span class="grows" />
					<Time guided={guided} />
				</div>
			</div>
			{isLeaving && (
				<Confirm title="Cancel this session?" action="Cancel it" isDanger onClose={() => setLeaving(false)} run={() => guided.cancel()}>
					<p>The tool will not run, and the {guided.turns.length === 1 ? 'answer' : `${guided.turns.length} answers`} so far are dropped.</p>
				</Confirm>
			)}
		</form>
	);
}

/** A prompt that comes again after a refusal is the same form; another one is another. */
export function stepKey(guided: Guided, prompt: Prompt): string {
	return `${guided.turns.length} ${prompt.promptId ?? nameOf(prompt)}`;
}
