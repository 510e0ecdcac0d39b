import { sql, type Kysely } from 'kysely';

/** Operations: steps on one device, and the same steps on many devices of a project in stages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFleetOperations(db);
  await createDeviceOperations(db);
  await createSteps(db);
  await createRecords(db);
  await noteAbilities(db);
}

async function createFleetOperations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fleet_operations (
      fleet_operation_id text primary key,
      project_id text not null references all_projects on delete cascade,
      name text not null,
      description text,
      status text not null,
      definition jsonb not null,
      steps jsonb not null,
      secret_places jsonb,
      enrollment_interval_secs bigint,
      last_enrollment_at timestamptz,
      next_enrollment_at timestamptz,
      close_when_converged boolean not null,
      active_stage integer not null default 0,
      max_in_flight integer not null,
      pause_on_failure_percent integer not null,
      deliver_within_secs integer not null,
      preview_hash text,
      previewed_devices text[],
      installs_version text,
      installs_package text,
      pause_reason text,
      created_by jsonb not null,
      created_at timestamptz not null,
      started_at timestamptz,
      resumed_at timestamptz,
      completed_at timestamptz,
      final_counts jsonb,
      check (status in ('Draft', 'Running', 'Paused', 'Completed', 'Failed', 'Cancelled'))
    );
    create index fleet_operations_of_project on fleet_operations (project_id, created_at desc, fleet_operation_id desc);
    create index fleet_operations_unfinished on fleet_operations (fleet_operation_id) where status in ('Running', 'Paused', 'Cancelled') and completed_at is null;

    create table fleet_operation_stages (
      fleet_operation_id text not null references fleet_operations on delete cascade,
      stage_index integer not null,
      devices integer not null,
      failures integer not null default 0,
      opened_at timestamptz,
      ended_at timestamptz,
      primary key (fleet_operation_id, stage_index)
    );
  `.execute(db);
}

async function createDeviceOperations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_operations (
      device_operation_id text primary key,
      project_id text not null,
      device_id text not null references all_devices on delete cascade,
      fleet_operation_id text references fleet_operations on delete cascade,
      name text not null,
      description text,
      steps jsonb,
      secret_places jsonb,
      step_count integer not null,
      installs_version text,
      delivery text not null,
      stage_index integer,
      attempt integer not null default 1,
      is_latest boolean not null default true,
      status text not null default 'Pending',
      outcome text,
      last_error text,
      counts_as_failure boolean not null default false,
      step_index integer not null default 0,
      created_by jsonb,
      created_at timestamptz not null,
      released_at timestamptz,
      started_at timestamptz,
      completed_at timestamptz,
      updated_at timestamptz not null,
      check (status in ('Pending', 'Running', 'Succeeded', 'Failed', 'TimedOut', 'Cancelled'))
    );
    create unique index device_operations_running on device_operations (device_id) where status = 'Running';
    create index device_operations_released on device_operations (fleet_operation_id, released_at, device_operation_id) where status = 'Pending' and released_at is not null;
    create index device_operations_unreleased on device_operations (fleet_operation_id, stage_index) where status = 'Pending' and released_at is null;
    create index device_operations_of_device on device_operations (device_id, created_at desc, device_operation_id desc);
    create index device_operations_of_fleet on device_operations (fleet_operation_id, status, stage_index) include (outcome) where is_latest;
    create index device_operations_of_project on device_operations (project_id, device_id) where is_latest;
    create index device_operations_ended on device_operations (completed_at) where fleet_operation_id is null and completed_at is not null;
    create unique index device_operations_attempts on device_operations (fleet_operation_id, device_id, attempt) where fleet_operation_id is not null;
  `.execute(db);
}

async function createSteps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table device_operation_steps (
      device_operation_id text not null references device_operations on delete cascade,
      step_index integer not null,
      kind text not null,
      status text not null,
      timeout_secs bigint,
      carrier text,
      claim_ids text[] not null default '{}',
      connection_id text,
      claims integer not null default 0,
      first_claimed_at timestamptz,
      checkpoint jsonb,
      output jsonb,
      output_bytes bigint,
      error text,
      log text[],
      undo jsonb,
      started_at timestamptz not null,
      checked_at timestamptz,
      waits_for text[],
      seen_versions bigint,
      completed_at timestamptz,
      primary key (device_operation_id, step_index),
      check (status in ('Running', 'Succeeded', 'Failed', 'TimedOut', 'Skipped'))
    );

    create index device_operation_steps_running on device_operation_steps (device_operation_id) where status = 'Running';
  `.execute(db);
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operation_events (
      event_id bigint generated always as identity primary key,
      project_id text not null,
      fleet_operation_id text references fleet_operations on delete cascade,
      device_operation_id text references device_operations on delete cascade,
      device_id text,
      at timestamptz not null,
      kind text not null,
      actor jsonb,
      data jsonb not null
    );
    create index operation_events_of_fleet on operation_events (fleet_operation_id, event_id desc) where fleet_operation_id is not null;
    create index operation_events_of_device on operation_events (fleet_operation_id, device_id, event_id desc) where fleet_operation_id is not null and device_id is not null;
    create index operation_events_of_device_operation on operation_events (device_operation_id, event_id desc) where device_operation_id is not null;

    create table fleet_selection_errors (
      fleet_operation_id text not null references fleet_operations on delete cascade,
      device_id text not null references all_devices on delete cascade,
      error text not null,
      updated_at timestamptz not null,
      primary key (fleet_operation_id, device_id)
    );
    create index fleet_selection_errors_of_device on fleet_selection_errors (device_id);

    create table device_installs (
      device_id text not null references all_devices on delete cascade,
      package_id text not null references packages on delete cascade,
      version_id text not null,
      version_before text,
      device_operation_id text not null,
      proved_at timestamptz not null,
      primary key (device_id, package_id)
    );
    create index device_installs_of_version on device_installs (version_id);
    create index device_installs_of_package on device_installs (package_id);

    create table device_abilities (
      device_id text primary key references all_devices on delete cascade,
      manifest_hash uuid,
      has_commands boolean,
      has_terminal boolean,
      claimed_at timestamptz
    );
  `.execute(db);
}

const notedProperties = ['dev.nexigon.commands', 'dev.nexigon.system.info'];

/** Keeps device_abilities: which devices have the same commands, and what their agents are set to serve. */
async function noteAbilities(db: Kysely<unknown>): Promise<void> {
  const noted = sql.join(notedProperties.map((name) => sql.lit(name)));
  await sql`
    create function note_abilities() returns trigger language plpgsql set plan_cache_mode to 'force_custom_plan' set enable_seqscan to 'off' as $$
    declare
      changed record := case when tg_op = 'DELETE' then old else new end;
      document jsonb := case when tg_op = 'DELETE' then null else new.value end;
      hash uuid;
    begin
      if tg_op <> 'DELETE' then
        insert into device_abilities (device_id) select changed.device_id
          where not exists (select 1 from device_abilities a where a.device_id = changed.device_id) on conflict do nothing;
      end if;
      if changed.name = 'dev.nexigon.commands' then
        hash := md5(document::text)::uuid;
        update device_abilities a set manifest_hash = hash where a.device_id = changed.device_id and a.manifest_hash is distinct from hash;
      else
        update device_abilities a set has_commands = coalesce((document #>> '{agent,config,commands,enabled}') = 'true', false),
            has_terminal = coalesce((document #>> '{agent,config,terminal,enabled}') = 'true', false)
          where a.device_id = changed.device_id and (a.has_commands, a.has_terminal) is distinct from (
            coalesce((document #>> '{agent,config,commands,enabled}') = 'true', false),
            coalesce((document #>> '{agent,config,terminal,enabled}') = 'true', false));
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger note_added_abilities after insert on device_properties for each row when (new.name in (${noted})) execute function note_abilities()`.execute(
    db,
  );
  await sql`create trigger note_changed_abilities after update on device_properties for each row when (new.name in (${noted})) execute function note_abilities()`.execute(
    db,
  );
  await sql`create trigger note_removed_abilities after delete on device_properties for each row when (old.name in (${noted})) execute function note_abilities()`.execute(
    db,
  );
}
