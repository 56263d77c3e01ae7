// SPDX-License-Identifier: Apache-2.0
/** Json: a value as it came, indented; long ones scroll in their own box, which the keyboard reaches. */
export function Json({ value, label }: { value: unknown; label: string }) {
	const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
	return <pre class="json" tabIndex={0} role="region" aria-label={label}>{text ?? ''}</pre>;
}
