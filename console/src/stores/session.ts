// SPDX-License-Identifier: Apache-2.0
/**
 * Session: who is signed in, and the one gateway that everything asks. No token is ever kept: signing in leaves a cookie that
 * scripts cannot read. Whatever hears 401 calls lost(), and the way in is shown again.
 */
import { computed, signal } from '@preact/signals';
import { Gateway, HustingsError, type Session } from 'hustings-client';
import { go } from './route';

export const gateway = new Gateway();
/** undefined: not known yet; null: nobody. */
export const session = signal<Session | null | undefined>(undefined);
/** A sentence for the way in: why one is there again. */
export const whyOut = signal('');
export const isAdmin = computed(() => session.value?.admin === true);

const leaving = new Set<() => void>();

/** `done` runs when the session ends, whatever ends it: stores forget what they hold. */
export function whenOut(done: () => void): void {
	leaving.add(done);
}

function out(why: string): void {
	session.value = null;
	whyOut.value = why;
	for (const done of leaving)
		done();
}

/** Looks who is signed in; takes the one-use ticket out of the address where there is one. */
export async function begin(): Promise<void> {
	const ticket = /^#ticket=([\w-]+)$/.exec(location.hash)?.[1];
	if (ticket !== undefined) {
		go(location.pathname, true);
		await signIn({ ticket }).catch(() => {});
		if (session.value) return;
	}
	try {
		session.value = await gateway.session();
	} catch (error) {
		session.value = null;
		if (!(error instanceof HustingsError && error.status === 401))
			whyOut.value = `The gateway does not answer: ${(error as Error).message}`;
	}
}

export async function signIn(how: { token: string } | { ticket: string }): Promise<void> {
	try {
		session.value = await gateway.signIn(how);
		whyOut.value = '';
	} catch (error) {
		const isTicket = 'ticket' in how;
		whyOut.value = isTicket ? 'That link was used before, or is too old. `hustings console` prints another one.' : (error as Error).message;
		throw error;
	}
}

export async function signOut(): Promise<void> {
	await gateway.signOut().catch(() => {});
	out('You are signed out.');
}

/** The gateway does not know this session any more. */
export function lost(why = 'Your session has ended: its token was revoked, or its time is over.'): void {
	if (session.value) out(why);
}

/** Runs a request; on 401 the session is over. Errors go on to the caller. */
export async function asking<T>(request: Promise<T>): Promise<T> {
	try {
		return await request;
	} catch (error) {
		if (error instanceof HustingsError && error.status === 401) lost();
		throw error;
	}
}
