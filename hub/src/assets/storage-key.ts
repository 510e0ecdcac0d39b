/**
 * The key of an asset's bytes in every store: by repository and digest, so that equal bytes of a repository are one object and no name that
 * users type is part of a path.
 */
export function storageKey(prefix: string, repositoryId: string, digest: Buffer): string {
  const hex = digest.toString('hex');
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  const key = `${repositoryId}/sha256/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
  return folder === '' ? key : `${folder}/${key}`;
}
