// SPDX-License-Identifier: Apache-2.0
// Waiting for conditions. Every wait of the end-to-end tests has this bound, and none assumes speed.

export const BOUND = 40_000;

/** Rejects with `what` when `promise` has not settled within the bound. */
export function within(promise, what, bound = BOUND) {
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error(`not within ${bound} ms: ${what}`)), bound);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks `question` again and again until its answer is truthy; hands that answer out. */
export async function until(question, what, bound = BOUND) {
	const deadline = Date.now() + bound;
	let last;
	for (;;) {
		try {
			const answer = await question();
			if (answer)
				return answer;
			last = answer;
		} catch (error) {
			last = error;
		}
		if (Date.now() > deadline)
			throw new Error(`not within ${bound} ms: ${what} (last: ${last})`);
		await pause(50);
	}
}

/** Only for spacing out repeated questions and sends, never for waiting on an effect. */
export function pause(milliseconds) {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Lets the clock pass `time` (milliseconds since 1970), for what has to expire. */
export async function past(time) {
	while (Date.now() <= time)
		await pause(Math.min(time - Date.now() + 1, 1000));
}
