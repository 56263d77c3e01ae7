// SPDX-License-Identifier: Apache-2.0
/**
 * Room link: the one WebSocket of a room at a time. It dials again after a break, with a pause that grows, until it is
 * closed or the gateway has said that there is no point in it. What the frames mean is its owner's affair.
 */

import type { Address } from './address.js';
import { asFault, faultOfAnswer, HustingsError, ownFault } from './fault.js';
import { Backoff, untilAborted } from './patience.js';

/** Why a connection ended. */
export interface Closing {
	/** A WebSocket's close code, or the HTTP status of a refused connection. */
	code: number;
	reason: string;
}

export interface LinkOwner {
	/** Where to, this time. */
	path(): string;
	/** Something cheap that is refused as the connection was: browsers do not tell why. */
	probe(): Promise<unknown>;
	dialling(): void;
	frame(text: string): void;
	/** Broken; it is tried again by itself. */
	broken(why: Closing): void;
	/** Over for good. */
	ended(why: Closing, fault: HustingsError): void;
}

const WELCOME_MS = 30_000;
const STEADY_MS = 30_000;
const PROBE_MS = 30_000;
/** Replaced, revoked, ten seconds of pace refusals: another try would end the same way, or do harm. */
const FINAL = [1008, 4001, 4003];
const FINAL_STATUSES = [400, 401, 403, 409];

export class RoomLink {
	readonly #address: Address;
	readonly #owner: LinkOwner;
	readonly #backoff = new Backoff();
	#socket: WebSocket | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#since = 0;
	#isOver = false;
	#isIn = false;

	constructor(address: Address, owner: LinkOwner) {
		this.#address = address;
		this.#owner = owner;
	}

	dial(): void {
		if (this.#isOver) return;
		clearTimeout(this.#timer);
		globalThis.removeEventListener?.('online', this.#dialNow);
		this.#isIn = false;
		this.#owner.dialling();
		let socket: WebSocket;
		try {
			socket = this.#address.socket(this.#owner.path());
		} catch (error) {
			this.#end({ code: 0, reason: (error as Error).message }, asFault(error));
			return;
		}
		this.#socket = socket;
		this.#attend(socket);
		this.#timer = setTimeout(
			() => this.#lost(socket, { code: 1006, reason: 'the gateway sends no welcome' }),
			WELCOME_MS,
		);
	}

	/** The welcome has come. */
	entered(): void {
		clearTimeout(this.#timer);
		this.#isIn = true;
		this.#since = Date.now();
	}

	get isIn(): boolean {
		return this.#isIn;
	}

	/** False: there is no connection that takes it. */
	send(text: string): boolean {
		if (!this.#isIn || this.#socket?.readyState !== 1) return false;
		this.#socket.send(text);
		return true;
	}

	/** The connection is dead, though nobody said so: a new one. */
	drop(reason: string): void {
		if (this.#socket) this.#lost(this.#socket, { code: 1006, reason });
	}

	close(): void {
		if (!this.#isOver) this.#end({ code: 1000, reason: '' }, ownFault('closed', 'the room was closed here'));
	}

	#dialNow = () => this.dial();

	#attend(socket: WebSocket): void {
		const own = () => this.#socket === socket;
		socket.onmessage = ({ data }) => {
			if (own() && typeof data === 'string') this.#owner.frame(data);
		};
		socket.onclose = ({ code, reason }) => this.#lost(socket, { code, reason: String(reason) });
		socket.onerror = () => {}; /* a close follows */
		/* The package ws tells what the gateway answered. */
		(socket as any).on?.('unexpected-response', (request: any, response: any) => {
			const status = Number(response?.statusCode);
			request?.destroy?.();
			if (own() && FINAL_STATUSES.includes(status)) void this.#explain(socket, status);
			else this.#lost(socket, { code: status || 1006, reason: 'the gateway does not take the connection' });
		});
	}

	#abandon(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		clearTimeout(this.#timer);
		if (!socket) return;
		socket.onmessage = socket.onclose = null;
		if (socket.readyState <= 1) socket.close(socket.readyState === 1 ? 1000 : undefined);
	}

	#lost(socket: WebSocket, why: Closing): void {
		if (this.#socket !== socket || this.#isOver) return;
		const wasIn = this.#isIn;
		this.#isIn = false;
		this.#abandon();
		if (FINAL.includes(why.code)) return this.#end(why, closed(why));
		if (wasIn && Date.now() - this.#since >= STEADY_MS) this.#backoff.reset();
		this.#owner.broken(why);
		if (this.#isOver) return;
		if (wasIn) this.#again();
		else void this.#ask();
	}

	#again(): void {
		if (this.#isOver || this.#socket) return;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(this.#dialNow, this.#backoff.next());
		globalThis.addEventListener?.('online', this.#dialNow, { once: true });
	}

	/** Never came in: whether it is worth another try. */
	async #ask(): Promise<void> {
		const fault = await this.#refusal();
		if (this.#isOver) return;
		if (fault && FINAL_STATUSES.includes(fault.status))
			return this.#end({ code: fault.status, reason: fault.message }, fault);
		if (fault && fault.status > 0) this.#owner.broken({ code: fault.status, reason: fault.message });
		this.#again();
	}

	#refusal(): Promise<HustingsError | undefined> {
		/* A network that swallows everything answers the probe no more than the connection. */
		return untilAborted(this.#owner.probe(), AbortSignal.timeout(PROBE_MS)).then(() => undefined, asFault);
	}

	/** A refusal of which only the status is known: the probe may have words for it. */
	async #explain(socket: WebSocket, status: number): Promise<void> {
		const known = await this.#refusal();
		if (this.#socket !== socket || this.#isOver) return;
		const fault =
			known?.status === status
				? known
				: faultOfAnswer(
						status,
						status === 409
							? { code: 'reserved', message: "this id is a hosted server's own here" }
							: undefined,
					);
		this.#end({ code: status, reason: fault.message }, fault);
	}

	#end(why: Closing, fault: HustingsError): void {
		this.#isOver = true;
		this.#isIn = false;
		globalThis.removeEventListener?.('online', this.#dialNow);
		this.#abandon();
		this.#owner.ended(why, fault);
	}
}

function closed({ code, reason }: Closing): HustingsError {
	const words: Record<number, string> = {
		1008: 'the gateway closed the connection: too much was sent for too long',
		4001: 'replaced: another connection of this id took the seat',
		4003: 'the token was revoked or has expired',
	};
	return new HustingsError({ message: words[code] ?? reason, status: code === 4003 ? 401 : 0, code: String(code) });
}
