// SPDX-License-Identifier: Apache-2.0
/**
 * SchemaForm: a form for an object, as its JSON Schema describes it. Who shows it keeps the value, checks it with checkForm(), and hands
 * in what is wrong by pointer. Defaults of the schema are filled in when the form begins empty.
 */
import './form.css';
import { useEffect } from 'preact/hooks';
import { pointerTo, type Errors } from './check';
import { ChoiceControl, YesControl } from './choices';
import { JsonControl, ListControl, NumberControl, TextControl, type ControlProps } from './controls';
import { Group } from './field';
import { factsOf, firstValue, isObject, type Facts, type Schema } from './schema';

const LONG = /(?:content|contents|text|body|message|code|script|sql|prompt|description|markdown|html|patch|diff|notes?)$/i;

interface NodeProps {
	schema: unknown;
	root: Schema;
	name: string;
	pointer: string;
	depth: number;
	isRequired: boolean;
	errors: Errors;
	value: unknown;
	onChange: (value: unknown) => void;
}

function hintOf(facts: Facts): string {
	const fallback = facts.schema['default'];
	const words = fallback !== undefined && fallback !== null && typeof fallback !== 'object' ? `Default: ${String(fallback)}` : '';
	return [facts.hint, words].filter(Boolean).join('\n').slice(0, 2200);
}

function Properties({ facts, root, pointer, depth, errors, value, onChange }: Omit<NodeProps, 'schema' | 'name' | 'isRequired'> & { facts: Facts }) {
	const held = isObject(value) ? value : {};
	const put = (name: string, one: unknown) => {
		const { [name]: _, ...rest } = held;
		onChange(one === undefined ? rest : { ...held, [name]: one });
	};
	/* What is needed comes first, otherwise in the schema's order. */
	const order = [...facts.properties].sort(([one], [other]) => Number(facts.required.has(other)) - Number(facts.required.has(one)));
	return (
		<>
			{order.map(([name, schema]) => (
				<Node
					key={name}
					schema={schema}
					root={root}
					name={name}
					pointer={pointerTo(pointer, name)}
					depth={depth + 1}
					isRequired={facts.required.has(name)}
					errors={errors}
					value={Object.hasOwn(held, name) ? held[name] : undefined}
					onChange={(one) => put(name, one)}
				/>
			))}
		</>
	);
}

function Node(props: NodeProps) {
	const { schema, root, name, pointer, depth, errors, value, onChange } = props;
	const facts = factsOf(schema, root, name, depth);
	const control: ControlProps = { label: facts.label, hint: hintOf(facts), error: errors[pointer], isRequired: props.isRequired, value, onChange };
	const { format, maxLength } = facts.schema;
	switch (facts.sort) {
		case 'text':
			return (
				<TextControl
					{...control}
					format={typeof format === 'string' ? format : undefined}
					isLong={(typeof maxLength === 'number' && maxLength > 200) || (format === undefined && LONG.test(name))}
				/>
			);
		case 'number':
			return <NumberControl {...control} />;
		case 'whole':
			return <NumberControl {...control} isWhole />;
		case 'yes':
			return <YesControl {...control} />;
		case 'choice':
			return <ChoiceControl {...control} choices={facts.choices} />;
		case 'list':
			return (
				<ListControl
					{...control}
					empty={factsOf(facts.items, root, '', depth).sort === 'text' ? '' : null}
					row={(at, one, put) => (
						<Node
							schema={{ ...facts.items, title: `${facts.label} ${at + 1}` }}
							root={root}
							name={name}
							pointer={pointerTo(pointer, at)}
							depth={99}
							isRequired
							errors={errors}
							value={one ?? undefined}
							onChange={put}
						/>
					)}
				/>
			);
		case 'object':
			return (
				<Group label={control.label} hint={control.hint} error={control.error} isRequired={control.isRequired} isBox>
					<Properties {...props} facts={facts} />
				</Group>
			);
		case 'json':
			return <JsonControl {...control} />;
	}
}

export function SchemaForm({
	schema,
	value,
	onChange,
	errors = {},
	label = 'Arguments',
	isRequired = false,
}: {
	schema: unknown;
	value: unknown;
	onChange: (value: any) => void;
	errors?: Errors;
	label?: string;
	isRequired?: boolean;
}) {
	const root = isObject(schema) ? schema : {};
	const facts = factsOf(schema, root, label, 0);
	useEffect(() => {
		const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
		const first = isEmpty ? firstValue(schema, root) : undefined;
		if (first !== undefined && JSON.stringify(first) !== JSON.stringify(value ?? {})) onChange(first);
	}, [schema]);
	const isNothing = facts.schema['type'] === 'object' && facts.properties.length === 0 && facts.schema['additionalProperties'] === false;
	if (isNothing) return <p class="soft">It takes no arguments.</p>;
	return (
		<div class="form">
			{facts.sort === 'object' && errors[''] && (
				<p class="notice is-danger breaks" role="alert">
					{errors['']}
				</p>
			)}
			{facts.sort === 'object' ? (
				<Properties facts={facts} root={root} pointer="" depth={0} errors={errors} value={value} onChange={onChange} />
			) : (
				<Node
					schema={schema}
					root={root}
					name={label}
					pointer=""
					depth={0}
					isRequired={isRequired}
					errors={errors}
					value={value}
					onChange={onChange}
				/>
			)}
		</div>
	);
}

/** The keyboard goes to what is wrong first. */
export function focusWrong(place: HTMLElement | null): void {
	requestAnimationFrame(() => {
		const wrong = place?.querySelector<HTMLElement>(
			'input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"], [role="radiogroup"][aria-invalid="true"] input',
		);
		wrong?.focus();
	});
}
