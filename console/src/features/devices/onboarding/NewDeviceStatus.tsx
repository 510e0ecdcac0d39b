import type { Id } from '@corral/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck } from 'lucide-react';
import { onboardingCopy } from './copy.ts';
import { setCertificateStatus } from '../mutations.ts';
import { deviceQuery } from '../queries.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { Logo } from '../../../ui/picture/Logo.tsx';
import { deviceLabel, type ListedDevice } from '../../../parts/listed-device.ts';
import { FingerprintCheck } from '../FingerprintCheck.tsx';

/** The status of a new device: connected, pending, or accepted and not connected yet. */
export function NewDeviceStatus({ projectId, device }: { projectId: Id<'project'>; device: ListedDevice }) {
  if (device.isConnected) return <ConnectedDevice projectId={projectId} device={device} />;
  if (device.pendingCertificatesCount > 0) return <PendingDevice device={device} />;
  return (
    <p className="flex items-center gap-2.5 text-body text-ink2">
      <Logo size={20} isSpinning className="text-denim" />
      {onboardingCopy.accepted}
    </p>
  );
}

function ConnectedDevice({ projectId, device }: { projectId: Id<'project'>; device: ListedDevice }) {
  return (
    <div className="bordered-when-forced flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-ok-wash px-4 py-3">
      <CircleCheck size={20} aria-hidden className="shrink-0 text-ok" />
      <p className="min-w-0 flex-1 text-body font-head wrap-anywhere text-ok">
        {onboardingCopy.connected(deviceLabel(device))}
      </p>
      <ButtonLink
        variant="primary"
        size="small"
        iconEnd={<ArrowRight size={14} aria-hidden />}
        render={
          <Link
            to="/projects/$projectId/devices/$deviceId"
            params={{ projectId, deviceId: device.deviceId }}
          />
        }
      >
        {onboardingCopy.view}
      </ButtonLink>
    </div>
  );
}

function PendingDevice({ device }: { device: ListedDevice }) {
  const { deviceId } = device;
  const { data } = useQuery(deviceQuery(deviceId));
  const { mutate, isPending, error } = useMutation(setCertificateStatus);
  const pending = data?.certificates.filter(({ status }) => status === 'Pending') ?? [];
  return (
    <div className="flex flex-col gap-3 rounded-card border border-warn/40 px-4 py-3.5">
      <div>
        <p className="text-body font-head wrap-anywhere text-ink">
          {onboardingCopy.pendingTitle(deviceLabel(device))}
        </p>
        <p className="text-body text-ink2">{onboardingCopy.pendingText}</p>
      </div>
      {pending.map(({ certificateId, fingerprint }) => (
        <div key={certificateId} className="flex flex-col gap-3">
          <FingerprintCheck
            fingerprint={fingerprint}
            label={onboardingCopy.fingerprintLabel}
            command={onboardingCopy.fingerprintCommand}
          />
          <div>
            <Button
              variant="primary"
              isWrite
              loading={isPending}
              onClick={() => mutate({ certificateId, status: 'Active' })}
            >
              {onboardingCopy.accept}
            </Button>
          </div>
        </div>
      ))}
      {error !== null && (
        <p role="alert" className="text-body text-danger">
          {error.message}
        </p>
      )}
    </div>
  );
}
