import { sql, type Kysely } from 'kysely';

/** Counts what devices store: the size of each property, which older rows do not have, and the events of a device on the last day that it sent any. */
const deviceUsage = sql`
  alter table device_properties add column size_bytes integer;
  create table device_event_days (
    device_id text primary key references devices on delete cascade,
    day date not null,
    events integer not null,
    event_bytes bigint not null
  );
`;

/**
 * The log loses its oldest seals with their rows, and nothing else: a signed cut names the last seal that is gone, which the next one proves to be before it.
 * Only this function deletes, and nothing that was sealed in the last 30 days; the role of the hub has no right to delete.
 */
const retention = sql`
  create table audit_cuts (
    seal bigint primary key,
    statement text not null,
    signature bytea not null
  );
  create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and current_setting('corral.audit_cut', true) = 'on' then return null; end if;
    raise exception 'Rows of the audit log cannot be changed or deleted.' using errcode = 'insufficient_privilege';
  end $$;
  create trigger append_only before update or delete or truncate
    on audit_cuts for each statement execute function refuse_audit_change();
  create function cut_audit_log(last_seal bigint) returns bigint
    language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    says jsonb;
    cut_rows bigint;
    cut_events bigint;
  begin
    select statement::jsonb into says from audit_seals
      where seal = last_seal and seal < (select max(seal) from audit_seals)
        and exists (select 1 from audit_cuts c where c.seal = last_seal);
    if says is null or (says ->> 'sealedAt')::timestamptz > now() - interval '30 days' then
      raise exception 'The audit log cannot be cut there.' using errcode = 'insufficient_privilege';
    end if;
    perform set_config('corral.audit_cut', 'on', true);
    delete from audit_event_entities where event_id in (
      select event_id from audit_events
      where (position, event_id) <= ((says #>> '{lastEvent,0}')::bigint, says #>> '{lastEvent,1}'));
    delete from audit_events where (position, event_id) <= ((says #>> '{lastEvent,0}')::bigint, says #>> '{lastEvent,1}');
    get diagnostics cut_events = row_count;
    delete from audit_actions where status <> 'Pending'
      and (position, action_id) <= ((says #>> '{lastAction,0}')::bigint, says #>> '{lastAction,1}');
    get diagnostics cut_rows = row_count;
    delete from audit_seals where seal <= last_seal;
    delete from audit_cuts where seal < last_seal;
    perform set_config('corral.audit_cut', '', true);
    return cut_rows + cut_events;
  end $$;
  revoke execute on function cut_audit_log(bigint) from public;
`;

/** Adds the quotas of devices and the retention of the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [deviceUsage, retention]) await part.execute(db);
}
