import type { Output } from '@corral/contract';
import { CliError } from '../CliError.ts';
import { formatBytes, formatCount } from '../output/format.ts';
import type { KnownDigests, Plan } from './plan.ts';

/** What a repository has and may have; without a limit as much as fits. */
export type RepositoryQuotas = Pick<
  Output<'repositories_GetRepositoryDetails'>,
  'usedBytes' | 'maxBytes' | 'assetCount' | 'maxAssets'
>;

const remedy = 'Delete assets that are no longer used, or ask an administrator for a larger quota.';

/** The error that the upload would end with, since the repository would pass a quota; undefined if it stays within them. */
export function quotaRefusalOf(
  { files }: Pick<Plan, 'files'>,
  { counted }: Pick<KnownDigests, 'counted'>,
  { usedBytes, maxBytes, assetCount, maxAssets }: RepositoryQuotas,
): CliError | undefined {
  const added = new Map(
    files
      .filter(({ content }) => !counted.has(content.digest))
      .map(({ content }) => [content.digest, content.sizeBytes]),
  );
  if (added.size === 0) return undefined;
  const bytes = [...added.values()].reduce((sum, size) => sum + size, usedBytes);
  const assets = assetCount + added.size;
  if (maxAssets !== undefined && assets > maxAssets)
    return refusal(`${formatCount(assets, 'asset')} of at most ${maxAssets}`);
  if (maxBytes !== undefined && bytes > maxBytes) return refusal(sizesInWords(bytes, maxBytes));
  return undefined;
}

const refusal = (reached: string): CliError =>
  new CliError(`The upload would be refused: the repository would have ${reached}. ${remedy}`);

/** Bytes where both would read the same in larger units. */
function sizesInWords(bytes: number, maxBytes: number): string {
  const [size, most] = [formatBytes(bytes), formatBytes(maxBytes)];
  return size === most ? `${bytes} of at most ${maxBytes} bytes` : `${size} of at most ${most}`;
}
