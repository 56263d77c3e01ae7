// SPDX-License-Identifier: Apache-2.0
/** Call card: one call as people read it: who asked whom for what, how it stands, how long it took; opened, all of it. */
import './call.css';
import type { ComponentChildren } from 'preact';
import { now } from '../../stores/clock';
import type { Call, CallState } from '../../stores/room_items';
import { Icon } from '../icon';
import { Json } from '../json';
import { PlainText } from '../markdown';
import { spanWords } from '../moment';
import { plain, plainLine } from '../plain';
import { ToolResult } from '../result';
import { Raw } from './raw';

const STATES: Record<CallState, { words: string; tone: string }> = {
	running: { words: 'running', tone: 'is-accent' },
	waiting: { words: 'waits for a yes', tone: 'is-warn' },
	done: { words: 'done', tone: 'is-good' },
	error: { words: 'error', tone: 'is-danger' },
	refused: { words: 'refused', tone: 'is-danger' },
	cancelled: { words: 'cancelled', tone: '' },
};

function Took({ call }: { call: Call }) {
	const ms = (call.endedAt ?? now.value) - call.startedAt;
	if (call.endedAt === undefined && ms < 2000) return null;
	return (
		<span class="tiny soft">{ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : spanWords(ms / 1000)}</span>
	);
}

/** Arguments on one line, as a hint of what the call is about. */
function hint(args: unknown): string {
	if (args === null || typeof args !== 'object') return '';
	const members = Object.entries(args)
		.filter(([name]) => !name.startsWith('_'))
		.slice(0, 4);
	return plainLine(
		members.map(([name, value]) => `${name}: ${typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value)?.slice(0, 60)}`).join(', '),
		140,
	);
}

function firstLine(result: any): string {
	const text = Array.isArray(result?.content) ? result.content.find((block: any) => block?.type === 'text')?.text : undefined;
	return typeof text === 'string' ? plainLine(text, 160) : '';
}

export function CallStateBadge({ state }: { state: CallState }) {
	return <span class={`badge ${STATES[state].tone}`}>{STATES[state].words}</span>;
}

function Progress({ call }: { call: Call }) {
	const { progress, total, message } = call.progress ?? {};
	const label = message ? plainLine(message) : 'Progress';
	return (
		<div class="call-progress">
			{progress !== undefined && total !== undefined && total > 0 ? (
				<progress value={Math.min(progress, total)} max={total} aria-label={label} />
			) : (
				<progress aria-label={label} />
			)}
			{message && <span>{plainLine(message)}</span>}
			{progress !== undefined && <span class="tiny">{total !== undefined && total > 0 ? `${Math.round((100 * progress) / total)} %` : progress}</span>}
			{call.chunks > 0 && (
				<span class="tiny">
					{call.chunks} {call.chunks === 1 ? 'part' : 'parts'} so far
				</span>
			)}
		</div>
	);
}

/** Everything that is known of a call. */
export function CallBody({ call }: { call: Call }) {
	return (
		<div class="call-body">
			<section class="call-part">
				<h4>Arguments</h4>
				<Json value={call.args ?? {}} label="Arguments" />
			</section>
			{call.streamed !== '' && call.result === undefined && (
				<section class="call-part" aria-live="polite">
					<h4>What came so far</h4>
					<div class="result-text">
						<PlainText text={call.streamed} />
					</div>
				</section>
			)}
			{call.error && (
				<section class="call-part">
					<h4>
						{STATES[call.state].words} ({plainLine(String(call.error.code), 60)})
					</h4>
					<p class="breaks">{plain(call.error.message)}</p>
					{call.error.data !== undefined && <Json value={call.error.data} label="Details of the error" />}
				</section>
			)}
			{call.result !== undefined && (
				<section class="call-part">
					<h4>Result</h4>
					<ToolResult result={call.result} />
				</section>
			)}
			<Raw envelopes={call.envelopes} leftOut={call.leftOut} />
		</div>
	);
}

export function CallCard({
	call,
	isOpen,
	isQuiet = false,
	onToggle,
	onCancel,
	children,
}: {
	call: Call;
	isOpen: boolean;
	isQuiet?: boolean;
	onToggle: () => void;
	onCancel?: (() => void) | undefined;
	children?: ComponentChildren;
}) {
	const isRunning = call.state === 'running' || call.state === 'waiting';
	const brief = call.error ? plainLine(call.error.message) : call.result !== undefined ? firstLine(call.result) : hint(call.args);
	return (
		<div class={`call is-${call.state}${isQuiet ? ' is-quiet' : ''}`}>
			<button type="button" class="call-head" aria-expanded={isOpen} onClick={onToggle}>
				<span class="icon-turns">
					<Icon name="right" size={14} />
				</span>
				<span class="call-what">
					<strong>{plainLine(call.from, 60)}</strong> <span class="soft">{call.tool ? 'calls' : 'asks'}</span>{' '}
					<strong>{plainLine(call.to || 'everybody', 60)}</strong>
					<span class="soft">: </span>
					<span class="call-tool">{plainLine(call.tool ?? call.method, 100)}</span>
				</span>
				<span class="call-side">
					<Took call={call} />
					<CallStateBadge state={call.state} />
				</span>
			</button>
			{isRunning && (call.progress || call.chunks > 0) && <Progress call={call} />}
			{!isOpen && !isQuiet && brief !== '' && <p class={`call-brief${call.state === 'error' || call.state === 'refused' ? ' is-bad' : ''}`}>{brief}</p>}
			{isRunning && onCancel && (
				<div class="call-progress">
					<button type="button" class="button is-small" onClick={onCancel}>
						Cancel
					</button>
				</div>
			)}
			{isOpen && <CallBody call={call} />}
			{children}
		</div>
	);
}
