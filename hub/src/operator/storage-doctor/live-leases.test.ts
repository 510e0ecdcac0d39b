import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { deletingAsset, hubWith, settingsOf } from '../../../test/hub-with-settings.ts';
import { runHub } from '../../../test/run-hub.ts';
import { doubleOfTest } from '../../../test/two-hubs.ts';

const clockAhead = fileURLToPath(new URL('../../../test/clock-ahead.ts', import.meta.url));

test('a command on a machine whose clock is ahead leaves alone what a running hub has leased', async () => {
  const store = await doubleOfTest();
  const { invoke, env, database } = await hubWith(settingsOf(store.settings));
  const { deletions } = await deletingAsset(store, invoke);
  const ahead = { NODE_OPTIONS: `--import=${clockAhead}`, CLOCK_AHEAD_MS: '600000' };
  const outcome = await runHub(['storage', 'doctor', '--fix', '--json'], { ...env, ...ahead });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(deletions()).toBe(1);
  const rows = await database.db.selectFrom('assets').select('status').execute();
  expect(rows).toEqual([{ status: 'Deleting' }]);
});
