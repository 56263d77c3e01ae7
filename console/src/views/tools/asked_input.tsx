// SPDX-License-Identifier: Apache-2.0
/** Asked input: what a running call wants to know from the person who made it (elicitation): a form, or a page elsewhere to open. */
import type { InputQuestion } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog';
import { checkForm, SchemaForm, type Errors } from '../../parts/form';
import { PeerLink } from '../../parts/markdown';
import { plain } from '../../parts/plain';

export interface Asked { question: InputQuestion; answer: (reply: { action: 'accept' | 'decline' | 'cancel'; content?: any }) => void }

export function AskedInput({ asked: { question, answer } }: { asked: Asked }) {
	const { message, requestedSchema, url } = question.params ?? {};
	const [value, setValue] = useState<any>({});
	const [errors, setErrors] = useState<Errors>({});
	const isForm = question.method === 'elicitation/create' && requestedSchema !== undefined;
	const submit = (event: Event) => {
		event.preventDefault();
		const wrong = isForm ? checkForm(requestedSchema, value) : {};
		setErrors(wrong);
		if (Object.keys(wrong).length === 0) answer(isForm ? { action: 'accept', content: value ?? {} } : { action: 'accept' });
	};
	return (
		<Dialog title="The tool asks" onClose={() => answer({ action: 'cancel' })}>
			<form class="column" noValidate onSubmit={submit}>
				<p class="breaks">{plain(String(message ?? 'It needs to know more.'))}</p>
				{isForm && <SchemaForm schema={requestedSchema} value={value} onChange={setValue} errors={errors} label="Answer" />}
				{!isForm && typeof url === 'string' && <p><PeerLink href={url}>{plain(url)}</PeerLink></p>}
				<div class="dialog-foot">
					<button type="button" class="button" onClick={() => answer({ action: 'decline' })}>Decline</button>
					<button type="submit" class="button is-main">{isForm ? 'Answer' : 'Go on'}</button>
				</div>
			</form>
		</Dialog>
	);
}
