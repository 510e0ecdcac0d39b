import { sql, type Kysely } from 'kysely';

/**
 * A row's position is the number of the transaction that wrote it: the end of a command for its row, the commit of an event for the event. Transactions
 * commit in another order than they are numbered, so a seal takes only rows below the oldest one that still runs. The offset is raised when the data moves
 * to a server whose transactions are numbered anew. Rows that are there already share position 0.
 */
const positions = sql`
  create function audit_position_offset() returns bigint language sql stable as 'select 0::bigint';
  create function audit_position() returns bigint language sql stable as
    'select pg_current_xact_id()::text::bigint + audit_position_offset()';
  alter table audit_actions add column position bigint not null default 0;
  alter table audit_actions alter column position set default audit_position();
  alter table audit_events add column position bigint not null default 0;
  alter table audit_events alter column position set default audit_position();
  create index audit_actions_by_position on audit_actions (position, action_id) where status <> 'Pending';
  create index audit_events_by_position on audit_events (position, event_id);
  create index audit_event_entities_by_event on audit_event_entities (event_id);
`;

/** The ids name the rows of a seal; what is signed is the root over the leaves, which are 32 bytes a row. */
const seals = sql`
  create table audit_seals (
    seal bigint primary key,
    statement text not null,
    signature bytea not null,
    action_ids text[] not null,
    event_ids text[] not null,
    leaves bytea not null,
    last_event_position bigint not null,
    last_event_id text not null
  );
  create index audit_seals_by_last_event on audit_seals (last_event_position, last_event_id);
  create table audit_checks (
    is_only boolean primary key default true check (is_only),
    requested_at timestamptz not null,
    seals bigint not null,
    checked_seals bigint not null default 0,
    checked_rows bigint not null default 0,
    finished_at timestamptz,
    sentence text,
    is_intact boolean
  );
`;

/** The row of a command is updated once, when the command ends; every other change is refused. */
const triggers = sql`
  create function refuse_audit_change() returns trigger language plpgsql as $$ begin
    raise exception 'Rows of the audit log cannot be changed or deleted.' using errcode = 'insufficient_privilege';
  end $$;
  create function place_ended_action() returns trigger language plpgsql as $$ begin
    new.position := audit_position();
    return new;
  end $$;
  create trigger append_only before update of action_id, actor, action, data, node_id, created_at, position or delete or truncate
    on audit_actions for each statement execute function refuse_audit_change();
  create trigger end_once before update on audit_actions
    for each row when (old.status <> 'Pending' or new.status = 'Pending') execute function refuse_audit_change();
  create trigger place_ended before update on audit_actions
    for each row when (old.status = 'Pending') execute function place_ended_action();
  create trigger append_only before update or delete or truncate
    on audit_events for each statement execute function refuse_audit_change();
  create trigger append_only before update or delete or truncate
    on audit_event_entities for each statement execute function refuse_audit_change();
  create trigger append_only before update or delete or truncate
    on audit_seals for each statement execute function refuse_audit_change();
`;

/** Makes the audit log append-only, and adds the seals over its rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [positions, seals, triggers]) await part.execute(db);
}
