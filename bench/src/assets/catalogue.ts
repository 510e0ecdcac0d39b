import { ids } from '@corral/contract';
import pg from 'pg';
import { httpCaller } from '../http-caller.ts';
import { load, percentile } from '../load.ts';
import { startProgram } from '../processes.ts';
import { barLine, line, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';

const packages = 1_000;
const versions = 100;
const files = 3;
const pageRows = 100;
const pageCalls = 200;
const timing = { callers: 16, warmUpMs: 1_000, measureMs: 5_000 };

/** Pages of a large catalogue, and resolving a file by its path beside the bare query. */
export async function catalogue(testbed: Testbed): Promise<Line[]> {
  const repository = 'catalogue';
  const created = await testbed.user.executor.invoke('repositories_CreateRepository', { name: repository });
  if (created.result !== 'Created') throw new Error('The repository exists already.');
  await fill(testbed.databaseUrl, ids.repository.raw(created.repositoryId));
  const pages = await slowestPages(testbed, created.repositoryId);
  return [pages, await resolving(testbed, repository)];
}

/** Writes the rows directly: a thousand packages through actions would take minutes. */
async function fill(databaseUrl: string, repositoryId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const raw = (what: string, number: string): string =>
    `translate(rpad(right(md5('${what}' || ${number}), 22), 22, '1'), '0', 'g')`;
  try {
    await client.query(
      `insert into assets (asset_id, repository_id, digest, size, status, storage_key, storage_status, created_at, touched_at)
       select ${raw('asset', 'n')}, $1, sha256(n::text::bytea), 4096, 'Available', 'bench/' || n, 'Verified', now(), now()
       from generate_series(1, ${versions * files}) as n`,
      [repositoryId],
    );
    await client.query(
      `insert into packages (package_id, repository_id, name, created_at)
       select ${raw('package', 'n')}, $1, 'package-' || n, now() - n * interval '1 minute' from generate_series(1, ${packages}) as n`,
      [repositoryId],
    );
    const version = raw('version', `(p * ${versions} + v)`);
    const everyVersion = `generate_series(1, ${packages}) as p, generate_series(1, ${versions}) as v`;
    await client.query(
      `insert into package_versions (version_id, package_id, repository_id, created_at)
       select ${version}, ${raw('package', 'p')}, $1, now() - v * interval '1 hour' from ${everyVersion}`,
      [repositoryId],
    );
    await client.query(
      `insert into package_tags (package_id, tag, version_id, locked, tagged_at)
       select ${raw('package', 'p')}, 'v' || v, ${version}, true, now() from ${everyVersion}`,
    );
    await client.query(
      `insert into version_assets (version_id, filename, asset_id, added_at)
       select ${version}, 'file-' || f, ${raw('asset', `(v * ${files} - f + 1)`)}, now()
       from ${everyVersion}, generate_series(1, ${files}) as f`,
    );
    // As autovacuum does in a running database, soon after so many rows.
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** The slowest of the kinds of pages, by its 95th percentile. */
async function slowestPages({ user }: Testbed, repositoryId: `repo_${string}`): Promise<Line> {
  const { executor } = user;
  const first = await executor.invoke('repositories_QueryRepositoryPackages', { repositoryId });
  const any = <Item>(items: readonly Item[], call: number): Item => items[(call * 37) % items.length] as Item;
  const versionIds: `pkg_v_${string}`[] = [];
  const kinds: ((call: number) => Promise<unknown>)[] = [
    () => executor.invoke('repositories_QueryRepositoryPackages', { repositoryId, limit: pageRows }),
    async (call) => {
      const { packageId } = any(first.packages, call);
      const page = await executor.invoke('repositories_QueryPackageVersions', { packageId, limit: pageRows });
      versionIds.push(...page.versions.map(({ versionId }) => versionId as `pkg_v_${string}`));
    },
    (call) => executor.invoke('repositories_GetPackageVersionDetails', { versionId: any(versionIds, call) }),
    () => executor.invoke('repositories_QueryRepositoryAssets', { repositoryId, limit: pageRows }),
    () => executor.invoke('repositories_GetRepositoryDetails', { repositoryId }),
    () => executor.invoke('users_QueryUserRepositories', { userId: user.userId, limit: pageRows }),
  ];
  let slowestMs = 0;
  for (const kind of kinds) {
    const durations: number[] = [];
    for (let call = 0; call < pageCalls; call += 1) {
      const startedAt = performance.now();
      await kind(call);
      durations.push(performance.now() - startedAt);
    }
    slowestMs = Math.max(slowestMs, percentile(durations, 0.95));
  }
  const what = `${packages} packages × ${versions} versions × ${files} files, slowest page, p95`;
  return barLine({ what, unit: 'ms', ours: slowestMs, bar: 100 });
}

async function resolving({ hub, user, databaseUrl }: Testbed, repository: string): Promise<Line> {
  const server = startProgram('bench/src/anchors/resolve-server.ts', [], { BENCH_DATABASE_URL: databaseUrl });
  try {
    const anchorUrl = `http://127.0.0.1:${await server.waitForLine(/listening (\d+)/)}`;
    const path = '/api/v1/actions/invoke/repositories_ResolvePackageVersionAssetByPath';
    const anchor = await resolveLoad(anchorUrl, {}, '/resolve', repository);
    const ours = await resolveLoad(hub.url, { authorization: `Bearer ${user.token}` }, path, repository);
    return line(
      {
        what: 'resolving repository/package/tag/file',
        unit: '/s',
        ours,
        anchor,
        anchorName: 'plain node:http, the bare query by pg',
      },
      { atLeast: 0.5 },
    );
  } finally {
    await server.stop();
  }
}

async function resolveLoad(
  url: string,
  headers: Record<string, string>,
  path: string,
  repository: string,
): Promise<number> {
  const caller = httpCaller(url, headers, timing.callers);
  let count = 0;
  const { perSecond } = await load(() => {
    count += 1;
    const input = { package: `package-${(count % packages) + 1}`, tag: `v${(count % versions) + 1}` };
    return caller.post(path, { repository, ...input, filename: `file-${(count % files) + 1}` });
  }, timing);
  caller.close();
  return perSecond;
}
