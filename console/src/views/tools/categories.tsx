// SPDX-License-Identifier: Apache-2.0
/** Categories: where one could look, as an empty search tells it: each with how many tools stand in it; one at a time narrows. */
import { plain } from '../../parts/plain';
import { kernelFace } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';

const EVERY_MS = 30000;
const SHOWN = 60;

interface Category { name: string; tools: number }

async function read(): Promise<Category[]> {
	const { categories } = await kernelFace().find('');
	if (!Array.isArray(categories)) return [];
	const rows = categories.slice(0, SHOWN).map((row) => ({ name: String(row?.category ?? ''), tools: Number(row?.tools ?? 0) }));
	return rows.filter((one) => one.name !== '');
}

export function Categories({ chosen, onChoose }: { chosen: string; onChoose: (category: string) => void }) {
	const { value } = usePoll(read, EVERY_MS);
	if (!value || value.length === 0) return null;
	return (
		<fieldset class="field">
			<legend>Category</legend>
			<div class="row wraps tools-categories">
				{[{ name: '', tools: 0 }, ...value].map(({ name, tools }) => (
					<button key={name} type="button" class={`button is-small${name === chosen ? ' is-main' : ''}`} aria-pressed={name === chosen}
						onClick={() => onChoose(name)}>
						{name === '' ? 'all' : plain(name)}{tools > 0 && <span class="tools-count">{tools}</span>}
					</button>
				))}
			</div>
		</fieldset>
	);
}
