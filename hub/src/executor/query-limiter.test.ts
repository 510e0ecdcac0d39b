import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { ActionError, type ActionName, type Actor } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { absentId, anonymous, system, userActor } from '../../test/fresh-executor.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';
import { createExecutor, type Caller, type Executor } from './executor.ts';
import type { AnyHandler } from './handler.ts';

const userId = absentId('user');
const user = userActor(userId);
const token: Actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId: absentId('userTokenId') };
const device: Actor = {
  actor: 'Device',
  kind: 'Device',
  deviceId: absentId('device'),
  tokenId: absentId('deploymentTokenId'),
};

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

let executor: Executor;
let running: number;
let end: () => void;
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  running = 0;
  end = resolve;
  const hanging: AnyHandler = {
    authorize: () => undefined,
    async run() {
      running += 1;
      await promise;
      return {};
    },
  };
  executor = createExecutor({
    handlers: { projects_QueryProjects: hanging, users_QueryUsers: hanging },
    db: database.db,
    openingDb: database.db,
    now: () => new Date(),
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit: () => {},
    log: { error: () => {} },
  });
});

const bounds = { isReadOnly: false, isLimited: false };
function ask(
  actor: Actor,
  more: Partial<Caller> = {},
  name: ActionName = 'projects_QueryProjects',
  input = {},
) {
  const caller = { actor, origin: actor === token ? { tokenBounds: bounds } : {}, ...more };
  return executor.execute(caller, name, input);
}
const times = (count: number, work: (index: number) => Promise<unknown>) =>
  Array.from({ length: count }, (_, index) => work(index));

test('twelve queries of a user run at a time, with all sessions and tokens, and sixteen of all users; two of a device, and three of all devices', async () => {
  const ofUser = times(20, (index) => ask(index % 2 === 0 ? user : token));
  await turnOfEventLoop();
  expect(running).toBe(12);
  const ofOther = times(20, () => ask(userActor(absentId('user'))));
  await turnOfEventLoop();
  expect(running).toBe(16);
  const ofDevices = [
    ...times(5, () => ask(device)),
    ...times(5, () => ask({ ...device, deviceId: absentId('device') })),
  ];
  await turnOfEventLoop();
  expect(running).toBe(16 + 3);
  end();
  await Promise.all([...ofUser, ...ofOther, ...ofDevices]);
  expect(running).toBe(20 + 20 + 10);
});

test('queries of the hub, for itself, for people without an account or about rights, do not wait behind them', async () => {
  const ofUser = times(20, () => ask(user));
  const others = [
    ...times(50, (index) => ask(index % 2 === 0 ? system : anonymous)),
    ask(user, { isOfHub: true }),
  ];
  await turnOfEventLoop();
  expect(running).toBe(12 + 51);
  end();
  await Promise.all([...ofUser, ...others]);
});

test('searches have turns of their own, which slow queries do not take', async () => {
  const ofUser = times(20, () => ask(user));
  const search = ask(user, {}, 'users_QueryUsers', { search: 'ann' });
  await vi.waitFor(() => expect(running).toBe(12 + 1));
  end();
  await Promise.all([...ofUser, search]);
});

test('a thousand more of a caller wait; further ones are refused with a sentence', async () => {
  const accepted = times(1_012, () => ask(user));
  const refusal = ask(token);
  await expect(refusal).rejects.toThrow(ActionError);
  await expect(refusal).rejects.toMatchObject({
    kind: 'Throttled',
    message: 'Too many of your queries are waiting. Try again in 5 seconds.',
    retryAfterSecs: 5,
  });
  end();
  await Promise.all(accepted);
});
