import type { Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { readRights, type Seated, type SeatedRights } from '../sql/rights.ts';

/** A terminal that its node has to end. */
export interface ToEnd {
  readonly sessionId: string;
  /** Who asked for it; undefined where it has ended already, as when its project was deleted. */
  readonly by: Actor | undefined;
}

/** Finds which terminals of a node have to end, or may go on without a recording, and who may still be in them. */
export const CheckTerminals: Internal<
  { readonly sessionIds: readonly string[]; readonly seated: readonly Seated[] },
  {
    readonly toEnd: readonly ToEnd[];
    /** Which may go on where output cannot be recorded. */
    readonly waived: readonly string[];
    readonly rights: readonly SeatedRights[];
  }
> = {
  name: 'terminals_CheckTerminals',
  isQuery: true,
  async run({ tx, now, input: { sessionIds, seated } }) {
    const { rows } = await sql<{ sessionId: string; by: Actor | null; isToEnd: boolean }>`
      select g.id as "sessionId", case when s.ended_at is null then s.end_wanted_by end as by,
        s.session_id is null or s.ended_at is not null or s.end_wanted_by is not null as "isToEnd"
      from unnest(${[...sessionIds]}::text[]) as g(id) left join terminal_sessions s on s.session_id = g.id
      where s.session_id is null or s.ended_at is not null or s.end_wanted_by is not null or s.waived_at is not null`.execute(
      tx,
    );
    const toEnd = rows
      .filter(({ isToEnd }) => isToEnd)
      .map(({ sessionId, by }) => ({ sessionId, by: by ?? undefined }));
    const waived = rows.filter(({ isToEnd }) => !isToEnd).map(({ sessionId }) => sessionId);
    return { toEnd, waived, rights: await readRights(tx, seated, now) };
  },
};
