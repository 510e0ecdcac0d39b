import { sql, type Kysely } from 'kysely';

/** The key that names are sorted by: numbers in them are padded, so that 1.9 comes before 1.10. The index takes 200 characters of it. */
const naturalKey = sql`
  create function natural_key(name text) returns text language sql immutable parallel safe as $$
    select left(string_agg(
      case when part[1] ~ '^[0-9]' then lpad(part[1], greatest(12, length(part[1])), '0') else part[1] end, '' order by place
    ), 200) from regexp_matches(lower(name), '[0-9]+|[^0-9]+', 'g') with ordinality as parts (part, place)
  $$;
`;

/** The newest version of each package, by whose name and time a list of 100,000 packages is sorted without reading all versions. */
const columns = sql`
  alter table packages
    add column newest_version_id text,
    add column newest_at timestamptz,
    add column newest_key text;
`;

/** A plan that PostgreSQL cached while a table was small would take quadratic time once it is large. */
const planByIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;

/** Whoever adds, deletes or renames a version holds the lock of its package, and so sees the versions that others have committed. */
const triggers = sql`
  create or replace function count_versions() returns trigger language plpgsql ${planByIndex} as $$ begin
    update packages p set version_count = p.version_count + case tg_op when 'INSERT' then c.count else -c.count end,
        newest_version_id = newest.version_id, newest_at = newest.created_at, newest_key = newest.key
      from (select package_id, count(*) from changed group by package_id) as c
      left join lateral (
        select v.version_id, v.created_at, natural_key(coalesce(v.name, v.version_id)) as key from package_versions v
        where v.package_id = c.package_id order by v.created_at desc, v.version_id desc limit 1
      ) as newest on true
      where p.package_id = c.package_id;
    return null;
  end $$;

  create function rename_newest_version() returns trigger language plpgsql ${planByIndex} as $$ begin
    update packages set newest_key = natural_key(coalesce(new.name, new.version_id))
      where package_id = new.package_id and newest_version_id = new.version_id;
    return null;
  end $$;
  create trigger rename_newest after update on package_versions
    for each row when (old.name is distinct from new.name) execute function rename_newest_version();
`;

const backfill = sql`
  update packages p set newest_version_id = newest.version_id, newest_at = newest.created_at,
      newest_key = natural_key(coalesce(newest.name, newest.version_id))
    from (
      select distinct on (package_id) package_id, version_id, name, created_at from package_versions
      order by package_id desc, created_at desc, version_id desc
    ) as newest where p.package_id = newest.package_id;
`;

/** Packages without a version come last in either direction, so they have an index of their own. */
const indexes = sql`
  create index packages_by_newest on packages (repository_id, newest_key, lower(name), name, package_id)
    where newest_version_id is not null;
  create index packages_by_published on packages (repository_id, newest_at, lower(name), name, package_id)
    where newest_version_id is not null;
  create index packages_without_version on packages (repository_id, lower(name), name, package_id)
    where newest_version_id is null;
`;

/** Keeps the newest version at its package by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [naturalKey, columns, triggers, backfill, indexes]) await part.execute(db);
}
