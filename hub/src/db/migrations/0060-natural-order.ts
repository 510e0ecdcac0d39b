import { sql, type Kysely, type RawBuilder } from 'kysely';

/** SQL of a text without case and accents. Texts of ASCII use the collation "C", whose lower case does not depend on the language of the database. */
const foldedText = (
  text: RawBuilder<unknown>,
) => sql`case when octet_length(${text}) = char_length(${text}) then lower(${text} collate "C")
  else replace(replace(replace(replace(translate(
    lower(normalize(regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]', '', 'g'), nfc)),
    'øđðħıłŧς', 'oddhiltσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end`;

/** SQL of a text of digits that is compared by its value. */
const padded = (digits: RawBuilder<unknown>) =>
  sql`lpad(ltrim(${digits}, '0'), greatest(20, length(ltrim(${digits}, '0'))), '0')`;

/**
 * The same rules as `foldText` and `orderKey` of the contract. In PL/pgSQL, whose plans are kept, they take some microseconds. The second calls no other function of ours, because PostgreSQL makes indexes
 * with a search path without them.
 */
const functions = sql`
  create function folded(value text) returns text language plpgsql immutable parallel safe strict as $$ begin
    return ${foldedText(sql`value`)};
  end $$;

  create function name_key(name text) returns text language plpgsql immutable parallel safe strict as $$
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
      rest := ${foldedText(sql`name`)};
    else
      rest := case when parts[1] ~ '[.].*[.]' then parts[1] else parts[1] || '.0' end;
      tail := case when parts[2] is null then '#' else '!' end;
      foreach id in array coalesce(string_to_array(parts[2], '.'), '{}') loop
        tail := tail || case when id ~ '^[0-9]+$' then '0' || ${padded(sql`id`)} else '1' || id end || ' ';
      end loop;
    end if;
    loop
      run := substring(rest from '[0-9]+');
      exit when run is null;
      place := strpos(rest, run);
      key := key || left(rest, place - 1) || ${padded(sql`run`)};
      rest := substr(rest, place + length(run));
    end loop;
    return key || rest || tail;
  end $$;
`;

/** The texts in which devices are searched. Those of ASCII stay as they are. */
const texts = sql`
  create or replace function searched_texts(device_id text, name text, hostname text) returns text language sql stable as $$
    select chr(1) || 'd_' || lower(device_id collate "C") || chr(1) || replace(coalesce(folded(name), ''), chr(1), '')
      || chr(1) || replace(coalesce(folded(hostname), ''), chr(1), '')
  $$;
  update device_texts t set texts = searched_texts(d.device_id, d.name, d.hostname) from all_devices d
    where d.device_id = t.device_id and octet_length(t.texts) <> char_length(t.texts);
`;

const planByIndex = sql`set plan_cache_mode = force_custom_plan set enable_seqscan = off`;

/** The key of the newest version of a package; see 0037. */
const newest = sql`
  create or replace function count_versions() returns trigger language plpgsql ${planByIndex} as $$ begin
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
  create or replace function rename_newest_version() returns trigger language plpgsql ${planByIndex} as $$ begin
    update packages set newest_key = name_key(coalesce(new.name, new.version_id))
      where package_id = new.package_id and newest_version_id = new.version_id;
    return null;
  end $$;
  update packages p set newest_key = name_key(coalesce(v.name, v.version_id)) from package_versions v where v.version_id = p.newest_version_id;
`;

/** Each list by name has one index for its order; a hub of the release before sorts the list for each page until it is replaced. */
const indexes = sql`
  drop index projects_by_name, repositories_by_name, packages_by_name, devices_by_project_name, devices_by_project_name_descending,
    packages_by_newest, packages_by_published, packages_without_version, packages_by_kind, packages_without_kind, packages_by_versions,
    package_versions_by_name, users_by_name, users_by_name_descending;
  create index projects_by_name on projects ((name_key(name) collate "C"), name, project_id);
  create index repositories_by_name on repositories ((name_key(name) collate "C"), name, repository_id);
  create index packages_by_name on packages (repository_id, (name_key(name) collate "C"), name, package_id);
  create index devices_by_project_name on all_devices
    (project_id, (name is null), (name_key(coalesce(name, '')) collate "C"), device_id);
  create index devices_by_project_name_descending on all_devices
    (project_id, (name is not null), (name_key(coalesce(name, '')) collate "C"), device_id);
  create index packages_by_newest on packages
    (repository_id, (newest_key collate "C"), (name_key(name) collate "C"), name, package_id) where newest_version_id is not null;
  create index packages_by_published on packages (repository_id, newest_at, (name_key(name) collate "C"), name, package_id)
    where newest_version_id is not null;
  create index packages_without_version on packages (repository_id, (name_key(name) collate "C"), name, package_id)
    where newest_version_id is null;
  create index packages_by_kind on packages
    (repository_id, (name_key(kind) collate "C"), (name_key(name) collate "C"), name, package_id) where kind is not null;
  create index packages_without_kind on packages (repository_id, (name_key(name) collate "C"), name, package_id) where kind is null;
  create index packages_by_versions on packages (repository_id, version_count, (name_key(name) collate "C"), name, package_id);
  create index package_versions_by_name on package_versions (package_id, (name_key(coalesce(name, '')) collate "C"), version_id)
    where name is not null;
  create index users_by_name on users ((display_name is null), (name_key(coalesce(display_name, '')) collate "C"), email);
  create index users_by_name_descending on users
    ((display_name is not null), (name_key(coalesce(display_name, '')) collate "C"), email);
`;

/** Sorts names in one natural order without accents, versions by the precedence of SemVer, and searches without accents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [functions, texts, newest, indexes]) await part.execute(db);
}
