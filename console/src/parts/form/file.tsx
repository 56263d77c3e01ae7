// SPDX-License-Identifier: Apache-2.0
/**
 * File: a file by reference, as the kernel takes it: its address, name, size and type. A browser tells of a chosen file everything but
 * where it lies: small ones go along whole (a "data:" address), of larger ones the person writes the address.
 */
import { useId, useState } from 'preact/hooks';
import type { ControlProps } from './controls';
import { Group } from './field';
import { isObject } from './schema';

interface FileReference {
	uri: string;
	name?: string;
	size?: number;
	mimeType?: string;
}

const INLINE = 44_000; /* octets: as base64 below the 64 KiB of an answer */

const held = (value: unknown): FileReference => (isObject(value) ? (value as unknown as FileReference) : { uri: '' });

export function sizeWords(octets: number): string {
	if (octets < 1000) return `${octets} bytes`;
	return octets < 1_000_000 ? `${(octets / 1000).toFixed(1)} kB` : `${(octets / 1_000_000).toFixed(1)} MB`;
}

function isTaken(accept: unknown, type: string, name: string): boolean {
	if (!Array.isArray(accept)) return true;
	return accept
		.filter((one): one is string => typeof one === 'string')
		.some((one) => {
			const word = one.toLowerCase();
			if (word.startsWith('.')) return name.toLowerCase().endsWith(word);
			return word === '*/*' || (word.endsWith('*') ? type.toLowerCase().startsWith(word.slice(0, -1)) : type.toLowerCase() === word);
		});
}

/** What is wrong with a reference, by the prompt's rules; "" when nothing is. */
export function checkFile(rules: { [rule: string]: unknown }, value: unknown): string {
	const { uri = '', name = '', size, mimeType = '' } = held(value);
	if (!/^[a-zA-Z][a-zA-Z0-9+.-]*:\S+$/.test(uri)) return 'Write the address of the file, with its scheme: file:///home/me/picture.png';
	if (typeof size !== 'number' || size < 0) return 'Write the size of the file in bytes.';
	const most = rules['maxSize'];
	if (typeof most === 'number' && size > most) return `The file is too large: at most ${sizeWords(most)}.`;
	return isTaken(rules['accept'], mimeType, name) ? '' : `Files of this type are not taken: ${(rules['accept'] as unknown[]).join(', ')}`;
}

async function inlined(file: File): Promise<string | undefined> {
	if (file.size > INLINE) return undefined;
	const octets = new Uint8Array(await file.arrayBuffer());
	let text = '';
	for (const octet of octets) text += String.fromCharCode(octet);
	return `data:${file.type || 'application/octet-stream'};base64,${btoa(text)}`;
}

export function FileControl({ value, onChange, rules, ...field }: ControlProps & { rules: { [rule: string]: unknown } }) {
	const file = held(value);
	const [id, uriId, nameId, sizeId, typeId] = [useId(), useId(), useId(), useId(), useId()];
	const [failure, setFailure] = useState('');
	const isInline = file.uri.startsWith('data:');
	const put = (change: Partial<FileReference>) => {
		const next = { ...file, ...change };
		onChange(next.uri === '' && !next.name && next.size === undefined && !next.mimeType ? undefined : next);
	};
	const choose = async (chosen: File | undefined) => {
		if (!chosen) return;
		setFailure('');
		try {
			const uri = await inlined(chosen);
			onChange({ uri: uri ?? (isInline ? '' : file.uri), name: chosen.name, size: chosen.size, ...(chosen.type ? { mimeType: chosen.type } : {}) });
		} catch (error) {
			setFailure(`The file cannot be read: ${(error as Error).message}`);
		}
	};
	return (
		<Group {...field} error={field.error || failure}>
			<div class="form-file">
				<div class="field">
					<label for={id}>Choose a file</label>
					<input
						id={id}
						type="file"
						accept={Array.isArray(rules['accept']) ? rules['accept'].join(',') : undefined}
						onChange={(event) => void choose(event.currentTarget.files?.[0])}
					/>
					<span class="hint">Files up to {sizeWords(INLINE)} go along whole; of larger ones write where they lie.</span>
				</div>
				<div class="field">
					<label for={uriId}>Address</label>
					{isInline ? (
						<div class="row">
							<span class="grows soft">The file itself goes along ({sizeWords(file.size ?? 0)}).</span>
							<button type="button" class="button is-small" onClick={() => put({ uri: '' })}>
								Write an address instead
							</button>
						</div>
					) : (
						<input
							id={uriId}
							type="text"
							autocomplete="off"
							spellcheck={false}
							placeholder="file:///home/me/picture.png"
							value={file.uri}
							onInput={(event) => put({ uri: event.currentTarget.value.trim() })}
						/>
					)}
				</div>
				<div class="form-file-facts">
					<div class="field">
						<label for={nameId}>Name</label>
						<input
							id={nameId}
							type="text"
							autocomplete="off"
							value={file.name ?? ''}
							onInput={(event) => put({ name: event.currentTarget.value })}
						/>
					</div>
					<div class="field">
						<label for={sizeId}>Size in bytes</label>
						<input
							id={sizeId}
							type="text"
							inputMode="numeric"
							autocomplete="off"
							value={file.size ?? ''}
							onInput={(event) => {
								const text = event.currentTarget.value.trim();
								const { size: _, ...rest } = file;
								onChange(/^\d{1,15}$/.test(text) ? { ...rest, size: Number(text) } : rest);
							}}
						/>
					</div>
					<div class="field">
						<label for={typeId}>Type</label>
						<input
							id={typeId}
							type="text"
							autocomplete="off"
							placeholder="image/png"
							value={file.mimeType ?? ''}
							onInput={(event) => put({ mimeType: event.currentTarget.value.trim() })}
						/>
					</div>
				</div>
			</div>
		</Group>
	);
}
