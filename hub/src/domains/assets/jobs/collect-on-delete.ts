import { deleteMarkedAssets } from './collect-assets.ts';
import type { CollectorParts } from './remove-marked-asset.ts';
import {
  startWorkAfterEvents,
  type WorkAfterEvents,
  type WorkParts,
} from '../../../platform/jobs/work-after-events.ts';

const deletions = new Set<string>(['repositories_AssetDeleted', 'repositories_Deleted']);

/** Deletes the bytes of what people delete soon after they did, instead of at the next run of the job. */
export function startAssetCollector(parts: WorkParts & CollectorParts): WorkAfterEvents {
  return startWorkAfterEvents(parts, {
    events: deletions,
    run: () => deleteMarkedAssets(parts),
    failed: 'deleted assets still have bytes; the job tries again',
  });
}
