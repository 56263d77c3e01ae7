// SPDX-License-Identifier: Apache-2.0
/** Phases: where a guided session stands for who is led through it, and what was said in it. */
import type { Prompt } from 'hustings-client';

/** Whose tool it is: a hosted server's, or a participant's of a room. */
export type Place = { server: string } | { topic: string; participant: string };

export type Phase =
	| { word: 'fresh'; why?: string }
	| { word: 'busy'; text: string }
	| { word: 'asking'; prompt: Prompt }
	| { word: 'done'; result: any; summary: string }
	| { word: 'failed'; text: string; isCancelled: boolean };

export interface Turn {
	prompt: Prompt;
	value: unknown;
}

export interface Refused {
	error: string;
	suggestion: string;
}

/** What an answer is remembered by when a session is started over. */
export function nameOf(prompt: Prompt): string {
	return prompt.name ? `name ${prompt.name}` : `words ${prompt.message}`;
}
