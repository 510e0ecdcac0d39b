import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildAgentWhenStale } from './build-agent.ts';
import { repositoryRoot } from './source-files.ts';

test('the built agent is one file that runs alone', async () => {
  await buildAgentWhenStale();
  const folder = mkdtempSync(join(tmpdir(), 'corral-agent-'));
  try {
    const file = join(folder, 'corral-agent.mjs');
    copyFileSync(join(repositoryRoot, 'agent/dist/corral-agent.mjs'), file);
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8', env: {} });
    expect(run('certificate', 'fingerprint', '--state', 'state')).toMatch(
      /^([0-9A-F]{2}:){31}[0-9A-F]{2}\n$/,
    );
    expect(run('--help')).toContain('run');
    expect(readdirSync(join(folder, 'state')).sort()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
