import type { Actor, Json } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { endSession, type SessionEnd, type SessionRow } from '../sql/sessions.ts';
import { findLost } from '../sql/lost-sessions.ts';
import { ofTerminal } from './event-data.ts';

/** In what a terminal is ended. */
interface Ending {
  readonly tx: Database;
  readonly emit: (
    name: 'devices_TerminalEnded',
    data: Readonly<Record<string, Json>>,
    actor?: Actor,
  ) => unknown;
  readonly now: Date;
}

/** Ends a terminal, which the audit log records with the digest of its recording; false if it has ended. */
export async function endTerminal(
  { tx, emit, now }: Ending,
  sessionId: string,
  end: SessionEnd,
): Promise<boolean> {
  const row = await endSession(tx, sessionId, end, now);
  if (row === undefined) return false;
  emit('devices_TerminalEnded', { ...ofTerminal(row), ...summaryOf(row, now) }, end.by);
  return true;
}

function summaryOf(row: SessionRow, now: Date) {
  const { end_reason, exit_status, started_at, recorded_bytes, gaps, digest } = row;
  const sinceMs = now.getTime() - Date.parse(started_at ?? now.toISOString());
  return {
    endReason: end_reason,
    durationSecs: Math.max(0, Math.round(sinceMs / 1000)),
    recordedBytes: recorded_bytes,
    gaps,
    ...(exit_status === null ? {} : { exitStatus: exit_status }),
    ...(digest === null ? {} : { digest: `sha256_${digest.toString('hex')}` }),
  };
}

/** Ends the terminals that nobody serves or waits for any more: of a device, by its raw id, or at most 100 of all. */
export async function endLost(context: Ending, deviceId?: string): Promise<number> {
  const lost = await findLost(context.tx, { deviceId, now: context.now });
  for (const { session_id, reason } of lost) await endTerminal(context, session_id, { reason });
  return lost.length;
}
