import type { Id } from '@corral/contract';
import { useCallback } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { openIssuedUrl } from '../blank-tab.ts';
import { assetCopy } from './copy.ts';
import { issueDownloadUrl } from './mutations.ts';

/** A function that downloads an asset in a new tab, under `filename` if given. Call it in the click handler. It keeps its identity. */
export function useDownload(): (assetId: Id<'asset'>, filename?: string) => Promise<void> {
  const run = useRun();
  return useCallback(
    (assetId, filename) => {
      const input = filename === undefined ? { assetId } : { assetId, filename };
      return openIssuedUrl(async () => (await run(issueDownloadUrl, input)).url, assetCopy.issue);
    },
    [run],
  );
}
