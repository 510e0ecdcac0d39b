import { BellOff } from 'lucide-react';
import { StatusDot } from '../../ui/badge/StatusDot.tsx';
import type { Alert } from './alerts.ts';
import { alertsCopy as words } from './copy.ts';

const tones: Record<Alert['state'], string> = {
  Pending: 'text-ink2',
  Firing: 'text-danger',
  Acknowledged: 'text-warn',
  Resolved: 'text-ok',
};

/** How an alert stands, by whom it was acknowledged, and whether nobody is told of it. */
export function AlertState({
  alert: { state, isMuted, endedAt },
  by,
}: {
  alert: Pick<Alert, 'state' | 'isMuted' | 'endedAt'>;
  by: string | undefined;
}) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-label">
      <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${tones[state]}`}>
        <StatusDot isHollow={state !== 'Firing'} />
        {words.states[state]}
      </span>
      {state === 'Acknowledged' && by !== undefined && (
        <span className="text-small font-normal wrap-anywhere text-ink2">{words.by(by)}</span>
      )}
      {isMuted && endedAt === undefined && (
        <span className="inline-flex items-center gap-1 text-small font-normal text-ink2">
          <BellOff size={12} aria-hidden />
          {words.isMuted}
        </span>
      )}
    </span>
  );
}
