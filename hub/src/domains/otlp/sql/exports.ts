import type { DeviceEventSeverity, OtlpStream } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { horizon } from './export-sources.ts';

/** Headers that go with each request, by their names. */
export type Headers = Readonly<Record<string, string>>;

const placeOf = (projectId: string): string => `otlp/${projectId}`;

/** The headers of an export as they are stored. */
export interface SealedHeaders {
  readonly project_id: string;
  readonly sealed: Buffer | null;
  readonly sealed_under: string | null;
}

/** The headers of an export. */
export function headersOf(vault: Vault, { project_id, sealed, sealed_under }: SealedHeaders): Headers {
  if (sealed === null || sealed_under === null) return {};
  return JSON.parse(
    vault.open({ keyId: sealed_under, bytes: sealed }, placeOf(project_id)).toString(),
  ) as Headers;
}

/** How a project exports. */
export interface StoredExport {
  readonly isEnabled: boolean;
  readonly endpoint: string | undefined;
  readonly headers: Headers;
  readonly streams: readonly OtlpStream[];
  readonly minSeverity: DeviceEventSeverity | undefined;
  readonly filter: string | undefined;
}

/** How a project exports, by its raw id; undefined where it never did. */
export async function readExport(
  tx: Database,
  vault: Vault,
  projectId: string,
): Promise<StoredExport | undefined> {
  const row = await tx
    .selectFrom('otlp_exports')
    .select([
      'project_id',
      'is_enabled',
      'endpoint',
      'sealed',
      'sealed_under',
      'streams',
      'min_severity',
      'filter',
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return (
    row && {
      isEnabled: row.is_enabled,
      endpoint: row.endpoint ?? undefined,
      headers: headersOf(vault, row),
      streams: row.streams,
      minSeverity: row.min_severity ?? undefined,
      filter: row.filter ?? undefined,
    }
  );
}

/**
 * Changes how a project exports, by its raw id. A stream that is new begins with what is written from now on, and one that is not exported any more forgets what waits; whoever exports one
 * now loses its lease.
 */
export async function saveExport(
  tx: Database,
  vault: Vault,
  projectId: string,
  { given, now }: { readonly given: StoredExport; readonly now: Date },
): Promise<void> {
  const { isEnabled, endpoint = null, headers, streams, minSeverity = null, filter = null } = given;
  const hasHeaders = Object.keys(headers).length > 0;
  const sealed = hasHeaders
    ? vault.seal(Buffer.from(JSON.stringify(headers)), placeOf(projectId))
    : undefined;
  await sql`
    insert into otlp_exports as x (project_id, is_enabled, endpoint, sealed, sealed_under, streams, min_severity, filter)
      values (${projectId}, ${isEnabled}, ${endpoint}, ${sealed?.bytes ?? null}, ${sealed?.keyId ?? null}, ${[...streams]}::text[], ${minSeverity}, ${filter})
    on conflict (project_id) do update set is_enabled = excluded.is_enabled, endpoint = excluded.endpoint, sealed = excluded.sealed,
      sealed_under = excluded.sealed_under, streams = excluded.streams, min_severity = excluded.min_severity, filter = excluded.filter`.execute(
    tx,
  );
  const exported = isEnabled ? [...streams] : [];
  await sql`delete from otlp_streams where project_id = ${projectId} and stream <> all(${exported}::text[])`.execute(
    tx,
  );
  await sql`
    insert into otlp_streams as s (project_id, stream, cursor_position, next_attempt_at)
      select ${projectId}, stream, ${horizon}, ${now} from unnest(${exported}::text[]) as stream
    on conflict (project_id, stream) do update set lease = null, leased_until = null, attempts = 0, next_attempt_at = excluded.next_attempt_at`.execute(
    tx,
  );
}

/** Seals the headers again that are under an older key of the vault. */
export async function reencryptOtlpHeaders(db: Database, vault: Vault): Promise<void> {
  const { rows } = await sql<SealedHeaders>`
    select project_id, sealed, sealed_under from otlp_exports where sealed_under <> ${vault.keyId}`.execute(
    db,
  );
  for (const row of rows) {
    if (row.sealed_under === null || !vault.has(row.sealed_under)) continue;
    const { keyId, bytes } = vault.seal(
      Buffer.from(JSON.stringify(headersOf(vault, row))),
      placeOf(row.project_id),
    );
    await sql`
      update otlp_exports set sealed = ${bytes}, sealed_under = ${keyId} where project_id = ${row.project_id} and sealed = ${row.sealed}`.execute(
      db,
    );
  }
}
