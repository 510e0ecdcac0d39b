/** What a store keeps beside an object: whose bytes it holds, in the names that existing clients know. */
export function assetMetadata(assetId: string, digest: Buffer): Record<string, string> {
  return { 'nexigon-asset-id': assetId, 'nexigon-digest': `sha256_${digest.toString('hex')}` };
}
