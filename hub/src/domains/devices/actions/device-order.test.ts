import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { recordEnd } from '../sql/connection-ends.ts';
import { cleanUpLostNodes } from '../../instance/sql/cluster-nodes.ts';
import { listedDevices } from '../../../../test/listed-devices.ts';

const scene = listedDevices();
const hoursAgo = (hours: number) => new Date(scene.hub.now().getTime() - hours * 3_600_000);

describe('the list is sorted', () => {
  const orders = [
    ['firstSeen', 'abcd'],
    ['-firstSeen', 'dcba'],
    ['name', 'abdc'],
    ['-name', 'dbac'],
    ['lastSeen', 'bdac'],
    ['-lastSeen', 'cadb'],
    ['status', 'bdac'],
    ['-status', 'cadb'],
    ['pending', 'bdac'],
    ['-pending', 'cadb'],
  ] as const;
  test.each(orders)('by %s', async (order, expected) => expect(await scene.found('', order)).toBe(expected));

  test.each(['not name:nobody', undefined])(
    'page by page as in one piece, with the filter %s',
    async (filter) => {
      for (const order of [
        'name',
        '-name',
        'id',
        '-id',
        'lastSeen',
        '-lastSeen',
        'status',
        '-status',
        'pending',
        '-pending',
        'firstSeen',
      ] as const) {
        const whole = (await scene.query({ order, filter: 'not name:nobody' })).devices;
        const paged = [];
        for (let after: string | undefined, count = 0; count < 5; count += 1) {
          const page = await scene.query({
            order,
            ...(filter === undefined ? {} : { filter }),
            limit: 1,
            ...(after === undefined ? {} : { after }),
          });
          paged.push(...page.devices);
          after = page.next;
          if (after === undefined) break;
        }
        expect(paged).toEqual(whole);
      }
    },
  );

  test('a cursor belongs to its filter and its order', async () => {
    const { next } = await scene.query({ limit: 1, filter: 'has:name' });
    for (const other of [{}, { filter: 'has:cert' }, { filter: 'has:name', order: 'id' as const }])
      await expect(scene.query({ ...other, limit: 1, after: next ?? '' })).rejects.toMatchObject({
        kind: 'Invalid',
      });
  });
});

test('presence in lists follows connections, ends and lost nodes, also of devices with several connections', async () => {
  const { db } = scene.hub.database;
  const [deviceId] = [...scene.letters].find(([, letter]) => letter === 'c') ?? [];
  const { rows } = await sql<{ connection_id: string }>`
    select connection_id from device_connections where device_id = ${(deviceId ?? '').slice(2)} and ended_at is null order by connected_at desc`.execute(
    db,
  );
  const [newest, oldest] = rows.map(({ connection_id }) => connection_id);
  const end = (connectionId = '') =>
    recordEnd(db, { connectionId, reason: 'Disconnected', at: scene.hub.now() });
  await end(newest);
  expect(await scene.found('connected')).toBe('ca');
  const lost = newRawId();
  await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at) values (${lost}, now(), ${hoursAgo(-1)}, now())`.execute(
    db,
  );
  const onLost = newRawId();
  await sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
    values (${onLost}, ${(deviceId ?? '').slice(2)}, ${lost}, ${scene.hub.now()})`.execute(db);
  // The node of the newest connection loses its lease, while that of the other one keeps it.
  await sql`update cluster_nodes set lease_until = ${hoursAgo(0.01)} where node_id = ${lost}`.execute(db);
  expect(await scene.found('connected')).toBe('ca');
  await end(oldest);
  expect(await scene.found('connected')).toBe('a');
  await cleanUpLostNodes(db, scene.hub.now());
  expect(await scene.found('connected')).toBe('a');
  expect(await scene.found('offline<2h not flapping')).toBe('c');
});
