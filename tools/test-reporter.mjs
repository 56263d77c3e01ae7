// SPDX-License-Identifier: Apache-2.0
//
// A reporter for node:test that writes one JSON line per finished test, for tools/run-tests.

export default async function* report(source) {
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') path[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' && type === 'test:pass') continue;
    yield JSON.stringify({
      name: [...path.slice(0, data.nesting), data.name].join(' > '),
      passed: type === 'test:pass' && data.skip === undefined && data.todo === undefined,
      skipped: data.skip !== undefined || data.todo !== undefined,
      suite: data.details?.type === 'suite',
    }) + '\n';
  }
}
