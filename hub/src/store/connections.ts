import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';
import { fewAtOnce } from '../db/few-at-once.ts';
import { inBatches } from '../db/in-batches.ts';

/** A connection that is about to be recorded; all ids are raw. */
export interface NewConnection {
  readonly connectionId: string;
  readonly deviceId: string;
  readonly nodeId: string;
  readonly certificateId: string | undefined;
  readonly tokenId: string | undefined;
}

/** A join that fails, or waits for the withdrawal that is under way, once what the connection rests on is withdrawn. */
interface Ground {
  readonly join: RawBuilder<unknown>;
  readonly lock: RawBuilder<unknown>;
}

function groundsOf({ certificateId, tokenId }: NewConnection): Ground[] {
  const certificate = {
    join: sql`join device_certificates c on c.device_id = d.device_id and c.certificate_id = ${certificateId} and c.status = 'Active'`,
    lock: sql`for share of c`,
  };
  const token = {
    join: sql`join deployment_tokens t on t.project_id = d.project_id and t.token_id = ${tokenId}`,
    lock: sql`for key share of t`,
  };
  return [...(certificateId === undefined ? [] : [certificate]), ...(tokenId === undefined ? [] : [token])];
}

/**
 * Records a connection if its node holds its lease and all it rests on is still in force; answers the raw project id, else nothing.
 * Those that begin at the same time are recorded by one statement, and so are all or none of them; needs no transaction.
 */
export async function recordConnection(
  db: Database,
  connection: NewConnection,
  now: Date,
): Promise<string | undefined> {
  const { certificateId, tokenId } = connection;
  const recorded =
    certificateId !== undefined && tokenId !== undefined
      ? await insertTogether(db, { ...connection, certificateId, tokenId, at: now })
      : undefined;
  // What is refused, or in somebody else's hands, is decided by itself.
  return recorded ?? insertByItself(db, { connection, now });
}

const waitingAtOnce = 8;
const insertByItself = fewAtOnce(
  waitingAtOnce,
  (db, { connection, now }: { readonly connection: NewConnection; readonly now: Date }) =>
    insertConnection(db, connection, now),
);
const insertTogether = inBatches(insertAll);

/** Records what can be without waiting, so that a change to one device keeps nobody else out; answers a project for each of those. */
async function insertAll(
  db: Database,
  connections: readonly (Required<NewConnection> & { readonly at: Date })[],
): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ connectionId: string; projectId: string }>`
    with ground as materialized (
      select q.*, found.project_id from json_to_recordset(${JSON.stringify(connections)}::json) as q("connectionId" text,
        "deviceId" text, "nodeId" text, "certificateId" text, "tokenId" text, at timestamptz)
      cross join lateral (
        select d.project_id from devices d
        join cluster_nodes n on n.node_id = q."nodeId" and n.lease_until > q.at
        join device_certificates c on c.device_id = d.device_id and c.certificate_id = q."certificateId" and c.status = 'Active'
        join deployment_tokens t on t.project_id = d.project_id and t.token_id = q."tokenId"
        where d.device_id = q."deviceId"
        for no key update of d skip locked for share of c skip locked for key share of t skip locked
      ) as found
    ), connection as (
      insert into device_connections (connection_id, device_id, node_id, certificate_id, token_id, connected_at)
      select "connectionId", "deviceId", "nodeId", "certificateId", "tokenId", at from ground
    )
    select "connectionId", project_id as "projectId" from ground`.execute(db);
  const projects = new Map(rows.map(({ connectionId, projectId }) => [connectionId, projectId]));
  return connections.map(({ connectionId }) => projects.get(connectionId));
}

/**
 * The same by itself, in whatever transaction, and waiting for whoever has it in hand.
 * The locks put it either wholly before or wholly after a withdrawal, and order the connections of one device.
 */
async function insertConnection(
  tx: Database,
  connection: NewConnection,
  now: Date,
): Promise<string | undefined> {
  const grounds = groundsOf(connection);
  const { rows } = await sql<{ project_id: string }>`
    with ground as (
      select d.device_id, d.project_id from devices d
      join cluster_nodes n on n.node_id = ${connection.nodeId} and n.lease_until > ${now}
      ${sql.join(
        grounds.map(({ join }) => join),
        sql` `,
      )}
      where d.device_id = ${connection.deviceId}
      for no key update of d ${sql.join(
        grounds.map(({ lock }) => lock),
        sql` `,
      )}
    ), connection as (
      insert into device_connections (connection_id, device_id, node_id, certificate_id, token_id, connected_at)
      select ${connection.connectionId}, device_id, ${connection.nodeId}, ${connection.certificateId ?? null},
        ${connection.tokenId ?? null}, ${now} from ground
    )
    select project_id from ground`.execute(tx);
  return rows[0]?.project_id;
}
