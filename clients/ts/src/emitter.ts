// SPDX-License-Identifier: Apache-2.0
/**
 * Emitter: listeners by name. One that throws hinders nobody else: what it threw is reported, as by an event target.
 */

export class Emitter<Events extends { [Name in keyof Events]: any[] }> {
	#listeners = new Map<keyof Events, Set<(...words: any[]) => void>>();

	/** Calls `listener` each time; hands out what ends that. */
	on<Name extends keyof Events>(name: Name, listener: (...words: Events[Name]) => void): () => void {
		const all = this.#listeners.get(name) ?? new Set();
		const one = (...words: any[]) => listener(...(words as Events[Name]));
		this.#listeners.set(name, all);
		all.add(one);
		return () => void all.delete(one);
	}

	/** The same, once. */
	once<Name extends keyof Events>(name: Name, listener: (...words: Events[Name]) => void): () => void {
		const end = this.on(name, (...words) => {
			end();
			listener(...words);
		});
		return end;
	}

	protected hasListener(name: keyof Events): boolean {
		return (this.#listeners.get(name)?.size ?? 0) > 0;
	}

	protected emit<Name extends keyof Events>(name: Name, ...words: Events[Name]): void {
		for (const listener of [...(this.#listeners.get(name) ?? [])]) safely(() => listener(...words));
	}
}

/** Runs what is not ours; what it throws is reported and goes no further. */
export function safely(run: () => void): void {
	try {
		run();
	} catch (error) {
		report(error);
	}
}

export function report(error: unknown): void {
	const to = (globalThis as any).reportError;
	if (typeof to === 'function') to(error);
	else console.error(error);
}
