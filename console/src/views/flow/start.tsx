// SPDX-License-Identifier: Apache-2.0
/** Start: every hosted tool that this person may use, to be led through; what it will ask for stands beside it. */
import { useState } from 'preact/hooks';
import type { Tool } from 'hustings-client';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { Page } from '../../parts/page';
import { plain, plainLine } from '../../parts/plain';
import { readCatalogue, type Offer } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';
import { to } from '../../stores/route';

const EVERY_MS = 15_000;
const SHOWN = 200;

function needsOf(tool: Tool): string {
	const required: string[] = Array.isArray(tool.inputSchema?.required) ? tool.inputSchema.required.map(String) : [];
	if (required.length === 0) return 'asks for nothing that is needed';
	const shown = required
		.slice(0, 6)
		.map((one) => plainLine(one, 40))
		.join(', ');
	return `asks for ${shown}${required.length > 6 ? ` and ${required.length - 6} more` : ''}`;
}

function fits({ server }: Offer, tool: Tool, words: string): boolean {
	const all = `${server} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
	return words
		.toLowerCase()
		.split(/\s+/)
		.every((word) => all.includes(word));
}

export function FlowStart() {
	const { value, error, again } = usePoll(readCatalogue, EVERY_MS);
	const [words, setWords] = useState('');
	const found = (value ?? []).flatMap((offer) => offer.tools.filter((tool) => fits(offer, tool, words)).map((tool) => ({ offer, tool })));
	return (
		<Page title="Guided" words="Choose a tool; it is led through question by question, and runs when everything is answered." isReading>
			{error && !value && <Failed error={error} again={again} />}
			{!value && !error && <Waiting what="the tools" />}
			{value && (
				<>
					<div class="field">
						<label for="flow-find">Find a tool</label>
						<input id="flow-find" type="search" autocomplete="off" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
					</div>
					<p class="small soft" role="status">
						{found.length === 1 ? '1 tool' : `${found.length} tools`}
					</p>
					{found.length === 0 && (
						<Empty icon="flow" title={words === '' ? 'There is no tool here that you may use' : 'No tool has these words'}>
							{words === '' ? 'Hosted servers bring tools; an administrator lets you use them.' : 'Fewer words find more.'}
						</Empty>
					)}
					<ul class="flow-tools">
						{found.slice(0, SHOWN).map(({ offer, tool }) => (
							<li key={`${offer.server} ${tool.name}`}>
								<a href={to('flow', offer.server, tool.name)}>
									<span class="soft">
										<Icon name="flow" />
									</span>
									<span class="grows">
										<span class="strong breaks">{plainLine(tool.title ?? tool.name, 120)}</span>
										<span class="small soft breaks flow-under">{plainLine(plain(tool.description ?? ''), 160)}</span>
										<span class="tiny soft breaks flow-under">
											{plainLine(offer.server, 60)} · {needsOf(tool)}
										</span>
									</span>
								</a>
							</li>
						))}
					</ul>
					{found.length > SHOWN && <p class="soft">{found.length - SHOWN} more: find them by a word.</p>}
				</>
			)}
		</Page>
	);
}
