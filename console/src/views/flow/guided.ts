// SPDX-License-Identifier: Apache-2.0
/**
 * Guided: one guided session (MCP Flow) as a page shows it: started, answered step by step, taken back by starting over, cancelled. Its id
 * stays in this tab's session storage, so that a reload comes back to it. Who makes one closes it; the session itself lives at the gateway.
 */
import { signal } from '@preact/signals';
import { HustingsError, type Flow, type FlowState, type Prompt, type Tool, type Watch } from 'hustings-client';
import { serverFace } from '../../stores/catalogue';
import { roomStore } from '../../stores/rooms';
import { asking, gateway, lost, session, whenOut } from '../../stores/session';
import { nameOf, type Phase, type Place, type Refused, type Turn } from './phases';

interface Kept {
	who: string;
	id: string;
	answers: [string, unknown][];
}

const PREFIX = 'hustings.flow.';
const GONE = ['-32001', '-32002', '-32005'];

whenOut(() => {
	for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
});

export class Guided {
	readonly place: Place;
	readonly toolName: string;
	readonly phase = signal<Phase>({ word: 'fresh' });
	readonly state = signal<FlowState | undefined>(undefined);
	readonly refused = signal<Refused | undefined>(undefined);
	readonly isSending = signal(false);
	/** Answers of a session before this one: what a control begins with. */
	readonly #before = new Map<string, unknown>();
	/** Those that are given again by themselves, up to the one that is to be another. */
	readonly #replay = new Map<string, unknown>();
	readonly #key: string;
	#flow: Flow | undefined;
	#watch: Watch | undefined;
	#id: string | undefined;
	#round = 0;

	constructor(place: Place, toolName: string) {
		this.place = place;
		this.toolName = toolName;
		this.#key = PREFIX + ('server' in place ? `server ${place.server} ${toolName}` : `room ${place.topic} ${place.participant} ${toolName}`);
		/* Before anything is drawn: nobody is to start a second session while the first one is being found. */
		if (this.#kept()) this.phase.value = { word: 'busy', text: 'Coming back to where you were …' };
	}

	get turns(): Turn[] {
		return (this.state.value?.history ?? []).map(({ prompt, response }) => ({ prompt, value: response?.value ?? response }));
	}

	/** What the control of a prompt begins with; undefined: nothing is known. */
	known(prompt: Prompt): unknown {
		return this.#before.get(nameOf(prompt));
	}

	async tool(): Promise<Tool | undefined> {
		const { place } = this;
		const all = 'server' in place ? await serverFace(place.server).listTools() : await roomStore(place.topic).room.tools(place.participant);
		return all.find((one) => one.name === this.toolName);
	}

	#means(): Flow {
		const { place } = this;
		this.#flow ??=
			'server' in place ? gateway.mcp(`/mcp/servers/${encodeURIComponent(place.server)}`).flow : roomStore(place.topic).room.flow(place.participant);
		return this.#flow;
	}

	#kept(): Kept | undefined {
		try {
			const kept = JSON.parse(sessionStorage.getItem(this.#key) ?? 'null') as Kept | null;
			return kept && kept.who === session.peek()?.id && typeof kept.id === 'string' && Array.isArray(kept.answers) ? kept : undefined;
		} catch {
			sessionStorage.removeItem(this.#key);
			return undefined;
		}
	}

	/** Comes back to the session of this tab, where there is one. */
	resume(): void {
		const kept = this.#kept();
		if (!kept) return;
		for (const [name, value] of kept.answers) this.#before.set(name, value);
		this.#attend(kept.id);
	}

	#keep(id: string): void {
		this.#id = id;
		const kept: Kept = { who: session.peek()?.id ?? '', id, answers: [...this.#before] };
		sessionStorage.setItem(this.#key, JSON.stringify(kept));
	}

	#forget(): void {
		this.#id = undefined;
		sessionStorage.removeItem(this.#key);
	}

	async start(initial?: { [name: string]: any }): Promise<void> {
		const mine = (this.#round += 1);
		this.#watch?.close();
		this.isSending.value = false;
		this.refused.value = undefined;
		this.state.value = undefined;
		this.phase.value = { word: 'busy', text: 'Starting …' };
		try {
			const started = await asking(this.#means().start(this.toolName, initial));
			if (mine !== this.#round) return;
			this.#attend(started.sessionId);
		} catch (error) {
			if (mine === this.#round) this.phase.value = { word: 'fresh', why: (error as Error).message };
		}
	}

	#attend(id: string): void {
		const mine = (this.#round += 1);
		const isMine = () => mine === this.#round;
		this.#keep(id);
		this.#watch?.close();
		this.#watch = this.#means().watch(id, {
			state: (state) => {
				if (isMine()) this.#take(state);
			},
			complete: (result) => {
				if (isMine()) this.#done(result);
			},
			error: (why) => {
				if (isMine()) this.#failed(why);
			},
		});
	}

	#take(state: FlowState): void {
		this.isSending.value = false;
		this.state.value = state;
		const prompt = state.currentPrompt;
		const isDue = (state.state === 'waiting_user' || state.state === 'idle') && prompt !== undefined;
		if (!isDue) {
			if (state.state === 'processing' || state.state === 'active')
				this.phase.value = { word: 'busy', text: 'The tool works. If somebody has to approve the call, it waits for that.' };
			return;
		}
		const name = nameOf(prompt);
		if (this.#replay.has(name) && this.#id !== undefined) {
			const value = this.#replay.get(name);
			this.#replay.delete(name);
			this.phase.value = { word: 'busy', text: 'Going back …' };
			void this.respond(prompt, value);
			return;
		}
		this.#replay.clear();
		this.phase.value = { word: 'asking', prompt };
	}

	#done(completed: any): void {
		this.isSending.value = false;
		const state = this.state.value;
		const whole = completed?.finalResult ?? state?.['finalResult'] ?? completed;
		this.phase.value = { word: 'done', result: whole, summary: typeof state?.['summary'] === 'string' ? state['summary'] : '' };
		this.#forget();
	}

	#failed(why: HustingsError): void {
		this.isSending.value = false;
		if (why.status === 401) return lost();
		const isCancelled = why.code === 'cancelled';
		const said = this.state.value?.['summary'];
		this.#forget();
		if (this.state.value === undefined && GONE.includes(why.code)) this.phase.value = { word: 'fresh', why: 'The session that you came from is over.' };
		else
			this.phase.value = {
				word: 'failed',
				isCancelled,
				text: isCancelled ? 'The session was cancelled. Nothing was done.' : typeof said === 'string' && said !== '' ? said : why.message,
			};
	}

	/** Answers the prompt at hand; what is refused stays, with what is wrong with it. */
	async respond(prompt: Prompt, value: unknown): Promise<void> {
		const mine = this.#round;
		const id = this.#id;
		if (id === undefined || this.isSending.value) return;
		this.isSending.value = true;
		try {
			const answer = await asking(this.#means().respond(id, (value ?? null) as any, prompt.promptId));
			if (mine !== this.#round) return;
			if (answer.sessionId !== undefined) this.#keep(answer.sessionId);
			if (answer.accepted) {
				/* Until the next state is here nothing more is sent: it would count for the next prompt. */
				this.refused.value = undefined;
				this.#before.set(nameOf(prompt), value);
				this.#keep(this.#id!);
			} else {
				this.isSending.value = false;
				this.refused.value = {
					error: answer.validation?.error ?? 'This was not accepted.',
					suggestion: typeof answer.validation?.suggestion === 'string' ? answer.validation.suggestion : '',
				};
				this.phase.value = { word: 'asking', prompt };
			}
		} catch (error) {
			if (mine !== this.#round) return;
			this.isSending.value = false;
			this.refused.value = { error: (error as Error).message, suggestion: '' };
			this.phase.value = { word: 'asking', prompt };
		}
	}

	/** Back to that answer: the session is started over, and what was answered before it is answered again. */
	async change(turn: number): Promise<void> {
		const turns = this.turns;
		this.#replay.clear();
		turns.forEach(({ prompt, value }, at) => {
			this.#before.set(nameOf(prompt), value);
			if (at < turn) this.#replay.set(nameOf(prompt), value);
		});
		await this.cancel('started over', true);
		await this.start();
	}

	async cancel(reason = 'cancelled by the person', isQuiet = false): Promise<void> {
		const id = this.#id;
		const mine = (this.#round += isQuiet ? 1 : 0);
		if (isQuiet) this.#watch?.close();
		if (id === undefined) return;
		try {
			await asking(this.#means().cancel(id, reason));
		} catch (error) {
			if (!isQuiet && mine === this.#round) this.refused.value = { error: (error as Error).message, suggestion: '' };
		}
	}

	close(): void {
		this.#round += 1;
		this.#watch?.close();
	}
}
