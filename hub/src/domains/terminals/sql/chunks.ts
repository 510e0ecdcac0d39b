import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A part of a recording as it is stored; ids are raw. */
export interface Chunk {
  readonly sessionId: string;
  readonly number: number;
  readonly sealed: Buffer;
  readonly digest: Buffer;
  /** Before it was compressed. */
  readonly plainBytes: number;
  /** How many gaps the recording has up to here. */
  readonly gaps: number;
}

/** The last part that is stored. */
export interface ChunkHead {
  readonly number: number;
  readonly digest: Buffer;
}

/** Stores a part of the recording of a terminal that has not ended; false where there is one of this number. */
export async function storeChunk(tx: Database, chunk: Chunk): Promise<boolean> {
  const { sessionId, number, sealed, digest, plainBytes, gaps } = chunk;
  const { rows } = await sql`
    with stored as (
      insert into terminal_chunks (session_id, number, sealed, digest)
        select session_id, ${number}::int, ${sealed}, ${digest} from terminal_sessions where session_id = ${sessionId} and ended_at is null
        on conflict do nothing returning session_id
    )
    update terminal_sessions s set recorded_bytes = s.recorded_bytes + ${plainBytes}, stored_bytes = s.stored_bytes + ${sealed.length},
      gaps = ${gaps}, digest = ${digest}
    from stored where s.session_id = stored.session_id returning 1`.execute(tx);
  return rows.length > 0;
}

/** Reads which part of a recording was stored last. */
export async function lastChunk(tx: Database, sessionId: string): Promise<ChunkHead | undefined> {
  const { rows } = await sql<ChunkHead>`
    select number, digest from terminal_chunks where session_id = ${sessionId} order by number desc limit 1`.execute(
    tx,
  );
  return rows[0];
}

/** Reads a part of a recording. */
export async function readChunk(
  tx: Database,
  sessionId: string,
  number: number,
): Promise<Pick<Chunk, 'sealed' | 'digest'> | undefined> {
  const { rows } = await sql<Pick<Chunk, 'sealed' | 'digest'>>`
    select sealed, digest from terminal_chunks where session_id = ${sessionId} and number = ${number}`.execute(
    tx,
  );
  return rows[0];
}

/** How many bytes of recordings are stored of a project, by its raw id. */
export async function recordedBytesOf(tx: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::bigint as bytes from terminal_sessions where project_id = ${projectId}`.execute(
    tx,
  );
  return Number(rows[0]?.bytes ?? 0);
}
