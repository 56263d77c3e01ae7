import { test } from 'node:test';
import { Gateway } from '/work/main/tests/e2e/lib/gateway.mjs';
import { McpHttpServer } from '/work/main/tests/e2e/lib/mcp_http_server.mjs';
import { legacy } from '/work/main/tests/e2e/lib/mcp_wire.mjs';
import { past, until, pause } from '/work/main/tests/e2e/lib/wait.mjs';
test('x', async () => {
	const server = await McpHttpServer.start();
	const gateway = await Gateway.start({ open: true, env: { T: 'hus_a-token-for-tests' }, set: {'gateway.log_level': 'debug'}, config: `[[servers]]\nid = "remote"\nurl = "${server.url}/mcp"\nheaders = { Authorization = "Bearer \${T}" }\n` });
	const session = await legacy(`${gateway.url}/mcp/servers/remote`);
	const a = await (await session.request('resources/subscribe', { uri: 'test://one' })).next();
	console.log(JSON.stringify(a));
	await until(() => server.subscribed.length > 0 && server.requests.some((one) => one.method === 'GET'), 'the subscription');
	await past(Date.now() + 1500);
	{ const { spawn } = await import('node:child_process'); globalThis.g = spawn('gdb', ['-q','-batch','-p',String(gateway.pid),'-ex','break hosted_http_forgotten','-ex','continue','-ex','finish','-ex','p *http','-ex','p http->deadline','-ex','p *http->loop','-ex','break tell_over','-ex','break hosted_child_ended','-ex','break hosted.c:settle','-ex','continue','-ex','bt 3','-ex','continue','-ex','bt 6','-ex','continue','-ex','bt 4','-ex','continue', '-ex', 'bt 3']); let o=''; g.stdout.on('data', (d)=>o+=d); g.stderr.on('data', (d)=>o+=d); globalThis.out=()=>o; await pause(6000); }
	console.log('FORGET', server.requests.length);
	await server.forget();
	await pause(5000);
	for (const r of server.requests) console.log(r.method, r.headers['mcp-session-id'], r.headers['last-event-id'], JSON.stringify(r.body ?? null).slice(0, 120));
	console.log(out()); g.kill('SIGKILL');
	await gateway.stop(); await server.stop();
});
