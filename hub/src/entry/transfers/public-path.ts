/** A file of a repository by names. */
export interface PublicPath {
  readonly repository: string;
  readonly package: string;
  readonly tag: string;
  readonly filename: string;
}

const maxPartCharacters = 512;

/** Reads `/r/<repository>/<package>/<tag>/<file>`; undefined for any other path. A name with a slash comes percent-encoded. */
export function publicPathOf(path: string): PublicPath | undefined {
  const [empty, folder, ...encoded] = path.split('/');
  if (empty !== '' || folder !== 'r' || encoded.length !== 4) return undefined;
  const [repository, packageName, tag, filename] = encoded.map(decoded);
  if (repository === undefined || packageName === undefined || tag === undefined || filename === undefined)
    return undefined;
  return { repository, package: packageName, tag, filename };
}

/** The text of a part; undefined for one that is malformed, or that no name can be. */
function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text === '' || text.length > maxPartCharacters || text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
