import { sql, type Kysely } from 'kysely';

const people = sql`
  create table users (
    user_id text primary key,
    email text not null unique,
    display_name text,
    password_hash text,
    is_admin boolean not null default false,
    created_at timestamptz not null
  );
  create table user_sessions (
    session_id text primary key,
    secret_hash bytea not null,
    user_id text not null references users on delete cascade,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    idle_timeout_secs integer not null,
    expires_at timestamptz not null
  );
  create index user_sessions_by_user on user_sessions (user_id);
  create index user_sessions_by_expiry on user_sessions (expires_at);
  create table user_tokens (
    token_id text primary key,
    secret_hash bytea not null,
    user_id text not null references users on delete cascade,
    name text,
    created_at timestamptz not null,
    last_used_at timestamptz
  );
  create index user_tokens_by_user on user_tokens (user_id);
  create table sign_in_failures (
    subject text primary key,
    failures integer not null,
    blocked_until timestamptz not null,
    last_failed_at timestamptz not null
  );
  create table instance_keys (
    purpose text primary key,
    key bytea not null,
    created_at timestamptz not null
  );
`;

const projects = sql`
  create table projects (
    project_id text primary key,
    name text not null,
    created_at timestamptz not null
  );
  create table project_members (
    project_id text not null references projects on delete cascade,
    user_id text not null references users on delete cascade,
    is_owner boolean not null,
    added_at timestamptz not null,
    primary key (project_id, user_id)
  );
  create index project_members_by_user on project_members (user_id);
  create table deployment_tokens (
    token_id text primary key,
    secret_hash bytea not null,
    project_id text not null references projects on delete cascade,
    name text not null,
    auto_accept boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  );
  create index deployment_tokens_by_project on deployment_tokens (project_id);
`;

const devices = sql`
  create table devices (
    device_id text primary key,
    project_id text not null references projects on delete cascade,
    fingerprint_id text not null,
    fingerprint_hash bytea not null,
    enrolled_by text references deployment_tokens on delete set null,
    name text,
    metadata jsonb not null default '{}',
    created_at timestamptz not null,
    unique (project_id, fingerprint_id)
  );
  create index devices_by_token on devices (enrolled_by);
  create table device_certificates (
    certificate_id text primary key,
    device_id text not null references devices on delete cascade,
    fingerprint text not null,
    status text not null check (status in ('Pending', 'Active', 'Rejected', 'Revoked')),
    created_at timestamptz not null,
    unique (device_id, fingerprint)
  );
  create table device_properties (
    device_id text not null references devices on delete cascade,
    name text not null,
    value jsonb not null,
    is_protected boolean not null,
    version bigint not null default 1,
    updated_at timestamptz not null,
    primary key (device_id, name)
  );
  create table device_events (
    device_id text not null references devices on delete cascade,
    event_month integer not null,
    event_id text not null,
    category text,
    severity text not null,
    body jsonb not null,
    attributes jsonb not null,
    emitted_at timestamptz not null,
    received_at timestamptz not null,
    primary key (device_id, event_id, event_month)
  ) partition by range (event_month);
  create index device_events_newest on device_events (device_id, emitted_at desc);
  create table device_events_other partition of device_events default;
`;

const cluster = sql`
  create table cluster_nodes (
    node_id text primary key,
    name text,
    joined_at timestamptz not null,
    lease_until timestamptz not null,
    last_heartbeat_at timestamptz not null
  );
  create table device_connections (
    connection_id text primary key,
    device_id text not null references devices on delete cascade,
    node_id text not null,
    certificate_id text,
    token_id text,
    connected_at timestamptz not null,
    ended_at timestamptz,
    end_reason text
  );
  create index device_connections_by_device on device_connections (device_id, connected_at desc);
  create index device_connections_live on device_connections (device_id) where ended_at is null;
  create index device_connections_live_by_node on device_connections (node_id) where ended_at is null;
`;

const audit = sql`
  create table audit_actions (
    action_id text primary key,
    actor jsonb not null,
    action text not null,
    data jsonb not null,
    status text not null,
    node_id text,
    created_at timestamptz not null
  );
  create index audit_actions_newest on audit_actions (created_at desc, action_id desc);
  create index audit_actions_pending on audit_actions (node_id) where status = 'Pending';
  create table audit_events (
    event_id text primary key,
    actor jsonb not null,
    event text not null,
    data jsonb not null,
    action_id text,
    job_id text,
    created_at timestamptz not null
  );
  create index audit_events_newest on audit_events (created_at desc, event_id desc);
  create table audit_event_entities (
    entity_kind text not null,
    entity_id text not null,
    created_at timestamptz not null,
    event_id text not null,
    primary key (entity_kind, entity_id, created_at, event_id)
  );
  create table event_outbox (
    event_id text primary key,
    event jsonb not null,
    created_at timestamptz not null
  );
`;

/** Creates the tables of people, projects, devices, the cluster and the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [people, projects, devices, cluster, audit]) await part.execute(db);
}
