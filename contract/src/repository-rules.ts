import {
  characterCount,
  hasInvisible,
  isInvisible,
  maxFilenameCharacters,
  maxNameCharacters,
  maxPathNameCharacters,
  type Problem,
} from './rules.ts';

/** The most bytes of one asset. */
export const maxAssetBytes = 64 * 1024 ** 3;
/** The most chunks of one asset, of a MiB each. */
export const maxChunks = maxAssetBytes / 1024 ** 2;
/** The most digests of chunks that one call returns. */
export const maxChunksAtOnce = 10_000;
/** The most bytes of the metadata of a package or version, as JSON. */
export const maxMetadataKib = 64;
/** The most bytes of the metadata of a file, as JSON: an answer holds that of all files. */
export const maxFileMetadataKib = 4;
/** The most files of a package, and of a version. */
export const maxFiles = 1000;
/** The most tags that point at one version, and that one call sets or removes. */
export const maxTagsOfVersion = 100;
/** How far back a reference such as `stable~3` may reach. */
export const maxTagSteps = 1000;

/** `+` begins the build of a semantic version, such as `v1.2.0+build7`. */
const pathNameForms = {
  packageName: /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
  tag: /^[a-zA-Z0-9][a-zA-Z0-9._+-]*$/,
} as const;

/** The rule for the name of a repository, which is stored trimmed and is a part of URLs. */
export function repositoryNameProblem(typed: string): Problem | undefined {
  const name = typed.trim().normalize();
  if (name === '') return 'repositoryNameEmpty';
  if (isInvisible(name)) return 'nameInvisible';
  if (characterCount(name) > maxPathNameCharacters) return 'repositoryNameTooLong';
  // `@` and `~` separate a reference to a version from the names before it.
  return /[/\\@~\p{C}]/u.test(name) || hasInvisible(name) || name === '.' || name === '..'
    ? 'repositoryNameInvalid'
    : undefined;
}

/** The rule for the name of a package and for a tag. */
export function pathNameProblem(typed: string, kind: 'packageName' | 'tag'): Problem | undefined {
  if (typed === '') return `${kind}Empty`;
  if (characterCount(typed) > maxPathNameCharacters) return `${kind}TooLong`;
  return pathNameForms[kind].test(typed) ? undefined : `${kind}Invalid`;
}

/** A part of a path that names no file, but its folder or the one above. */
const hasDotsAsPart = /(?:^|[/\\])\.\.?(?:[/\\]|$)/;

/** The rule for the name of a file in a package or version, which is stored as it is. It may have folders. */
export function filenameProblem(typed: string): Problem | undefined {
  if (typed === '') return 'filenameEmpty';
  if (typed.trim() === '' || isInvisible(typed)) return 'nameInvisible';
  if (characterCount(typed.normalize()) > maxFilenameCharacters) return 'filenameTooLong';
  return hasDotsAsPart.test(typed) ? 'filenameInvalid' : undefined;
}

/** The rule for the kind of a package and the name of a version, which may be blank. */
export function labelProblem(typed: string, kind: 'packageKind' | 'versionName'): Problem | undefined {
  if (isInvisible(typed)) return 'nameInvisible';
  return characterCount(typed.trim().normalize()) > maxNameCharacters ? `${kind}TooLong` : undefined;
}

/** How many assets one call may look up by their digests. */
export const maxDigestsAtOnce = 500;
