// SPDX-License-Identifier: Apache-2.0
/**
 * Room store: one room that this person is in. It owns the connection and what is shown of it, tells of changes at most once
 * a frame, and counts what came while nobody looked. Bounded in items and characters: the oldest leave, and can be fetched again.
 */
import { signal } from '@preact/signals';
import { rawOf, type Envelope, type Participant, type Privilege, type Room, type Tool } from 'hustings-client';
import { Fold } from './room_fold';
import { isQuiet, type Call, type Item } from './room_items';
import { INPUT, isAsked } from './room_words';
import { asking, gateway, lost, session } from './session';

export type Link = { word: 'connecting' | 'open' } | { word: 'waiting'; since: number; why: string } | { word: 'closed'; code: number; why: string };
export type Older = { word: 'more' | 'loading' | 'none' | 'full' } | { word: 'failed'; error: Error };

export const ITEMS_MOST = 20_000;
const SPARE = 1000; /* trimmed at once, so that it is not done for each */
const WEIGHT_MOST = 96 * 1024 * 1024;
const FIRST = 200;
const PAGE = 200;

const isKept = ({ kind, from }: Envelope) => (kind === 'chat' || kind === 'mcp' || kind === 'mcp/proposal') && !from.startsWith('system:');
const weightOf = (envelope: Envelope) => (rawOf(envelope)?.length ?? 500) + 200;

export class RoomStore {
	readonly topic: string;
	readonly fold = new Fold();
	/** Counts changes of the items. */
	readonly version = signal(0);
	readonly link = signal<Link>({ word: 'connecting' });
	readonly people = signal<Participant[]>([]);
	readonly me = signal<Participant | undefined>(undefined);
	readonly unread = signal(0);
	/** The key of the first item that came while nobody looked. */
	readonly mark = signal<string | undefined>(undefined);
	readonly older = signal<Older>({ word: 'more' });
	/** What was said last by somebody else, for readers of the screen. */
	readonly latest = signal('');
	/** The last envelope that was looked at. */
	read: string | undefined;
	readonly #onRead: () => void;
	#room: Room | undefined;
	#isLooked = false;
	#isFilling = false;
	#before: string | undefined;
	#isDue = false;
	#held: Envelope[] | undefined;
	#loading: Promise<number> | undefined;
	#faceTools: Promise<Tool[]> | undefined;

	constructor(topic: string, read: string | undefined, onRead: () => void) {
		this.topic = topic;
		this.read = read;
		this.#onRead = onRead;
		this.join();
	}

	get items(): Item[] {
		return this.fold.items;
	}

	get room(): Room {
		return this.#room!;
	}

	/** Comes in; again, after the gateway has ended it for good. */
	join(): void {
		this.#room?.close();
		const last = this.#room?.lastId;
		const room = gateway.join(this.topic, {
			kind: 'human',
			beside: true,
			...(last === undefined ? { history: FIRST } : { since: last }),
			capabilities: { extensions: { 'dev.hustings/authorization': {} } },
			/* What a tool asks during a call stands in the room, and is answered there: from any page, also behind a reload. */
			onInput: ({ method }) => (method === INPUT ? new Promise(() => {}) : Promise.reject(new Error('this page answers forms alone'))),
			/* Who asks a person for tools hears that there are none, and does not wait; an agent of that name answers for itself. */
			...(session.value?.kind === 'human' ? { tools: [] } : {}),
		});
		this.#room = room;
		this.link.value = { word: 'connecting' };
		room.on('welcome', () => this.#welcome(room));
		room.on('envelope', (envelope) => this.#take(envelope));
		room.on('presence', () => this.#gather());
		room.on('privilege', () => this.#gather());
		room.on('gap', () => void this.#reload());
		room.on('state', (state, why) => {
			if (room !== this.#room) return;
			if (state === 'open') this.link.value = { word: 'open' };
			else if (state === 'waiting')
				this.link.value = { word: 'waiting', since: this.link.value.word === 'waiting' ? this.link.value.since : Date.now(), why: why?.reason ?? '' };
			else if (state === 'closed') this.#closed(why?.code ?? 0, why?.reason ?? '');
		});
	}

	close(): void {
		const room = this.#room;
		this.#room = undefined;
		room?.close();
	}

	#closed(code: number, reason: string): void {
		if (code === 401 || code === 4003) lost();
		const words =
			code === 4001
				? 'Another connection of the same name took this place.'
				: code === 1008
					? 'Too much was sent for too long.'
					: reason || 'The gateway has closed the connection.';
		this.link.value = { word: 'closed', code, why: words };
	}

	#welcome(room: Room): void {
		this.#isFilling = true;
		this.#gather();
		/* The history of the welcome is told before this runs. */
		queueMicrotask(() => {
			this.#isFilling = false;
			if (room === this.#room) this.#filled();
		});
	}

	/** What of the first page was not looked at yet, as far as it is known. */
	#filled(): void {
		if (this.read !== undefined && this.unread.value === 0 && this.mark.value === undefined) {
			const at = this.items.findIndex((item) => item.ids.includes(this.read!));
			const fresh = this.items.slice(at + 1).filter((item) => this.#counts(item));
			if (at >= 0 && fresh.length > 0) {
				this.mark.value = fresh[0]!.key;
				if (!this.#isLooked) this.unread.value = fresh.length;
			}
		}
		if (this.#isLooked) this.#looked();
		this.#changed();
	}

	#counts(item: Item): boolean {
		return !isQuiet(item) && item.from !== this.#room?.me?.id;
	}

	#take(envelope: Envelope): void {
		if (this.#held) {
			this.#held.push(envelope);
			return;
		}
		if (this.#before === undefined && isKept(envelope)) this.#before = envelope.id;
		const ts = Date.parse(envelope.ts);
		const now = Date.now();
		const count = this.items.length;
		const item = this.fold.add(envelope, weightOf(envelope), Math.abs(now - ts) < 5000 ? now : ts || now);
		if (!item) return;
		if (!this.#isFilling && this.items.length > count && this.#counts(item)) this.#count(item);
		this.#changed();
	}

	#count(item: Item): void {
		if (item.sort === 'chat') this.latest.value = `${item.from}: ${item.text.slice(0, 200)}`;
		else if (item.sort === 'call' && isAsked(item.call, this.#room?.me?.id)) this.latest.value = `${item.from} asks you something`;
		else if (item.sort === 'proposal') this.latest.value = `${item.from} proposes ${item.proposal.tool ?? item.proposal.method}`;
		if (this.#isLooked) return;
		if (this.unread.value === 0) this.mark.value = item.key;
		this.unread.value += 1;
	}

	/** Whether a person sees the end of the list. */
	look(isLooked: boolean): void {
		if (isLooked === this.#isLooked) return;
		this.#isLooked = isLooked;
		if (isLooked) this.#looked();
	}

	#looked(): void {
		this.unread.value = 0;
		const last = this.#room?.lastId;
		if (last === undefined || last === this.read) return;
		this.read = last;
		this.#onRead();
	}

	#changed(): void {
		if (this.#isDue) return;
		this.#isDue = true;
		const run = () => {
			this.#isDue = false;
			this.#trim();
			if (this.#isLooked) this.#looked();
			this.version.value += 1;
		};
		if (document.hidden) setTimeout(run, 200);
		else requestAnimationFrame(run);
	}

	#trim(): void {
		const { items, weight } = this.fold;
		if (items.length <= ITEMS_MOST + SPARE && weight <= WEIGHT_MOST) return;
		this.fold.trim(ITEMS_MOST, WEIGHT_MOST * 0.9);
		this.#before = this.#oldestKept();
		this.older.value = { word: 'more' };
	}

	#oldestKept(): string | undefined {
		for (const item of this.items) {
			if (item.sort === 'chat') return item.envelope.id;
			if (item.sort === 'call') return item.call.id;
			if (item.sort === 'proposal') return item.proposal.id;
		}
		return undefined;
	}

	#gather(): void {
		const room = this.#room;
		if (!room) return;
		this.#faceTools = undefined;
		this.me.value = room.me;
		const all = room.me ? [room.me, ...[...room.participants.values()].filter(({ id }) => id !== room.me!.id)] : [...room.participants.values()];
		this.people.value = all.sort((one, other) => Number(other.kind === 'human') - Number(one.kind === 'human') || one.id.localeCompare(other.id));
	}

	/** What an administrator has changed: only the one whom it is about is told by the room. */
	changePrivilege(id: string, privilege: Privilege): void {
		const known = this.#room?.participants.get(id);
		if (known) this.#room!.participants.set(id, { ...known, privilege });
		this.#gather();
	}

	// ---- Older ones ----

	/** A page further back; the number of envelopes that came. One at a time: who asks meanwhile hears of the same. */
	loadOlder(limit = PAGE): Promise<number> {
		this.#loading ??= this.#load(limit).finally(() => {
			this.#loading = undefined;
		});
		return this.#loading;
	}

	async #load(limit: number): Promise<number> {
		if (this.older.value.word === 'none') return 0;
		if (this.items.length >= ITEMS_MOST || this.fold.weight >= WEIGHT_MOST * 0.9) {
			this.older.value = { word: 'full' };
			return 0;
		}
		this.older.value = { word: 'loading' };
		try {
			const before = this.#before;
			const page = await asking(gateway.history(this.topic, { limit, ...(before === undefined ? {} : { before }) }));
			const fresh = page.envelopes.filter((envelope) => !this.fold.has(envelope.id)).reverse();
			this.fold.addBefore(fresh.map((envelope) => ({ envelope, weight: weightOf(envelope) })));
			this.#before = page.nextBefore ?? page.envelopes.at(-1)?.id ?? before;
			this.older.value = { word: page.nextBefore === null ? 'none' : 'more' };
			this.version.value += 1;
			return page.envelopes.length;
		} catch (error) {
			this.older.value = { word: 'failed', error: error as Error };
			return 0;
		}
	}

	again(): void {
		if (this.older.value.word === 'failed') this.older.value = { word: 'more' };
		void this.loadOlder();
	}

	/** Something was said that did not reach us: what history has is read anew, and what comes meanwhile follows it. */
	async #reload(): Promise<void> {
		if (this.#held) return;
		this.#held = [];
		try {
			const page = await asking(gateway.history(this.topic, { limit: FIRST }));
			this.fold.clear();
			for (const envelope of page.envelopes.reverse()) this.fold.add(envelope, weightOf(envelope));
			this.#before = page.nextBefore ?? page.envelopes[0]?.id;
			this.older.value = { word: page.nextBefore === null ? 'none' : 'more' };
		} catch {
			/* what is here stays; the line of the gap says that something is missing */
		}
		const held = this.#held;
		this.#held = undefined;
		for (const envelope of held) this.#take(envelope);
		this.#changed();
	}

	// ---- Tools of participants ----

	/** Answers what a tool asked us during a call. */
	answerInput(call: Call, result: object): Promise<Envelope> {
		return this.room.answer(call.envelopes[0]!, { result });
	}

	/** What a participant offers. Restricted people may not ask it: the room's MCP face does in their place. */
	async toolsOf(id: string): Promise<Tool[]> {
		if (this.#room?.me?.privilege !== 'restricted') return this.room.tools(id);
		this.#faceTools ??= gateway.mcp(`/mcp/rooms/${encodeURIComponent(this.topic)}`).listTools();
		this.#faceTools.catch(() => {
			this.#faceTools = undefined;
		});
		const prefix = `${id}__`;
		const all = await asking(this.#faceTools);
		return all.filter(({ name }) => name.startsWith(prefix)).map((tool) => ({ ...tool, name: tool.name.slice(prefix.length) }));
	}
}
