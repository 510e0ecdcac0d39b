import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type Actor, type Id, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { chunkPlace, digestAfter } from '../../../auth/recording-chain.ts';
import type { Internal } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { createVault, type Vault } from '../../../platform/vault/vault.ts';
import { mustSeeSession } from '../policy/people.ts';
import { readChunk } from '../sql/chunks.ts';
import { keyOf } from '../sql/session-keys.ts';
import { readSession, type SessionRow } from '../sql/sessions.ts';

const decompress = promisify(zstdDecompress);

interface Part {
  /** Undefined at the end, and where the part is not as it was recorded. */
  readonly bytes: Buffer | undefined;
  /** When the terminal began. */
  readonly startedAt: Date;
  readonly digest: Buffer;
  readonly isIntact: boolean;
}

/** Reads a part of a recording for whoever may read it, and checks it against the digest of the part before. */
export const ReadRecordingPart: Internal<
  {
    readonly sessionId: Id<'terminal'>;
    readonly reader: Actor;
    readonly number: number;
    readonly before: Buffer;
  },
  Part
> = {
  name: 'terminals_ReadRecordingPart',
  isQuery: true,
  async run({ tx, vault, input: { sessionId, reader, number, before } }) {
    const session = await mustBeReadable(tx, reader, sessionId);
    const startedAt = new Date(session.started_at ?? session.opened_at);
    const chunk = await readChunk(tx, session.session_id, number);
    if (chunk === undefined) {
      const isWhole = session.ended_at === null || session.digest === null || session.digest.equals(before);
      return { bytes: undefined, startedAt, digest: before, isIntact: isWhole };
    }
    const bytes = opened(vault, session, number, chunk.sealed);
    if (bytes === undefined || !digestAfter(before, bytes).equals(chunk.digest))
      return { bytes: undefined, startedAt, digest: chunk.digest, isIntact: false };
    return { bytes: await decompress(bytes), startedAt, digest: chunk.digest, isIntact: true };
  },
};

function opened(vault: Vault, session: SessionRow, number: number, sealed: Buffer): Buffer | undefined {
  const key = keyOf(vault, session);
  if (key === undefined) return undefined;
  try {
    const ofSession = createVault([key]);
    const place = chunkPlace(session.session_id, number);
    return ofSession.open({ keyId: ofSession.keyId, bytes: sealed }, place);
  } catch {
    return undefined;
  }
}

async function mustBeReadable(tx: Database, reader: Actor, sessionId: Id<'terminal'>): Promise<SessionRow> {
  const access = await mustSeeSession(tx, reader, sessionId);
  const session = await readSession(tx, ids.terminal.raw(sessionId));
  const user = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', access.userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (session === undefined || user === undefined) throw notFound('Terminal');
  if (!access.isOwner && session.opener_id !== access.userId) throw notFound('Terminal');
  return session;
}
