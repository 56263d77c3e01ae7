// SPDX-License-Identifier: Apache-2.0
/**
 * Room fold: envelopes become items. A request and all that is said about it is one call; a proposal, its events and its
 * fulfilment are one proposal. It takes envelopes in the room's order, pages of older ones in front of what is there, and
 * each envelope once. It owns its items; whoever shows them only reads.
 */
import { wordsOf, type Envelope, type McpMessage } from 'hustings-client';
import { beginCall, cancelCall, chunkOf, isAnswer, progressOf, settleCall, takeEnvelope, tokensOf } from './room_calls';
import { eventWords, noticeWords, type AskItem, type Call, type Item, type PresenceItem, type ProposalItem } from './room_items';
import { answerAsk, beginAsk, beginProposal, fulfilmentOf, refuseAnswer } from './room_settled';

const MOVES = 40;
const MOVES_APART_MS = 10 * 60_000;
const LOOK_BACK = 100;
const GATEWAY = 'system:gateway';

interface Owner {
	item: Item;
	call?: Call;
}

export class Fold {
	items: Item[] = [];
	/** How much is kept, in characters, about. */
	weight = 0;
	/** By envelope: where it is shown. */
	readonly #homes = new Map<string, Owner>();
	/** By asker, asked and JSON-RPC id or progress token. */
	readonly #byToken = new Map<string, Owner>();
	readonly #asks = new Map<string, AskItem>();
	/** By what they are about: envelopes whose request is not here. */
	readonly #orphans = new Map<string, Item[]>();
	#front: Item[] | undefined;

	has(id: string): boolean {
		return this.#homes.has(id);
	}

	/** The item that shows that envelope. */
	home(id: string): Item | undefined {
		return this.#homes.get(id)?.item;
	}

	/** An envelope that is newer than all that are here. The item that it made or changed; undefined: it says nothing here. */
	add(envelope: Envelope, weight: number, now = Date.parse(envelope.ts)): Item | undefined {
		if (this.#homes.has(envelope.id)) return undefined;
		const owner = this.#safely(envelope, now);
		if (!owner) return undefined;
		owner.item.rev += 1;
		owner.item.ids.push(envelope.id);
		owner.item.weight += weight;
		this.weight += weight;
		this.#homes.set(envelope.id, owner);
		return owner.item;
	}

	/** Payloads are whatever a peer made of them: one that nobody foresaw is shown as a line. */
	#safely(envelope: Envelope, now: number): Owner | undefined {
		try {
			return this.#take(envelope, now);
		} catch {
			return {
				item: this.#append({
					...this.#base(envelope, now),
					sort: 'note',
					words: `sent something of kind ${envelope.kind} that cannot be read`,
					envelope,
				}),
			};
		}
	}

	/** Older ones, oldest first, in front of all that are here. */
	addBefore(envelopes: { envelope: Envelope; weight: number }[]): void {
		const front: Item[] = [];
		this.#front = front;
		for (const { envelope, weight } of envelopes) this.add(envelope, weight);
		this.#front = undefined;
		this.items = [...front, ...this.items];
	}

	clear(): void {
		this.items = [];
		this.weight = 0;
		for (const known of [this.#homes, this.#byToken, this.#asks, this.#orphans]) known.clear();
	}

	/** Lets the oldest go until so many items and characters are left. */
	trim(items: number, weight: number): Item[] {
		let count = 0;
		for (; count < this.items.length - 1 && (this.items.length - count > items || this.weight > weight); count += 1) this.#forget(this.items[count]!);
		return this.items.splice(0, count);
	}

	#forget(item: Item): void {
		this.weight -= item.weight;
		for (const id of item.ids) this.#homes.delete(id);
		const call = item.sort === 'call' ? item.call : item.sort === 'proposal' ? item.proposal.call : undefined;
		for (const key of call ? tokensOf(call) : []) if (this.#byToken.get(key)?.call === call) this.#byToken.delete(key);
		if (item.sort === 'ask') this.#asks.delete(item.ask.id);
		if (item.sort === 'note' || item.sort === 'refusal') {
			for (const [about, orphans] of this.#orphans) if (orphans.includes(item)) this.#orphans.delete(about);
		}
	}

	#append<One extends Item>(item: One): One {
		(this.#front ?? this.items).push(item);
		return item;
	}

	#base(envelope: Envelope, now: number) {
		return { key: envelope.id, at: now || Date.now(), rev: 0, from: envelope.from, ids: [], weight: 0 };
	}

	#take(envelope: Envelope, now: number): Owner | undefined {
		if (envelope.kind === 'chat') return this.#chat(envelope, envelope.payload, now);
		if (envelope.kind === 'presence') return this.#presence(envelope, now);
		if (envelope.kind === 'mcp/proposal') return this.#proposal(envelope, now);
		if (envelope.kind === 'system') return this.#system(envelope, now);
		return envelope.kind === 'mcp' ? this.#mcp(envelope, now) : undefined;
	}

	#chat(envelope: Envelope, said: any, now: number): Owner {
		const text = typeof said?.text === 'string' ? said.text : JSON.stringify(said ?? null);
		return {
			item: this.#append({
				...this.#base(envelope, now),
				sort: 'chat',
				to: envelope.to,
				text,
				format: said?.format === 'markdown' ? 'markdown' : 'plain',
				envelope,
			}),
		};
	}

	#presence(envelope: Envelope, now: number): Owner | undefined {
		const { event, participant: who } = envelope.payload ?? {};
		if ((event !== 'join' && event !== 'leave') || typeof who?.id !== 'string') return undefined;
		const last = (this.#front ?? this.items).at(-1);
		if (last?.sort === 'presence' && last.moves.length < MOVES && now - last.at < MOVES_APART_MS) {
			last.moves.push({ event, who });
			return { item: last };
		}
		const item: PresenceItem = { ...this.#base(envelope, now), sort: 'presence', from: who.id, moves: [{ event, who }] };
		return { item: this.#append(item) };
	}

	#system(envelope: Envelope, now: number): Owner | undefined {
		const event = envelope.payload;
		if (typeof event?.event !== 'string' || event.event === 'welcome') return undefined;
		if (event.event === 'error')
			return {
				item: this.#append({
					...this.#base(envelope, now),
					sort: 'refusal',
					message: String(event.message ?? 'refused'),
					code: String(event.code ?? ''),
					gate: event.gate,
					about: envelope.correlation_id,
					envelope,
				}),
			};
		if (event.event === 'proposal') {
			const owner = this.#homes.get(String(event.proposalId ?? envelope.correlation_id));
			if (owner?.item.sort === 'proposal') return this.#settleProposal(owner.item, envelope);
			return this.#orphan(envelope, now, `A proposal was ${event.status}${event.by ? ` by ${event.by}` : ''}`, String(event.proposalId));
		}
		return { item: this.#append({ ...this.#base(envelope, now), sort: 'note', words: eventWords(event), envelope }) };
	}

	// ---- Proposals ----

	#proposal(envelope: Envelope, now: number): Owner {
		const owner = { item: this.#append<ProposalItem>({ ...this.#base(envelope, now), sort: 'proposal', proposal: beginProposal(envelope) }) };
		this.#homes.set(envelope.id, owner);
		this.#adopt(envelope.id);
		return owner;
	}

	#settleProposal(item: ProposalItem, envelope: Envelope): Owner {
		const { status, by, reason } = envelope.payload;
		const { proposal } = item;
		Object.assign(proposal, { state: status, by, why: reason });
		proposal.envelopes.push(envelope);
		const made = status === 'fulfilled' && !proposal.call ? fulfilmentOf(proposal, this.#front ?? this.items, LOOK_BACK) : undefined;
		if (made) this.#join(made, item, made.call);
		return { item };
	}

	/** An item becomes part of a proposal. */
	#join(from: Item, item: ProposalItem, call: Call): void {
		item.proposal.call = call;
		for (const id of from.ids) this.#homes.set(id, { item, call });
		for (const key of tokensOf(call)) this.#byToken.set(key, { item, call });
		item.ids.push(...from.ids);
		item.weight += from.weight;
		item.rev += 1;
		this.#drop(from);
	}

	#drop(item: Item): void {
		for (const list of [this.#front, this.items]) {
			const at = list?.lastIndexOf(item) ?? -1;
			if (at >= 0) list!.splice(at, 1);
		}
	}

	// ---- What is about something that is not here ----

	#orphan(envelope: Envelope, now: number, words: string, about: string | undefined): Owner {
		const item = this.#append({ ...this.#base(envelope, now), sort: 'note' as const, words, envelope });
		if (about !== undefined) this.#orphans.set(about, [...(this.#orphans.get(about) ?? []), item]);
		return { item };
	}

	/** What somebody says once more, right behind the first time, stands on the same line. */
	#again(envelope: Envelope, words: string): Owner | undefined {
		const last = (this.#front ?? this.items).at(-1);
		if (last?.sort !== 'note' || last.from !== envelope.from || last.words !== words || envelope.correlation_id !== undefined) return undefined;
		last.times = (last.times ?? 1) + 1;
		last.envelope = envelope;
		return { item: last };
	}

	/** What came before its request did, is told again, and the lines it stood on go. */
	#adopt(about: string): void {
		const orphans = this.#orphans.get(about);
		if (!orphans) return;
		this.#orphans.delete(about);
		for (const item of orphans) {
			if (item.sort === 'call') {
				const home = this.#homes.get(about)?.item;
				if (home?.sort === 'proposal') this.#join(item, home, item.call);
				continue;
			}
			if (item.sort !== 'note') continue;
			const owner = this.#take(item.envelope, item.at);
			if (!owner) continue;
			owner.item.rev += 1;
			owner.item.ids.push(...item.ids);
			owner.item.weight += item.weight;
			for (const id of item.ids) this.#homes.set(id, owner);
			this.#drop(item);
		}
	}

	// ---- MCP ----

	#mcp(envelope: Envelope, now: number): Owner | undefined {
		const message = envelope.payload as McpMessage;
		if (isAnswer(message)) return this.#answer(envelope, message, now);
		if (typeof message?.method !== 'string') return undefined;
		if (message.method === 'notifications/chat/message' || message.method === 'chat.say') return this.#chat(envelope, message.params, now);
		if (/^(notifications\/)?authorization\/(request|respond|revoke|revoked)$/.test(message.method)) {
			const owner = this.#authorization(envelope, message, now);
			if (owner) return owner;
		}
		if (message.id !== undefined && message.id !== null) return this.#request(envelope, now);
		return this.#notification(envelope, message, now);
	}

	#request(envelope: Envelope, now: number): Owner {
		const call = beginCall(envelope, now);
		const about = call.about === undefined ? undefined : this.#homes.get(call.about)?.item;
		const isFulfilment = about?.sort === 'proposal' && about.proposal.call === undefined;
		if (isFulfilment) about.proposal.call = call;
		const item = isFulfilment ? about : this.#append({ ...this.#base(envelope, now), sort: 'call' as const, call });
		const owner = { item, call };
		this.#homes.set(envelope.id, owner);
		for (const key of tokensOf(call)) this.#byToken.set(key, owner);
		/* It may fulfil a proposal that is further back. */
		if (!about && call.about !== undefined && !isFulfilment) this.#orphans.set(call.about, [...(this.#orphans.get(call.about) ?? []), item]);
		this.#adopt(envelope.id);
		return owner;
	}

	/** The call that an envelope is about: by its correlation, else by a token between the two. */
	#callOf(envelope: Envelope, token: unknown): Owner | undefined {
		const named = this.#homes.get(envelope.correlation_id ?? '');
		if (named?.call || named?.item.sort === 'ask') return named;
		if (token === undefined) return undefined;
		const key = JSON.stringify(token);
		const [to = ''] = envelope.to ?? [];
		return this.#byToken.get(`${to}\n${envelope.from}\n${key}`) ?? this.#byToken.get(`${envelope.from}\n${to}\n${key}`);
	}

	#answer(envelope: Envelope, message: McpMessage, now: number): Owner {
		const owner = this.#callOf(envelope, undefined);
		if (owner?.item.sort === 'ask' && !owner.call) {
			owner.item.ask.envelopes.push(envelope);
			refuseAnswer(owner.item.ask, envelope, message);
			return owner;
		}
		if (owner?.call) {
			settleCall(owner.call, message, envelope.from === GATEWAY, now);
			takeEnvelope(owner.call, envelope);
			return owner;
		}
		if (envelope.from === GATEWAY && message.error) {
			const { data, code } = message.error;
			return {
				item: this.#append({
					...this.#base(envelope, now),
					sort: 'refusal',
					message: wordsOf(message.error),
					code: String(data?.type ?? code),
					gate: 'privilege',
					about: envelope.correlation_id,
					envelope,
				}),
			};
		}
		const words = message.error ? `answered with an error: ${wordsOf(message.error)}` : 'answered a request that is not shown';
		return this.#orphan(envelope, now, words, envelope.correlation_id);
	}

	#notification(envelope: Envelope, message: McpMessage, now: number): Owner {
		const { method = '', params } = message;
		const token = method === 'notifications/progress' ? params?.progressToken : (params?.request_id ?? params?.requestId);
		const isHello = method === 'notifications/initialized';
		const owner = isHello ? this.#hello(envelope) : this.#callOf(envelope, token);
		if (!owner?.call) return this.#again(envelope, noticeWords(method)) ?? this.#orphan(envelope, now, noticeWords(method), envelope.correlation_id);
		const { call } = owner;
		if (method === 'notifications/progress') progressOf(call, params);
		else if (method === 'notifications/mgp.stream.progress') progressOf(call, params, 1);
		else if (method === 'notifications/mgp.stream.chunk') chunkOf(call, params);
		else if (method === 'notifications/cancelled') cancelCall(call, params?.reason, now);
		else if (method === 'notifications/authorization/resolved') settleCall(call, params ?? {}, false, now);
		takeEnvelope(call, envelope);
		return owner;
	}

	#hello({ from, to }: Envelope): Owner | undefined {
		const list = this.#front ?? this.items;
		for (let at = list.length - 1; at >= Math.max(0, list.length - LOOK_BACK); at -= 1) {
			const item = list[at]!;
			if (item.sort === 'call' && item.call.method === 'initialize' && item.from === from && item.call.to === to?.[0]) return { item, call: item.call };
		}
		return undefined;
	}

	// ---- Authorization (ADR-001) ----

	#authorization(envelope: Envelope, { method = '', params }: McpMessage, now: number): Owner | undefined {
		const isAsked = method === 'notifications/authorization/request';
		const id = isAsked ? params?.id : params?.authorizationId;
		if (typeof id !== 'string') return undefined;
		if (isAsked) return this.#ask(envelope, id, params, now);
		const item = this.#asks.get(id);
		if (!item) return undefined;
		answerAsk(item.ask, envelope, method, params);
		item.ask.envelopes.push(envelope);
		return { item };
	}

	#ask(envelope: Envelope, id: string, params: any, now: number): Owner {
		const known = this.#asks.get(id);
		if (known) {
			known.ask.envelopes.push(envelope);
			return { item: known };
		}
		const item: AskItem = this.#append({ ...this.#base(envelope, now), sort: 'ask', ask: beginAsk(envelope, id, params) });
		this.#asks.set(id, item);
		return { item };
	}
}
