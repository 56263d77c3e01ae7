// SPDX-License-Identifier: Apache-2.0
/** Result: what a tool answered, block by block: text as text (or markdown on wish), pictures from the answer itself, the rest by name. */
import './result.css';
import { useState } from 'preact/hooks';
import { Json } from './json';
import { Markdown, PeerLink, PlainText } from './markdown';
import { plain, plainLine } from './plain';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const PICTURE_MOST = 8 * 1024 * 1024;
const BLOCKS_MOST = 100;
const LOOKS_MARKED = /^(#{1,6} |```|\s*[-*+] \S|\s*\d+\. \S|\|.+\||> )|\*\*\S|\]\(https?:/m;

function octets(base64: unknown): string {
	const count = typeof base64 === 'string' ? Math.floor(base64.length * 0.75) : 0;
	return count >= 1024 * 1024 ? `${(count / 1024 / 1024).toFixed(1)} MiB` : count >= 1024 ? `${Math.round(count / 1024)} KiB` : `${count} octets`;
}

function asJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text) || text.length > 256 * 1024) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function TextBlock({ text }: { text: string }) {
	const [isMarked, setMarked] = useState(false);
	/* Digits that JavaScript would round stay as they came. */
	const value = /[\d.eE+-]{17}/.test(text) ? undefined : asJson(text);
	if (value !== undefined) return <Json value={value} label="Result as JSON" />;
	const canMark = LOOKS_MARKED.test(text.slice(0, 4000));
	return (
		<>
			<div class="result-text" tabIndex={0} role="region" aria-label="Result">
				{isMarked ? <Markdown text={text} /> : <PlainText text={text} />}
			</div>
			{canMark && (
				<button type="button" class="button is-quiet is-small result-mark" aria-pressed={isMarked} onClick={() => setMarked(!isMarked)}>
					{isMarked ? 'Show as it came' : 'Read as markdown'}
				</button>
			)}
		</>
	);
}

function Picture({ data, mimeType }: { data: string; mimeType: string }) {
	const isGood = PICTURES.includes(mimeType) && data.length <= PICTURE_MOST && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data);
	if (!isGood)
		return (
			<p class="small soft">
				A picture of type {plainLine(mimeType, 60)}, {octets(data)}: not shown.
			</p>
		);
	return <img class="result-picture" src={`data:${mimeType};base64,${data.replace(/\s+/g, '')}`} alt={`Picture in the result, ${octets(data)}`} />;
}

function Block({ block }: { block: any }) {
	if (block?.type === 'text' && typeof block.text === 'string') return <TextBlock text={block.text} />;
	if (block?.type === 'image' && typeof block.data === 'string') return <Picture data={block.data} mimeType={String(block.mimeType)} />;
	if (block?.type === 'audio')
		return (
			<p class="small soft">
				Sound of type {plainLine(String(block.mimeType), 60)}, {octets(block.data)}.
			</p>
		);
	if (block?.type === 'resource_link')
		return (
			<p class="small breaks">
				<PeerLink href={String(block.uri)}>{plainLine(String(block.title ?? block.name ?? block.uri))}</PeerLink>
				{block.description && <span class="soft"> {plainLine(String(block.description))}</span>}
			</p>
		);
	if (block?.type === 'resource' && typeof block.resource?.text === 'string')
		return (
			<>
				<p class="small soft breaks">{plainLine(String(block.resource.uri))}</p>
				<TextBlock text={block.resource.text} />
			</>
		);
	if (block?.type === 'resource')
		return (
			<p class="small soft breaks">
				{plainLine(String(block.resource?.uri))}, {octets(block.resource?.blob)}
			</p>
		);
	return <Json value={block} label="Part of the result" />;
}

function saysTheSame(blocks: any[], structured: unknown): boolean {
	return (
		blocks.length === 1 &&
		blocks[0]?.type === 'text' &&
		typeof blocks[0].text === 'string' &&
		JSON.stringify(asJson(blocks[0].text)) === JSON.stringify(structured)
	);
}

export function ToolResult({ result }: { result: any }) {
	const blocks: any[] | undefined = Array.isArray(result?.content) ? result.content : undefined;
	if (!blocks) return <Json value={result === undefined ? 'No answer.' : typeof result === 'string' ? plain(result) : result} label="Result" />;
	const structured = result.structuredContent;
	return (
		<div class={`result${result.isError === true ? ' is-error' : ''}`}>
			{result.isError === true && <span class="badge is-danger">the tool reports an error</span>}
			{blocks.slice(0, BLOCKS_MOST).map((block, at) => (
				<Block key={at} block={block} />
			))}
			{blocks.length > BLOCKS_MOST && <p class="small soft">{blocks.length - BLOCKS_MOST} more parts: see the raw envelopes.</p>}
			{blocks.length === 0 && structured === undefined && <p class="small soft">It answered with nothing.</p>}
			{structured !== undefined && !saysTheSame(blocks, structured) && <Json value={structured} label="Structured result" />}
		</div>
	);
}
