import type { KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { openVault } from '../platform/vault/open-vault.ts';
import { publicKeyOf, parseStatement } from '../auth/seal-statement.ts';
import { auditCommandLine, type AuditArguments } from '../config/audit-command-line.ts';
import { loadConfig, type Config } from '../config/config.ts';
import type { HubArguments } from '../config/sub-command-line.ts';
import type { Database } from '../platform/db/connect.ts';
import {
  existingSigningKey,
  readStatement,
  lastPrunedSeal,
  type AuditLogProblem,
  type AuditVerdict as Verdict,
  verdictMessage,
} from '../domains/audit/index.ts';
import { vaultKeysInUse } from '../domains/instance/index.ts';
import { checkExport } from './exported-audit-log.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import type { HubCommand } from './run-command.ts';
import { verifyAuditLog } from './verify-audit-log.ts';

type CommandArguments = AuditArguments & HubArguments;

/** `corral-hub audit verify`. */
export const auditCommand: HubCommand<AuditArguments> = {
  commandLine: auditCommandLine,

  async run(given, output) {
    if (given.file !== undefined) return verifyFile(given.file, given, output);
    const verdict = await verify(given);
    const sentence = verdictMessage(verdict);
    output.write(
      `${given.isJson ? JSON.stringify({ isIntact: verdict.problem === undefined, ...verdict, sentence }) : sentence}\n`,
    );
    return verdict.problem === undefined ? 0 : 1;
  },
};

async function verifyFile(
  file: string,
  { publicKey, isJson }: CommandArguments,
  output: NodeJS.WritableStream,
): Promise<number> {
  if (publicKey === undefined)
    throw new Error(
      '--file needs --public-key: the key that administrators see, and that the check of the database prints.',
    );
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const { rows, problem } = await checkExport(lines, parseKey(publicKey));
  const sentence =
    problem === undefined
      ? `The exported log fits its seals: ${rows} rows.`
      : `The exported log was tampered with, line ${problem.line}: ${problem.sentence}`;
  const isIntact = problem === undefined;
  output.write(`${isJson ? JSON.stringify({ isIntact, rows, line: problem?.line, sentence }) : sentence}\n`);
  return isIntact ? 0 : 1;
}

async function verify(given: CommandArguments): Promise<Verdict> {
  const config = loadConfig({ argv: given.hubArguments });
  const opened = await openExistingDatabase(config);
  try {
    return await verifyDatabase(opened.db, config, given);
  } finally {
    await opened.close();
  }
}

async function verifyDatabase(
  db: Database,
  config: Config,
  { publicKey, seals }: CommandArguments,
): Promise<Verdict> {
  const verdict = await verifyAuditLog(db, await verificationKey(db, config, publicKey));
  if (verdict.problem !== undefined || verdict.publicKey === undefined || seals === undefined) return verdict;
  const problem = await compareWithLog(db, seals);
  return problem === undefined ? verdict : { ...verdict, problem };
}

async function verificationKey(
  tx: Database,
  config: Config,
  publicKey: string | undefined,
): Promise<KeyObject | undefined> {
  if (publicKey === undefined)
    return existingSigningKey({ tx, vault: await openVault(config, () => vaultKeysInUse(tx)) });
  return parseKey(publicKey);
}

function parseKey(publicKey: string): KeyObject {
  try {
    return publicKeyOf(publicKey);
  } catch {
    throw new Error('--public-key must be an Ed25519 key: 32 bytes in base64.');
  }
}

/** The first logged seal that is missing or different in the database. */
async function compareWithLog(db: Database, file: string): Promise<AuditLogProblem | undefined> {
  const prunedSeal = await lastPrunedSeal(db);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const statement = loggedStatement(line);
    if (statement === undefined) continue;
    const { seal } = parseStatement({ statement, signature: Buffer.alloc(0) });
    if (seal <= prunedSeal) continue;
    const stored = await readStatement(db, seal);
    if (stored === undefined) return { what: 'SealMissing', seal };
    if (stored.statement !== statement) return { what: 'SealChanged', seal };
  }
  return undefined;
}

function loggedStatement(line: string): string | undefined {
  if (!line.includes('"statement"')) return undefined;
  try {
    const { statement } = JSON.parse(line) as { statement?: unknown };
    return typeof statement === 'string' ? statement : undefined;
  } catch {
    return undefined;
  }
}
