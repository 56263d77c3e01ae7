// SPDX-License-Identifier: Apache-2.0
/**
 * Plain: text of peers as it may be shown. Control characters and those that turn the direction of writing around are left out,
 * so that nothing reads as other than it is; line breaks and tabs stay.
 */

/* C0 but tab and line feed, DEL and C1; marks, embeddings, overrides and isolates of direction; invisible operators; tags. */
const LEFT_OUT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

export function plain(text: string): string {
	const words = typeof text === 'string' ? text : String(text ?? '');
	return words
		.replace(/\r\n?/g, '\n')
		.replace(/[\u2028\u2029]/g, '\n')
		.replace(LEFT_OUT, '');
}

/** The same on one line, at most so long: for names, labels and lists. */
export function plainLine(text: string, most = 200): string {
	const line = plain(typeof text === 'string' ? text.slice(0, 4 * most) : text)
		.replace(/\s+/g, ' ')
		.trim();
	return line.length > most ? `${line.slice(0, most)} …` : line;
}
