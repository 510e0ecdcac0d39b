import { ids, type Id } from '@corral/contract';
import type pg from 'pg';
import { fillLog } from '../long-log.ts';
import { rawIdOf } from './seed.ts';

/** The rows of each list. */
export const listedRows = 100_000;

const numbers = `generate_series(1, ${listedRows}) as n`;

/** One asset in fifty is unused, and one in a thousand not uploaded yet. */
const assets = `
  insert into assets (asset_id, repository_id, digest, size, status, storage_key, storage_status, created_at, touched_at)
    select ${rawIdOf('listed asset', 'n')}, $1, sha256(n::text::bytea), n::bigint * 7919 % 1000000007,
      case when n % 1000 = 0 then 'Dangling' else 'Available' end, 'bench/' || n, 'Verified', now() - n * interval '1 minute', now()
    from ${numbers}`;

/** Four packages in five have a version with a file. */
const packages = [
  `insert into packages (package_id, repository_id, name, kind, created_at)
    select ${rawIdOf('listed package', 'n')}, $1, (array['gate', 'crane', 'reefer'])[1 + n % 3] || '-' || n,
      (array['deb', 'container', null])[1 + n % 3], now() - n * interval '1 minute'
    from ${numbers}`,
  `insert into package_versions (version_id, package_id, repository_id, name, created_at)
    select ${rawIdOf('listed version', 'n')}, ${rawIdOf('listed package', 'n')}, $1, '1.' || n * 7919 % 1000 || '.' || n % 10,
      now() - (n * 7919 % 100000) * interval '1 minute'
    from ${numbers} where n % 5 > 0`,
  `insert into version_assets (version_id, filename, asset_id, added_at)
    select ${rawIdOf('listed version', 'n')}, 'image', ${rawIdOf('listed asset', 'case when n % 50 = 0 then 1 else n end')}, now()
    from ${numbers} where n % 5 > 0 and $1 <> ''`,
];

const users = `
  insert into users (user_id, email, display_name, is_admin, created_at, disabled_at)
    select ${rawIdOf('listed user', 'n')}, 'user-' || n || '@example.org', case when n % 4 > 0 then 'User ' || n end, n % 500 = 0, now(),
      case when n % 100 = 0 then now() end
    from ${numbers}`;

/** Writes the rows of long lists directly: a repository with as many assets and packages, as many users, and as many events and commands of the log. */
export async function seedLongLists(client: pg.Client, repositoryId: Id<'repository'>): Promise<void> {
  for (const part of [assets, ...packages]) await client.query(part, [ids.repository.raw(repositoryId)]);
  await client.query(users);
  await fillLog(client, listedRows);
  // As autovacuum does in a running database, soon after so many rows.
  await client.query('vacuum analyze');
}
