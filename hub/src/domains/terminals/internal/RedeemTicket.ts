import { type Id, ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { takeTicket, type TicketHolder } from '../sql/tickets.ts';

interface Redeemed {
  readonly isValid: boolean;
  readonly deviceId: Id<'device'> | undefined;
}

/** Takes a ticket of a terminal, once, of whoever asked for it; with the device of the terminal. */
export const RedeemTicket: Internal<
  { readonly sessionId: string; readonly ticket: string; readonly holder: TicketHolder },
  Redeemed
> = {
  name: 'terminals_RedeemTicket',
  async run({ tx, input: { sessionId, ticket, holder }, now }) {
    if (!(await takeTicket(tx, sessionId, ticket, holder, now)))
      return { isValid: false, deviceId: undefined };
    const row = await tx
      .selectFrom('terminal_sessions')
      .select('device_id')
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return { isValid: row !== undefined, deviceId: row && ids.device.of(row.device_id) };
  },
};
