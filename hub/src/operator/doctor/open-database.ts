import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { connectDatabase, type DatabaseAddress } from '../../platform/db/connect.ts';
import { ping } from '../../platform/db/ping.ts';
import { locatePrograms, majorOf } from '../../platform/postgres/locate-programs.ts';
import { findRunningServer } from '../../platform/postgres/running-server.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const { right, wrong, unchecked } = checkOf('Database');

/** A database that answers, or findings that say why there is none. */
export interface OpenedForCheck {
  readonly db: ReturnType<typeof connectDatabase> | undefined;
  readonly findings: readonly Finding[];
  close(): Promise<void>;
}

const nothingToClose = async (): Promise<void> => undefined;

/** Connects to the configured database, or to the embedded one if that runs; it does not start it. */
export async function openForCheck(config: Config): Promise<OpenedForCheck> {
  if (config.databaseUrl !== undefined) {
    const { host } = new URL(config.databaseUrl);
    const opened = await connected({ url: config.databaseUrl }, config.databaseUrl);
    if ('db' in opened) return { ...opened, findings: [right(`The server at ${host} answers.`)] };
    const text = `CORRAL_DATABASE_URL: the server at ${host} cannot be used: ${opened.problem} ${adviceOn(opened.code)}`;
    return { db: undefined, findings: [wrong(text)], close: nothingToClose };
  }
  const running = await findRunningServer(config.dataDir);
  const opened = running === undefined ? undefined : await connected(running, running.password);
  if (opened !== undefined && 'db' in opened)
    return { ...opened, findings: [right('The database of the data folder runs and answers.')] };
  const findings =
    opened === undefined || nobodyListens.has(opened.code)
      ? await stoppedDatabase(config)
      : [wrong(refusalOf(opened))];
  return { db: undefined, findings, close: nothingToClose };
}

/** What a connection to the socket of a stopped server, or of one that was killed, ends with. */
const nobodyListens = new Set(['ENOENT', 'ECONNREFUSED']);

interface Refusal {
  readonly problem: string;
  readonly code: string;
}

function refusalOf({ problem, code }: Refusal): string {
  const next =
    code === diskFullCode
      ? 'Make room on the disk of the data folder.'
      : 'The file postgres/postgres.log in the data folder may say more.';
  return `The database of the data folder runs, but cannot be used: ${problem} ${next}`;
}

const diskFullCode = '53100';

type Connected = Pick<OpenedForCheck, 'close'> & { readonly db: ReturnType<typeof connectDatabase> };

async function connected(address: DatabaseAddress, secret: string): Promise<Connected | Refusal> {
  const options = { maxConnections: 2, answerTimeoutMs: 10_000, onIdleError() {} };
  const db = connectDatabase(address, options);
  try {
    await ping(db);
    return { db, close: () => db.destroy() };
  } catch (error) {
    await db.destroy();
    const { code = '' } = error as { code?: string };
    return { problem: messageOf(error).replaceAll(secret, '…'), code };
  }
}

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start it, or correct host and port.',
  ENOTFOUND: 'Correct the host name.',
  ETIMEDOUT: 'Check the way to it, such as a firewall.',
  '28P01': 'Correct user and password.',
  '28000': 'Allow this user and address in pg_hba.conf.',
  '3D000': 'Create the database, or correct its name.',
  '53300': 'Raise max_connections.',
};

const adviceOn = (code: string): string => advice[code] ?? 'Check the URL and the way to it.';

async function stoppedDatabase({ dataDir, searchPath }: Config): Promise<Finding[]> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  const isThere = await access(cluster).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  if (!isThere)
    return [unchecked('There is no database in the data folder yet; the hub makes it when it starts.')];
  const stopped =
    'The database of the data folder does not run, since the hub is stopped: start the hub to check what is in it.';
  const dataMajor = Number.parseInt(await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => ''), 10);
  const programs = locatePrograms(searchPath);
  if (Number.isNaN(dataMajor) || dataMajor === majorOf(programs.version)) return [unchecked(stopped)];
  const text = `The database of the data folder is of PostgreSQL ${dataMajor}, and this machine has PostgreSQL ${programs.version}: back it up with the programs of ${dataMajor}, and restore the backup with the new ones.`;
  return [wrong(text), unchecked(stopped)];
}
