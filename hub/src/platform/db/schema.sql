-- Generated from the migrations by `npm run generate`.

CREATE EXTENSION pg_trgm;

-- Some bodies name what comes later.
SET check_function_bodies = off;

CREATE FUNCTION actor_key(actor jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    select (actor ->> 'actor') || coalesce(':' || case actor ->> 'actor'
      when 'User' then actor ->> 'userId' when 'UserToken' then actor ->> 'tokenId'
      when 'Device' then actor ->> 'deviceId' when 'ClusterNode' then actor ->> 'nodeId' end, '')
  $$;

CREATE FUNCTION audit_position() RETURNS bigint LANGUAGE sql STABLE AS $$select pg_current_xact_id()::text::bigint + audit_position_offset()$$;

CREATE FUNCTION audit_position_offset() RETURNS bigint LANGUAGE sql STABLE AS $$select 0::bigint$$;

CREATE FUNCTION cut_audit_log(last_seal bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'public', 'pg_temp' AS $$
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
REVOKE EXECUTE ON FUNCTION cut_audit_log(bigint) FROM PUBLIC;

CREATE FUNCTION facts_of(document jsonb, path text) RETURNS TABLE(value_text text, value_num numeric, value_flag boolean) LANGUAGE sql IMMUTABLE AS $$
    with scalars as (
      select v, jsonb_typeof(v) as kind from jsonb_path_query(document, (path || '[*][*]')::jsonpath, '{}', true) as v
      where jsonb_typeof(v) in ('string', 'number', 'boolean')
    )
    (select distinct case when kind = 'string' then left(v #>> '{}', 201) end, case when kind = 'number' then v::numeric end,
      case when kind = 'boolean' then v::boolean end from scalars limit 20 + 1)
    union all
    select null, null, null
      where not exists (select 1 from scalars) and jsonb_path_exists(document, (path || ' ? (@ != null)')::jsonpath, '{}', true)
  $$;

CREATE FUNCTION folded(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$ begin
    return case when octet_length(value) = char_length(value) then lower(value collate "C")
  else replace(replace(replace(replace(translate(
    lower(normalize(regexp_replace(normalize(value, nfd), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'), nfc)),
    'øđðħıłŧς', 'oddhiltσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end;
  end $$;

CREATE FUNCTION metadata_size(metadata jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    select case when metadata = '{}' then 0 else octet_length(metadata::text) end
  $$;

CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
  declare
    parts text[];
    id text;
    rest text;
    run text;
    place integer;
    key text := '';
    tail text := '';
  begin
    if name ~ '^[vV]?[0-9]+[.]' then
      parts := regexp_match(name, '^[vV]?([0-9]+(?:[.][0-9]+)+)(?:-([0-9A-Za-z.-]+))?(?:[+][0-9A-Za-z.-]+)?$');
    end if;
    if parts is null then
      rest := case when octet_length(name) = char_length(name) then lower(name collate "C")
  else replace(replace(replace(replace(translate(
    lower(normalize(regexp_replace(normalize(name, nfd), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'), nfc)),
    'øđðħıłŧς', 'oddhiltσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end;
    else
      rest := case when parts[1] ~ '[.].*[.]' then parts[1] else parts[1] || '.0' end;
      tail := case when parts[2] is null then '#' else '!' end;
      foreach id in array coalesce(string_to_array(parts[2], '.'), '{}') loop
        tail := tail || case when id ~ '^[0-9]+$' then '0' || lpad(ltrim(id, '0'), greatest(20, length(ltrim(id, '0'))), '0') else '1' || id end || ' ';
      end loop;
    end if;
    loop
      run := substring(rest from '[0-9]+');
      exit when run is null;
      place := strpos(rest, run);
      key := key || left(rest, place - 1) || lpad(ltrim(run, '0'), greatest(20, length(ltrim(run, '0'))), '0');
      rest := substr(rest, place + length(run));
    end loop;
    return key || rest || tail;
  end $$;

CREATE FUNCTION property_name_bucket(name text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    select hashtext(name) & 255
  $$;

CREATE FUNCTION searched_texts(device_id text, name text, hostname text) RETURNS text LANGUAGE sql STABLE AS $$
    select chr(1) || 'd_' || lower(device_id collate "C") || chr(1) || replace(coalesce(folded(name), ''), chr(1), '')
      || chr(1) || replace(coalesce(folded(hostname), ''), chr(1), '')
  $$;

CREATE FUNCTION write_facts(key integer, device text, document jsonb, path text) RETURNS void LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$
  begin
    with fresh as materialized (
      select * from facts_of(document, path)
    ), fits as materialized (
      select count(*) <= 20 and coalesce(max(length(value_num::text)) <= 100, true) as ok from fresh
    ), unfit as (
      update fact_keys set state = 'Unfit' from fits where not ok and key_id = key and state <> 'Unfit'
    ), gone as (
      delete from device_facts f using fits where ok and f.key_id = key and f.device_id = device and not exists (
        select 1 from fresh n where (n.value_text, n.value_num, n.value_flag) is not distinct from (f.value_text, f.value_num, f.value_flag))
    )
    insert into device_facts (key_id, device_id, value_text, value_num, value_flag)
      select key, device, n.* from fresh n where (select ok from fits) and not exists (
        select 1 from device_facts f where f.key_id = key and f.device_id = device
          and (n.value_text, n.value_num, n.value_flag) is not distinct from (f.value_text, f.value_num, f.value_flag));
  end $$;

CREATE TABLE additional_connections (
  connection_id text NOT NULL,
  device_id text NOT NULL,
  PRIMARY KEY (connection_id)
);
CREATE INDEX additional_connections_by_device ON additional_connections (device_id);

CREATE TABLE projects (
  project_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  version_fields text[],
  approval jsonb,
  terminal_policy jsonb,
  certificate_days integer DEFAULT 30 NOT NULL,
  demands_certificates boolean DEFAULT false NOT NULL,
  PRIMARY KEY (project_id)
);
CREATE INDEX projects_by_name ON projects (name_key(name) COLLATE "C", name, project_id);

CREATE TABLE alert_rules (
  rule_id text NOT NULL,
  project_id text,
  name text NOT NULL,
  condition jsonb NOT NULL,
  severity text NOT NULL,
  channels jsonb NOT NULL,
  remind_secs integer,
  quiet_hours jsonb,
  is_enabled boolean DEFAULT true NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  looked_at timestamptz,
  next_look_at timestamptz NOT NULL,
  cursor jsonb,
  problem text,
  told_at timestamptz,
  told_count integer DEFAULT 0 NOT NULL,
  PRIMARY KEY (rule_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);
CREATE INDEX alert_rules_by_project ON alert_rules (project_id);
CREATE INDEX alert_rules_due ON alert_rules (next_look_at);

CREATE TABLE alert_mutes (
  mute_id text NOT NULL,
  project_id text,
  rule_id text,
  device_id text,
  filter text,
  until timestamptz,
  daily_window jsonb,
  reason text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (mute_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (rule_id) REFERENCES alert_rules(rule_id) ON DELETE CASCADE,
  CHECK (num_nonnulls(until, daily_window) = 1)
);
CREATE INDEX alert_mutes_by_project ON alert_mutes (project_id, created_at, mute_id);
CREATE INDEX alert_mutes_by_rule ON alert_mutes (rule_id) WHERE rule_id IS NOT NULL;

CREATE TABLE repositories (
  repository_id text NOT NULL,
  name text NOT NULL,
  visibility text NOT NULL,
  max_bytes bigint,
  max_assets bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id),
  UNIQUE (name),
  CHECK (max_assets >= 0),
  CHECK (max_bytes >= 0),
  CHECK (visibility = ANY (ARRAY['Public'::text, 'Private'::text]))
);
CREATE INDEX repositories_by_name ON repositories (name_key(name) COLLATE "C", name, repository_id);

CREATE TABLE users (
  user_id text NOT NULL,
  email text NOT NULL,
  display_name text,
  password_hash text,
  is_admin boolean DEFAULT false NOT NULL,
  created_at timestamptz NOT NULL,
  consented_to_terms_at timestamptz,
  consented_to_marketing_at timestamptz,
  disabled_at timestamptz,
  only_invitation_id text,
  factor_grace_from timestamptz,
  is_service boolean DEFAULT false NOT NULL,
  service_project_id text,
  service_repository_id text,
  is_admin_from_groups boolean DEFAULT false NOT NULL,
  PRIMARY KEY (user_id),
  UNIQUE (email),
  FOREIGN KEY (service_project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (service_repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE,
  CHECK (is_service = (num_nonnulls(service_project_id, service_repository_id) = 1)),
  CONSTRAINT users_check1 CHECK (num_nonnulls(service_project_id, service_repository_id) <= 1),
  CONSTRAINT users_check2 CHECK (NOT (is_service AND (is_admin OR password_hash IS NOT NULL)))
);
CREATE INDEX users_by_right ON users (is_admin, email);
CREATE INDEX users_by_name ON users ((display_name IS NULL), name_key(COALESCE(display_name, ''::text)) COLLATE "C", email);
CREATE INDEX users_by_name_descending ON users ((display_name IS NOT NULL), name_key(COALESCE(display_name, ''::text)) COLLATE "C", email);
CREATE INDEX users_by_service_project ON users (service_project_id) WHERE service_project_id IS NOT NULL;
CREATE INDEX users_by_service_repository ON users (service_repository_id) WHERE service_repository_id IS NOT NULL;

CREATE TABLE alert_unsubscriptions (
  rule_id text NOT NULL,
  user_id text NOT NULL,
  PRIMARY KEY (rule_id, user_id),
  FOREIGN KEY (rule_id) REFERENCES alert_rules(rule_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX alert_unsubscriptions_by_user ON alert_unsubscriptions (user_id);

CREATE TABLE alert_watch (
  is_only boolean DEFAULT true NOT NULL,
  watched_at timestamptz NOT NULL,
  resumed_at timestamptz,
  PRIMARY KEY (is_only),
  CHECK (is_only)
);

CREATE TABLE alerts (
  alert_id text NOT NULL,
  rule_id text NOT NULL,
  subject text NOT NULL,
  subject_name text NOT NULL,
  state text NOT NULL,
  since timestamptz NOT NULL,
  fired_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  ended_at timestamptz,
  end_reason text,
  flaps integer DEFAULT 0 NOT NULL,
  good_since timestamptz,
  to_tell text,
  is_told boolean DEFAULT false NOT NULL,
  reminded_at timestamptz,
  fires_at timestamptz DEFAULT now() NOT NULL,
  PRIMARY KEY (alert_id),
  FOREIGN KEY (rule_id) REFERENCES alert_rules(rule_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX alerts_open ON alerts (rule_id, subject) WHERE ended_at IS NULL;
CREATE INDEX alerts_of_rule ON alerts (rule_id, state, alert_id);
CREATE INDEX alerts_of_subject ON alerts (subject);
CREATE INDEX alerts_to_tell ON alerts (rule_id) WHERE to_tell IS NOT NULL;
CREATE INDEX alerts_ended ON alerts (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX alerts_by_firing ON alerts (rule_id, fired_at) WHERE fired_at IS NOT NULL;

CREATE TABLE all_projects (
  project_id text NOT NULL,
  property_names_full_at timestamptz,
  PRIMARY KEY (project_id)
);

CREATE TABLE all_devices (
  device_id text NOT NULL,
  project_id text NOT NULL,
  fingerprint_id text NOT NULL,
  fingerprint_hash bytea NOT NULL,
  enrolled_by text,
  name text,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  property_version_floor bigint DEFAULT 0 NOT NULL,
  hostname text,
  health text,
  last_connected_at timestamptz,
  last_seen_at timestamptz,
  open_node text,
  pending_certificates integer DEFAULT 0 NOT NULL,
  metadata_bytes integer DEFAULT 0,
  newest_connection text,
  CONSTRAINT devices_pkey PRIMARY KEY (device_id),
  CONSTRAINT devices_project_id_fingerprint_id_key UNIQUE (project_id, fingerprint_id),
  CONSTRAINT devices_project_id_fkey FOREIGN KEY (project_id) REFERENCES all_projects(project_id) ON DELETE CASCADE
) WITH (fillfactor=85);
CREATE INDEX devices_by_token ON all_devices (enrolled_by);
CREATE INDEX devices_newest ON all_devices (created_at, device_id);
CREATE INDEX devices_by_project_newest ON all_devices (project_id, created_at, device_id);
CREATE INDEX devices_by_project_pending ON all_devices (project_id, pending_certificates, created_at, device_id);
CREATE INDEX devices_by_project_name ON all_devices (project_id, (name IS NULL), name_key(COALESCE(name, ''::text)) COLLATE "C", device_id);
CREATE INDEX devices_by_project_name_descending ON all_devices (project_id, (name IS NOT NULL), name_key(COALESCE(name, ''::text)) COLLATE "C", device_id);
CREATE INDEX devices_by_fingerprint ON all_devices (fingerprint_id);

CREATE TABLE object_stores (
  store_id text NOT NULL,
  repository_id text,
  endpoint text NOT NULL,
  public_endpoint text,
  bucket text NOT NULL,
  region text,
  prefix text DEFAULT ''::text NOT NULL,
  force_path_style boolean DEFAULT true NOT NULL,
  access_key_id text NOT NULL,
  secret_access_key bytea NOT NULL,
  sealed_under text,
  capabilities jsonb,
  probed_at timestamptz,
  created_at timestamptz NOT NULL,
  replaced_at timestamptz,
  unclaimed_since timestamptz,
  PRIMARY KEY (store_id)
);
CREATE UNIQUE INDEX object_stores_current ON object_stores (COALESCE(repository_id, ''::text)) WHERE replaced_at IS NULL;

CREATE TABLE assets (
  asset_id text NOT NULL,
  repository_id text NOT NULL,
  digest bytea NOT NULL,
  size bigint NOT NULL,
  status text DEFAULT 'Dangling'::text NOT NULL,
  store_id text,
  storage_key text NOT NULL,
  storage_status text DEFAULT 'Unknown'::text NOT NULL,
  storage_detail text,
  storage_checked_at timestamptz,
  created_at timestamptz NOT NULL,
  touched_at timestamptz NOT NULL,
  upload_url_ends_at timestamptz,
  upload_lease text,
  upload_lease_ends_at timestamptz,
  multipart_id text,
  reference_count bigint DEFAULT 0 NOT NULL,
  begun_by text,
  PRIMARY KEY (asset_id),
  UNIQUE (repository_id, digest),
  FOREIGN KEY (store_id) REFERENCES object_stores(store_id),
  CHECK (octet_length(digest) = 32),
  CHECK (size >= 0),
  CHECK (status = ANY (ARRAY['Dangling'::text, 'Available'::text, 'Deleting'::text])),
  CHECK (storage_status = ANY (ARRAY['Unknown'::text, 'Present'::text, 'Verified'::text, 'Missing'::text, 'Mismatched'::text, 'Error'::text]))
);
CREATE INDEX assets_newest ON assets (repository_id, created_at, asset_id);
CREATE INDEX assets_by_check ON assets (storage_checked_at NULLS FIRST, asset_id) WHERE status = 'Available'::text;
CREATE INDEX assets_by_store ON assets (store_id) WHERE store_id IS NOT NULL;
CREATE INDEX assets_damaged ON assets (storage_status, created_at) WHERE status = 'Available'::text AND (storage_status = ANY (ARRAY['Missing'::text, 'Mismatched'::text, 'Error'::text]));
CREATE INDEX assets_by_uses ON assets (repository_id, reference_count, asset_id);
CREATE INDEX assets_by_size ON assets (repository_id, size, asset_id);
CREATE INDEX assets_by_status ON assets (repository_id, status, asset_id);
CREATE INDEX assets_announced ON assets (created_at) WHERE status = 'Dangling'::text AND store_id IS NULL;
CREATE INDEX assets_to_delete ON assets (touched_at) WHERE status = 'Deleting'::text;
CREATE INDEX assets_begun ON assets (begun_by) WHERE begun_by IS NOT NULL AND status = 'Dangling'::text;

CREATE TABLE asset_chunks (
  asset_id text NOT NULL,
  digests bytea NOT NULL,
  PRIMARY KEY (asset_id),
  FOREIGN KEY (asset_id) REFERENCES assets(asset_id) ON DELETE CASCADE
);
ALTER TABLE asset_chunks ALTER COLUMN digests SET STORAGE EXTERNAL;

CREATE TABLE asset_use_changes (
  asset_id text NOT NULL,
  uses bigint NOT NULL,
  FOREIGN KEY (asset_id) REFERENCES assets(asset_id) ON DELETE CASCADE
);
CREATE INDEX asset_use_changes_by_asset ON asset_use_changes (asset_id);

CREATE TABLE audit_actions (
  action_id text NOT NULL,
  actor jsonb NOT NULL,
  action text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL,
  node_id text,
  created_at timestamptz NOT NULL,
  "position" bigint DEFAULT audit_position() NOT NULL,
  PRIMARY KEY (action_id)
);
CREATE INDEX audit_actions_newest ON audit_actions (created_at DESC, action_id DESC);
CREATE INDEX audit_actions_pending ON audit_actions (node_id) WHERE status = 'Pending'::text;
CREATE INDEX audit_actions_by_type ON audit_actions (action, created_at, action_id);
CREATE INDEX audit_actions_by_actor ON audit_actions (actor_key(actor), created_at, action_id);
CREATE INDEX audit_actions_unsuccessful ON audit_actions (status, created_at, action_id) WHERE status <> 'Succeeded'::text;
CREATE INDEX audit_actions_by_position ON audit_actions ("position", action_id) WHERE status <> 'Pending'::text;

CREATE TABLE audit_checks (
  is_only boolean DEFAULT true NOT NULL,
  requested_at timestamptz NOT NULL,
  seals bigint NOT NULL,
  checked_seals bigint DEFAULT 0 NOT NULL,
  checked_rows bigint DEFAULT 0 NOT NULL,
  finished_at timestamptz,
  sentence text,
  is_intact boolean,
  PRIMARY KEY (is_only),
  CHECK (is_only)
);

CREATE TABLE audit_cuts (
  seal bigint NOT NULL,
  statement text NOT NULL,
  signature bytea NOT NULL,
  PRIMARY KEY (seal)
);

CREATE TABLE audit_event_entities (
  entity_kind text NOT NULL,
  entity_id text NOT NULL,
  created_at timestamptz NOT NULL,
  event_id text NOT NULL,
  PRIMARY KEY (entity_kind, entity_id, created_at, event_id)
);
CREATE INDEX audit_event_entities_by_event ON audit_event_entities (event_id);

CREATE TABLE audit_events (
  event_id text NOT NULL,
  actor jsonb NOT NULL,
  event text NOT NULL,
  data jsonb NOT NULL,
  action_id text,
  job_id text,
  created_at timestamptz NOT NULL,
  "position" bigint DEFAULT audit_position() NOT NULL,
  PRIMARY KEY (event_id)
);
CREATE INDEX audit_events_newest ON audit_events (created_at DESC, event_id DESC);
CREATE INDEX audit_events_by_type ON audit_events (event, created_at, event_id);
CREATE INDEX audit_events_by_actor ON audit_events (actor_key(actor), created_at, event_id);
CREATE INDEX audit_events_by_action ON audit_events (action_id) WHERE action_id IS NOT NULL;
CREATE INDEX audit_events_by_position ON audit_events ("position", event_id);

CREATE TABLE audit_seals (
  seal bigint NOT NULL,
  statement text NOT NULL,
  signature bytea NOT NULL,
  action_ids text[] NOT NULL,
  event_ids text[] NOT NULL,
  leaves bytea NOT NULL,
  last_event_position bigint NOT NULL,
  last_event_id text NOT NULL,
  PRIMARY KEY (seal)
);
CREATE INDEX audit_seals_by_last_event ON audit_seals (last_event_position, last_event_id);

CREATE TABLE certificate_authorities (
  authority_id text NOT NULL,
  project_id text NOT NULL,
  name text NOT NULL,
  certificate_pem text NOT NULL,
  fingerprint text NOT NULL,
  sealed bytea,
  sealed_under text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (authority_id),
  UNIQUE (project_id, fingerprint),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);

CREATE TABLE certificate_rotations (
  rotation_id text NOT NULL,
  project_id text NOT NULL,
  device_id text NOT NULL,
  nonce text NOT NULL,
  state text NOT NULL,
  grace_secs integer NOT NULL,
  reason text,
  started_by jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  certificate_id text,
  announced_at timestamptz,
  arrived_at timestamptz,
  old_ends_at timestamptz,
  ended_at timestamptz,
  problem text,
  PRIMARY KEY (rotation_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  CHECK (state = ANY (ARRAY['Open'::text, 'Announced'::text, 'Arrived'::text, 'RolledBack'::text, 'Completed'::text, 'Expired'::text, 'Cancelled'::text]))
);
CREATE UNIQUE INDEX certificate_rotations_running ON certificate_rotations (device_id) WHERE ended_at IS NULL;
CREATE INDEX certificate_rotations_by_device ON certificate_rotations (device_id, started_at, rotation_id);
CREATE INDEX certificate_rotations_by_project ON certificate_rotations (project_id, started_at, rotation_id);
CREATE INDEX certificate_rotations_open ON certificate_rotations (until) WHERE state = 'Open'::text;
CREATE INDEX certificate_rotations_announced ON certificate_rotations (device_id) WHERE state = 'Announced'::text;
CREATE INDEX certificate_rotations_arrived ON certificate_rotations (old_ends_at) WHERE state = 'Arrived'::text;

CREATE TABLE cluster_nodes (
  node_id text NOT NULL,
  name text,
  joined_at timestamptz NOT NULL,
  lease_until timestamptz NOT NULL,
  last_heartbeat_at timestamptz NOT NULL,
  version text,
  message_bus text,
  peer_name text,
  peer_address text,
  settings jsonb,
  memory_bytes bigint,
  load real,
  cores integer,
  machine_memory_bytes bigint,
  disk_percent integer,
  PRIMARY KEY (node_id),
  CHECK (message_bus = ANY (ARRAY['Connected'::text, 'Disconnected'::text]))
);

CREATE TABLE deleted_devices (
  device_id text NOT NULL,
  PRIMARY KEY (device_id)
);

CREATE TABLE deleted_identities (
  project_id text NOT NULL,
  identity text NOT NULL,
  deleted_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, identity)
);
CREATE INDEX deleted_identities_by_age ON deleted_identities (deleted_at);

CREATE TABLE deployment_tokens (
  token_id text NOT NULL,
  secret_hash bytea NOT NULL,
  project_id text NOT NULL,
  name text NOT NULL,
  auto_accept boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  expires_at timestamptz,
  max_uses bigint,
  uses bigint DEFAULT 0 NOT NULL,
  is_for_one boolean DEFAULT false NOT NULL,
  device_id text,
  accepts_until timestamptz,
  PRIMARY KEY (token_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);
CREATE INDEX deployment_tokens_by_project ON deployment_tokens (project_id);
CREATE INDEX deployment_tokens_newest ON deployment_tokens (project_id, created_at, token_id);
CREATE INDEX deployment_tokens_by_device ON deployment_tokens (device_id) WHERE device_id IS NOT NULL;

CREATE TABLE device_abilities (
  device_id text NOT NULL,
  manifest_hash uuid,
  has_commands boolean,
  has_terminal boolean,
  claimed_at timestamptz,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE device_certificates (
  certificate_id text NOT NULL,
  device_id text NOT NULL,
  fingerprint text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  address text,
  ends_at timestamptz,
  authority_id text,
  token_id text,
  PRIMARY KEY (certificate_id),
  UNIQUE (device_id, fingerprint),
  FOREIGN KEY (authority_id) REFERENCES certificate_authorities(authority_id) ON DELETE SET NULL,
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['Pending'::text, 'Active'::text, 'Rejected'::text, 'Revoked'::text]))
);
CREATE INDEX device_certificates_by_age ON device_certificates (created_at);
CREATE INDEX device_certificates_pending ON device_certificates (device_id) WHERE status = 'Pending'::text;
CREATE INDEX device_certificates_pending_by_age ON device_certificates (created_at, certificate_id) WHERE status = 'Pending'::text;
CREATE INDEX device_certificates_by_fingerprint ON device_certificates (fingerprint);
CREATE INDEX device_certificates_by_authority ON device_certificates (authority_id) WHERE authority_id IS NOT NULL;
CREATE INDEX device_certificates_by_end ON device_certificates (ends_at) WHERE ends_at IS NOT NULL;

CREATE TABLE device_connections (
  connection_id text NOT NULL,
  device_id text NOT NULL,
  node_id text NOT NULL,
  certificate_id text,
  token_id text,
  connected_at timestamptz NOT NULL,
  ended_at timestamptz,
  end_reason text,
  address text,
  end_cause text,
  end_detail text,
  export_project text,
  export_position bigint,
  export_end_position bigint,
  PRIMARY KEY (connection_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);
CREATE INDEX device_connections_by_device ON device_connections (device_id, connected_at DESC);
CREATE INDEX device_connections_live ON device_connections (device_id) WHERE ended_at IS NULL;
CREATE INDEX device_connections_live_by_node ON device_connections (node_id) WHERE ended_at IS NULL;
CREATE INDEX device_connections_by_end ON device_connections (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX device_connections_live_by_address ON device_connections (address) WHERE ended_at IS NULL;
CREATE INDEX device_connections_exported ON device_connections (export_project, export_position, device_id, connection_id) WHERE export_project IS NOT NULL AND export_position IS NOT NULL;
CREATE INDEX device_connections_exported_end ON device_connections (export_project, export_end_position, device_id, connection_id) WHERE export_project IS NOT NULL AND export_end_position IS NOT NULL;

CREATE TABLE device_event_days (
  device_id text NOT NULL,
  day date NOT NULL,
  events integer NOT NULL,
  event_bytes bigint NOT NULL,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE device_events (
  device_id text NOT NULL,
  event_month integer NOT NULL,
  event_id text NOT NULL,
  category text,
  severity text NOT NULL,
  body jsonb NOT NULL,
  attributes jsonb NOT NULL,
  emitted_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  device_time timestamptz,
  export_project text,
  export_position bigint,
  PRIMARY KEY (device_id, event_id, event_month)
) PARTITION BY RANGE (event_month);
CREATE INDEX device_events_newest ON device_events (device_id, emitted_at DESC);
CREATE INDEX device_events_by_severity ON device_events (severity, emitted_at DESC);
CREATE INDEX device_events_exported ON device_events (export_project, export_position, device_id, event_id) WHERE export_project IS NOT NULL;

CREATE TABLE device_events_other PARTITION OF device_events DEFAULT;

CREATE TABLE device_facts (
  key_id integer NOT NULL,
  device_id text NOT NULL,
  value_text text COLLATE "C",
  value_num numeric,
  value_flag boolean
);
CREATE INDEX device_facts_by_text ON device_facts (key_id, value_text, device_id);
CREATE INDEX device_facts_by_number ON device_facts (key_id, value_num, device_id) WHERE value_num IS NOT NULL;
CREATE INDEX device_facts_by_device ON device_facts (device_id, key_id);
CREATE INDEX device_facts_by_flag ON device_facts (key_id, value_flag, device_id) WHERE value_flag IS NOT NULL;

CREATE TABLE packages (
  package_id text NOT NULL,
  repository_id text NOT NULL,
  name text NOT NULL,
  kind text,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  version_count bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  newest_version_id text,
  newest_at timestamptz,
  newest_key text,
  PRIMARY KEY (package_id),
  UNIQUE (repository_id, name),
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE
);
CREATE INDEX packages_by_name ON packages (repository_id, name_key(name) COLLATE "C", name, package_id);
CREATE INDEX packages_by_newest ON packages (repository_id, newest_key COLLATE "C", name_key(name) COLLATE "C", name, package_id) WHERE newest_version_id IS NOT NULL;
CREATE INDEX packages_by_published ON packages (repository_id, newest_at, name_key(name) COLLATE "C", name, package_id) WHERE newest_version_id IS NOT NULL;
CREATE INDEX packages_without_version ON packages (repository_id, name_key(name) COLLATE "C", name, package_id) WHERE newest_version_id IS NULL;
CREATE INDEX packages_by_kind ON packages (repository_id, name_key(kind) COLLATE "C", name_key(name) COLLATE "C", name, package_id) WHERE kind IS NOT NULL;
CREATE INDEX packages_without_kind ON packages (repository_id, name_key(name) COLLATE "C", name, package_id) WHERE kind IS NULL;
CREATE INDEX packages_by_versions ON packages (repository_id, version_count, name_key(name) COLLATE "C", name, package_id);

CREATE TABLE device_installs (
  device_id text NOT NULL,
  package_id text NOT NULL,
  version_id text NOT NULL,
  version_before text,
  device_operation_id text NOT NULL,
  proved_at timestamptz NOT NULL,
  PRIMARY KEY (device_id, package_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  FOREIGN KEY (package_id) REFERENCES packages(package_id) ON DELETE CASCADE
);
CREATE INDEX device_installs_of_version ON device_installs (version_id);
CREATE INDEX device_installs_of_package ON device_installs (package_id);

CREATE TABLE device_labels (
  device_id text NOT NULL,
  labels jsonb NOT NULL,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE fleet_operations (
  fleet_operation_id text NOT NULL,
  project_id text NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL,
  definition jsonb NOT NULL,
  steps jsonb NOT NULL,
  secret_places jsonb,
  enrollment_interval_secs bigint,
  last_enrollment_at timestamptz,
  next_enrollment_at timestamptz,
  close_when_converged boolean NOT NULL,
  active_stage integer DEFAULT 0 NOT NULL,
  max_in_flight integer NOT NULL,
  pause_on_failure_percent integer NOT NULL,
  deliver_within_secs integer NOT NULL,
  preview_hash text,
  previewed_devices text[],
  installs_version text,
  installs_package text,
  pause_reason text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  resumed_at timestamptz,
  completed_at timestamptz,
  final_counts jsonb,
  window_opens_at timestamptz,
  window_closes_at timestamptz,
  PRIMARY KEY (fleet_operation_id),
  FOREIGN KEY (project_id) REFERENCES all_projects(project_id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['Draft'::text, 'Running'::text, 'Paused'::text, 'Completed'::text, 'Failed'::text, 'Cancelled'::text]))
);
CREATE INDEX fleet_operations_of_project ON fleet_operations (project_id, created_at DESC, fleet_operation_id DESC);
CREATE INDEX fleet_operations_unfinished ON fleet_operations (fleet_operation_id) WHERE (status = ANY (ARRAY['Running'::text, 'Paused'::text, 'Cancelled'::text])) AND completed_at IS NULL;

CREATE TABLE device_operations (
  device_operation_id text NOT NULL,
  project_id text NOT NULL,
  device_id text NOT NULL,
  fleet_operation_id text,
  name text NOT NULL,
  description text,
  steps jsonb,
  secret_places jsonb,
  step_count integer NOT NULL,
  installs_version text,
  stage_index integer,
  attempt integer DEFAULT 1 NOT NULL,
  is_latest boolean DEFAULT true NOT NULL,
  status text DEFAULT 'Pending'::text NOT NULL,
  outcome text,
  last_error text,
  counts_as_failure boolean DEFAULT false NOT NULL,
  step_index integer DEFAULT 0 NOT NULL,
  created_by jsonb,
  created_at timestamptz NOT NULL,
  released_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (device_operation_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  FOREIGN KEY (fleet_operation_id) REFERENCES fleet_operations(fleet_operation_id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['Pending'::text, 'Running'::text, 'Succeeded'::text, 'Failed'::text, 'TimedOut'::text, 'Cancelled'::text]))
);
CREATE UNIQUE INDEX device_operations_running ON device_operations (device_id) WHERE status = 'Running'::text;
CREATE INDEX device_operations_released ON device_operations (fleet_operation_id, released_at, device_operation_id) WHERE status = 'Pending'::text AND released_at IS NOT NULL;
CREATE INDEX device_operations_unreleased ON device_operations (fleet_operation_id, stage_index) WHERE status = 'Pending'::text AND released_at IS NULL;
CREATE INDEX device_operations_of_device ON device_operations (device_id, created_at DESC, device_operation_id DESC);
CREATE INDEX device_operations_of_fleet ON device_operations (fleet_operation_id, status, stage_index) INCLUDE (outcome) WHERE is_latest;
CREATE INDEX device_operations_of_project ON device_operations (project_id, device_id) WHERE is_latest;
CREATE INDEX device_operations_ended ON device_operations (completed_at) WHERE fleet_operation_id IS NULL AND completed_at IS NOT NULL;
CREATE UNIQUE INDEX device_operations_attempts ON device_operations (fleet_operation_id, device_id, attempt) WHERE fleet_operation_id IS NOT NULL;

CREATE TABLE device_operation_steps (
  device_operation_id text NOT NULL,
  step_index integer NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  timeout_secs bigint,
  carrier text,
  claim_ids text[] DEFAULT '{}'::text[] NOT NULL,
  connection_id text,
  claims integer DEFAULT 0 NOT NULL,
  first_claimed_at timestamptz,
  checkpoint jsonb,
  output jsonb,
  output_bytes bigint,
  error text,
  log text[],
  undo jsonb,
  started_at timestamptz NOT NULL,
  checked_at timestamptz,
  waits_for text[],
  seen_versions bigint,
  completed_at timestamptz,
  PRIMARY KEY (device_operation_id, step_index),
  FOREIGN KEY (device_operation_id) REFERENCES device_operations(device_operation_id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['Running'::text, 'Succeeded'::text, 'Failed'::text, 'TimedOut'::text, 'Skipped'::text]))
);
CREATE INDEX device_operation_steps_running ON device_operation_steps (device_operation_id) WHERE status = 'Running'::text;

CREATE TABLE device_properties (
  device_id text NOT NULL,
  name text NOT NULL,
  value jsonb NOT NULL,
  is_protected boolean NOT NULL,
  version bigint DEFAULT 1 NOT NULL,
  updated_at timestamptz NOT NULL,
  size_bytes integer,
  PRIMARY KEY (device_id, name),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);
CREATE INDEX device_properties_by_name ON device_properties (name, device_id);

CREATE TABLE device_property_changes (
  device_id text NOT NULL,
  changed_at timestamptz NOT NULL,
  name text NOT NULL,
  last_changed_at timestamptz NOT NULL,
  change text NOT NULL,
  value jsonb,
  value_before jsonb,
  actor jsonb,
  PRIMARY KEY (device_id, changed_at, name),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  CHECK (change = ANY (ARRAY['Set'::text, 'Patched'::text, 'Removed'::text]))
);
CREATE INDEX device_property_changes_by_age ON device_property_changes USING brin (changed_at);

CREATE TABLE device_proxy_hosts (
  label text NOT NULL,
  device_id text NOT NULL,
  port integer NOT NULL,
  is_chosen boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (label)
);
CREATE UNIQUE INDEX device_proxy_hosts_own ON device_proxy_hosts (device_id, port) WHERE NOT is_chosen;
CREATE INDEX device_proxy_hosts_chosen ON device_proxy_hosts (device_id) WHERE is_chosen;

CREATE TABLE device_silences (
  device_id text NOT NULL,
  last_seen_at timestamptz NOT NULL,
  silent_from timestamptz,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE device_texts (
  device_id text NOT NULL,
  project_id text NOT NULL,
  texts text COLLATE "C" NOT NULL,
  PRIMARY KEY (device_id)
);
CREATE INDEX device_texts_by_project ON device_texts (project_id);
CREATE INDEX device_texts_by_trigram ON device_texts USING gin (texts gin_trgm_ops) WITH (fastupdate=off);

CREATE VIEW devices AS
 SELECT device_id,
    project_id,
    fingerprint_id,
    fingerprint_hash,
    enrolled_by,
    name,
    metadata,
    created_at,
    property_version_floor,
    hostname,
    health,
    last_connected_at,
    last_seen_at,
    open_node,
    pending_certificates,
    metadata_bytes
   FROM all_devices d
  WHERE (EXISTS ( SELECT 1
           FROM projects p
          WHERE p.project_id = d.project_id));

CREATE TABLE event_bus (
  is_only boolean DEFAULT true NOT NULL,
  instance_id text NOT NULL,
  missed bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (is_only),
  CHECK (is_only)
);

CREATE TABLE event_count_changes (
  project_id text NOT NULL,
  minute timestamptz NOT NULL,
  severity text NOT NULL,
  events integer NOT NULL
);

CREATE TABLE event_outbox (
  event_id text NOT NULL,
  event jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (event_id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_insert_threshold=-1, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=50000);
CREATE INDEX event_outbox_by_time ON event_outbox (created_at, event_id);

CREATE TABLE fact_keys (
  key_id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id text NOT NULL,
  property text NOT NULL,
  path text NOT NULL,
  state text DEFAULT 'New'::text NOT NULL,
  built_after xid8,
  built_at timestamptz DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  built_to text DEFAULT ''::text NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (key_id),
  UNIQUE (project_id, property, path),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  CHECK (state = ANY (ARRAY['New'::text, 'Building'::text, 'Ready'::text, 'Unfit'::text, 'Dropped'::text]))
);

CREATE TABLE fleet_changes (
  change_id text NOT NULL,
  project_id text NOT NULL,
  change jsonb NOT NULL,
  undoes text,
  total integer NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  is_pruned boolean DEFAULT false NOT NULL,
  PRIMARY KEY (change_id),
  FOREIGN KEY (project_id) REFERENCES all_projects(project_id) ON DELETE CASCADE
);
CREATE INDEX fleet_changes_of_project ON fleet_changes (project_id, created_at DESC, change_id DESC);
CREATE INDEX fleet_changes_unfinished ON fleet_changes (change_id) WHERE completed_at IS NULL;

CREATE TABLE fleet_change_devices (
  change_id text NOT NULL,
  device_id text NOT NULL,
  name text,
  given jsonb,
  expected jsonb,
  before jsonb,
  status text DEFAULT 'Pending'::text NOT NULL,
  reason text,
  is_reported boolean DEFAULT false NOT NULL,
  was_reported boolean DEFAULT false NOT NULL,
  PRIMARY KEY (change_id, device_id),
  FOREIGN KEY (change_id) REFERENCES fleet_changes(change_id) ON DELETE CASCADE,
  CHECK (status = ANY (ARRAY['Pending'::text, 'Done'::text, 'Failed'::text]))
);
CREATE INDEX fleet_change_devices_by_status ON fleet_change_devices (change_id, status, device_id);

CREATE TABLE fleet_operation_stages (
  fleet_operation_id text NOT NULL,
  stage_index integer NOT NULL,
  devices integer NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  opened_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (fleet_operation_id, stage_index),
  FOREIGN KEY (fleet_operation_id) REFERENCES fleet_operations(fleet_operation_id) ON DELETE CASCADE
);

CREATE TABLE fleet_selection_errors (
  fleet_operation_id text NOT NULL,
  device_id text NOT NULL,
  error text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (fleet_operation_id, device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE,
  FOREIGN KEY (fleet_operation_id) REFERENCES fleet_operations(fleet_operation_id) ON DELETE CASCADE
);
CREATE INDEX fleet_selection_errors_of_device ON fleet_selection_errors (device_id);

CREATE TABLE history (
  at timestamptz NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  step_secs integer NOT NULL,
  watched_secs integer,
  connected integer,
  connected_low integer,
  connected_high integer,
  disconnected integer,
  waiting integer,
  users integer,
  projects integer,
  stored_bytes bigint,
  memory_bytes bigint,
  load real,
  traces bigint,
  debugs bigint,
  infos bigint,
  warnings bigint,
  errors bigint,
  criticals bigint,
  versions jsonb,
  invented_until timestamptz,
  served_bytes bigint,
  PRIMARY KEY (kind, subject, step_secs, at),
  CHECK (step_secs = ANY (ARRAY[60, 3600, 86400]))
);

CREATE TABLE instance_days (
  day date NOT NULL,
  users bigint NOT NULL,
  projects bigint NOT NULL,
  devices bigint NOT NULL,
  connected_devices bigint NOT NULL,
  PRIMARY KEY (day)
);

CREATE TABLE instance_keys (
  purpose text NOT NULL,
  key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  sealed_under text,
  PRIMARY KEY (purpose)
);

CREATE TABLE instance_settings (
  key text NOT NULL,
  value jsonb,
  sealed bytea,
  sealed_under text,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (key)
);

CREATE TABLE invitations (
  invitation_id text NOT NULL,
  project_id text,
  repository_id text,
  email text NOT NULL,
  invited_by text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  mail_status text DEFAULT 'Queued'::text NOT NULL,
  mailed_at timestamptz,
  PRIMARY KEY (invitation_id),
  UNIQUE (project_id, email),
  UNIQUE (repository_id, email),
  FOREIGN KEY (invited_by) REFERENCES users(user_id) ON DELETE SET NULL,
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE,
  CHECK (num_nonnulls(project_id, repository_id) = 1),
  CHECK (mail_status = ANY (ARRAY['Queued'::text, 'Sent'::text, 'Refused'::text, 'NotMailed'::text]))
);
CREATE INDEX invitations_of_project ON invitations (project_id, created_at, invitation_id) WHERE project_id IS NOT NULL;
CREATE INDEX invitations_of_repository ON invitations (repository_id, created_at, invitation_id) WHERE repository_id IS NOT NULL;
CREATE INDEX invitations_by_email ON invitations (email, created_at, invitation_id);
CREATE INDEX invitations_by_inviter ON invitations (invited_by) WHERE invited_by IS NOT NULL;
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

CREATE TABLE kept_repository_names (
  name text NOT NULL,
  repository_id text NOT NULL,
  owners text[] DEFAULT '{}'::text[] NOT NULL,
  kept_until timestamptz,
  PRIMARY KEY (name)
);
CREATE INDEX kept_repository_names_by_repository ON kept_repository_names (repository_id);

CREATE TABLE user_sessions (
  session_id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  idle_timeout_secs integer NOT NULL,
  expires_at timestamptz NOT NULL,
  methods text[] DEFAULT '{password}'::text[] NOT NULL,
  authenticated_at timestamptz,
  stepped_up_at timestamptz,
  address text,
  token_key text,
  issuer text,
  subject text,
  provider_session_id text,
  PRIMARY KEY (session_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX user_sessions_by_user ON user_sessions (user_id);
CREATE INDEX user_sessions_by_expiry ON user_sessions (expires_at);
CREATE INDEX user_sessions_newest ON user_sessions (user_id, created_at, session_id);
CREATE UNIQUE INDEX user_sessions_by_token ON user_sessions (token_key) WHERE token_key IS NOT NULL;
CREATE INDEX user_sessions_by_identity ON user_sessions (issuer, subject) WHERE issuer IS NOT NULL;

CREATE TABLE login_requests (
  request_id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_code text NOT NULL,
  network text NOT NULL,
  address text,
  name text NOT NULL,
  is_read_only boolean NOT NULL,
  project_ids text[],
  repository_ids text[],
  is_administrator boolean NOT NULL,
  token_valid_secs integer NOT NULL,
  user_id text,
  is_approved boolean,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  polled_at timestamptz,
  session_id text,
  verbs text[],
  PRIMARY KEY (request_id),
  UNIQUE (user_code),
  FOREIGN KEY (session_id) REFERENCES user_sessions(session_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX login_requests_by_network ON login_requests (network);
CREATE INDEX login_requests_by_expiry ON login_requests (expires_at);
CREATE INDEX login_requests_by_session ON login_requests (session_id);
CREATE INDEX login_requests_by_user ON login_requests (user_id);

CREATE TABLE operation_events (
  event_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id text NOT NULL,
  fleet_operation_id text,
  device_operation_id text,
  device_id text,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  actor jsonb,
  data jsonb NOT NULL,
  "position" bigint DEFAULT audit_position(),
  PRIMARY KEY (event_id),
  FOREIGN KEY (device_operation_id) REFERENCES device_operations(device_operation_id) ON DELETE CASCADE,
  FOREIGN KEY (fleet_operation_id) REFERENCES fleet_operations(fleet_operation_id) ON DELETE CASCADE
);
CREATE INDEX operation_events_of_fleet ON operation_events (fleet_operation_id, event_id DESC) WHERE fleet_operation_id IS NOT NULL;
CREATE INDEX operation_events_of_device ON operation_events (fleet_operation_id, device_id, event_id DESC) WHERE fleet_operation_id IS NOT NULL AND device_id IS NOT NULL;
CREATE INDEX operation_events_of_device_operation ON operation_events (device_operation_id, event_id DESC) WHERE device_operation_id IS NOT NULL;
CREATE INDEX operation_events_of_operations ON operation_events (fleet_operation_id, event_id DESC) WHERE fleet_operation_id IS NOT NULL AND (device_id IS NULL OR kind = 'Paused'::text);
CREATE INDEX operation_events_by_position ON operation_events (project_id, "position") WHERE "position" IS NOT NULL;

CREATE TABLE otlp_exports (
  project_id text NOT NULL,
  is_enabled boolean NOT NULL,
  endpoint text,
  sealed bytea,
  sealed_under text,
  streams text[] NOT NULL,
  min_severity text,
  filter text,
  PRIMARY KEY (project_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);

CREATE TABLE otlp_streams (
  project_id text NOT NULL,
  stream text NOT NULL,
  cursor_position bigint NOT NULL,
  cursor_device text DEFAULT ''::text NOT NULL,
  cursor_id text DEFAULT ''::text NOT NULL,
  sent bigint DEFAULT 0 NOT NULL,
  dropped bigint DEFAULT 0 NOT NULL,
  set_aside bigint DEFAULT 0 NOT NULL,
  last_sent_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  lease text,
  leased_until timestamptz,
  measured_position bigint,
  measured_device text,
  measured_id text,
  measured_bytes bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (project_id, stream),
  FOREIGN KEY (project_id) REFERENCES otlp_exports(project_id) ON DELETE CASCADE
);

CREATE TABLE package_assets (
  package_id text NOT NULL,
  filename text NOT NULL,
  asset_id text NOT NULL,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (package_id, filename),
  FOREIGN KEY (asset_id) REFERENCES assets(asset_id),
  FOREIGN KEY (package_id) REFERENCES packages(package_id) ON DELETE CASCADE
);
CREATE INDEX package_assets_by_asset ON package_assets (asset_id);

CREATE TABLE package_tag_moves (
  package_id text NOT NULL,
  tag text NOT NULL,
  moved_at timestamptz NOT NULL,
  move_id text NOT NULL,
  from_version_id text,
  to_version_id text,
  locked boolean NOT NULL,
  actor jsonb NOT NULL,
  PRIMARY KEY (package_id, tag, moved_at, move_id),
  FOREIGN KEY (package_id) REFERENCES packages(package_id) ON DELETE CASCADE
);
CREATE INDEX package_tag_moves_newest ON package_tag_moves (package_id, moved_at, move_id);

CREATE TABLE package_versions (
  version_id text NOT NULL,
  package_id text NOT NULL,
  repository_id text NOT NULL,
  name text,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by_token_id text,
  PRIMARY KEY (version_id),
  FOREIGN KEY (package_id) REFERENCES packages(package_id) ON DELETE CASCADE
);
CREATE INDEX package_versions_newest ON package_versions (package_id, created_at, version_id);
CREATE INDEX package_versions_newest_of_repository ON package_versions (repository_id, created_at, version_id);
CREATE INDEX package_versions_without_name ON package_versions (package_id, version_id) WHERE name IS NULL;
CREATE INDEX package_versions_by_name ON package_versions (package_id, name_key(COALESCE(name, ''::text)) COLLATE "C", version_id) WHERE name IS NOT NULL;

CREATE TABLE package_tags (
  package_id text NOT NULL,
  tag text NOT NULL,
  version_id text NOT NULL,
  locked boolean NOT NULL,
  tagged_at timestamptz NOT NULL,
  PRIMARY KEY (package_id, tag),
  FOREIGN KEY (package_id) REFERENCES packages(package_id) ON DELETE CASCADE,
  FOREIGN KEY (version_id) REFERENCES package_versions(version_id) ON DELETE CASCADE
);
CREATE INDEX package_tags_by_version ON package_tags (version_id);

CREATE TABLE pairing_keys (
  pairing_key_id text NOT NULL,
  project_id text NOT NULL,
  selector text NOT NULL,
  digest bytea NOT NULL,
  name text,
  tries integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz,
  token_id text,
  PRIMARY KEY (pairing_key_id),
  UNIQUE (selector),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);
CREATE INDEX pairing_keys_newest ON pairing_keys (project_id, created_at, pairing_key_id);

CREATE TABLE passkeys (
  credential_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  rp_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  is_backed_up boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (credential_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

CREATE TABLE password_links (
  link_id text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  is_mailed boolean DEFAULT true NOT NULL,
  PRIMARY KEY (link_id),
  UNIQUE (user_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);

CREATE TABLE pending_sign_ins (
  pending_id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text NOT NULL,
  methods text[] NOT NULL,
  wants text NOT NULL,
  user_agent text NOT NULL,
  address text,
  valid_for_secs integer NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  issuer text,
  subject text,
  provider_session_id text,
  provider_authenticated_at timestamptz,
  PRIMARY KEY (pending_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX pending_sign_ins_by_user ON pending_sign_ins (user_id, created_at);
CREATE INDEX pending_sign_ins_by_expiry ON pending_sign_ins (expires_at);

CREATE TABLE project_count_changes (
  project_id text NOT NULL,
  node_id text NOT NULL,
  devices bigint DEFAULT 0 NOT NULL,
  pending_certificates bigint DEFAULT 0 NOT NULL,
  open_connections bigint DEFAULT 0 NOT NULL
);
CREATE INDEX project_count_changes_by_project ON project_count_changes (project_id);

CREATE TABLE project_counts (
  project_id text NOT NULL,
  node_id text NOT NULL,
  devices bigint DEFAULT 0 NOT NULL,
  pending_certificates bigint DEFAULT 0 NOT NULL,
  open_connections bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (project_id, node_id)
);

CREATE TABLE project_members (
  project_id text NOT NULL,
  user_id text NOT NULL,
  is_owner boolean NOT NULL,
  added_at timestamptz NOT NULL,
  from_groups text,
  PRIMARY KEY (project_id, user_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE,
  CONSTRAINT project_members_from_groups CHECK (from_groups = ANY (ARRAY['membership'::text, 'ownership'::text]))
);
CREATE INDEX project_members_by_user ON project_members (user_id);

CREATE TABLE project_property_names (
  project_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (project_id, name)
);

CREATE TABLE project_repositories (
  project_id text NOT NULL,
  repository_id text NOT NULL,
  linked_at timestamptz NOT NULL,
  is_confirmed boolean DEFAULT false NOT NULL,
  PRIMARY KEY (project_id, repository_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE
);
CREATE INDEX project_repositories_by_repository ON project_repositories (repository_id);

CREATE TABLE provider_tests (
  issuer text NOT NULL,
  client_id text NOT NULL,
  tested_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, client_id)
);

CREATE TABLE publishers (
  publisher_id text NOT NULL,
  repository_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  issuer text NOT NULL,
  conditions jsonb NOT NULL,
  allows_pull_requests boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  last_used_by text,
  PRIMARY KEY (publisher_id),
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX publishers_by_repository ON publishers (repository_id);
CREATE INDEX publishers_by_user ON publishers (user_id);

CREATE TABLE publishing_refusals (
  refusal_number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  repository_id text NOT NULL,
  refused_at timestamptz NOT NULL,
  job text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (refusal_number),
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE
);
CREATE INDEX publishing_refusals_by_repository ON publishing_refusals (repository_id, refusal_number);

CREATE TABLE queued_mails (
  mail_id text NOT NULL,
  kind text NOT NULL,
  user_id text,
  attempts integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  token_id text,
  invitation_id text,
  webhook_id text,
  rule_id text,
  alert_message jsonb,
  terminal_session_id text,
  PRIMARY KEY (mail_id),
  CONSTRAINT queued_mails_recipient_check CHECK (num_nonnulls(user_id, invitation_id) = 1)
);
CREATE INDEX queued_mails_due ON queued_mails (next_attempt_at);
CREATE INDEX queued_mails_by_recipient ON queued_mails (user_id);

CREATE TABLE recorded_downloads (
  asset_id text NOT NULL,
  actor_key text NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (asset_id, actor_key)
);
CREATE INDEX recorded_downloads_by_time ON recorded_downloads (recorded_at);

CREATE TABLE recovery_codes (
  user_id text NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  is_proved boolean DEFAULT true NOT NULL,
  PRIMARY KEY (user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);

CREATE TABLE redeemed_proxy_tokens (
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (token_id)
);
CREATE INDEX redeemed_proxy_tokens_by_expiry ON redeemed_proxy_tokens (expires_at);

CREATE TABLE refused_arrivals (
  device_id text NOT NULL,
  count bigint NOT NULL,
  arrivals jsonb NOT NULL,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE removed_device_properties (
  device_id text NOT NULL,
  name text NOT NULL,
  version bigint NOT NULL,
  removed_at timestamptz NOT NULL,
  PRIMARY KEY (device_id, name),
  FOREIGN KEY (device_id) REFERENCES all_devices(device_id) ON DELETE CASCADE
);

CREATE TABLE repository_count_changes (
  repository_id text NOT NULL,
  packages bigint DEFAULT 0 NOT NULL,
  assets bigint DEFAULT 0 NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL
);
CREATE INDEX repository_count_changes_by_repository ON repository_count_changes (repository_id);

CREATE TABLE repository_counts (
  repository_id text NOT NULL,
  packages bigint DEFAULT 0 NOT NULL,
  assets bigint DEFAULT 0 NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL,
  PRIMARY KEY (repository_id)
);

CREATE TABLE repository_members (
  repository_id text NOT NULL,
  user_id text NOT NULL,
  is_owner boolean NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, user_id),
  FOREIGN KEY (repository_id) REFERENCES repositories(repository_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX repository_members_by_user ON repository_members (user_id);

CREATE TABLE request_counts (
  subject text NOT NULL,
  requests integer NOT NULL,
  window_ends_at timestamptz NOT NULL,
  PRIMARY KEY (subject)
);

CREATE TABLE saved_views (
  project_id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  filter text,
  status text,
  sort_order text,
  columns text[],
  PRIMARY KEY (project_id, user_id, name),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX saved_views_by_user ON saved_views (user_id);

CREATE TABLE schema_compatibility (
  is_only boolean DEFAULT true NOT NULL,
  oldest_release text NOT NULL,
  PRIMARY KEY (is_only),
  CHECK (is_only)
);

CREATE TABLE sign_in_failures (
  subject text NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamptz NOT NULL,
  last_failed_at timestamptz NOT NULL,
  PRIMARY KEY (subject)
);

CREATE TABLE terminal_sessions (
  session_id text NOT NULL,
  project_id text NOT NULL,
  device_id text NOT NULL,
  device_name text,
  opened_by jsonb NOT NULL,
  opener_id text NOT NULL,
  device_user text,
  reason text,
  state text NOT NULL,
  approval text NOT NULL,
  recording text NOT NULL,
  opened_at timestamptz NOT NULL,
  decided_by jsonb,
  decided_at timestamptz,
  node_id text,
  started_at timestamptz,
  end_wanted_by jsonb,
  ended_at timestamptz,
  end_reason text,
  ended_by jsonb,
  exit_status integer,
  sealed bytea,
  sealed_under text,
  recorded_bytes bigint DEFAULT 0 NOT NULL,
  stored_bytes bigint DEFAULT 0 NOT NULL,
  gaps integer DEFAULT 0 NOT NULL,
  digest bytea,
  waived_by jsonb,
  waived_at timestamptz,
  waiver_reason text,
  PRIMARY KEY (session_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);
CREATE INDEX terminal_sessions_by_project ON terminal_sessions (project_id, opened_at, session_id);
CREATE INDEX terminal_sessions_by_device ON terminal_sessions (device_id, opened_at, session_id);
CREATE INDEX terminal_sessions_open ON terminal_sessions (device_id) WHERE ended_at IS NULL;
CREATE INDEX terminal_sessions_ended ON terminal_sessions (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE terminal_chunks (
  session_id text NOT NULL,
  number integer NOT NULL,
  sealed bytea NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (session_id, number),
  FOREIGN KEY (session_id) REFERENCES terminal_sessions(session_id) ON DELETE CASCADE
);

CREATE TABLE user_tokens (
  token_id text NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text NOT NULL,
  name text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  is_read_only boolean DEFAULT false NOT NULL,
  project_ids text[],
  repository_ids text[],
  is_administrator boolean DEFAULT false NOT NULL,
  expires_at timestamptz,
  expiry_announced_at timestamptz,
  verbs text[],
  publisher_id text,
  PRIMARY KEY (token_id),
  FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX user_tokens_by_user ON user_tokens (user_id);
CREATE INDEX user_tokens_newest ON user_tokens (user_id, created_at, token_id);
CREATE INDEX user_tokens_by_expiry ON user_tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX user_tokens_by_publisher ON user_tokens (publisher_id) WHERE publisher_id IS NOT NULL;

CREATE TABLE terminal_tickets (
  ticket_hash bytea NOT NULL,
  session_id text NOT NULL,
  user_id text NOT NULL,
  login_session_id text,
  token_id text,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (ticket_hash),
  FOREIGN KEY (login_session_id) REFERENCES user_sessions(session_id) ON DELETE CASCADE,
  FOREIGN KEY (session_id) REFERENCES terminal_sessions(session_id) ON DELETE CASCADE,
  FOREIGN KEY (token_id) REFERENCES user_tokens(token_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX terminal_tickets_by_session ON terminal_tickets (session_id);
CREATE INDEX terminal_tickets_by_user ON terminal_tickets (user_id);
CREATE INDEX terminal_tickets_by_login ON terminal_tickets (login_session_id) WHERE login_session_id IS NOT NULL;
CREATE INDEX terminal_tickets_by_token ON terminal_tickets (token_id) WHERE token_id IS NOT NULL;

CREATE TABLE totp_enrolments (
  user_id text NOT NULL,
  sealed bytea NOT NULL,
  sealed_under text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);

CREATE TABLE totp_factors (
  user_id text NOT NULL,
  sealed bytea NOT NULL,
  sealed_under text NOT NULL,
  last_step bigint NOT NULL,
  wrong_codes integer DEFAULT 0 NOT NULL,
  last_wrong_at timestamptz,
  created_at timestamptz NOT NULL,
  is_proved boolean DEFAULT true NOT NULL,
  PRIMARY KEY (user_id),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);

CREATE TABLE used_challenges (
  challenge text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (challenge)
);

CREATE TABLE used_id_tokens (
  replay_key bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (replay_key)
);
CREATE INDEX used_id_tokens_by_expiry ON used_id_tokens (expires_at);

CREATE TABLE used_logout_tokens (
  issuer text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, token_id)
);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text NOT NULL,
  email text,
  name text,
  linked_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (issuer, subject),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX user_identities_of_user ON user_identities (user_id);

CREATE TABLE user_registrations (
  user_id text NOT NULL,
  email text NOT NULL,
  display_name text,
  password_hash text NOT NULL,
  consented_to_marketing boolean NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  email_sent_at timestamptz,
  PRIMARY KEY (user_id)
);
CREATE INDEX user_registrations_by_email ON user_registrations (email, created_at);
CREATE INDEX user_registrations_by_expiry ON user_registrations (expires_at);

CREATE TABLE version_assets (
  version_id text NOT NULL,
  filename text NOT NULL,
  asset_id text NOT NULL,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (version_id, filename),
  FOREIGN KEY (asset_id) REFERENCES assets(asset_id),
  FOREIGN KEY (version_id) REFERENCES package_versions(version_id) ON DELETE CASCADE
);
CREATE INDEX version_assets_by_asset ON version_assets (asset_id);

CREATE TABLE webhooks (
  webhook_id text NOT NULL,
  project_id text NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  sealed bytea NOT NULL,
  sealed_under text NOT NULL,
  former_sealed bytea,
  former_sealed_under text,
  former_until timestamptz,
  disabled text,
  failing_since timestamptz,
  last_accepted_at timestamptz,
  last_error text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  format text DEFAULT 'Standard'::text NOT NULL,
  PRIMARY KEY (webhook_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id) ON DELETE CASCADE
);
CREATE INDEX webhooks_by_project ON webhooks (project_id);

CREATE TABLE webhook_messages (
  webhook_id text NOT NULL,
  message_id text NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  happened_at timestamptz NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz,
  is_accepted boolean DEFAULT false NOT NULL,
  last_attempt_at timestamptz,
  http_status integer,
  duration_ms integer,
  last_error text,
  PRIMARY KEY (webhook_id, message_id),
  FOREIGN KEY (webhook_id) REFERENCES webhooks(webhook_id) ON DELETE CASCADE
);
CREATE INDEX webhook_messages_due ON webhook_messages (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_messages_newest ON webhook_messages (webhook_id, happened_at DESC, message_id DESC);

CREATE FUNCTION add_device_texts() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    insert into device_texts (device_id, project_id, texts)
      select device_id, project_id, searched_texts(device_id, name, hostname) from added;
    return null;
  end $$;
CREATE TRIGGER add_texts AFTER INSERT ON all_devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_device_texts();

CREATE FUNCTION change_device_texts() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    update device_texts set project_id = new.project_id, texts = searched_texts(new.device_id, new.name, new.hostname)
      where device_id = new.device_id;
    return null;
  end $$;
CREATE TRIGGER change_texts AFTER UPDATE OF name, hostname, project_id ON all_devices FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.hostname IS DISTINCT FROM new.hostname OR old.project_id IS DISTINCT FROM new.project_id) EXECUTE FUNCTION change_device_texts();

CREATE FUNCTION copy_shown_properties() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$
  declare
    changed text := case when tg_op = 'DELETE' then old.device_id else new.device_id end;
    shown record;
  begin
    select s.* into shown from all_devices d cross join lateral (
  select (
    select left(p.value ->> 'hostname', 253) from device_properties p
    where p.device_id = d.device_id and p.name in ('dev.nexigon.system.info', 'dev.nexigon.systemInfo')
      and jsonb_typeof(p.value -> 'hostname') = 'string' and p.value ->> 'hostname' <> ''
    order by p.updated_at desc, p.name limit 1
  ) as hostname, (
    select left(p.value ->> 'status', 32) from device_properties p
    where p.device_id = d.device_id and p.name = 'dev.nexigon.system.health' and jsonb_typeof(p.value -> 'status') = 'string'
  ) as health
) as s where d.device_id = changed;
    update all_devices d set hostname = shown.hostname, health = shown.health where d.device_id = changed
      and (d.hostname is distinct from shown.hostname or d.health is distinct from shown.health);
    return null;
  end $$;
CREATE TRIGGER copy_added AFTER INSERT ON device_properties FOR EACH ROW WHEN (new.name = ANY (ARRAY['dev.nexigon.system.info'::text, 'dev.nexigon.systemInfo'::text, 'dev.nexigon.system.health'::text])) EXECUTE FUNCTION copy_shown_properties();
CREATE TRIGGER copy_changed AFTER UPDATE ON device_properties FOR EACH ROW WHEN (new.name = ANY (ARRAY['dev.nexigon.system.info'::text, 'dev.nexigon.systemInfo'::text, 'dev.nexigon.system.health'::text])) EXECUTE FUNCTION copy_shown_properties();
CREATE TRIGGER copy_removed AFTER DELETE ON device_properties FOR EACH ROW WHEN (old.name = ANY (ARRAY['dev.nexigon.system.info'::text, 'dev.nexigon.systemInfo'::text, 'dev.nexigon.system.health'::text])) EXECUTE FUNCTION copy_shown_properties();

CREATE FUNCTION count_added_devices() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    insert into project_count_changes (project_id, node_id, devices)
      select project_id, '', count(*) from added group by project_id;
    return null;
  end $$;
CREATE TRIGGER count_added AFTER INSERT ON all_devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_devices();

CREATE FUNCTION count_asset_uses() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    insert into asset_use_changes (asset_id, uses)
      select asset_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by asset_id order by asset_id;
    return null;
  end $$;
CREATE TRIGGER count_uses_added AFTER INSERT ON package_assets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_asset_uses();
CREATE TRIGGER count_uses_removed AFTER DELETE ON package_assets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_asset_uses();
CREATE TRIGGER count_uses_added AFTER INSERT ON version_assets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_asset_uses();
CREATE TRIGGER count_uses_removed AFTER DELETE ON version_assets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_asset_uses();

CREATE FUNCTION count_assets() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    if tg_op = 'INSERT' then
      insert into repository_count_changes (repository_id, assets, bytes)
        select repository_id, count(*), sum(size) from changed group by repository_id;
    else
      insert into repository_count_changes (repository_id, assets, bytes)
        select repository_id, -count(*), -sum(size) from changed group by repository_id;
    end if;
    return null;
  end $$;
CREATE TRIGGER count_added AFTER INSERT ON assets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_assets();
CREATE TRIGGER subtract_deleted AFTER DELETE ON assets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_assets();

CREATE FUNCTION count_packages() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    if tg_op = 'INSERT' then
      insert into repository_count_changes (repository_id, packages)
        select repository_id, count(*) from changed group by repository_id;
    else
      insert into repository_count_changes (repository_id, packages)
        select repository_id, -count(*) from changed group by repository_id;
    end if;
    return null;
  end $$;
CREATE TRIGGER count_added AFTER INSERT ON packages REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_packages();
CREATE TRIGGER subtract_deleted AFTER DELETE ON packages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_packages();

CREATE FUNCTION count_pending_certificates() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$
  declare
    ids text[];
    changes bigint[];
  begin
    if tg_op = 'INSERT' then
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, count(*) as pending from after where status = 'Pending' group by device_id) as c;
    elsif tg_op = 'DELETE' then
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, -count(*) as pending from before where status = 'Pending' group by device_id) as c;
    else
      select array_agg(device_id), array_agg(pending) into ids, changes from (
        select device_id, sum(pending) as pending from (
          select device_id, -1 as pending from before where status = 'Pending'
          union all select device_id, 1 from after where status = 'Pending'
        ) as each_row group by device_id having sum(pending) <> 0) as c;
    end if;
    with counted as (
      update all_devices d set pending_certificates = d.pending_certificates + c.pending
        from (select * from unnest(ids, changes) as u (device_id, pending) order by device_id) as c
        where d.device_id = c.device_id returning d.project_id, c.pending
    ) insert into project_count_changes (project_id, node_id, pending_certificates)
      select project_id, '', sum(pending) from counted group by project_id;
    return null;
  end $$;
CREATE TRIGGER count_added AFTER INSERT ON device_certificates REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_pending_certificates();
CREATE TRIGGER count_changed AFTER UPDATE ON device_certificates REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_pending_certificates();
CREATE TRIGGER count_deleted AFTER DELETE ON device_certificates REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_pending_certificates();

CREATE FUNCTION count_versions() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    update packages p set version_count = p.version_count + case tg_op when 'INSERT' then c.count else -c.count end,
        newest_version_id = newest.version_id, newest_at = newest.created_at, newest_key = newest.key
      from (select package_id, count(*) from changed group by package_id) as c
      left join lateral (
        select v.version_id, v.created_at, name_key(coalesce(v.name, v.version_id)) as key from package_versions v
        where v.package_id = c.package_id order by v.created_at desc, v.version_id desc limit 1
      ) as newest on true
      where p.package_id = c.package_id;
    return null;
  end $$;
CREATE TRIGGER count_added AFTER INSERT ON package_versions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_versions();
CREATE TRIGGER subtract_deleted AFTER DELETE ON package_versions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_versions();

CREATE FUNCTION note_abilities() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$
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
    end $$;
CREATE TRIGGER note_added_abilities AFTER INSERT ON device_properties FOR EACH ROW WHEN (new.name = ANY (ARRAY['dev.nexigon.commands'::text, 'dev.nexigon.system.info'::text])) EXECUTE FUNCTION note_abilities();
CREATE TRIGGER note_changed_abilities AFTER UPDATE ON device_properties FOR EACH ROW WHEN (new.name = ANY (ARRAY['dev.nexigon.commands'::text, 'dev.nexigon.system.info'::text])) EXECUTE FUNCTION note_abilities();
CREATE TRIGGER note_removed_abilities AFTER DELETE ON device_properties FOR EACH ROW WHEN (old.name = ANY (ARRAY['dev.nexigon.commands'::text, 'dev.nexigon.system.info'::text])) EXECUTE FUNCTION note_abilities();

CREATE FUNCTION note_added_connections() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, a.node_id, count(*) from added a
      cross join lateral (select project_id from all_devices where device_id = a.device_id offset 0) as d
      where a.ended_at is null group by d.project_id, a.node_id;
    insert into additional_connections (connection_id, device_id)
      select a.connection_id, a.device_id from added a cross join lateral (
        select 1 from device_connections c
        where c.device_id = a.device_id and coalesce(c.ended_at, 'infinity') = 'infinity' and c.connection_id <> a.connection_id limit 1
      ) as other where a.ended_at is null;
    update all_devices d set open_node = coalesce(a.open_node, d.open_node), newest_connection = a.newest,
      last_connected_at = greatest(d.last_connected_at, a.connected_at), last_seen_at = greatest(d.last_seen_at, a.seen_at)
      from (
        select device_id, max(connected_at) as connected_at, max(coalesce(ended_at, connected_at)) as seen_at,
          (array_agg(connection_id order by connected_at desc))[1] as newest,
          (array_agg(node_id order by connected_at desc) filter (where ended_at is null))[1] as open_node
        from added group by device_id order by device_id
      ) as a where d.device_id = a.device_id;
    return null;
  end $$;
CREATE TRIGGER note_added AFTER INSERT ON device_connections REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_added_connections();

CREATE FUNCTION note_ended_connections() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    with ended as materialized (
      select min(device_id) as device_id, min(node_id) as node_id, max(ended_at) as ended_at from (
        select connection_id, device_id, node_id, ended_at from before where ended_at is null
        union all select connection_id, device_id, node_id, ended_at from after where ended_at is not null
      ) as either group by connection_id having count(*) = 2
    ), shown as (
      update all_devices d set last_seen_at = greatest(d.last_seen_at, e.ended_at), open_node = (
          select c.node_id from device_connections c where c.device_id = d.device_id and coalesce(c.ended_at, 'infinity') = 'infinity'
          order by c.connected_at desc limit 1
        ) from (
          select device_id, max(ended_at) as ended_at from ended group by device_id order by device_id
        ) as e where d.device_id = e.device_id
    ) insert into project_count_changes (project_id, node_id, open_connections)
      select d.project_id, e.node_id, -count(*) from ended e
      cross join lateral (select project_id from all_devices where device_id = e.device_id offset 0) as d
      group by d.project_id, e.node_id;
    delete from additional_connections where connection_id = any(array(
      select surplus.connection_id from (
        select device_id, array_agg(connection_id) as connections from after where ended_at is not null group by device_id
      ) as e cross join lateral (
        select a.connection_id from additional_connections a
        where a.device_id = e.device_id and (a.connection_id = any(e.connections) or not exists (
          select 1 from device_connections c
          where c.device_id = a.device_id and coalesce(c.ended_at, 'infinity') = 'infinity' and c.connection_id <> a.connection_id
        )) for update skip locked
      ) as surplus
    ));
    return null;
  end $$;
CREATE TRIGGER note_ended AFTER UPDATE ON device_connections REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_ended_connections();

CREATE FUNCTION note_metadata_facts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$
  declare k record;
  begin
    for k in select key_id, path from fact_keys
      where project_id = new.project_id and property = '' and state in ('New', 'Building', 'Ready')
      and (tg_op <> 'UPDATE' or 
        jsonb_path_query_array(old.metadata, path::jsonpath, '{}', true) is distinct from jsonb_path_query_array(new.metadata, path::jsonpath, '{}', true)) order by key_id
    loop
      perform write_facts(k.key_id, new.device_id, new.metadata, k.path);
    end loop;
    return null;
  end $$;
CREATE TRIGGER note_added_facts AFTER INSERT ON all_devices FOR EACH ROW WHEN (new.metadata <> '{}'::jsonb) EXECUTE FUNCTION note_metadata_facts();
CREATE TRIGGER note_changed_facts AFTER UPDATE OF metadata ON all_devices FOR EACH ROW WHEN (old.metadata IS DISTINCT FROM new.metadata) EXECUTE FUNCTION note_metadata_facts();

CREATE FUNCTION note_property_facts() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO 'off' AS $$
  declare changed device_properties := case when tg_op = 'DELETE' then old else new end; k record;
  begin
    for k in select key_id, path from fact_keys where property = changed.name and state in ('New', 'Building', 'Ready')
      and project_id = (select project_id from all_devices where device_id = changed.device_id)
      and (tg_op <> 'UPDATE' or 
        jsonb_path_query_array(old.value, path::jsonpath, '{}', true) is distinct from jsonb_path_query_array(new.value, path::jsonpath, '{}', true)) order by key_id
    loop
      perform write_facts(k.key_id, changed.device_id, case when tg_op = 'DELETE' then null else new.value end, k.path);
    end loop;
    return null;
  end $$;
CREATE TRIGGER note_added_facts AFTER INSERT OR DELETE ON device_properties FOR EACH ROW EXECUTE FUNCTION note_property_facts();
CREATE TRIGGER note_changed_facts AFTER UPDATE ON device_properties FOR EACH ROW WHEN (old.value IS DISTINCT FROM new.value) EXECUTE FUNCTION note_property_facts();

CREATE FUNCTION note_property_names() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$
  declare
    missing record;
  begin
    perform pg_advisory_xact_lock_shared(7201149, bucket)
      from (select distinct property_name_bucket(name) as bucket from added order by 1) as buckets;
    for missing in
      select distinct d.project_id, a.name from added a
      cross join lateral (select project_id from devices where device_id = a.device_id offset 0) as d
      where not exists (select 1 from project_property_names k where k.project_id = d.project_id and k.name = a.name)
      order by 1, 2
    loop
      continue when exists (
        select 1 from all_projects where project_id = missing.project_id and property_names_full_at > now() - interval '1 hour');
      if exists (select 1 from project_property_names where project_id = missing.project_id offset 4999) then
        update all_projects set property_names_full_at = now() where project_id in (
          select project_id from all_projects where project_id = missing.project_id for no key update skip locked);
      else
        insert into project_property_names (project_id, name) values (missing.project_id, missing.name) on conflict do nothing;
      end if;
    end loop;
    return null;
  end $$;
CREATE TRIGGER note_names AFTER INSERT ON device_properties REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_property_names();

CREATE FUNCTION place_ended_action() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    new.position := audit_position();
    return new;
  end $$;
CREATE TRIGGER place_ended BEFORE UPDATE ON audit_actions FOR EACH ROW WHEN (old.status = 'Pending'::text) EXECUTE FUNCTION place_ended_action();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ begin
    if tg_op = 'DELETE' and current_setting('corral.audit_cut', true) = 'on' then return null; end if;
    raise exception 'Rows of the audit log cannot be changed or deleted.' using errcode = 'insufficient_privilege';
  end $$;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OF action_id, actor, action, data, node_id, created_at, "position" OR TRUNCATE ON audit_actions FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER end_once BEFORE UPDATE ON audit_actions FOR EACH ROW WHEN (old.status <> 'Pending'::text OR new.status = 'Pending'::text) EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_cuts FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_event_entities FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

CREATE FUNCTION rename_newest_version() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    update packages set newest_key = name_key(coalesce(new.name, new.version_id))
      where package_id = new.package_id and newest_version_id = new.version_id;
    return null;
  end $$;
CREATE TRIGGER rename_newest AFTER UPDATE ON package_versions FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION rename_newest_version();

CREATE FUNCTION subtract_deleted_connection() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' AS $$ begin
    insert into project_count_changes (project_id, node_id, open_connections)
      select project_id, old.node_id, -1 from all_devices where device_id = old.device_id;
    delete from additional_connections where connection_id = old.connection_id;
    return null;
  end $$;
CREATE TRIGGER subtract_deleted AFTER DELETE ON device_connections FOR EACH ROW WHEN (old.ended_at IS NULL) EXECUTE FUNCTION subtract_deleted_connection();
