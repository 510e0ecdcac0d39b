import type { TerminalEnd } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { ofTerminal } from '../policy/event-data.ts';
import { recordedBytesOf } from '../sql/chunks.ts';
import { readRights, type SeatedRights } from '../sql/rights.ts';
import { startWithKey } from '../sql/session-keys.ts';
import { lockSession, type SessionRow } from '../sql/sessions.ts';
import type { TicketHolder } from '../sql/tickets.ts';

/** What the node that serves a terminal needs to know of it. */
export interface BegunTerminal extends Pick<SessionRow, 'device_user' | 'approval' | 'recording'> {
  /** Of its recording. */
  readonly key: Buffer;
  /** How many bytes the recording may have, as they are and as stored. */
  readonly room: { readonly plainBytes: number; readonly storedBytes: number };
}

type Entered =
  | { readonly result: 'Refused' }
  | { readonly result: 'Ended'; readonly reason: TerminalEnd }
  | { readonly result: 'Entered'; readonly rights: SeatedRights; readonly begun: BegunTerminal | undefined };

/** Checks again who enters a terminal, on the node of its device; whoever opened it begins it there. */
export const EnterTerminal: Internal<
  { readonly sessionId: string; readonly holder: TicketHolder; readonly nodeId: string | undefined },
  Entered
> = {
  name: 'terminals_EnterTerminal',
  async run({ tx, vault, now, emit, input: { sessionId, holder, nodeId } }) {
    const session = await lockSession(tx, sessionId);
    if (session.state === 'Ended') return { result: 'Ended', reason: session.end_reason ?? 'Closed' };
    const [rights] = await readRights(tx, [{ key: '', sessionId, ...holder }], now);
    const isBegun = session.started_at !== null;
    if (rights === undefined || session.state === 'Waiting' || !(isBegun || rights.isOpener))
      return { result: 'Refused' };
    if (isBegun) return { result: 'Entered', rights, begun: undefined };
    const key = await startWithKey({ tx, vault, now }, sessionId, nodeId);
    const recorded = await recordedBytesOf(tx, session.project_id);
    const room = {
      plainBytes: amounts.recordedTerminal.max,
      storedBytes: Math.max(0, amounts.recordedTerminals.max - recorded),
    };
    emit('devices_TerminalEntered', ofTerminal(session));
    return { result: 'Entered', rights, begun: { ...session, key, room } };
  },
};
