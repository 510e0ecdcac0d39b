import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A part of a recording as it is stored. */
export interface Chunk {
  readonly sealed: Buffer;
  readonly digest: Buffer;
  /** Before it was compressed. */
  readonly plainBytes: number;
}

/** The next parts of a recording; the id of the terminal is raw. */
export interface NextChunks {
  readonly sessionId: string;
  /** The number of the first. */
  readonly number: number;
  readonly chunks: readonly Chunk[];
  /** How many gaps the recording has up to here. */
  readonly gaps: number;
}

/** The last part that is stored. */
export interface ChunkHead {
  readonly number: number;
  readonly digest: Buffer;
}

/** Stores the next parts of the recording of a terminal that has not ended; false where there are some of these numbers. */
export async function storeChunks(tx: Database, next: NextChunks): Promise<boolean> {
  const { sessionId, number, chunks, gaps } = next;
  const sum = (of: (chunk: Chunk) => number): number => chunks.reduce((all, chunk) => all + of(chunk), 0);
  const { rows } = await sql`
    with stored as (
      insert into terminal_chunks (session_id, number, sealed, digest)
        select s.session_id, ${number}::int + given.index::int - 1, given.sealed, given.digest
        from terminal_sessions s, unnest(${chunks.map(({ sealed }) => sealed)}::bytea[], ${chunks.map(({ digest }) => digest)}::bytea[])
          with ordinality as given(sealed, digest, index)
        where s.session_id = ${sessionId} and s.ended_at is null
          and not exists (select 1 from terminal_chunks c where c.session_id = s.session_id and c.number >= ${number})
        returning session_id
    )
    update terminal_sessions s set recorded_bytes = s.recorded_bytes + ${sum(({ plainBytes }) => plainBytes)},
      stored_bytes = s.stored_bytes + ${sum(({ sealed }) => sealed.length)}, gaps = ${gaps}, digest = ${chunks.at(-1)?.digest ?? null}
    where s.session_id in (select session_id from stored) returning 1`.execute(tx);
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
