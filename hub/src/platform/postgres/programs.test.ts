import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { query, recordingLog, withDatabase, withDataDir, withPostgres } from './fixtures/hub-under-test.ts';
import { locateOnSystem, locatePackage, majorOf } from './locate-programs.ts';
import { startPostgres } from './start-postgres.ts';

test('the package’s programs are installed once into the data folder, and the package is not changed', async () => {
  const source = locatePackage();
  expect(source).toMatchObject({ kind: 'package' });
  const folder = source?.kind === 'package' ? source.folder : '';
  const before = await readdir(join(folder, 'native', 'lib'));
  await withDatabase(async (dataDir) => {
    await withPostgres(dataDir, async ({ version }) => expect(majorOf(version)).toBe(18));
    const [home = ''] = await readdir(join(dataDir, 'postgres', 'programs'));
    const library = join(dataDir, 'postgres', 'programs', home, 'lib');
    const links = (await readdir(library, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    expect(links.length).toBeGreaterThan(5);
    for (const { name } of links) await access(join(library, name), constants.R_OK);
    const { ctimeMs } = await lstat(library);
    await withPostgres(dataDir, async () => {});
    expect((await lstat(library)).ctimeMs).toBe(ctimeMs);
  });
  expect(await readdir(join(folder, 'native', 'lib'))).toEqual(before);
});

test('without the package, programs on the PATH are used, and their folder is not changed', async () => {
  await withDatabase(async (dataDir) => {
    await withPostgres(dataDir, async () => {});
    const [home = ''] = await readdir(join(dataDir, 'postgres', 'programs'));
    const binFolder = join(dataDir, 'postgres', 'programs', home, 'bin');
    const programs = locateOnSystem(['/nowhere', binFolder].join(delimiter));
    expect(programs).toMatchObject({ kind: 'system', binFolder });
    const postgres = await startPostgres({ dataDir, log: recordingLog(), programs: programs! });
    expect(await query(postgres.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });
});

const system = locateOnSystem();

const ownSystem = system ? test : undefined; // Not every system has one.

ownSystem?.('the system’s PostgreSQL works as well', async () => {
  await withDataDir(async (dataDir) => {
    const postgres = await startPostgres({ dataDir, log: recordingLog(), programs: system! });
    const [row] = await query(postgres.connection, "SELECT lower('ÄÖÜ') AS lower, version()");
    expect(row).toMatchObject({
      lower: 'äöü',
      version: expect.stringContaining(`PostgreSQL ${majorOf(postgres.version)}`),
    });
    await postgres.stop();
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('programs');
  });
});
