import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { limitConcurrency } from '../../../platform/db/limit-concurrency.ts';
import { batch } from '../../../platform/db/batch.ts';
import { isAccepted } from './accepted-certificates.ts';
import { exportProject } from '../../../platform/db/otlp-positions.ts';

/** A connection that is about to be recorded; all ids are raw. */
export interface NewConnection {
  readonly connectionId: string;
  readonly deviceId: string;
  readonly nodeId: string;
  readonly certificateId: string | undefined;
  readonly tokenId: string | undefined;
  readonly address: string | undefined;
}

/** SQL that checks and locks a credential: no row matches once it is revoked, and it waits for a running revocation. */
interface CredentialCheck {
  readonly join: RawBuilder<unknown>;
  readonly lock: RawBuilder<unknown>;
}

function credentialChecksOf({ certificateId, tokenId }: NewConnection, now: Date): CredentialCheck[] {
  const certificate = {
    join: sql`join device_certificates c on c.device_id = d.device_id and c.certificate_id = ${certificateId} and ${isAccepted(now)}`,
    lock: sql`for share of c`,
  };
  const token = {
    join: sql`join deployment_tokens t on t.project_id = d.project_id and t.token_id = ${tokenId}`,
    lock: sql`for key share of t`,
  };
  return [...(certificateId === undefined ? [] : [certificate]), ...(tokenId === undefined ? [] : [token])];
}

/**
 * Records a connection if its node holds its lease and its credentials are valid; returns the raw project id, otherwise undefined.
 * Concurrent calls share one atomic statement; needs no transaction.
 */
export async function recordConnection(
  db: Database,
  connection: NewConnection,
  now: Date,
): Promise<string | undefined> {
  const { certificateId, tokenId } = connection;
  const recorded =
    certificateId !== undefined && tokenId !== undefined
      ? await insertInBatch(db, { ...connection, certificateId, tokenId, at: now })
      : undefined;
  // A refused connection, and one whose rows are locked, gets a statement of its own.
  return recorded ?? insertAlone(db, { connection, now });
}

const waitingAtOnce = 8;
const insertAlone = limitConcurrency(
  waitingAtOnce,
  (db, { connection, now }: { readonly connection: NewConnection; readonly now: Date }) =>
    insertConnection(db, connection, now),
);
const insertInBatch = batch(insertAll);

/** Records all connections whose rows are not locked, so that a change to one device does not delay the others; returns their projects. */
async function insertAll(
  db: Database,
  connections: readonly (NewConnection & { readonly at: Date })[],
): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ connectionId: string; projectId: string }>`
    with admitted as materialized (
      select q.*, found.project_id from json_to_recordset(${JSON.stringify(connections)}::json) as q("connectionId" text,
        "deviceId" text, "nodeId" text, "certificateId" text, "tokenId" text, address text, at timestamptz)
      cross join lateral (
        select d.project_id from devices d
        join cluster_nodes n on n.node_id = q."nodeId" and n.lease_until > q.at
        join device_certificates c on c.device_id = d.device_id and c.certificate_id = q."certificateId" and ${isAccepted(sql`q.at`)}
        join deployment_tokens t on t.project_id = d.project_id and t.token_id = q."tokenId"
        where d.device_id = q."deviceId"
        for no key update of d skip locked for share of c skip locked for key share of t skip locked
      ) as found
    ), connection as (
      insert into device_connections (connection_id, device_id, node_id, certificate_id, token_id, address, connected_at, export_project, export_position)
      select "connectionId", "deviceId", "nodeId", "certificateId", "tokenId", address, at, export_project, case when export_project is not null then audit_position() end
      from (select *, ${exportProject(sql`project_id`, 'connections')} as export_project from admitted) as a
    )
    select "connectionId", project_id as "projectId" from admitted`.execute(db);
  const projects = new Map(rows.map(({ connectionId, projectId }) => [connectionId, projectId]));
  return connections.map(({ connectionId }) => projects.get(connectionId));
}

/**
 * Records one connection in any transaction and waits for locks. The locks order it before or after a revocation, and order the connections
 * of one device. The device is locked first, as by all others: in one statement with the view `devices` PostgreSQL would lock it last.
 */
async function insertConnection(
  tx: Database,
  connection: NewConnection,
  now: Date,
): Promise<string | undefined> {
  const checks = credentialChecksOf(connection, now);
  const { rows } = await sql<{ project_id: string }>`
    with device as materialized (
      select device_id, project_id from devices where device_id = ${connection.deviceId} for no key update
    ), admitted as (
      select d.device_id, d.project_id from device d
      join cluster_nodes n on n.node_id = ${connection.nodeId} and n.lease_until > ${now}
      ${sql.join(
        checks.map(({ join }) => join),
        sql` `,
      )}
      ${sql.join(
        checks.map(({ lock }) => lock),
        sql` `,
      )}
    ), connection as (
      insert into device_connections (connection_id, device_id, node_id, certificate_id, token_id, address, connected_at, export_project, export_position)
      select ${connection.connectionId}, device_id, ${connection.nodeId}, ${connection.certificateId ?? null},
        ${connection.tokenId ?? null}, ${connection.address ?? null}, ${now}, export_project, case when export_project is not null then audit_position() end
      from (select *, ${exportProject(sql`project_id`, 'connections')} as export_project from admitted) as a
    )
    select project_id from admitted`.execute(tx);
  return rows[0]?.project_id;
}
