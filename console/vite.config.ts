// SPDX-License-Identifier: Apache-2.0
// Everything lands in one folder that the gateway embeds: index.html, and assets whose names hold their hash.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
	root: at('.'),
	base: './',
	resolve: { alias: { 'hustings-client': at('../clients/ts/src/index.ts') } },
	oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
	build: {
		outDir: process.env.HUSTINGS_CONSOLE ?? at('dist'),
		emptyOutDir: true,
		target: 'es2022',
		cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // the first that know light-dark()
		modulePreload: { polyfill: false },
		assetsInlineLimit: 0, // the page's policy takes no data: URLs but for pictures
		cssMinify: true,
	},
	server: { proxy: { '^/(v0|admin|mcp|metrics|healthz|readyz)': { target: 'http://127.0.0.1:7410', ws: true } } },
});
