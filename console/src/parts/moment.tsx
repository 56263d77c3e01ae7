// SPDX-License-Identifier: Apache-2.0
/** Moment: a time as people say it ("2 min ago"), exact on hover; Countdown: how long is left, as it runs. */
import { now } from '../stores/clock';

const UNITS = [[86400, 'd'], [3600, 'h'], [60, 'min']] as const;

/** A span in seconds, in at most two units: "4 min 10 s". */
export function spanWords(seconds: number): string {
	let rest = Math.max(0, Math.round(seconds));
	const words: string[] = [];
	for (const [size, word] of UNITS) {
		if (rest < size || words.length === 2) continue;
		words.push(`${Math.floor(rest / size)} ${word}`);
		rest %= size;
	}
	if (words.length === 0 || (words.length === 1 && rest > 0 && seconds < 3600)) words.push(`${rest} s`);
	return words.join(' ');
}

export function agoWords(time: number): string {
	const seconds = (now.value - time) / 1000;
	if (seconds < 5) return 'now';
	if (seconds < 60) return `${Math.floor(seconds / 5) * 5} s ago`;
	if (seconds < 86400) return `${spanWords(Math.floor(seconds / 60) * 60).split(' ').slice(0, 2).join(' ')} ago`;
	return new Date(time).toLocaleDateString(undefined, { day: 'numeric', month: 'short' });
}

export function Moment({ at, isClock = false }: { at: string | number; isClock?: boolean }) {
	const time = typeof at === 'number' ? at : Date.parse(at);
	if (Number.isNaN(time)) return <span>{String(at)}</span>;
	const date = new Date(time);
	const words = isClock ? date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' }) : agoWords(time);
	return <time dateTime={date.toISOString()} title={date.toLocaleString()}>{words}</time>;
}

export function Countdown({ until }: { until: string }) {
	const left = (Date.parse(until) - now.value) / 1000;
	if (left <= 0) return <span class="badge">time is over</span>;
	return <span class={`badge ${left < 60 ? 'is-danger' : left < 300 ? 'is-warn' : ''}`} role="timer" title={`open until ${new Date(until).toLocaleString()}`}>{spanWords(left)} left</span>;
}
