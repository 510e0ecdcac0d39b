import {
  readAssetUrl,
  type AssetUrlFault,
  type AssetUrlGrant,
  type AssetUrlPurpose,
} from '../../auth/asset-url.ts';
import { TransferFailure } from './TransferFailure.ts';
import type { TransfersContext } from './transfers-context.ts';

/** The asset and the query that a URL names. */
export interface AssetTarget {
  readonly assetId: string;
  readonly query: URLSearchParams;
}

const purposes: readonly AssetUrlPurpose[] = ['download', 'upload'];

const sentences: Record<AssetUrlFault, string> = {
  Expired: 'This URL has expired. Ask the hub for a new one and go on where you were.',
  Altered: 'This URL is not valid for this. Use it exactly as the hub issued it, or ask for a new one.',
  OldKey: 'This URL was signed with a key that the hub no longer has. Ask the hub for a new one.',
};

/** Whether the hub signed the URL for any purpose, as far as the key that was last read tells; reads nothing. */
export function isSigned({ key, parts }: TransfersContext, { assetId, query }: AssetTarget): boolean {
  const { known } = key;
  if (known === undefined) return false;
  const nowSecs = parts.now().getTime() / 1000;
  return purposes.some(
    (purpose) => typeof readAssetUrl(known, { purpose, assetId }, query, nowSecs) === 'object',
  );
}

/** Requires that the hub signed the URL for this purpose; the URL is the only capability. Rejects with a TransferFailure. */
export async function authorize(
  { key, parts }: TransfersContext,
  { assetId, query }: AssetTarget,
  purpose: AssetUrlPurpose,
): Promise<AssetUrlGrant> {
  const nowSecs = parts.now().getTime() / 1000;
  const check = (signingKey: Buffer | undefined): AssetUrlGrant | AssetUrlFault =>
    signingKey === undefined ? 'OldKey' : readAssetUrl(signingKey, { purpose, assetId }, query, nowSecs);
  const first = check(await key.read());
  const grant = first === 'OldKey' ? check(await key.read(true)) : first;
  if (typeof grant === 'object') return grant;
  throw refused(grant);
}

/** The refusal of a URL. */
export function refused(fault: AssetUrlFault): TransferFailure {
  return new TransferFailure(403, sentences[fault]);
}
