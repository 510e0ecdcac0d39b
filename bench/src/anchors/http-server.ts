import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The anchor of calls: only `node:http` and `pg`, with the statements of the hub's own actions, prepared as there.
 * `/query` is projects_GetProjectDetails, `/command` is devices_SetDeviceName with its audit rows and its event.
 */
const pool = new pg.Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 20 });
const opening = new pg.Pool({
  connectionString: process.env['BENCH_DATABASE_URL'],
  max: 4,
  options: '-c synchronous_commit=off',
});

const relation = `select p.project_id, (coalesce(m.is_owner, false) or coalesce(u.is_admin and $2, false) or $3) as is_owner
  from projects p left join users u on u.user_id = $1
  left join project_members m on m.project_id = p.project_id and m.user_id = $1
  where p.project_id = $4 and (m.user_id is not null or (u.is_admin and $2) or $3)`;

const details = `select p.name, counted.devices as "deviceCount",
  coalesce((select (value #>> '{}')::bigint from instance_settings where key = $3), $4) as "maxDeviceCount", counted.connected as "connectedDeviceCount", counted.pending as "pendingCertificateCount",
  (select count(*) from project_members m where m.project_id = p.project_id) as "memberCount",
  (select count(*) from deployment_tokens t where t.project_id = p.project_id) as "deploymentTokenCount",
  (select count(*) from project_repositories l where l.project_id = p.project_id) as "repositoryCount"
  from projects p, lateral (
    select coalesce(sum(s.devices), 0)::bigint as devices, coalesce(sum(s.pending_certificates), 0)::bigint as pending,
      (coalesce(sum(s.open_connections) filter (where n.lease_until > $2), 0) - (
        select coalesce(sum(greatest(live.connections - 1, 0)), 0) from (
          select distinct d.device_id from additional_connections a join devices d using (device_id) where d.project_id = p.project_id
        ) as d cross join lateral (
          select count(*) as connections from device_connections c join cluster_nodes n using (node_id)
          where c.device_id = d.device_id and c.ended_at is null and n.lease_until > $2
        ) as live))::bigint as connected
    from (
      select * from project_counts where project_id = p.project_id
      union all select * from project_count_changes where project_id = p.project_id
    ) as s left join cluster_nodes n using (node_id)
  ) as counted where p.project_id = $1`;

/** Runs a statement that the connection prepares once, as the hub does. */
const run = (db: pg.Pool | pg.PoolClient, name: string, text: string, values: unknown[]) =>
  db.query({ name, text, values });

interface Call {
  readonly userId: string;
  readonly projectId: string;
  readonly deviceId: string;
  readonly name: string;
}

async function query({ userId, projectId }: Call): Promise<unknown> {
  await run(pool, 'relation', relation, [userId, false, false, projectId]);
  const { rows } = await run(pool, 'details', details, [projectId, new Date(), 'devicesPerProject', 200_000]);
  return rows[0];
}

let count = 0;

async function command({ userId, projectId, deviceId, name }: Call): Promise<unknown> {
  const actionId = `bench-a-${process.pid}-${(count += 1)}`;
  const eventId = `bench-e-${process.pid}-${count}`;
  const now = new Date();
  const actor = JSON.stringify({ userId });
  await run(
    opening,
    'open',
    `insert into audit_actions (action_id, actor, action, data, status, node_id, created_at) values ($1, $2, 'devices_SetDeviceName', $3, 'Pending', null, $4)`,
    [actionId, actor, JSON.stringify({ deviceId }), now],
  );
  const client = await pool.connect();
  try {
    await client.query('begin');
    await run(client, 'relation', relation, [userId, false, false, projectId]);
    await run(client, 'rename', 'update devices set name = $1 where device_id = $2', [name, deviceId]);
    await run(
      client,
      'finish',
      `with done as (update audit_actions set status = 'Succeeded' where action_id = $1),
       logged as (insert into audit_events (event_id, actor, event, data, action_id, created_at) values ($2, $3, 'devices_NameChanged', $4, $1, $5)),
       attached as (insert into audit_event_entities (entity_kind, entity_id, created_at, event_id) values ('project', $6, $5, $2))
       insert into event_outbox (event_id, event, created_at) values ($2, $4, $5)`,
      [actionId, eventId, actor, JSON.stringify({ deviceId, name }), now, projectId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  await run(pool, 'published', 'delete from event_outbox where event_id = $1', [eventId]);
  return {};
}

async function bodyOf(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Call;
}

const server = createServer((request, response) => {
  void (async () => {
    const call = await bodyOf(request);
    const answer = request.url === '/query' ? await query(call) : await command(call);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  })().catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
