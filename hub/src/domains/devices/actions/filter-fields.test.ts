import { ids, type CallInput } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listedDevices } from '../../../../test/listed-devices.ts';

const scene = listedDevices();
type More = Omit<CallInput<'projects_QueryFilterFields'>, 'projectId'>;
const query = (more: More = {}) => {
  const { projectId, owner } = scene.project;
  return scene.hub.as(owner, 'projects_QueryFilterFields', { projectId, ...more });
};

const all = [
  'dev.nexigon.system.health',
  'dev.nexigon.system.info',
  'dev.nexigon.systemInfo',
  'label.dotted.name',
  'label.ring',
  'ota',
  'site.region',
];

test('the names of the properties and the metadata of a project are listed, each once and no others', async () => {
  expect((await query()).names.toSorted()).toEqual(all);
  expect((await query()).next).toBeUndefined();
});

test('every listed name can be used in a filter', async () => {
  for (const name of (await query()).names) expect(await scene.found(`has:${name}`), name).not.toBe('');
});

test('the names begin with the prefix, whose signs mean nothing else', async () => {
  expect((await query({ prefix: 'label.' })).names).toEqual(['label.dotted.name', 'label.ring']);
  expect((await query({ prefix: 'ot' })).names).toEqual(['ota']);
  for (const prefix of ['%', '_ta', 'OTA', String.raw`\ota`])
    expect((await query({ prefix })).names).toEqual([]);
});

test('pages have at most 500 names and together all of them, each once', async () => {
  const project = ids.project.raw(scene.project.projectId);
  await sql`insert into project_property_names (project_id, name)
    select ${project}, 'sensor' || n from generate_series(1, 600) n`.execute(scene.hub.database.db);
  const first = await query({ limit: 10_000 });
  expect(first.names).toHaveLength(500);
  const rest = await query({ limit: 10_000, after: first.next ?? '' });
  expect(new Set([...first.names, ...rest.names]).size).toBe(600 + all.length);
  expect(rest.next).toBeUndefined();
  expect((await query({ prefix: 'sensor', limit: 3 })).names).toHaveLength(3);
  await expect(query({ prefix: 'x', after: first.next ?? '' })).rejects.toMatchObject({ kind: 'Invalid' });
});

test('metadata that is large is read of the 100 newest devices only', async () => {
  const { project, hub } = scene;
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, metadata, created_at)
    select 'n' || n, ${ids.project.raw(project.projectId)}, 'n' || n, '', jsonb_build_object('key' || n, n), now() + n * interval '1 day'
    from generate_series(1, 101) n`.execute(hub.database.db);
  const { names } = await query({ prefix: 'label.' });
  expect(names).toHaveLength(100);
  expect(names).not.toContain('label.key1');
});

test('only a bounded part of the metadata of the 100 newest devices is read', async () => {
  const { project, hub } = scene;
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, metadata, created_at)
    select 'l' || n, ${ids.project.raw(project.projectId)}, 'l' || n, '',
      (select jsonb_object_agg(md5(n || ' ' || k), k) from generate_series(1, 4000) k) || jsonb_build_object('mark' || n, n),
      now() + interval '1 year' + n * interval '1 day'
    from generate_series(1, 9) n`.execute(hub.database.db);
  const { names } = await query({ prefix: 'label.mark' });
  expect(names).toContain('label.mark9');
  expect(names.length).toBeLessThan(4);
});
