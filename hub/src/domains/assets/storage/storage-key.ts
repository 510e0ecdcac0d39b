/**
 * The key of an asset's bytes in every store: by repository and digest, so that equal bytes of a repository are one object and no name that
 * users type is part of a path.
 */
export function storageKey(prefix: string, repositoryId: string, digest: Buffer): string {
  const hex = digest.toString('hex');
  return belowPrefix(prefix, `${repositoryId}/sha256/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`);
}

/** A key below the prefix of a store, which is empty for none. */
export function belowPrefix(prefix: string, key: string): string {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  return folder === '' ? key : `${folder}/${key}`;
}

const keyForm = /(?:^|\/)([^/]+)\/sha256\/..\/..\/([0-9a-f]{64})$/;

/** The raw id of the repository and the digest in the key of an object, whatever the prefix of its store; undefined for the key of no asset. */
export function partsOfKey(
  storageKey: string,
): { readonly repositoryId: string; readonly digest: Buffer } | undefined {
  const [, repositoryId, hex] = keyForm.exec(storageKey) ?? [];
  return repositoryId === undefined || hex === undefined
    ? undefined
    : { repositoryId, digest: Buffer.from(hex, 'hex') };
}
