import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { balancer } from './balancer.ts';

test('nginx accepts the configuration in front of the hubs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'corral-balancer-'));
  try {
    const { executable, args } = balancer(folder, 8_080, [8_081, 8_082, 8_083]);
    const { stderr } = spawnSync(executable, ['-t', ...args], { encoding: 'utf8' });
    expect(stderr).toContain('test is successful');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
