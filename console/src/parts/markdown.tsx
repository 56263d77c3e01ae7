// SPDX-License-Identifier: Apache-2.0
/**
 * Markdown: a text of a peer as nodes, never as markup: HTML in it is shown as the text that it is, pictures are links, and links
 * lead to http, https and mailto alone. What is too long or too deep is shown as it stands.
 */
import './markdown.css';
import type { Token, Tokens } from 'marked';
import type { ComponentChild, ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { safeAddress, tokensOf, unescaped } from './markdown_tokens';
import { plain } from './plain';

const DEEPEST = 12;
const AT_FIRST = 4000;

export function PeerLink({ href, children }: { href: string; children: ComponentChildren }) {
	const address = safeAddress(href);
	if (address === undefined)
		return (
			<>
				{children}
				{href !== '' && <span class="soft"> ({plain(href)})</span>}
			</>
		);
	return (
		<a href={address} rel="noopener noreferrer" target="_blank" title={plain(address)}>
			{children}
		</a>
	);
}

function inside(token: Token, depth: number): ComponentChild {
	const { tokens, text } = token as Tokens.Generic;
	return tokens && depth < DEEPEST ? nodes(tokens, depth + 1) : plain(unescaped(String(text ?? token.raw)));
}

function list(token: Tokens.List, depth: number): ComponentChild {
	const items = token.items.map((item, at) => (
		<li key={at} class={item.task ? 'is-task' : undefined}>
			{depth < DEEPEST ? nodes(item.tokens, depth + 1) : plain(item.text)}
		</li>
	));
	return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table, depth: number): ComponentChild {
	const cell = (one: Tokens.TableCell, at: number, Tag: 'th' | 'td') => (
		<Tag key={at} class={one.align ? `align-${one.align}` : undefined}>
			{nodes(one.tokens, depth + 1)}
		</Tag>
	);
	return (
		<div class="scrolls" tabIndex={0} role="region" aria-label="Table">
			<table class="table">
				<thead>
					<tr>{token.header.map((one, at) => cell(one, at, 'th'))}</tr>
				</thead>
				<tbody>
					{token.rows.map((row, number) => (
						<tr key={number}>{row.map((one, at) => cell(one, at, 'td'))}</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function node(token: Token, depth: number): ComponentChild {
	switch (token.type) {
		case 'space':
		case 'def':
			return null;
		case 'hr':
			return <hr />;
		case 'br':
			return <br />;
		case 'heading': {
			const Tag = (['h4', 'h5', 'h6'] as const)[Math.min(token.depth, 3) - 1] ?? 'h6';
			return <Tag class={token.depth === 1 ? 'is-first' : undefined}>{inside(token, depth)}</Tag>;
		}
		case 'paragraph':
			return <p>{inside(token, depth)}</p>;
		case 'blockquote':
			return <blockquote>{inside(token, depth)}</blockquote>;
		case 'code':
			return (
				<pre tabIndex={0} role="region" aria-label={token.lang ? `Code, ${plain(token.lang)}` : 'Code'}>
					<code>{plain(token.text)}</code>
				</pre>
			);
		case 'list':
			return list(token as Tokens.List, depth);
		case 'table':
			return table(token as Tokens.Table, depth);
		case 'strong':
			return <strong>{inside(token, depth)}</strong>;
		case 'em':
			return <em>{inside(token, depth)}</em>;
		case 'del':
			return <del>{inside(token, depth)}</del>;
		case 'codespan':
			return <code>{plain(token.text)}</code>;
		case 'checkbox':
			return <input type="checkbox" checked={token.checked === true} disabled aria-label={token.checked === true ? 'done' : 'not done'} />;
		case 'link':
			return <PeerLink href={token.href}>{inside(token, depth)}</PeerLink>;
		case 'image':
			return <PeerLink href={token.href}>{plain(unescaped(token.text)) || 'a picture'}</PeerLink>;
		case 'html':
			return plain(token.raw);
		case 'text':
			return (token as Tokens.Text).tokens ? inside(token, depth) : plain(unescaped(token.text));
		default:
			return plain((token as Tokens.Generic).raw);
	}
}

function nodes(tokens: Token[], depth: number): ComponentChild[] {
	return tokens.map((token) => node(token, depth));
}

/** A text as it stands; of a long one the beginning, and the rest when it is wanted. */
export function PlainText({ text }: { text: string }) {
	const [isAll, setAll] = useState(false);
	const shown = useMemo(() => plain(isAll || text.length <= AT_FIRST ? text : text.slice(0, AT_FIRST)), [text, isAll]);
	const isLong = text.length > AT_FIRST;
	return (
		<>
			<div
				class={`markdown-plain${isLong && isAll ? ' markdown-all' : ''}`}
				{...(isLong && isAll ? { tabIndex: 0, role: 'region', 'aria-label': 'The whole text' } : {})}
			>
				{shown}
				{isLong && !isAll && ' …'}
			</div>
			{isLong && (
				<button type="button" class="button is-small" onClick={() => setAll(!isAll)}>
					{isAll ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`}
				</button>
			)}
		</>
	);
}

export function Markdown({ text }: { text: string }) {
	const tokens = useMemo(() => tokensOf(text), [text]);
	return <div class="markdown">{tokens ? nodes(tokens, 0) : <PlainText text={text} />}</div>;
}
