// SPDX-License-Identifier: Apache-2.0
/**
 * Drafts: what somebody began to write in a room and did not send. Over a reload they lie in this tab's own storage, for who wrote
 * them alone; they go with the session, and with the tab.
 */
import { session, whenOut } from './session';

const KEY = 'hustings.drafts';
const MOST = 32;
const CHARACTERS = 20_000; // of one: a longer one lives in memory alone

let drafts: Map<string, string> | undefined;

function kept(): Map<string, string> {
	if (drafts) return drafts;
	drafts = new Map();
	try {
		const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
		if (stored?.who === session.value?.id)
			for (const [topic, text] of Object.entries(stored?.texts ?? {})) drafts.set(topic, String(text));
	} catch {
		/* what cannot be read is none */
	}
	return drafts;
}

function store(): void {
	const texts = Object.fromEntries([...kept()].filter(([, text]) => text.length <= CHARACTERS));
	try {
		sessionStorage.setItem(KEY, JSON.stringify({ who: session.value?.id, texts }));
	} catch {
		/* a full or closed storage forgets, and nothing more */
	}
}

whenOut(() => {
	drafts = undefined;
	sessionStorage.removeItem(KEY);
});

export function draftOf(topic: string): string {
	return kept().get(topic) ?? '';
}

export function keepDraft(topic: string, text: string): void {
	const all = kept();
	all.delete(topic);
	if (text !== '') all.set(topic, text);
	if (all.size > MOST) all.delete(all.keys().next().value!);
	store();
}
