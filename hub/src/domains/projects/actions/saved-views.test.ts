import { actions, ids, maxSavedViews, maxViewNameCharacters, parseInput, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { projectScene } from '../../../../test/device-scene.ts';
import { system } from '../../../../test/fresh-executor.ts';
import { byToken, seedProject, waitingLocks } from '../../../../test/seed.ts';

const { hub, project, member, administrator } = projectScene();

const scope = () => ({ projectId: project.projectId });
const query = (actor: Actor, more: { limit?: number; after?: string } = {}) =>
  hub.as(actor, 'projects_QuerySavedViews', { ...scope(), ...more });
const namesOf = async (actor: Actor) => (await query(actor)).views.map(({ name }) => name);
const save = (actor: Actor, name: string, view: object = {}) =>
  hub.as(actor, 'projects_SaveView', { ...scope(), name, ...view });
const refusal = async (actor: Actor, name: string) =>
  hub.refusal(actor, 'projects_SaveView', { ...scope(), name });
const changes = () => hub.emittedEvents.map(({ name, data }) => [name, data]);
const stored = async () =>
  (await sql<{ name: string }>`select name from saved_views order by name`.execute(hub.database.db)).rows.map(
    ({ name }) => name,
  );

const view = {
  filter: 'site.region:north not connected',
  status: 'pending',
  order: '-lastSeen',
  columns: ['status', 'hostname'],
} as const;

describe('a saved view', () => {
  test('is listed by name, page by page, with exactly what was saved', async () => {
    expect(await save(member, '  North, offline ', view)).toEqual({ result: 'Created' });
    await save(member, 'all columns', { columns: [] });
    await save(member, 'Plain');
    const whole = await query(member);
    expect(whole).toEqual({
      views: [{ name: 'all columns', columns: [] }, { name: 'North, offline', ...view }, { name: 'Plain' }],
    });
    expect(parseInput(actions.projects_QuerySavedViews.output, whole)).toEqual(whole);
    const first = await query(member, { limit: 2 });
    const rest = await query(member, { limit: 2, after: first.next ?? '' });
    expect([...first.views, ...rest.views]).toEqual(whole.views);
    expect(rest.next).toBeUndefined();
  });

  test('is replaced by one of the same name', async () => {
    await save(member, 'North', view);
    expect(await save(member, 'North', { filter: 'north' })).toEqual({ result: 'Replaced' });
    expect((await query(member)).views).toEqual([{ name: 'North', filter: 'north' }]);
  });

  test('belongs to its user and its project, and only the browsers of the user learn of it', async () => {
    await save(member, 'Mine', view);
    const { userId } = member;
    const changed = ['projects_SavedViewsChanged', { ...scope(), userId }];
    expect(changes()).toEqual([changed]);
    for (const actor of [project.owner, administrator]) expect(await namesOf(actor)).toEqual([]);
    const input = { ...scope(), name: 'Mine' };
    expect((await hub.refusal(project.owner, 'projects_DeleteSavedView', input)).message).toBe(
      'View not found.',
    );
    const other = await seedProject(hub);
    await hub.as(system, 'projects_AddProjectMember', { projectId: other.projectId, userId, isOwner: false });
    expect(await hub.as(member, 'projects_QuerySavedViews', { projectId: other.projectId })).toEqual({
      views: [],
    });
    const token = await byToken(hub, member);
    hub.emittedEvents.length = 0;
    await hub.as(token, 'projects_DeleteSavedView', input);
    expect(changes()).toEqual([changed]);
    expect(await namesOf(member)).toEqual([]);
    expect((await hub.refusal(member, 'projects_DeleteSavedView', input)).message).toBe('View not found.');
  });

  test('has a name of at most 60 characters, whatever they are', async () => {
    const longest = '🐎'.repeat(maxViewNameCharacters);
    await save(member, longest);
    expect(await namesOf(member)).toEqual([longest]);
    expect((await refusal(member, `${longest}x`)).message).toBe(
      'Name of the view must be at most 60 characters long.',
    );
    expect((await refusal(member, ' ')).message).toBe('Name of the view must not be empty.');
  });

  test('has bounds', () => {
    const parse = (input: object) =>
      parseInput(actions.projects_SaveView.input, { ...scope(), name: 'x', ...input });
    expect(() => parse({ filter: 'x'.repeat(1001) })).toThrow('at most 1000 characters');
    expect(() => parse({ order: 'colour' })).toThrow();
    expect(() => parse({ status: 'asleep' })).toThrow();
    expect(() => parse({ columns: Array.from({ length: 33 }, () => 'x') })).toThrow('at most 32 entries');
    expect(() => parse({ columns: ['x'.repeat(65)] })).toThrow('at most 64 characters');
  });
});

describe('a user has at most 50 views of a project', () => {
  const fill = async (count: number) => {
    for (let number = 1; number <= count; number += 1) await save(member, `View ${number}`);
  };
  const sentence = 'You may save at most 50 views of a project. Delete some first.';

  test('of which each may be replaced, and one be added after a deletion', async () => {
    await fill(maxSavedViews);
    expect(await refusal(member, 'One more')).toMatchObject({ kind: 'Invalid', message: sentence });
    expect(await save(member, 'View 7', view)).toEqual({ result: 'Replaced' });
    await save(project.owner, 'Of somebody else');
    await hub.as(member, 'projects_DeleteSavedView', { ...scope(), name: 'View 7' });
    expect(await save(member, 'One more')).toEqual({ result: 'Created' });
  });

  test('also where several are saved at once', async () => {
    await fill(maxSavedViews - 1);
    const { db } = hub.database;
    const userId = ids.user.raw(member.userId);
    let calls: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await db.transaction().execute(async (tx) => {
      await sql`select 1 from users where user_id = ${userId} for update`.execute(tx);
      calls = Promise.allSettled(['a', 'b', 'c'].map((name) => save(member, name)));
      await vi.waitFor(async () => expect(await waitingLocks(db)).toBeGreaterThan(0));
    });
    const outcomes = (await calls)?.map(({ status }) => status) ?? [];
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await namesOf(member)).toHaveLength(maxSavedViews);
  });
});

describe('saved views are deleted', () => {
  test('with the membership, those of others and of other projects are not', async () => {
    const other = await seedProject(hub);
    const { userId } = member;
    await hub.as(system, 'projects_AddProjectMember', { projectId: other.projectId, userId, isOwner: false });
    await hub.as(member, 'projects_SaveView', { projectId: other.projectId, name: 'Elsewhere' });
    await save(member, 'Mine');
    await save(project.owner, 'Of the owner');
    await hub.as(member, 'projects_RemoveProjectMember', { ...scope(), userId });
    expect(await stored()).toEqual(expect.arrayContaining(['Elsewhere', 'Of the owner']));
    expect(await stored()).not.toContain('Mine');
  });

  test('with the account and with the project', async () => {
    await save(administrator, 'Of the account');
    await save(member, 'Of a member');
    await hub.as(system, 'users_DeleteUser', { userId: administrator.userId });
    expect(await stored()).not.toContain('Of the account');
    expect(await stored()).toContain('Of a member');
    await hub.as(project.owner, 'projects_DeleteProject', scope());
    expect(await stored()).not.toContain('Of a member');
  });
});
