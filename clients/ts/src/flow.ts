// SPDX-License-Identifier: Apache-2.0
/**
 * Flow: guided sessions (MCP Flow 0.1.0) over whatever carries MCP: a face, or a participant of a room. A session
 * whose id changes with each step (stateless gateways) is known here by the id that it began with as well.
 */

import { safely } from './emitter.js';
import { asFault, HustingsError } from './fault.js';
import { pause } from './patience.js';
import type { FlowState, Json, McpMessage, Prompt } from './records.js';
import type { Watch } from './watch.js';

/** What carries the messages of a Flow. */
export interface FlowMeans {
	ask(method: string, params: any, options?: { signal?: AbortSignal }): Promise<any>;
	/** Hears what the other side tells by itself, until the function that it hands out is called. */
	hear(heard: (message: McpMessage) => void): () => void;
}

/** A session that has begun. */
export interface FlowStart {
	sessionId: string;
	state: FlowState['state'];
	initialPrompt?: Prompt;
	[member: string]: any;
}

/** What became of an answer: accepted, or what is wrong with it. */
export interface FlowAnswer {
	accepted: boolean;
	validation?: { valid: boolean; error?: string; suggestion?: any };
	/** Of a stateless gateway: the id from now on. */
	sessionId?: string;
	[member: string]: any;
}

/** What a watch tells. What a listener throws is reported, and goes no further. */
export interface FlowListener {
	/** Whenever it is another one. */
	state?(state: FlowState): void;
	/** A prompt is due; with each further one, and again when an answer to it was refused. */
	prompt?(prompt: Prompt, state: FlowState): void;
	/** The tool has run: what interaction.complete says. */
	complete?(result: any): void;
	/** The session is over, and nothing came of it. */
	error?(why: HustingsError): void;
}

interface Watcher {
	look(): void;
}

const QUIET_MS = 10_000; /* between two looks while it waits for an answer: what happens then is told */
const BUSY_MS = 700;
const IDS_MOST = 1000;
const OVER = ['completed', 'cancelled', 'error'];
const PUSHED = [
	'interaction.prompt',
	'interaction.continue',
	'interaction.complete',
	'notifications/interaction/timeout',
];

export const isFlowPush = (method: string) => PUSHED.includes(method);

/**
 * Guided sessions of one side, which come from `flow` of a face or Room.flow(). Functions reject with a HustingsError:
 * "-32001" for a session that is not there, "-32002" for one that has expired, others as the other side says. A session
 * lives at the other side; watch() alone holds something here, until the session is over or the watch is closed.
 */
export class Flow {
	readonly #means: FlowMeans;
	readonly #watchers = new Set<Watcher>();
	/** The id that counts now, by one from before. */
	readonly #ids = new Map<string, string>();

	constructor(means: FlowMeans) {
		this.#means = means;
	}

	#now(sessionId: string): string {
		return this.#ids.get(sessionId) ?? sessionId;
	}

	/**
	 * Begins a session: what is known already is not asked for. `timeout`: milliseconds without activity after which
	 * it expires, at least 1000; left out: five minutes.
	 */
	start(
		toolName: string,
		initialParams?: { [name: string]: any },
		options: { context?: any; timeout?: number; signal?: AbortSignal } = {},
	): Promise<FlowStart> {
		const { signal, ...more } = options;
		return this.#means.ask(
			'interaction.start',
			{ toolName, ...(initialParams === undefined ? {} : { initialParams }), ...more },
			{ signal },
		);
	}

	/** Answers the prompt at hand; with its promptId an answer never counts for the next one. */
	async respond(
		sessionId: string,
		value: Json,
		promptId?: string,
		options?: { signal?: AbortSignal },
	): Promise<FlowAnswer> {
		const response = { value, timestamp: Date.now() };
		try {
			const answer = await this.#means.ask(
				'interaction.respond',
				{ sessionId: this.#now(sessionId), response, ...(promptId === undefined ? {} : { promptId }) },
				options,
			);
			if (typeof answer?.sessionId === 'string') this.#renew(sessionId, answer.sessionId);
			return answer;
		} finally {
			for (const watcher of this.#watchers) watcher.look();
		}
	}

	#renew(from: string, to: string): void {
		const before = this.#now(from);
		if (before === to) return;
		for (const [known, current] of this.#ids) if (current === before) this.#ids.set(known, to);
		while (this.#ids.size >= IDS_MOST) this.#ids.delete(this.#ids.keys().next().value as string);
		this.#ids.set(from, to);
	}

	/** Where it stands: its state, its prompt, what was answered. */
	state(sessionId: string, options?: { signal?: AbortSignal }): Promise<FlowState> {
		return this.#means.ask('interaction.getState', { sessionId: this.#now(sessionId) }, options);
	}

	/** Ends it without a result. */
	async cancel(sessionId: string, reason?: string): Promise<void> {
		try {
			await this.#means.ask('interaction.cancel', {
				sessionId: this.#now(sessionId),
				...(reason === undefined ? {} : { reason }),
			});
		} finally {
			for (const watcher of this.#watchers) watcher.look();
		}
	}

	/** The result of a session that has completed. */
	complete(sessionId: string): Promise<any> {
		return this.#means.ask('interaction.complete', { sessionId: this.#now(sessionId) });
	}

	/**
	 * Tells of a session until it is over: by what is pushed, and by looking every ten seconds, or more often while
	 * something runs. Its `closed` never rejects: what went wrong is told by `error`.
	 */
	watch(sessionId: string, on: FlowListener, options: { signal?: AbortSignal } = {}): Watch {
		const control = new AbortController();
		const stop = () => control.abort();
		options.signal?.addEventListener('abort', stop, { once: true });
		if (options.signal?.aborted) stop();
		let nudge = new AbortController();
		const watcher: Watcher = { look: () => nudge.abort() };
		const unhear = this.#means.hear(({ method, params }) => {
			const isOurs = params?.sessionId === undefined || params.sessionId === this.#now(sessionId);
			if (typeof method === 'string' && isFlowPush(method) && isOurs) watcher.look();
		});
		this.#watchers.add(watcher);
		const isOver = () => control.signal.aborted;
		const rest = async (ms: number) => {
			const one = nudge;
			const wake = () => one.abort();
			control.signal.addEventListener('abort', wake, { once: true });
			await pause(ms, one.signal);
			control.signal.removeEventListener('abort', wake);
			nudge = new AbortController();
		};
		const closed = this.#attend(sessionId, on, isOver, rest).finally(() => {
			control.abort();
			options.signal?.removeEventListener('abort', stop);
			this.#watchers.delete(watcher);
			unhear();
		});
		return { close: stop, closed };
	}

	async #attend(
		sessionId: string,
		on: FlowListener,
		isOver: () => boolean,
		rest: (ms: number) => Promise<void>,
	): Promise<void> {
		let before = '';
		for (let failures = 0; !isOver();) {
			let state: FlowState;
			try {
				state = await this.state(sessionId);
				failures = 0;
			} catch (error) {
				const why = asFault(error);
				if (isOver()) return;
				/* Without an answer it may still be there. */
				if (why.status === 0 && why.code === 'unreachable' && failures++ < 20) {
					await rest(Math.min(500 * 2 ** failures, 15_000));
					continue;
				}
				return safely(() => on.error?.(why));
			}
			if (isOver()) return;
			before = this.#tell(state, before, on);
			if (OVER.includes(state.state)) return this.#finish(sessionId, state, on);
			await rest(state.state === 'waiting_user' ? QUIET_MS : BUSY_MS);
		}
	}

	/** Tells what is new, and hands out what it told of. */
	#tell(state: FlowState, before: string, on: FlowListener): string {
		const { metadata, ...shown } = state;
		const now = JSON.stringify(shown);
		if (now === before) return before;
		safely(() => on.state?.(state));
		const isDue = state.state === 'waiting_user' || state.state === 'idle';
		if (isDue && state.currentPrompt) safely(() => on.prompt?.(state.currentPrompt as Prompt, state));
		return now;
	}

	async #finish(sessionId: string, state: FlowState, on: FlowListener): Promise<void> {
		if (state.state !== 'completed') {
			const message =
				state.summary ??
				(state.state === 'cancelled' ? 'the session was cancelled' : 'the session has failed');
			return safely(() =>
				on.error?.(new HustingsError({ message, status: 200, code: state.state, data: state })),
			);
		}
		try {
			const result = await this.complete(sessionId);
			safely(() => on.complete?.(result));
		} catch (error) {
			safely(() => on.error?.(asFault(error)));
		}
	}
}
