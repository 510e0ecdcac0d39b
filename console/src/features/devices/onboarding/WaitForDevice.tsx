import type { Id } from '@corral/contract';
import { onboardingCopy } from './copy.ts';
import { useDelayed } from '../../../ui/layout/use-delayed.ts';
import { Logo } from '../../../ui/picture/Logo.tsx';
import type { ListedDevice } from '../../../parts/listed-device.ts';
import { NewDeviceStatus } from './NewDeviceStatus.tsx';

const hintsAfterMs = 60_000;

/** Shows the new devices, or that none has appeared yet; after a minute without one it shows what to check. */
export function WaitForDevice({
  projectId,
  devices,
  isTokenUsed,
  origin,
}: {
  projectId: Id<'project'>;
  devices: readonly ListedDevice[];
  isTokenUsed: boolean;
  origin: string;
}) {
  return (
    <div className="flex flex-col gap-3">
      {/* Always mounted, so that screen readers announce its changes. */}
      <div role="status" className="flex flex-col gap-3">
        {devices.map((device) => (
          <NewDeviceStatus key={device.deviceId} projectId={projectId} device={device} />
        ))}
        {devices.length === 0 && (
          <p className="flex items-center gap-2.5 text-body text-ink2">
            <Logo size={20} isSpinning className="text-denim" />
            {onboardingCopy.waiting}
          </p>
        )}
      </div>
      {devices.length === 0 && <TroubleshootingHints isTokenUsed={isTokenUsed} origin={origin} />}
    </div>
  );
}

function TroubleshootingHints({ isTokenUsed, origin }: { isTokenUsed: boolean; origin: string }) {
  const isLong = useDelayed(hintsAfterMs);
  if (!isLong) return null;
  const { checks } = onboardingCopy;
  const points = [
    checks.address(origin),
    origin.startsWith('https:') ? checks.https : checks.plain,
    isTokenUsed ? checks.tokenUsed : checks.tokenUnused,
    checks.log,
  ];
  return (
    <div role="note" className="rounded-card border border-line bg-canvas px-4 py-3">
      <p className="text-body font-head text-ink">{onboardingCopy.silence}</p>
      <ul className="mt-1.5 flex list-disc flex-col gap-1 ps-4.5 text-body text-ink2 marker:text-ink3">
        {points.map((point) => (
          <li key={point} className="wrap-anywhere">
            {point}
          </li>
        ))}
      </ul>
    </div>
  );
}
