import type { Internal } from '../../../calls/handler.ts';
import { removeSetting, saveSetting } from '../sql/instance-settings.ts';
import { newestReleaseSetting, type NewestRelease } from '../sql/newest-release.ts';

/** Keeps the newest release that the hub has heard of; undefined forgets it. */
export const RecordNewestRelease: Internal<{ readonly release: NewestRelease | undefined }, void> = {
  name: 'instance_RecordNewestRelease',
  async run({ tx, vault, input: { release }, now }) {
    if (release === undefined) await removeSetting(tx, newestReleaseSetting);
    else await saveSetting(tx, vault, { key: newestReleaseSetting, value: release, isSecret: false, now });
  },
};
