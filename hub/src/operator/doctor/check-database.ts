import type { Config } from '../../config/config.ts';
import type { connectDatabase } from '../../platform/db/connect.ts';
import { readMigrations } from '../../platform/db/migrate.ts';
import { SchemaError, schemaState, tooOldMessage, trigramState } from '../../platform/db/schema-state.ts';
import { readServerFacts, type ServerFacts } from '../../platform/db/server-facts.ts';
import { checkOf, secondsOf, type Finding } from './finding.ts';

type HubDb = ReturnType<typeof connectDatabase>;

/** The oldest PostgreSQL that the hub is built for. */
const oldestMajor = 15;
/** The maximum number of connections in the pools of one hub. */
const connectionsPerHub = 39;
const maxClockDifferenceMs = 2_000;

/** Checks the version and settings of the server, the rights of the role, and the difference between the clocks of both machines. */
export async function checkServer(db: HubDb, config: Config, hubs: number): Promise<Finding[]> {
  await readServerFacts(db);
  const askedAtMs = Date.now();
  const facts = await readServerFacts(db);
  const aheadMs = (askedAtMs + Date.now()) / 2 - facts.timeMs;
  return [
    ...serverFindings(facts),
    connectionFinding(facts, hubs),
    // On its embedded PostgreSQL the hub uses a role that it creates itself, and this command another one.
    ...(config.databaseUrl === undefined ? [] : roleFindings(facts)),
    clockFinding(aheadMs),
  ];
}

function serverFindings({ version, major, encoding, isUnsafe, isReadOnly }: ServerFacts): Finding[] {
  const { right, wrong } = checkOf('Database');
  const problems = [
    major < oldestMajor ? `PostgreSQL ${version} is too old: the hub needs ${oldestMajor} or newer.` : '',
    encoding === 'UTF8' ? '' : `Its encoding is ${encoding}: create it with the encoding UTF8.`,
    isUnsafe ? 'A crash may lose what was confirmed: set fsync and full_page_writes to on.' : '',
    isReadOnly
      ? 'It can only be read: name the primary in CORRAL_DATABASE_URL, and set default_transaction_read_only to off.'
      : '',
  ].filter((problem) => problem !== '');
  return problems.length > 0 ? problems.map(wrong) : [right(`It is PostgreSQL ${version}.`)];
}

function connectionFinding({ maxConnections }: ServerFacts, hubs: number): Finding {
  const { right, wrong } = checkOf('Database');
  const needed = connectionsPerHub * hubs;
  const has = `It allows ${maxConnections} connections`;
  return maxConnections < needed
    ? wrong(`${has}, and ${hubs} hubs may use ${needed}: raise max_connections.`)
    : right(`${has}; ${hubs === 1 ? 'the hub uses' : `${hubs} hubs use`} at most ${needed}.`);
}

function roleFindings({
  role,
  isSuperuser,
  mayCreate,
  mayHaveJobs,
  foreignOwner,
  cannotCutAs,
}: ServerFacts): Finding[] {
  const { right, wrong } = checkOf('Database role');
  const problems = [
    mayCreate ? '' : `${role} may not make tables: grant create on schema public to it.`,
    mayHaveJobs
      ? ''
      : `${role} may not make the schema of the job queue: grant create on the database to it.`,
    foreignOwner === null
      ? ''
      : `Tables belong to ${foreignOwner}, of which ${role} is no member: make ${role} their owner, or migrations fail.`,
    cannotCutAs === null || foreignOwner !== null
      ? ''
      : `Old rows of the audit log cannot be removed, because ${cannotCutAs} lacks rights: give the function cut_audit_log to the owner of the tables, and ${role} the right to execute it, as docs/audit-log.md shows.`,
  ].filter((problem) => problem !== '');
  if (problems.length > 0) return problems.map(wrong);
  return [
    right(`${role} may do what the hub needs${isSuperuser ? ', and as a superuser more than that' : ''}.`),
  ];
}

function clockFinding(aheadMs: number): Finding {
  const { right, wrong } = checkOf('Clock');
  const by = secondsOf(aheadMs);
  return Math.abs(aheadMs) > maxClockDifferenceMs
    ? wrong(
        `The clock of this machine is ${by} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database: set both by NTP. Certificates and object stores go by the former.`,
      )
    : right(`The clocks of this machine and of the database differ by ${by}.`);
}

/** Whether this release can run on the schema of the database. */
export async function checkSchema(db: HubDb, release: string): Promise<Finding[]> {
  const { right, wrong } = checkOf('Schema');
  const names = Object.keys(await readMigrations()).toSorted();
  const state = await schemaState(db, names).catch((error: unknown) => {
    if (error instanceof SchemaError) return error.message;
    throw error;
  });
  if (typeof state === 'string') return [wrong(state)];
  const refusal = tooOldMessage(release, state);
  if (refusal !== undefined) return [wrong(refusal)];
  const { missing, unknown } = state;
  if (unknown.length > 0)
    return [right(`A newer release has migrated it (${unknown.at(-1)}); this one can work with it.`)];
  if (missing.length === names.length)
    return [right('The database is empty; the hub makes its tables when it starts.')];
  if (missing.length > 0)
    return [
      right(
        `It lacks ${missing.length} migrations of this release, from ${missing[0]} on; the next start runs them. Back up first.`,
      ),
    ];
  return [right(`It is that of this release (${names.at(-1)}).`), ...(await indexFindings(db))];
}

/** The migration leaves this index out where the server cannot have it. */
async function indexFindings(db: HubDb): Promise<Finding[]> {
  const { isIndexed, schema, mayUse } = await trigramState(db);
  if (isIndexed) return [];
  const before =
    schema === null
      ? 'Install pg_trgm, which is among the contributed modules of PostgreSQL, run "create extension pg_trgm;", and then'
      : mayUse
        ? 'Run'
        : `Run "grant usage on schema ${schema} to" the role of the hub, and then`;
  const type = schema === null ? 'gin_trgm_ops' : `${schema}.gin_trgm_ops`;
  return [
    checkOf('Schema').wrong(
      `The index of trigrams is missing, so searches of devices read all texts of a project. ${before} ` +
        `"create index device_texts_by_trigram on device_texts using gin (texts ${type}) with (fastupdate = off);".`,
    ),
  ];
}
