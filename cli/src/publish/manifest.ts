import {
  filenameProblem,
  labelProblem,
  maxFileMetadataKib,
  maxFiles,
  maxMetadataKib,
  maxTagsOfVersion,
  pathNameProblem,
  repositoryNameProblem,
  type Json,
} from '@corral/contract';
import { TomlReader, type TomlTable } from './toml-reader.ts';
import type { TomlPath } from './manifest-lines.ts';

/** A tag that the version gets. */
export interface ManifestTag {
  readonly name: string;
  readonly locked: boolean;
}

/** A file or a glob. */
export interface ManifestFiles {
  /** Relative to the folder of the manifest. */
  readonly path: string;
  /** Its name at the version; undefined for that which the path gives. */
  readonly name: string | undefined;
  readonly metadata: Record<string, Json>;
  /** The line of the manifest. */
  readonly line: number;
}

/** What `corral publish` publishes. */
export interface Manifest {
  readonly repository: string;
  readonly package: string;
  /** The kind of the package if it is created. */
  readonly kind: string | undefined;
  /** The name of the version. */
  readonly version: string | undefined;
  readonly tags: readonly ManifestTag[];
  readonly metadata: Record<string, Json>;
  readonly files: readonly ManifestFiles[];
}

const keys = ['repository', 'package', 'kind', 'version', 'tags', 'metadata', 'files'];

/** Reads a manifest. Throws a ManifestError. */
export function parseManifest(text: string): Manifest {
  const toml = new TomlReader(text);
  const { root } = toml;
  toml.checkKeys(root, [], keys);
  const manifest = {
    repository: toml.required(root, ['repository']),
    package: toml.required(root, ['package']),
    kind: toml.text(root, ['kind']),
    version: toml.text(root, ['version']),
    tags: tagsOf(toml),
    metadata: toml.json(root, ['metadata'], maxMetadataKib),
    files: toml.list(root, ['files'], maxFiles).map((file, index) => filesOf(toml, file, ['files', index])),
  };
  toml.check(['repository'], repositoryNameProblem(manifest.repository));
  toml.check(['package'], pathNameProblem(manifest.package, 'packageName'));
  toml.check(['kind'], labelProblem(manifest.kind ?? '', 'packageKind'));
  toml.check(['version'], labelProblem(manifest.version ?? '', 'versionName'));
  if (manifest.files.length === 0)
    throw toml.error(['files'], 'files is missing: name at least one, such as files = ["press.img"].');
  return manifest;
}

function tagsOf(toml: TomlReader): ManifestTag[] {
  const tags = toml
    .list(toml.root, ['tags'], maxTagsOfVersion)
    .map((tag, index) => tagOf(toml, tag, ['tags', index]));
  const names = tags.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0)
    throw toml.error(['tags', twice], `the tag ${JSON.stringify(names[twice])} is there twice.`);
  return tags;
}

function tagOf(toml: TomlReader, value: unknown, path: TomlPath): ManifestTag {
  const tag = typeof value === 'string' ? { name: value } : toml.table(value, path, 'a text or a table');
  toml.checkKeys(tag, path, ['name', 'locked']);
  const name = toml.required(tag, [...path, 'name']);
  toml.check([...path, 'name'], pathNameProblem(name, 'tag'));
  return { name, locked: toml.flag(tag, [...path, 'locked']) ?? false };
}

function filesOf(toml: TomlReader, value: unknown, path: TomlPath): ManifestFiles {
  const entry: TomlTable =
    typeof value === 'string' ? { path: value } : toml.table(value, path, 'a text or a table');
  toml.checkKeys(entry, path, ['path', 'name', 'metadata']);
  const files = {
    path: toml.required(entry, [...path, 'path']),
    name: toml.text(entry, [...path, 'name']),
    metadata: toml.json(entry, [...path, 'metadata'], maxFileMetadataKib),
    line: toml.lineOf(path),
  };
  if (files.name !== undefined) toml.check([...path, 'name'], filenameProblem(files.name));
  return files;
}
