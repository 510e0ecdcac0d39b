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

/** Finds which terminals of a node have to end, and who may still be in them. */
export const CheckTerminals: Internal<
  { readonly sessionIds: readonly string[]; readonly seated: readonly Seated[] },
  { readonly toEnd: readonly ToEnd[]; readonly rights: readonly SeatedRights[] }
> = {
  name: 'terminals_CheckTerminals',
  isQuery: true,
  async run({ tx, now, input: { sessionIds, seated } }) {
    const { rows } = await sql<{ sessionId: string; by: Actor | null }>`
      select g.id as "sessionId", case when s.ended_at is null then s.end_wanted_by end as by
      from unnest(${[...sessionIds]}::text[]) as g(id) left join terminal_sessions s on s.session_id = g.id
      where s.session_id is null or s.ended_at is not null or s.end_wanted_by is not null`.execute(tx);
    const toEnd = rows.map(({ sessionId, by }) => ({ sessionId, by: by ?? undefined }));
    return { toEnd, rights: await readRights(tx, seated, now) };
  },
};
