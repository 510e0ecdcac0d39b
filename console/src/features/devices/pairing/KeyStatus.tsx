import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck } from 'lucide-react';
import { Button } from '../../../ui/action/Button.tsx';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Logo } from '../../../ui/picture/Logo.tsx';
import { deviceLabel } from '../../../parts/listed-device.ts';
import { deviceQuery } from '../queries.ts';
import { pairingCopy as words } from './copy.ts';
import { clockText, type KeyState } from './pairing-keys.ts';

const ends = {
  expired: { title: words.expired, text: words.expiredText },
  revoked: { title: words.revoked, text: words.revokedText },
  guessed: { title: words.guessed, text: words.guessedText },
};

/** What became of a key: it waits, its device is connected, or it has ended, with what to do next. */
export function KeyStatus({
  projectId,
  state,
  deviceId,
  leftMs,
  onAnother,
}: {
  projectId: Id<'project'>;
  state: KeyState;
  deviceId: Id<'device'> | undefined;
  leftMs: number;
  onAnother: () => void;
}) {
  const isOver = state === 'expired' || state === 'revoked' || state === 'guessed';
  return (
    <div className="flex flex-col gap-3">
      {/* Always mounted, so that screen readers announce its changes; not the seconds. */}
      <div role="status" className="flex flex-col gap-3">
        {state === 'open' && <Waiting text={words.waiting} />}
        {state === 'redeemed' && <Waiting text={words.redeemed} hint={words.redeemedHint} />}
        {state === 'connected' && deviceId !== undefined && (
          <Connected projectId={projectId} deviceId={deviceId} />
        )}
        {isOver && (
          <Notice tone="warn" title={ends[state].title}>
            {ends[state].text}
          </Notice>
        )}
      </div>
      {state === 'open' && (
        <p className="tabular text-small text-ink3" role="timer" aria-live="off">
          {words.left(clockText(leftMs))}
        </p>
      )}
      {state !== 'open' && state !== 'redeemed' && (
        <div>
          <Button variant={isOver ? 'primary' : 'secondary'} onClick={onAnother}>
            {words.another}
          </Button>
        </div>
      )}
    </div>
  );
}

function Waiting({ text, hint }: { text: string; hint?: string }) {
  return (
    <div className="flex items-start gap-2.5 text-body text-ink2">
      <Logo size={20} isSpinning className="shrink-0 text-denim" />
      <div>
        <p>{text}</p>
        {hint !== undefined && <p className="text-small text-ink3">{hint}</p>}
      </div>
    </div>
  );
}

function Connected({ projectId, deviceId }: { projectId: Id<'project'>; deviceId: Id<'device'> }) {
  const { data } = useQuery(deviceQuery(deviceId));
  return (
    <div className="bordered-when-forced flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-ok-wash px-4 py-3">
      <CircleCheck size={20} aria-hidden className="shrink-0 text-ok" />
      <p className="min-w-0 flex-1 text-body font-head wrap-anywhere text-ok">
        {words.connected(data === undefined ? deviceId : deviceLabel(data))}
      </p>
      <ButtonLink
        variant="primary"
        size="small"
        iconEnd={<ArrowRight size={14} aria-hidden />}
        render={<Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} />}
      >
        {words.view}
      </ButtonLink>
    </div>
  );
}
