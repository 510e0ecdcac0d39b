import type { TerminalEnd } from '@corral/contract';
import { sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

interface Lost {
  readonly session_id: string;
  readonly reason: TerminalEnd;
}

const minuteMs = 60_000;
/** A ticket is valid for half a minute, and the node of the device has as long to open the channel. */
const enteredWithinMs = 2 * minuteMs;
const atOnce = 100;

/** Finds terminals whose node is gone, that nobody approved or entered in time, or whose time is over; they stay locked. */
export async function findLost(
  tx: Database,
  { deviceId, now }: { readonly deviceId: string | undefined; readonly now: Date },
): Promise<readonly Lost[]> {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const approvalBefore = before(amounts.terminalApproval.max * minuteMs);
  const startedBefore = before(amounts.terminalHours.max * 60 * minuteMs + 5 * minuteMs);
  const ofDevice = deviceId === undefined ? sql`true` : sql`t.device_id = ${deviceId}`;
  const { rows } = await sql<Lost>`
    select * from (
      select t.session_id, case
        when t.state = 'Waiting' then case when t.opened_at <= ${approvalBefore} then 'NoApprover' end
        when t.started_at is null then case
          when t.decided_at is not null then case when t.decided_at <= ${approvalBefore} then 'NeverEntered' end
          when t.opened_at <= ${before(enteredWithinMs)} then 'NeverEntered' end
        when t.node_id is not null and not exists (select 1 from cluster_nodes n where n.node_id = t.node_id and n.lease_until > ${now}) then 'HubStopped'
        when t.started_at <= ${startedBefore} then 'TooLong' end as reason
      from terminal_sessions t where t.ended_at is null and ${ofDevice} for no key update of t skip locked
    ) as found where reason is not null limit ${atOnce}`.execute(tx);
  return rows;
}
