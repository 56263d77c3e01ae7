// SPDX-License-Identifier: Apache-2.0
/** Call tool: a participant, one of its tools, its arguments as a form; who is restricted proposes the call, with the reason. */
import type { Tool } from 'hustings-client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog';
import { checkForm, firstValue, focusWrong, SchemaForm, type Errors } from '../../parts/form';
import { Json } from '../../parts/json';
import { plain, plainLine } from '../../parts/plain';
import type { RoomStore } from '../../stores/room_store';
import { isDestructive, refusalWords } from '../../stores/room_words';
import { callTool, proposeTool } from './acts';

const LISTED = 100;

interface Wish {
	to: string;
	tool?: string | undefined;
}

function useTools(store: RoomStore, to: string): { tools?: Tool[] | undefined; wrong?: string } {
	const [state, setState] = useState<{ of: string; tools?: Tool[]; wrong?: string }>({ of: to });
	useEffect(() => {
		let isOver = false;
		if (to !== '')
			store.toolsOf(to).then(
				(tools) => {
					if (!isOver) setState({ of: to, tools });
				},
				(error) => {
					if (!isOver) setState({ of: to, wrong: refusalWords(error) });
				},
			);
		return () => {
			isOver = true;
		};
	}, [store, to]);
	return state.of === to ? state : {};
}

function Choice({ tools, chosen, onChoose }: { tools: Tool[]; chosen: string; onChoose: (name: string) => void }) {
	const [words, setWords] = useState('');
	const found = tools.filter(({ name, description = '' }) => `${name} ${description}`.toLowerCase().includes(words.toLowerCase()));
	return (
		<div class="field">
			<span class="label" id="room-call-tools">
				Tool
			</span>
			{tools.length > 8 && (
				<input
					type="search"
					aria-label="Find a tool"
					placeholder="Find a tool"
					value={words}
					onInput={(event) => setWords(event.currentTarget.value)}
				/>
			)}
			<div class="room-call-tools" role="radiogroup" aria-labelledby="room-call-tools">
				{found.slice(0, LISTED).map((tool) => (
					<label key={tool.name} class="room-call-tool">
						<input type="radio" name="room-call-tool" checked={tool.name === chosen} onChange={() => onChoose(tool.name)} />
						<span class="grows">
							<span class="call-tool">{plainLine(tool.name, 100)}</span>
							{isDestructive(tool) && <span class="badge is-warn">may change things</span>}
							{tool.description && <span class="small soft breaks room-call-words">{plainLine(tool.description, 240)}</span>}
						</span>
					</label>
				))}
				{found.length === 0 && <p class="small soft">No tool of these words.</p>}
				{found.length > LISTED && <p class="small soft">{found.length - LISTED} more: find them by words.</p>}
			</div>
		</div>
	);
}

function Sure({ to, tool, args, isBusy, onBack, onRun }: { to: string; tool: Tool; args: unknown; isBusy: boolean; onBack: () => void; onRun: () => void }) {
	return (
		<>
			<p class="breaks">
				This may change or destroy something: <strong>{plainLine(to)}</strong> runs <code>{plainLine(tool.name)}</code> with these arguments.
			</p>
			<Json value={args} label="Arguments" />
			<div class="dialog-foot">
				<button type="button" class="button" onClick={onBack}>
					Back
				</button>
				<button type="button" class="button is-danger" disabled={isBusy} onClick={onRun}>
					Run it
				</button>
			</div>
		</>
	);
}

export function CallTool({ store, wish, onClose, onSent }: { store: RoomStore; wish: Wish; onClose: () => void; onSent: () => void }) {
	const people = store.people.value.filter(({ id }) => id !== store.me.value?.id);
	const [to, setTo] = useState(wish.to);
	const [name, setName] = useState(wish.tool ?? '');
	const [written, setWritten] = useState<{ of?: Tool | undefined; value?: any }>({});
	const [found, setFound] = useState<{ of?: Tool | undefined; errors: Errors }>({ errors: {} });
	const [reason, setReason] = useState('');
	const [isSure, setSure] = useState(false);
	const [isBusy, setBusy] = useState(false);
	const [wrong, setWrong] = useState('');
	const form = useRef<HTMLFormElement>(null);
	const { tools, wrong: wrongTools } = useTools(store, to);
	const tool = tools?.find((one) => one.name === name);
	const isRestricted = store.me.value?.privilege === 'restricted';
	/* Of each tool what is written for it, from the first moment on. */
	const first = useMemo(() => (tool ? firstValue(tool.inputSchema) : undefined), [tool]);
	const value = written.of === tool ? written.value : first;
	const errors = found.of === tool ? found.errors : {};

	const run = async () => {
		setBusy(true);
		setWrong('');
		try {
			await (isRestricted ? proposeTool(store, to, name, value ?? {}, reason) : callTool(store, to, name, value ?? {}));
			onSent();
			onClose();
		} catch (error) {
			setWrong(refusalWords(error));
			setBusy(false);
		}
	};
	const submit = () => {
		const wrongs = checkForm(tool!.inputSchema, value ?? {});
		setFound({ of: tool, errors: wrongs });
		if (Object.keys(wrongs).length > 0) focusWrong(form.current);
		else if (!isRestricted && isDestructive(tool)) setSure(true);
		else void run();
	};
	return (
		<Dialog title={isRestricted ? 'Propose a call' : 'Call a tool'} isWide isKept={written.value !== undefined || isSure} onClose={onClose}>
			{wrong !== '' && (
				<p class="room-wrong breaks" role="alert">
					{plain(wrong)}
				</p>
			)}
			{isSure && tool ? (
				<Sure to={to} tool={tool} args={value ?? {}} isBusy={isBusy} onBack={() => setSure(false)} onRun={() => void run()} />
			) : (
				<form
					class="column"
					ref={form}
					noValidate
					onSubmit={(event) => {
						event.preventDefault();
						if (tool && !isBusy) submit();
					}}
				>
					<label class="field">
						<span class="label">Participant</span>
						<select
							value={to}
							onChange={(event) => {
								setTo(event.currentTarget.value);
								setName('');
							}}
						>
							<option value="">Choose one</option>
							{people.map((one) => (
								<option key={one.id} value={one.id}>
									{plainLine(one.id, 80)}
									{one.kind ? `, ${one.kind}` : ''}
								</option>
							))}
						</select>
					</label>
					{to !== '' && !tools && wrongTools === undefined && (
						<p class="soft small" aria-busy="true">
							Asking {plainLine(to)} for its tools …
						</p>
					)}
					{wrongTools !== undefined && <p class="room-wrong small breaks">Its tools could not be asked for: {plain(wrongTools)}</p>}
					{tools?.length === 0 && <p class="soft small">It offers no tools.</p>}
					{tools && tools.length > 0 && <Choice tools={tools} chosen={name} onChoose={setName} />}
					{tool && <SchemaForm key={`${to} ${name}`} schema={tool.inputSchema} value={value} onChange={(value) => setWritten({ of: tool, value })} errors={errors} />}
					{isRestricted && (
						<label class="field">
							<span class="label">Why it should run</span>
							<input value={reason} maxLength={500} onInput={(event) => setReason(event.currentTarget.value)} />
							<span class="hint">You are restricted here: somebody with full privilege reads this and decides.</span>
						</label>
					)}
					<div class="dialog-foot">
						<button type="button" class="button" onClick={onClose}>
							Close
						</button>
						<button type="submit" class="button is-main" disabled={!tool || isBusy}>
							{isRestricted ? 'Propose' : isBusy ? 'Calling …' : 'Call'}
						</button>
					</div>
				</form>
			)}
		</Dialog>
	);
}
