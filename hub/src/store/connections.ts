import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

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
 * The locks put it either wholly before or wholly after a withdrawal, and order the connections of one device.
 */
export async function insertConnection(
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

/** Whose connection ended; raw ids. */
export interface EndedConnection {
  readonly deviceId: string;
  readonly projectId: string;
}

/** Ends a connection once, on its node alone where one is named, and holds its device until the transaction ends. */
export async function endConnection(
  tx: Database,
  connectionId: string,
  reason: string,
  nodeId: string | undefined,
  now: Date,
): Promise<EndedConnection | undefined> {
  const { rows } = await sql<EndedConnection>`
    with device as (
      select d.device_id, d.project_id from devices d join device_connections c using (device_id)
      where c.connection_id = ${connectionId} and c.ended_at is null
        and (${nodeId ?? null}::text is null or c.node_id = ${nodeId ?? null})
      for no key update of d
    ), ended as (
      update device_connections c set ended_at = ${now}, end_reason = ${reason} from device
      where c.connection_id = ${connectionId} and c.ended_at is null
      returning 1
    )
    select device_id as "deviceId", project_id as "projectId" from device where exists (select 1 from ended)`.execute(
    tx,
  );
  return rows[0];
}
