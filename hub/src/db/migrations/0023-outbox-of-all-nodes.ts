import { sql, type Kysely } from 'kysely';

/**
 * Any node looks for the oldest rows every two seconds. Rows live for a moment, so the table is vacuumed by their number and not by its size, and without
 * pauses: dead rows cost the one who looks.
 */
const outbox = sql`
  create index event_outbox_by_time on event_outbox (created_at, event_id);
  alter table event_outbox set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000
  );
`;

/**
 * One row: the name of this Corral where it shares a message server with others, and how often a node could not tell the others what it had changed. Each node says
 * whether it reaches the message server.
 */
const state = sql`
  create table event_bus (
    is_only boolean primary key default true check (is_only),
    instance_id text not null,
    missed bigint not null default 0
  );
  alter table cluster_nodes add column message_bus text check (message_bus in ('Connected', 'Disconnected'));
  insert into event_bus (instance_id) values (replace(gen_random_uuid()::text, '-', ''));
`;

/** Lets every node publish the events that another one has left, and know when it missed some. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [outbox, state]) await part.execute(db);
}
