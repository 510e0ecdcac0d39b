import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { barLine, line, type Line } from '../table.ts';
import { openBackupTestbed, type BackupTestbed } from './backup-testbed.ts';
import { fillAssets } from './fill-assets.ts';
import { fillRows } from './fill-rows.ts';
import { flippedBits } from './flipped-bits.ts';
import { successOf, type EndedCommand } from './hub-command.ts';
import { backupToolNames, flushDisk, plainTools, restoreToolNames } from './plain-tools.ts';
import { sizes } from './sizes.ts';

const mebibyte = 1024 ** 2;
/** The bar is fifteen minutes for 10 GB. */
const restoreBarSecs = (900 * sizes.totalBytes) / 1e10;
/** The hub, its backup, a dump, what is restored, and the log of the server. */
const neededBytes = sizes.totalBytes * 5;

/** A backup of a running hub, restores of it, their memory, and what they do when a bit flips. */
export async function backupAndRestore(): Promise<Line[]> {
  const testbed = await openBackupTestbed(neededBytes);
  try {
    await fillRows(testbed.databaseUrl, testbed.user.projectId, sizes.databaseBytes);
    await fillAssets(testbed.user, sizes);
    const backup = join(testbed.folder, 'backup');
    const dump = join(testbed.folder, 'dump');
    return [
      ...(await backups(testbed, backup, dump)),
      ...(await restoresToServer(testbed, backup, dump)),
      ...(await restoreIntoFolder(testbed, backup)),
      await flippedBits(backup, testbed.folder),
    ];
  } finally {
    await testbed.stop();
  }
}

const { totalBytes, databaseBytes, largeAssets, largeBytes, smallAssets, smallBytes } = sizes;
const contents = `${totalBytes / 1e9} GB (${databaseBytes / 1e9} GB of database, ${largeAssets} assets of ${largeBytes / mebibyte} MiB, ${smallAssets} of ${smallBytes / mebibyte} MiB)`;

const speed = (seconds: number): number => totalBytes / mebibyte / seconds;

function memory(what: string, { peakBytes }: EndedCommand): Line {
  return {
    what: `${what}, most memory`,
    unit: 'MiB',
    ours: peakBytes / mebibyte,
    goal: '',
    isMet: undefined,
  };
}

async function backups(
  { dataDir, databaseUrl }: BackupTestbed,
  backup: string,
  dump: string,
): Promise<Line[]> {
  await flushDisk();
  const anchor = await plainTools.backUp(databaseUrl, join(dataDir, 'assets'), dump);
  await flushDisk();
  const ours = await successOf(['backup', backup, '--with-secret-key'], {
    CORRAL_DATA_DIR: dataDir,
    CORRAL_DATABASE_URL: databaseUrl,
  });
  const what = `backup of ${contents}`;
  return [
    line({
      what,
      unit: 'MiB/s',
      ours: speed(ours.seconds),
      anchor: speed(anchor),
      anchorName: backupToolNames,
    }),
    memory('backup', ours),
  ];
}

/** Both into empty databases of one server, so that only the programs differ. */
async function restoresToServer(testbed: BackupTestbed, backup: string, dump: string): Promise<Line[]> {
  const { folder } = testbed;
  const [byTools, byHub] = [join(folder, 'by-tools'), join(folder, 'by-hub')];
  const toolsUrl = await testbed.createDatabase('by_tools');
  await flushDisk();
  const anchor = await plainTools.restore(dump, toolsUrl, byTools);
  await testbed.dropDatabase('by_tools');
  for (const made of [byTools, dump]) await rm(made, { recursive: true });
  const hubUrl = await testbed.createDatabase('by_hub');
  await flushDisk();
  const ours = await successOf(['restore', backup], { CORRAL_DATA_DIR: byHub, CORRAL_DATABASE_URL: hubUrl });
  await testbed.dropDatabase('by_hub');
  await rm(byHub, { recursive: true });
  const row = { unit: 'MiB/s', ours: speed(ours.seconds), anchor: speed(anchor) };
  return [
    line({ what: 'restore into an empty database of a server', ...row, anchorName: restoreToolNames }),
    memory('the same', ours),
  ];
}

async function restoreIntoFolder({ folder }: BackupTestbed, backup: string): Promise<Line[]> {
  const dataDir = join(folder, 'restored');
  await flushDisk();
  const ended = await successOf(['restore', backup], { CORRAL_DATA_DIR: dataDir });
  await rm(dataDir, { recursive: true });
  const what = 'restore into an empty data folder, with a database of its own';
  return [barLine({ what, unit: 's', ours: ended.seconds, bar: restoreBarSecs }), memory('the same', ended)];
}
