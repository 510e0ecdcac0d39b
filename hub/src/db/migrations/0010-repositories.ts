import { sql, type Kysely } from 'kysely';

const repositories = sql`
  create table repositories (
    repository_id text primary key,
    name text not null unique,
    visibility text not null check (visibility in ('Public', 'Private')),
    max_bytes bigint check (max_bytes >= 0),
    max_assets bigint check (max_assets >= 0),
    created_at timestamptz not null
  );
  create index repositories_by_name on repositories (lower(name), name, repository_id);
  create table repository_members (
    repository_id text not null references repositories on delete cascade,
    user_id text not null references users on delete cascade,
    is_owner boolean not null,
    added_at timestamptz not null,
    primary key (repository_id, user_id)
  );
  create index repository_members_by_user on repository_members (user_id);
  create table project_repositories (
    project_id text not null references projects on delete cascade,
    repository_id text not null references repositories on delete cascade,
    linked_at timestamptz not null,
    primary key (project_id, repository_id)
  );
  create index project_repositories_by_repository on project_repositories (repository_id);
`;

/**
 * The stores of assets. A repository's current store is the newest row of it; older rows stay for the assets that they hold. The
 * repository is null for the store of the instance.
 */
const stores = sql`
  create table object_stores (
    store_id text primary key,
    repository_id text,
    endpoint text not null,
    public_endpoint text,
    bucket text not null,
    region text,
    prefix text not null default '',
    force_path_style boolean not null default true,
    access_key_id text not null,
    secret_access_key bytea not null,
    sealed_under text,
    capabilities jsonb,
    probed_at timestamptz,
    created_at timestamptz not null,
    replaced_at timestamptz
  );
  create unique index object_stores_current on object_stores (coalesce(repository_id, '')) where replaced_at is null;
`;

/**
 * Assets outlive their repository until their bytes are deleted, so they do not refer to it. The store is null for the data folder of the hub.
 * The digest is that of the whole; `chunk_digests` joins the SHA-256 of each MiB.
 */
const assets = sql`
  create table assets (
    asset_id text primary key,
    repository_id text not null,
    digest bytea not null check (octet_length(digest) = 32),
    size bigint not null check (size >= 0),
    status text not null default 'Dangling' check (status in ('Dangling', 'Available', 'Deleting')),
    store_id text references object_stores,
    storage_key text not null,
    storage_status text not null default 'Unknown'
      check (storage_status in ('Unknown', 'Present', 'Verified', 'Missing', 'Mismatched', 'Error')),
    storage_detail text,
    storage_checked_at timestamptz,
    created_at timestamptz not null,
    touched_at timestamptz not null,
    upload_url_ends_at timestamptz,
    upload_lease text,
    upload_lease_ends_at timestamptz,
    unique (repository_id, digest)
  );
  create index assets_newest on assets (repository_id, created_at, asset_id);
  create index assets_unfinished on assets (touched_at) where status <> 'Available';
  create index assets_by_check on assets (storage_checked_at nulls first, asset_id) where status = 'Available';
  create index assets_by_store on assets (store_id) where store_id is not null;
  create table asset_chunks (
    asset_id text primary key references assets on delete cascade,
    digests bytea not null
  );
  alter table asset_chunks alter column digests set storage external;
`;

const packages = sql`
  create table packages (
    package_id text primary key,
    repository_id text not null references repositories on delete cascade,
    name text not null,
    kind text,
    metadata jsonb not null default '{}',
    version_count bigint not null default 0,
    created_at timestamptz not null,
    unique (repository_id, name)
  );
  create index packages_by_name on packages (repository_id, lower(name), name, package_id);
  create table package_versions (
    version_id text primary key,
    package_id text not null references packages on delete cascade,
    repository_id text not null,
    name text,
    metadata jsonb not null default '{}',
    created_at timestamptz not null
  );
  create index package_versions_newest on package_versions (package_id, created_at, version_id);
  create index package_versions_newest_of_repository on package_versions (repository_id, created_at, version_id);
  create table package_tags (
    package_id text not null references packages on delete cascade,
    tag text not null,
    version_id text not null references package_versions on delete cascade,
    locked boolean not null,
    tagged_at timestamptz not null,
    primary key (package_id, tag)
  );
  create index package_tags_by_version on package_tags (version_id);
  create table package_tag_moves (
    package_id text not null references packages on delete cascade,
    tag text not null,
    moved_at timestamptz not null,
    move_id text not null,
    from_version_id text,
    to_version_id text,
    locked boolean not null,
    actor jsonb not null,
    primary key (package_id, tag, moved_at, move_id)
  );
  create index package_tag_moves_newest on package_tag_moves (package_id, moved_at, move_id);
  create table package_assets (
    package_id text not null references packages on delete cascade,
    filename text not null,
    asset_id text not null references assets,
    metadata jsonb not null default '{}',
    added_at timestamptz not null,
    primary key (package_id, filename)
  );
  create index package_assets_by_asset on package_assets (asset_id);
  create table version_assets (
    version_id text not null references package_versions on delete cascade,
    filename text not null,
    asset_id text not null references assets,
    metadata jsonb not null default '{}',
    added_at timestamptz not null,
    primary key (version_id, filename)
  );
  create index version_assets_by_asset on version_assets (asset_id);
`;

/**
 * Counts of a repository are sums over both tables, like those of projects: a write appends to the changes, the upkeep folds them. The
 * versions of a package are counted in its row, which is locked anyway while its tags change.
 */
const counts = sql`
  create table repository_counts (
    repository_id text primary key,
    packages bigint not null default 0,
    assets bigint not null default 0,
    bytes bigint not null default 0
  );
  create table repository_count_changes (
    repository_id text not null,
    packages bigint not null default 0,
    assets bigint not null default 0,
    bytes bigint not null default 0
  );
  create index repository_count_changes_by_repository on repository_count_changes (repository_id);

  create function count_packages() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      insert into repository_count_changes (repository_id, packages)
        select repository_id, count(*) from changed group by repository_id;
    else
      insert into repository_count_changes (repository_id, packages)
        select repository_id, -count(*) from changed group by repository_id;
    end if;
    return null;
  end $$;
  create function count_versions() returns trigger language plpgsql as $$ begin
    update packages set version_count = version_count + case tg_op when 'INSERT' then added.count else -added.count end
      from (select package_id, count(*) from changed group by package_id) as added
      where packages.package_id = added.package_id;
    return null;
  end $$;
  create trigger count_added after insert on package_versions
    referencing new table as changed for each statement execute function count_versions();
  create trigger subtract_deleted after delete on package_versions
    referencing old table as changed for each statement execute function count_versions();

  create trigger count_added after insert on packages
    referencing new table as changed for each statement execute function count_packages();
  create trigger subtract_deleted after delete on packages
    referencing old table as changed for each statement execute function count_packages();

  create function count_assets() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      insert into repository_count_changes (repository_id, assets, bytes)
        select repository_id, count(*), sum(size) from changed group by repository_id;
    else
      insert into repository_count_changes (repository_id, assets, bytes)
        select repository_id, -count(*), -sum(size) from changed group by repository_id;
    end if;
    return null;
  end $$;
  create trigger count_added after insert on assets
    referencing new table as changed for each statement execute function count_assets();
  create trigger subtract_deleted after delete on assets
    referencing old table as changed for each statement execute function count_assets();
`;

/** Creates the tables of repositories, their stores, assets, packages, versions and tags. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [repositories, stores, assets, packages, counts]) await part.execute(db);
}
