import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { FreshExecutor } from './fresh-executor.ts';
import { testVaultKey } from './test-vault.ts';

/** A process that is a node and sends what waits, until it is killed. */
export function startNodeThatSends(hub: FreshExecutor) {
  const program = fileURLToPath(new URL('node-that-sends.ts', import.meta.url));
  const env = {
    ...process.env,
    TEST_DATABASE: JSON.stringify(hub.database.address),
    TEST_NOW: hub.now().toISOString(),
    TEST_VAULT_KEY: testVaultKey.toString('hex'),
  };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const closed = once(child, 'close');
  return {
    kill: () => child.kill('SIGKILL'),
    async isKilled() {
      await closed;
      expect(child.signalCode).toBe('SIGKILL');
    },
  };
}
