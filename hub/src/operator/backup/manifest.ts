import { createHash, randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { DamagedBackupError } from './DamagedBackupError.ts';
import { syncFolder } from './sync-folder.ts';

const count = z.int().nonnegative();
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().min(1).max(63);

/** A file of the folder of a backup, which is named by its path from there. */
const storedFile = z.strictObject({
  path: z.string().regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/),
  sizeBytes: count,
  /** The SHA-256 of its bytes, in hex. */
  digest: hex,
});

const tableFile = z.strictObject({
  ...storedFile.shape,
  table: name,
  columns: z.array(name).max(1600),
  rows: count,
  /** For a partition that the hub has added: its parent, and the range of the key. */
  partition: z.strictObject({ of: name, from: z.int(), to: z.int() }).optional(),
});

const manifestSchema = z.strictObject({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The version of the hub that made it. */
  hubVersion: z.string().max(100),
  postgresVersion: z.string().max(200),
  instanceId: z.string().max(100),
  /** The names of the migrations that made the schema, in their order. */
  migrations: z.array(name).min(1).max(10_000),
  /** How large the database was. */
  databaseBytes: count,
  tables: z.array(tableFile).max(100_000),
  sequences: z
    .array(z.strictObject({ name, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() }))
    .max(10_000),
  /** The list of all assets, and what it says: how many are in the backup, stay in an S3-compatible store, and could not be read. */
  assets: z.strictObject({
    list: storedFile,
    copied: count,
    copiedBytes: count,
    inStores: count,
    inStoresBytes: count,
    unreadable: count,
  }),
  /** The ids of the keys under which secrets in the database are sealed, and the file with the key, if it was asked for. */
  secretKey: z.strictObject({ ids: z.array(z.string().max(100)).max(1000), file: storedFile.optional() }),
});

/** What a backup has, with the size and the digest of every file. */
export type Manifest = z.infer<typeof manifestSchema>;
/** A file of a backup. */
export type StoredFile = z.infer<typeof storedFile>;
/** The file with the rows of a table. */
export type TableFile = z.infer<typeof tableFile>;

const fileName = 'manifest.json';
const maxManifestBytes = 64 * 1024 ** 2;

const digestOf = (manifest: unknown): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
const textOf = (manifest: unknown): string =>
  `${JSON.stringify({ sha256: digestOf(manifest), manifest }, null, 1)}\n`;

/** Replaces the manifest of the folder atomically; its files must be durable. Resolves with its digest, in hex. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const temporary = join(folder, `${fileName}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(textOf(manifest));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, fileName));
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
  return digestOf(manifest);
}

/** The manifest of a folder; undefined if it has none. Throws a DamagedBackupError if it was changed. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, fileName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new Error(`The file ${path} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === undefined) return undefined;
  const manifest = text.length > maxManifestBytes ? undefined : contentOf(text);
  if (manifest === undefined)
    throw new DamagedBackupError(`The backup is damaged: ${path} is not as it was written.`);
  const { format } = manifest as { format?: unknown };
  if (format !== 1)
    throw new Error(`The backup in ${folder} has the format ${String(format)}, which a newer hub can read.`);
  const parsed = manifestSchema.safeParse(manifest);
  if (!parsed.success)
    throw new DamagedBackupError(`The backup is damaged: ${path} is not a valid manifest.`);
  return parsed.data;
}

/** The content that the digest covers; undefined if any byte of the file was changed. */
function contentOf(text: string): object | undefined {
  try {
    const { manifest } = JSON.parse(text) as { manifest?: unknown };
    return typeof manifest === 'object' && manifest !== null && textOf(manifest) === text
      ? manifest
      : undefined;
  } catch {
    return undefined;
  }
}

/** The manifest of a folder that must have one. */
export async function mustHaveManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest === undefined)
    throw new Error(
      `There is no complete backup in ${folder}: it has no file ${fileName}, which is written last.`,
    );
  return manifest;
}
