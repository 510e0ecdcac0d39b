import type { Id } from '@corral/contract';
import { KeyRound, Plus, ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import { devicesCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { projectDevicesQuery } from '../../data/queries-projects.ts';
import { PageActionButton } from '../../parts/PageActionButton.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { ConnectDeviceDialog } from './onboarding/ConnectDeviceDialog.tsx';
import { FirstDevice } from './onboarding/FirstDevice.tsx';
import { DeviceListDots } from './DeviceListDots.tsx';
import type { DevicesSearch } from './device-view.ts';
import { DevicesTable } from './DevicesTable.tsx';
import { NextSteps } from './next-steps/NextSteps.tsx';
import { usePairDevice } from './pairing/use-pair-device.tsx';
import { ReviewPendingDialog } from './ReviewPendingDialog.tsx';
import { useDeviceCounts } from './use-listed-devices.ts';

// The dots are of little use for fewer devices.
const minDevicesForDots = 4;

/** The devices of a project: their counts and states, the list, and the dialogs to connect a device and to review certificates. */
export function DevicesPage({
  projectId,
  search,
  onSearchChange,
}: {
  projectId: Id<'project'>;
  search: DevicesSearch;
  onSearchChange: (search: DevicesSearch) => void;
}) {
  const { data } = useLoadedQuery(projectDevicesQuery(projectId));
  const { devices } = data;
  // Stays true when the first device appears, so that the onboarding can show its success.
  const [isFirst, setIsFirst] = useState(devices.length === 0);
  const [isConnecting, setIsConnecting] = useState(false);
  const [isReviewing, setIsReviewing] = useState(false);
  const pairing = usePairDevice(projectId);
  if (devices.length === 0 && !isFirst) setIsFirst(true);
  const { total, connected, waiting, views } = useDeviceCounts(projectId, devices);
  return (
    <Page>
      <SectionHeader
        meta={devices.length > 0 && <Summary {...{ total, connected, waiting }} />}
        actions={
          devices.length > 0 && (
            <>
              {devices.length >= minDevicesForDots && (
                <span className="me-2 max-lg:hidden">
                  <DeviceListDots
                    {...{ devices }}
                    counts={{ total, connected, pending: views.pending ?? waiting }}
                  />
                </span>
              )}
              {waiting > 0 && (
                <PageActionButton
                  icon={<ShieldQuestion size={16} aria-hidden />}
                  onClick={() => setIsReviewing(true)}
                >
                  {devicesCopy.review(waiting)}
                </PageActionButton>
              )}
              {!isFirst && (
                <PageActionButton
                  icon={<KeyRound size={15} aria-hidden />}
                  disabledReason={pairing.disabledReason}
                  onClick={pairing.open}
                >
                  {pairing.label}
                </PageActionButton>
              )}
              {!isFirst && (
                <PageActionButton
                  isCreate
                  variant="outlined"
                  icon={<Plus size={16} aria-hidden />}
                  onClick={() => setIsConnecting(true)}
                >
                  {terms.create.devices}
                </PageActionButton>
              )}
            </>
          )
        }
      />
      {isFirst && <FirstDevice projectId={projectId} pairing={pairing} onDone={() => setIsFirst(false)} />}
      {devices.length > 0 && (
        <DevicesTable {...{ projectId, devices, search, onSearchChange }} counts={views} />
      )}
      {!isFirst && <NextSteps {...{ projectId, devices }} />}
      <ConnectDeviceDialog projectId={projectId} open={isConnecting} onOpenChange={setIsConnecting} />
      {pairing.dialog}
      <ReviewPendingDialog projectId={projectId} open={isReviewing} onOpenChange={setIsReviewing} />
    </Page>
  );
}

function Summary({ total, connected, waiting }: { total: number; connected: number; waiting: number }) {
  const counts = devicesCopy.summary(connected, total);
  return waiting > 0 ? `${counts} · ${devicesCopy.waiting(waiting)}` : counts;
}
