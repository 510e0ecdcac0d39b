import type { Id, Output } from '@corral/contract';
import { devicesOfState, longOfflineDevices } from '../../parts/device-filters.ts';
import { overviewCopy } from './copy.ts';
import { DeviceCount } from './DeviceCount.tsx';

/** How the fleet is, in a sentence whose numbers lead to what they count. */
export function StateSentence({
  projectId,
  overview: { counts, silent },
}: {
  projectId: Id<'project'>;
  overview: Output<'projects_GetOverview'>;
}) {
  return (
    <>
      <DeviceCount {...{ projectId }} count={counts.connected} search={devicesOfState.connected} />{' '}
      {overviewCopy.of} <DeviceCount {...{ projectId }} count={counts.devices} search={{}} />{' '}
      {overviewCopy.connectedNow}
      {silent > 0 && (
        <>
          {' · '}
          <DeviceCount {...{ projectId }} count={silent} search={longOfflineDevices} /> {overviewCopy.silent}
        </>
      )}
    </>
  );
}
