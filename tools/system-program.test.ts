import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chromium } from './chromium.ts';
import { findFirefox, firefoxMissingNotice } from './firefox.ts';
import { findOnSystem, findOrInstall } from './system-program.ts';

const onPathAlone = { ...chromium, places: [] };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('finds a browser in PATH by its known names and skips a stub that does not run', () => {
  expect(findOnSystem(onPathAlone, { PATH: folder })).toBeUndefined();
  program('chromium', 'exit 1');
  const chrome = program('google-chrome', 'echo Chrome');
  expect(findOnSystem(onPathAlone, { PATH: folder })).toBe(chrome);
});

test('CORRAL_CHROMIUM overrides the search, and a wrong value is reported', () => {
  const own = program('own', 'echo Chromium');
  expect(findOrInstall(chromium, { CORRAL_CHROMIUM: own })).toBe(own);
  const missing = join(folder, 'missing');
  expect(() => findOrInstall(chromium, { CORRAL_CHROMIUM: missing, PATH: folder })).toThrow(
    /^CORRAL_CHROMIUM names .*missing/,
  );
});

test('Firefox is looked for and never installed; the sentence about its absence says how to install it', () => {
  expect(findFirefox({ PATH: folder })).toBeUndefined();
  const own = program('firefox', 'echo Mozilla Firefox');
  expect(findFirefox({ PATH: folder })).toBe(own);
  expect(findFirefox({ PATH: folder, CORRAL_FIREFOX: '/opt/firefox' })).toBe('/opt/firefox');
  expect(firefoxMissingNotice).toMatch(/left out: install it \(Debian: apt-get install firefox-esr\)/);
});
