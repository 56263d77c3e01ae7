// SPDX-License-Identifier: Apache-2.0
/** Permissions: those that a server asks for, each with what it lets it do; what is not ticked is denied. */
import { Group } from '../../parts/form/field';
import { plainLine } from '../../parts/plain';
import { RiskBadge } from '../../parts/risk';

const KNOWN: Record<string, [words: string, risk: string]> = {
	'filesystem.read': ['reads files of this machine', 'moderate'],
	'filesystem.write': ['writes, creates and deletes files', 'dangerous'],
	'network.outbound': ['makes requests to the network', 'moderate'],
	'network.listen': ['listens on a network port', 'dangerous'],
	'shell.execute': ['runs shell commands', 'dangerous'],
	code_execution: ['runs any code', 'dangerous'],
	'memory.read': ['reads from memory and knowledge stores', 'safe'],
	'memory.write': ['writes to memory and knowledge stores', 'moderate'],
	'system.info': ['reads what this system is', 'safe'],
	camera: ['uses cameras', 'dangerous'],
	notification: ['sends notifications', 'safe'],
};

export function Permissions({
	names,
	granted,
	onChange,
}: {
	names: readonly string[];
	granted: ReadonlySet<string>;
	onChange: (granted: ReadonlySet<string>) => void;
}) {
	const toggle = (name: string) => {
		const next = new Set(granted);
		if (!next.delete(name)) next.add(name);
		onChange(next);
	};
	return (
		<Group label="It asks for" hint="What is not ticked is denied.">
			<div class="form-choices">
				{names.map((name) => (
					<label key={name} class="form-choice">
						<input type="checkbox" checked={granted.has(name)} onChange={() => toggle(name)} />
						<span class="grows breaks">
							<code>{plainLine(name)}</code>
							{KNOWN[name] && <span class="soft small"> · {KNOWN[name][0]}</span>}
						</span>
						{KNOWN[name] && <RiskBadge risk={KNOWN[name][1]} />}
					</label>
				))}
			</div>
		</Group>
	);
}
