import { deleteMarkedAssets } from './collect-assets.ts';
import type { CollectorNeeds } from './remove-marked-asset.ts';
import { startWorkAfterEvents, type WorkAfterEvents, type WorkNeeds } from './work-after-events.ts';

const deletions = new Set<string>(['repositories_AssetDeleted', 'repositories_Deleted']);

/** Deletes the bytes of what people delete soon after they did, instead of at the next run of the job. */
export function startAssetCollector(needs: WorkNeeds & CollectorNeeds): WorkAfterEvents {
  return startWorkAfterEvents(needs, {
    events: deletions,
    run: () => deleteMarkedAssets(needs),
    failed: 'deleted assets still have bytes; the job tries again',
  });
}
