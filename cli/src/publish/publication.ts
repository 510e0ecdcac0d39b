import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { filenameProblem, maxFiles, problemMessages, type Json } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import { findFiles } from './glob.ts';
import { parseManifest, type Manifest, type ManifestFiles } from './manifest.ts';
import { ManifestError } from './ManifestError.ts';

/** A local file and what it will be at the version. */
export interface PublishedFile {
  readonly path: string;
  readonly filename: string;
  readonly metadata: Record<string, Json>;
}

/** A manifest with the files that it names. */
export interface Publication {
  readonly manifest: Manifest;
  readonly files: readonly PublishedFile[];
}

/** What the command line adds to a manifest. */
export interface ManifestAdditions {
  readonly version: string | undefined;
  readonly tags: readonly string[];
  readonly metadata: Record<string, Json>;
}

/** Reads a manifest and finds its files. Rejected with a CliError that names the line; nothing was sent to the hub then. */
export async function readPublication(path: string, additions: ManifestAdditions): Promise<Publication> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'There is no manifest' : 'The manifest cannot be read:';
    throw new CliError(`${why} ${path}: \`corral publish --help\` shows one.`, exitCodes.usage, { cause });
  });
  try {
    const manifest = withAdditions(parseManifest(text), additions);
    return { manifest, files: await allFiles(manifest.files, dirname(resolve(path))) };
  } catch (cause) {
    if (!(cause instanceof ManifestError)) throw cause;
    throw new CliError(`${path}, line ${cause.line}: ${cause.message}`, exitCodes.usage, { cause });
  }
}

function withAdditions(manifest: Manifest, { version, tags, metadata }: ManifestAdditions): Manifest {
  const isNew = (tag: string): boolean => !manifest.tags.some(({ name }) => name === tag);
  const more = [...new Set(tags)].filter(isNew).map((name) => ({ name, locked: false }));
  return {
    ...manifest,
    version: version ?? manifest.version,
    tags: [...manifest.tags, ...more],
    metadata: { ...manifest.metadata, ...metadata },
  };
}

async function allFiles(entries: readonly ManifestFiles[], folder: string): Promise<PublishedFile[]> {
  const files: PublishedFile[] = [];
  const names = new Set<string>();
  for (const entry of entries)
    for (const file of await filesOf(entry, folder)) {
      const problem = filenameProblem(file.filename);
      if (problem !== undefined) throw new ManifestError(entry.line, problemMessages[problem]);
      if (names.has(file.filename))
        throw new ManifestError(
          entry.line,
          `${JSON.stringify(file.filename)} is there twice: give one of them another name.`,
        );
      names.add(file.filename);
      files.push(file);
      if (files.length > maxFiles)
        throw new ManifestError(entry.line, `a version has at most ${maxFiles} files.`);
    }
  return files;
}

async function filesOf(
  { path, name, metadata, line }: ManifestFiles,
  folder: string,
): Promise<PublishedFile[]> {
  const found = await findFiles(folder, path).catch((cause: Error) => {
    throw new ManifestError(line, `${JSON.stringify(path)}: ${cause.message}.`, { cause });
  });
  const shown = JSON.stringify(path);
  const isGlob = /[*?]/.test(path);
  if (found.length === 0)
    throw new ManifestError(line, isGlob ? `no file matches ${shown}.` : `there is no file ${shown}.`);
  if (name !== undefined && found.length > 1)
    throw new ManifestError(
      line,
      `${shown} matches ${found.length} files, which cannot all be called ${JSON.stringify(name)}.`,
    );
  return found.map((file) => ({ path: file.path, filename: (name ?? file.name).normalize(), metadata }));
}
