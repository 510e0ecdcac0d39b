import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ActionError, type Actor, type Id } from '@corral/contract';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../test/seed.ts';
import { seedRepository, seedPackage, seedVersion } from '../../test/seed-repository.ts';
import type { Database } from '../platform/db/connect.ts';

let hub: FreshExecutor;
let projectId: Id<'project'>;
let user: Extract<Actor, { actor: 'User' }>;
beforeAll(async () => {
  hub = await freshExecutor();
  await setQuota(hub.database.db, 12);
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  hub.advance(7200);
  user = await hub.user(`u${hub.now().getTime()}@example.org`);
  const created = await hub.as(user, 'projects_CreateProject', { name: 'Plant' });
  projectId = created.projectId as Id<'project'>;
});

async function setQuota(db: Database, rows: number): Promise<void> {
  const setting = { key: 'recordedRowsPerHour', value: JSON.stringify(rows), changed_at: new Date() };
  await db
    .insertInto('instance_settings')
    .values(setting)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(setting))
    .execute();
}

const rename = (on = hub) => on.as(user, 'projects_SetName', { projectId, name: `Plant ${rowsCount++}` });
let rowsCount = 0;

/** How many times something is done before it is refused, at most 50. */
async function untilRefused(work: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < 50; done += 1) {
    const error: unknown = await work().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (error instanceof ActionError && error.retryAfterSecs !== undefined) return done;
    if (error !== undefined) throw error;
  }
  return Infinity;
}

async function rowsInLog(): Promise<number> {
  const { db } = hub.database;
  const actions = await db.selectFrom('audit_actions').select('action_id').execute();
  return actions.length + (await db.selectFrom('audit_events').select('event_id').execute()).length;
}

test('a user whose commands have added the rows of an hour to the log is refused, and adds none until the hour has passed', async () => {
  expect(await untilRefused(rename)).toBe(6);
  const before = await rowsInLog();
  expect(await hub.refusal(user, 'projects_SetName', { projectId, name: 'x' })).toEqual({
    kind: 'RateLimited',
    message:
      'You have changed too much within an hour for the audit log, which records each change. Go on in 60 minutes, or ask an administrator for a larger quota.',
  });
  expect(await untilRefused(rename)).toBe(0);
  expect(await rowsInLog()).toBe(before);
  hub.advance(6);
  // One command asks whether the quota is another; the others are refused.
  const asking = await Promise.allSettled(Array.from({ length: 20 }, () => rename()));
  expect(asking.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await untilRefused(rename)).toBe(0);
  expect(await hub.as(user, 'projects_QueryProjects', {})).toMatchObject({ projects: [{ projectId }] });
  hub.advance(3600);
  await rename();
});

test('commands that are refused count as well, and other users go on', async () => {
  const deny = () => hub.as(user, 'instance_SetInstanceSettingRaw', { key: 'banner', value: 'x' });
  await Promise.all(Array.from({ length: 20 }, () => deny().catch(() => undefined)));
  expect(await untilRefused(rename)).toBe(0);
  const other = await hub.user(`o${hub.now().getTime()}@example.org`);
  await hub.as(other, 'projects_CreateProject', { name: 'Elsewhere' });
});

test('another node refuses them too, and all of them once the quota is larger', async () => {
  expect(await untilRefused(rename)).toBe(6);
  const executor = await freshExecutor({ database: hub.database });
  executor.advance((hub.now().getTime() - executor.now().getTime()) / 1000);
  expect(await untilRefused(() => rename(executor))).toBeLessThanOrEqual(1);
  await setQuota(hub.database.db, 100);
  for (const one of [hub, executor]) one.advance(6);
  await rename();
  await rename(executor);
  await setQuota(hub.database.db, 12);
});

test('a stolen token can be deleted by whoever it was stolen from', async () => {
  const { userId } = user;
  const made = await hub.as(user, 'users_CreateUserToken', { userId });
  const thief: Actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId: made.tokenId };
  const rename_ = () => hub.as(thief, 'projects_SetName', { projectId, name: `Stolen ${rowsCount++}` });
  expect(await untilRefused(rename_)).toBeLessThan(7);
  await hub.as(user, 'users_DeleteUserToken', { tokenId: made.tokenId });
});

test('a change of many devices fills the quota: it can still be cancelled, and no other one begins', async () => {
  const project = await seedProject(hub);
  user = project.owner as typeof user;
  const deviceIds: Id<'device'>[] = [];
  for (let device = 0; device < 12; device += 1) {
    deviceIds.push((await seedDevice(hub, project)).deviceId);
    hub.advance(7200);
  }
  const selected = { projectId: project.projectId, deviceIds };
  const begin = async (value: string) => {
    const input = {
      ...selected,
      change: { kind: 'SetLabel' as const, name: 'ring', value },
    };
    const { previewHash } = await hub.as(user, 'fleet_PreviewChange', input);
    return hub.as(user, 'fleet_ApplyChange', { ...input, previewHash });
  };
  const { jobId } = await begin('canary');
  await expect(begin('stable')).rejects.toThrow('You have changed too much within an hour');
  expect(await untilRefused(() => rename())).toBe(0);
  await hub.as(user, 'fleet_CancelChange', { jobId });
});

test('each tag of a call counts, since it has a place in the history', async () => {
  const repository = await seedRepository(hub);
  user = repository.owner as typeof user;
  const packageId = await seedPackage(hub, repository, 'image');
  const versionId = await seedVersion(hub, user, packageId);
  const tags = Array.from({ length: 30 }, (_, index) => ({ tag: `t${index}` }));
  const calls = [
    () => hub.as(user, 'repositories_TagPackageVersion', { versionId, tags }),
    () => hub.as(user, 'repositories_UntagPackageVersion', { versionId, tags }),
  ];
  let call = 0;
  expect(await untilRefused(() => calls[call++ % 2]?.() ?? Promise.resolve())).toBeLessThanOrEqual(2);
});
