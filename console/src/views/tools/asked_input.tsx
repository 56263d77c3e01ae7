// SPDX-License-Identifier: Apache-2.0
/** Asked input: what a running call wants to know from the person who made it (elicitation): a form, or a page elsewhere to open. */
import type { InputQuestion } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog';
import { checkForm, SchemaForm, type Errors } from '../../parts/form';
import { PeerLink } from '../../parts/markdown';
import { plain } from '../../parts/plain';

export interface Asked { question: InputQuestion; answer: (reply: { action: 'accept' | 'decline' | 'cancel'; content?: any }) => void }

/** `by`: whose tool; `wrong`: why the answer did not leave; `onClose`: instead of putting the question aside. */
export function AskedInput({ asked: { question, answer }, by, wrong = '', onClose }: { asked: Asked; by?: string; wrong?: string; onClose?: () => void }) {
	const { message, requestedSchema, url } = question.params ?? {};
	const [value, setValue] = useState<any>({});
	const [errors, setErrors] = useState<Errors>({});
	const [isBegun, setBegun] = useState(false);
	const isForm = question.method === 'elicitation/create' && requestedSchema !== undefined;
	const submit = (event: Event) => {
		event.preventDefault();
		const wrong = isForm ? checkForm(requestedSchema, value) : {};
		setErrors(wrong);
		if (Object.keys(wrong).length === 0) answer(isForm ? { action: 'accept', content: value ?? {} } : { action: 'accept' });
	};
	return (
		<Dialog title={by === undefined ? 'The tool asks' : `${plain(by)} asks`} isKept={isBegun} onClose={onClose ?? (() => answer({ action: 'cancel' }))}>
			<form class="column" noValidate onInput={() => setBegun(true)} onSubmit={submit}>
				<p class="breaks">{plain(String(message ?? 'It needs to know more.'))}</p>
				{isForm && <SchemaForm schema={requestedSchema} value={value} onChange={setValue} errors={errors} label="Answer" />}
				{!isForm && typeof url === 'string' && <p><PeerLink href={url}>{plain(url)}</PeerLink></p>}
				{wrong && <p class="notice is-danger breaks" role="alert">{plain(wrong)}</p>}
				<div class="dialog-foot">
					<button type="button" class="button" onClick={() => answer({ action: 'decline' })}>Decline</button>
					<button type="submit" class="button is-main">{isForm ? 'Answer' : 'Go on'}</button>
				</div>
			</form>
		</Dialog>
	);
}
