import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import { onboardingCopy } from './copy.ts';
import { projectDevicesQuery } from '../../../data/queries-projects.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Logo } from '../../../ui/picture/Logo.tsx';
import { ConnectDevice } from './ConnectDevice.tsx';

/** The page of a project without devices: connects the first one. It stays until it is dismissed after that. */
export function FirstDevice({
  projectId,
  pairing,
  onDone,
}: {
  projectId: Id<'project'>;
  pairing: Pick<ComponentProps<typeof Button>, 'disabledReason'> & { label: string; open: () => void };
  onDone: () => void;
}) {
  const { data } = useQuery(projectDevicesQuery(projectId));
  return (
    <section
      aria-label={onboardingCopy.emptyTitle}
      className="mb-6 max-w-[48rem] rounded-card border border-line bg-surface"
    >
      <div className="flex items-start gap-4 border-b border-line px-5 py-4">
        <Logo size={44} className="-ms-1 text-denim max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h2 className="text-section">{onboardingCopy.emptyTitle}</h2>
          <p className="mt-0.5 max-w-[60ch] text-body text-ink2">{onboardingCopy.emptyText}</p>
        </div>
        {data !== undefined && data.devices.length > 0 && (
          <Button onClick={onDone}>{onboardingCopy.done}</Button>
        )}
      </div>
      <div className="px-5 py-5">
        <ConnectDevice projectId={projectId} />
      </div>
      {data !== undefined && data.devices.length === 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-4">
          <p className="min-w-0 flex-1 text-body text-ink2">{onboardingCopy.orPair}</p>
          <Button
            icon={<KeyRound size={15} aria-hidden />}
            disabledReason={pairing.disabledReason}
            onClick={pairing.open}
          >
            {pairing.label}
          </Button>
        </div>
      )}
    </section>
  );
}
