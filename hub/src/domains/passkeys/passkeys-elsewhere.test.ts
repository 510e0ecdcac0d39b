import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import { freshExecutor } from '../../../test/fresh-executor.ts';
import { passkeysElsewhere } from './index.ts';

test('whose passkeys work only at a former name of the hub is said, with how many users that are', async () => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  const add = async (email: string, rpIds: readonly string[]) => {
    const { userId } = await hub.user(email);
    const rows = rpIds.map((rpId, index) => ({
      credential_id: `${email}-${index}`,
      user_id: ids.user.raw(userId),
      name: 'Laptop',
      rp_id: rpId,
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: [],
      is_backed_up: false,
      created_at: hub.now(),
    }));
    await db.insertInto('passkeys').values(rows).execute();
  };
  await add('ann@example.org', ['new.example.org']);
  expect(await passkeysElsewhere(db, 'new.example.org')).toBeUndefined();
  await add('bea@example.org', ['old.example.org', 'old.example.org', 'new.example.org']);
  expect(await passkeysElsewhere(db, 'new.example.org')).toMatch(
    /^1 user has passkeys that work only at old\.example\.org, and this hub is new\.example\.org now, where nobody can add one: .* run: npm start -- move-passkeys\.$/,
  );
  await add('carl@example.org', ['older.example.org']);
  expect(await passkeysElsewhere(db, undefined)).toMatch(
    /^3 users have passkeys that work only at new\.example\.org, old\.example\.org, older\.example\.org, and this hub has no name/,
  );
});
