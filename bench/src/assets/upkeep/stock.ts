import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { rawIdOf } from '../../large-fleet/seed.ts';

const isFull = process.env['CORRAL_BENCH_FULL'] === '1';

/** How much there is: by default what takes minutes on two cores, and with CORRAL_BENCH_FULL=1 a large instance. */
export const counts = isFull
  ? {
      assets: 400_000,
      unreferenced: 5_000,
      unfinished: 500,
      unchecked: 20_000,
      strays: 5_000,
      writes: 100_000,
    }
  : {
      assets: 100_000,
      unreferenced: 5_000,
      unfinished: 500,
      unchecked: 10_000,
      strays: 5_000,
      writes: 20_000,
    };

const filesOfPackage = 100;
/** Older than what the jobs leave alone because it may be in use. */
const old = new Date(Date.now() - 3 * 86_400_000);

/** The assets from 1 on are unreferenced, then come those whose upload did not end, those that were never checked, and all others. */
const lastUnreferenced = counts.unreferenced;
const lastUnfinished = lastUnreferenced + counts.unfinished;
const lastUnchecked = lastUnfinished + counts.unchecked;

const bytesOf = (number: number): string => `the bytes of asset ${number}`;

const assets = `
  insert into assets (asset_id, repository_id, digest, size, status, storage_key, storage_status, storage_checked_at, created_at, touched_at)
    select ${rawIdOf('asset', 'n')}, $1, decode(hex, 'hex'), length(bytes),
      case when n between ${lastUnreferenced + 1} and ${lastUnfinished} then 'Dangling' else 'Available' end,
      $1 || '/sha256/' || left(hex, 2) || '/' || substr(hex, 3, 2) || '/' || hex, case when n > ${lastUnchecked} then 'Verified' else 'Unknown' end,
      case when n <= ${lastUnreferenced} or n > ${lastUnchecked} then now() end, now() - interval '3 days', now() - interval '3 days'
    from generate_series(1, ${counts.assets}) as n, lateral (select '${bytesOf(0).slice(0, -1)}' || n as bytes) as b,
      lateral (select encode(sha256(bytes::bytea), 'hex') as hex) as d`;

const packages = `
  insert into packages (package_id, repository_id, name, created_at)
    select ${rawIdOf('stocked', 'n')}, $1, 'package-' || n, now() from generate_series(0, ${counts.assets / filesOfPackage}) as n`;

const files = `
  insert into package_assets (package_id, filename, asset_id, added_at)
    select ${rawIdOf('stocked', `(n / ${filesOfPackage})`)}, 'file-' || n, ${rawIdOf('asset', 'n')}, now()
    from generate_series(${lastUnreferenced + 1}, ${counts.assets}) as n`;

/** Writes the rows and the files directly, in a minute or two: through the API it would take hours. */
export async function seedStock(
  databaseUrl: string,
  dataFolder: string,
  repositoryId: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(assets, [repositoryId]);
    await client.query(packages, [repositoryId]);
    await client.query(files);
    // As autovacuum does in a running database, soon after so many rows.
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
  const folder = join(dataFolder, 'assets');
  for (let n = 1; n <= counts.assets + counts.strays; n += 1) writeObject(folder, repositoryId, bytesOf(n));
  for (let n = 1; n <= counts.writes; n += 1)
    writeOld(join(folder, 'partials', `unfinished.${n}`), 'some bytes');
}

function writeObject(folder: string, repositoryId: string, bytes: string): void {
  const hex = createHash('sha256').update(bytes).digest('hex');
  writeOld(join(folder, 'objects', repositoryId, 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex), bytes);
}

const made = new Set<string>();

function writeOld(path: string, bytes: string): void {
  const folder = dirname(path);
  if (!made.has(folder)) mkdirSync(folder, { recursive: true });
  made.add(folder);
  writeFileSync(path, bytes);
  utimesSync(path, old, old);
}
