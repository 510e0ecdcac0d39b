import { outgoingRule } from '../../config/outgoing-addresses.ts';
import type { Config } from '../../config/config.ts';
import { notesSince, readNewestRelease } from '../../domains/instance/index.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { isOlderRelease } from '../../platform/db/releases.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const { right, unchecked } = checkOf('Releases');

/** Whether a newer release is out, where the operator names an address that says so. A newer one is nothing wrong. */
export async function checkRelease(
  { releasesUrl, privateTargets }: Pick<Config, 'releasesUrl' | 'privateTargets'>,
  release: string,
): Promise<Finding[]> {
  if (releasesUrl === undefined) return [];
  const outgoing = openOutgoing({ rule: outgoingRule(privateTargets) });
  try {
    const newest = await readNewestRelease(outgoing, releasesUrl);
    const { version } = newest;
    if (!isOlderRelease(release, version)) return [right(`No release is newer than ${release}.`)];
    const notes = notesSince([release], newest);
    return [
      right(`Release ${version} is out, and this is ${release}. ${notes}`.replaceAll('\n', ' ').trim()),
    ];
  } catch (error) {
    return [unchecked(messageOf(error))];
  } finally {
    await outgoing.close();
  }
}
