import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';
import { repositoryRoot } from './source-files.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'corral-build-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Copies a built program to an empty folder and runs it. */
function alone(built: string): { run: (...args: string[]) => string; text: string } {
  const file = join(folder, 'program.mjs');
  copyFileSync(join(repositoryRoot, built), file);
  return {
    text: readFileSync(file, 'utf8'),
    run: (...args) =>
      execFileSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8', env: {} }),
  };
}

/** The licence comment at the end of the program. */
const noticesIn = (text: string): string => text.slice(text.lastIndexOf('/*!'));

test('the built agent is one file that runs without other files and contains the licences of its libraries', async () => {
  await buildAgentWhenStale();
  const { run, text } = alone('agent/dist/corral-agent.mjs');
  expect(run('certificate', 'fingerprint', '--state', 'state')).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}\n$/);
  expect(run('--help')).toContain('run');
  expect(readdirSync(join(folder, 'state')).sort()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']);
  for (const library of ['commander', 'pino', '@peculiar/x509', 'systeminformation', 'smol-toml', 'zod'])
    expect(noticesIn(text)).toMatch(new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(noticesIn(text)).toContain('Apache License');
});

test('the built command line is one file that runs without other files and contains the licences of its libraries', async () => {
  await buildCliWhenStale();
  const { run, text } = alone('cli/dist/corral.mjs');
  expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run('forward', '--help')).toContain('LOCAL:REMOTE');
  for (const library of ['commander', 'smol-toml', 'zod'])
    expect(noticesIn(text)).toMatch(new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(noticesIn(text)).toContain('Permission is hereby granted');
});
