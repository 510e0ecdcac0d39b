import { sql, type Kysely } from 'kysely';

const accounts = sql`
  alter table users add column disabled_at timestamptz;
  create table password_links (
    link_id text primary key,
    user_id text not null unique references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  );
  alter table queued_mails drop constraint if exists queued_mails_kind_check;
`;

const instance = sql`
  alter table cluster_nodes add column version text;
  create table instance_days (
    day date primary key,
    users bigint not null,
    projects bigint not null,
    devices bigint not null,
    connected_devices bigint not null
  );
`;

/** The key of an actor as filters of the log have it: its kind, and after a colon its id. */
const actorKey = sql`
  create function actor_key(actor jsonb) returns text language sql immutable parallel safe as $$
    select (actor ->> 'actor') || coalesce(':' || case actor ->> 'actor'
      when 'User' then actor ->> 'userId' when 'UserToken' then actor ->> 'tokenId'
      when 'Device' then actor ->> 'deviceId' when 'ClusterNode' then actor ->> 'nodeId' end, '')
  $$;
`;

/** A command ends once, so few rows move between these indexes; most commands succeed, and are in none of the last one. */
const logs = sql`
  create index audit_events_by_type on audit_events (event, created_at, event_id);
  create index audit_events_by_actor on audit_events (actor_key(actor), created_at, event_id);
  create index audit_events_by_action on audit_events (action_id) where action_id is not null;
  create index audit_actions_by_type on audit_actions (action, created_at, action_id);
  create index audit_actions_by_actor on audit_actions (actor_key(actor), created_at, action_id);
  create index audit_actions_unsuccessful on audit_actions (status, created_at, action_id) where status <> 'Succeeded';
`;

/** Adds disabled accounts, mailed links to set a password, counts of each day, and the indexes of the filters of the log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [accounts, instance, actorKey, logs]) await part.execute(db);
}
