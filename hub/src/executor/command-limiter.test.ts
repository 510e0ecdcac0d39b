import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { ActionError, type Actor } from '@corral/contract';
import { beforeEach, expect, test } from 'vitest';
import { absentId, anonymous, system, userActor } from '../../test/fresh-executor.ts';
import { CommandLimiter } from './command-limiter.ts';

const userId = absentId('user');
const user = userActor(userId);
const token: Actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId: absentId('userTokenId') };
const device: Actor = {
  actor: 'Device',
  kind: 'Device',
  deviceId: absentId('device'),
  tokenId: absentId('deploymentTokenId'),
};

let limiter: CommandLimiter;
let running: number;
let end: () => void;
let run: (actor: Actor) => Promise<void>;
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  limiter = new CommandLimiter();
  running = 0;
  end = resolve;
  run = (actor) =>
    limiter.run({ actor, origin: {} }, async () => {
      running += 1;
      await promise;
    });
});

test('eight commands of a user run at a time, with all sessions and tokens, and four of a device', async () => {
  const ofUser = Array.from({ length: 12 }, (_, index) => run(index % 2 === 0 ? user : token));
  await turnOfEventLoop();
  expect(running).toBe(8);
  const others = [...Array.from({ length: 6 }, () => run(device)), run(userActor(absentId('user')))];
  await turnOfEventLoop();
  expect(running).toBe(8 + 4 + 1);
  end();
  await Promise.all([...ofUser, ...others]);
  expect(running).toBe(12 + 6 + 1);
});

test('ten commands of all users run at a time, beside those of others', async () => {
  const ofUsers = Array.from({ length: 4 }, () => userActor(absentId('user'))).flatMap((actor) =>
    Array.from({ length: 8 }, () => run(actor)),
  );
  await turnOfEventLoop();
  expect(running).toBe(10);
  const others = [run(device), run(system)];
  await turnOfEventLoop();
  expect(running).toBe(10 + 2);
  end();
  await Promise.all([...ofUsers, ...others]);
  expect(running).toBe(32 + 2);
});

test('six commands of all devices run at a time, and five of one project', async () => {
  const ofProject = (projectId: string, count: number) =>
    Array.from({ length: count }, () => {
      const actor: Actor = { ...device, deviceId: absentId('device') };
      return limiter.run({ actor, origin: { projectId } }, () => run(system));
    });
  const first = ofProject('first', 20);
  await turnOfEventLoop();
  expect(running).toBe(5);
  const second = ofProject('second', 20);
  await turnOfEventLoop();
  expect(running).toBe(5 + 1);
  const people = [run(user), run(token)];
  await turnOfEventLoop();
  expect(running).toBe(5 + 1 + 2);
  end();
  await Promise.all([...first, ...second, ...people]);
  expect(running).toBe(40 + 2);
});

test('a thousand more of a caller wait; further ones are refused with a sentence', async () => {
  const accepted = Array.from({ length: 1_008 }, () => run(user));
  const refusal = run(token);
  await expect(refusal).rejects.toThrow(ActionError);
  await expect(refusal).rejects.toMatchObject({
    kind: 'Throttled',
    message: 'Too many of your commands are waiting. Try again in 5 seconds.',
    retryAfterSecs: 5,
  });
  end();
  await Promise.all(accepted);
});

test('commands of the hub, and of those without an account, do not wait', async () => {
  const all = Array.from({ length: 50 }, (_, index) => run(index % 2 === 0 ? system : anonymous));
  await turnOfEventLoop();
  expect(running).toBe(50);
  end();
  await Promise.all(all);
});
