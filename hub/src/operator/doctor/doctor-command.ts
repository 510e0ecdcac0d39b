import type { Vault } from '../../platform/vault/vault.ts';
import { ConfigError } from '../../config/ConfigError.ts';
import { loadConfig, type Config } from '../../config/config.ts';
import { passkeySite } from '../../config/passkey-site.ts';
import { doctorCommandLine, type DoctorArguments } from '../../config/doctor-command-line.ts';
import { instanceIdOf, publicInstanceId, liveNodes, type LiveNode } from '../../domains/instance/index.ts';
import { passkeysElsewhere } from '../../domains/passkeys/index.ts';
import type { HubCommand } from '../run-command.ts';
import { version } from '../../wiring/version.ts';
import { checkSchema, checkServer } from './check-database.ts';
import { checkFolder } from './check-folder.ts';
import { checkHub } from './check-hub.ts';
import { checkKey } from './check-key.ts';
import { checkMail } from './check-mail.ts';
import { checkNats, checkNodes, checkPeers } from './check-nodes.ts';
import { checkRelease } from './check-release.ts';
import { checkStore } from './check-store.ts';
import { checkStoredAssets } from './check-stored-assets.ts';
import { checkUnclaimedStores } from './check-unclaimed-stores.ts';
import { bounded, checkOf, type Finding } from './finding.ts';
import { exitCodeOf, jsonOf, textOf } from './print-findings.ts';
import { openForCheck, type OpenedForCheck } from './open-database.ts';

const timeoutMs = 15_000;
const storeTimeoutMs = 45_000;
const hubTimeoutMs = 30_000;
const noFindings: Promise<readonly Finding[]> = Promise.resolve([]);

/** `corral-hub doctor`. */
export const doctorCommand: HubCommand<DoctorArguments> = {
  commandLine: doctorCommandLine,

  async run({ isJson, hubArguments }, output) {
    const findings = await examine(hubArguments);
    output.write(isJson ? `${jsonOf(findings)}\n` : textOf(findings));
    return exitCodeOf(findings);
  },
};

async function examine(hubArguments: readonly string[]): Promise<Finding[]> {
  const { right, wrong } = checkOf('Configuration');
  try {
    const config = loadConfig({ argv: hubArguments });
    const count = Object.keys(config.configuredBy).length;
    const text = `Release ${version} on Node.js ${process.versions.node} understands all settings; ${count} ${count === 1 ? 'is' : 'are'} set.`;
    return [right(text), ...(await checkAll(config))];
  } catch (error) {
    if (error instanceof ConfigError) return [wrong(error.message)];
    throw error;
  }
}

/** The findings of all checks that need a valid configuration. */
export async function checkAll(config: Config): Promise<Finding[]> {
  const folder = bounded('Data folder', timeoutMs, () => checkFolder(config));
  const opened = await openForCheck(config);
  try {
    return [...(await folder), ...opened.findings, ...(await checkDependencies(config, opened))];
  } finally {
    await opened.close();
  }
}

/** Runs the checks that use the database, concurrently; without it they check what they can. */
async function checkDependencies(config: Config, { db: reachableDb }: OpenedForCheck): Promise<Finding[]> {
  const id = reachableDb && (await instanceIdOf(reachableDb).catch(() => undefined));
  // Before the first start the database has no tables.
  const db = id === undefined ? undefined : reachableDb;
  const nodes = db === undefined ? [] : await liveNodes(db).catch(() => []);
  const { vault, findings } = await checkKey(config, db);
  const instance = id === undefined ? undefined : publicInstanceId(id);
  const parts = await Promise.all([
    reachableDb === undefined ? noFindings : checkDatabase(reachableDb, config, nodes),
    Promise.resolve(findings),
    db === undefined ? noFindings : checkCluster({ config, db, vault, nodes }),
    bounded('NATS', timeoutMs, () => checkNats(config, db, nodes)),
    bounded('Assets', storeTimeoutMs, () => checkStore(config, db, vault)),
    db === undefined ? noFindings : bounded('Stored bytes', timeoutMs, () => checkStoredAssets(db)),
    db === undefined ? noFindings : bounded('Restored copy', timeoutMs, () => checkUnclaimedStores(db)),
    db === undefined ? noFindings : bounded('Passkeys', timeoutMs, () => checkPasskeys(db, config)),
    bounded('Mail', storeTimeoutMs, () => checkMail(config, db, vault)),
    bounded('Releases', timeoutMs, () => checkRelease(config, version)),
    bounded('This hub', hubTimeoutMs, () => checkHub(config, instance)),
  ]);
  return parts.flat();
}

type HubDb = NonNullable<OpenedForCheck['db']>;

async function checkDatabase(db: HubDb, config: Config, nodes: readonly LiveNode[]): Promise<Finding[]> {
  const isHere = nodes.some(({ name }) => name === config.nodeName);
  const hubs = nodes.length + (isHere ? 0 : 1);
  const found = await Promise.all([
    bounded('Database', timeoutMs, () => checkServer(db, config, hubs)),
    bounded('Schema', timeoutMs, () => checkSchema(db, version)),
  ]);
  return found.flat();
}

/** Whether the passkeys of users work at the present name of the hub. */
async function checkPasskeys(db: HubDb, { publicUrl, hostNames }: Config): Promise<Finding[]> {
  const elsewhere = await passkeysElsewhere(db, passkeySite(publicUrl, hostNames)?.rpId);
  return elsewhere === undefined ? [] : [checkOf('Passkeys').wrong(elsewhere)];
}

interface ClusterParts {
  readonly config: Config;
  readonly db: HubDb;
  readonly vault: Vault | undefined;
  readonly nodes: readonly LiveNode[];
}

async function checkCluster({ config, db, vault, nodes }: ClusterParts): Promise<Finding[]> {
  const peers = await bounded('Peer addresses', timeoutMs, () => checkPeers(config, db, vault, nodes));
  return [...checkNodes(config, nodes, version), ...peers];
}
