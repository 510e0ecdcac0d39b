import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { Duration } from '../../ui/time/Duration.tsx';
import { toMs } from '../../ui/time/format-time.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { orToast } from '../or-toast.ts';
import { type Alert, alertMutesQuery } from './alerts.ts';
import { alertsQuery } from './queries.ts';
import { acknowledgeAlerts, unmuteAlerts } from './mutations.ts';
import { alertsCopy } from './copy.ts';
import { SeverityIcon } from './SeverityIcon.tsx';

const words = alertsCopy.device;

/** The alerts of a device that have not ended, and whether it is muted; nothing where there is neither. */
export function DeviceAlerts({ projectId, deviceId }: { projectId: Id<'project'>; deviceId: Id<'device'> }) {
  const { data } = useQuery(alertsQuery({ projectId }, { deviceId, states: ['Firing', 'Acknowledged'] }));
  const alerts = data?.alerts ?? [];
  return (
    <>
      {alerts.length > 0 && (
        <section
          aria-label={words.title(alerts.length)}
          className="mb-4 rounded-card border border-danger/50 bg-surface"
        >
          <ul className="divide-y divide-line">
            {alerts.map((alert) => (
              <AlertLine key={alert.alertId} {...{ projectId, alert }} />
            ))}
          </ul>
        </section>
      )}
      <Muted {...{ projectId, deviceId }} />
    </>
  );
}

function AlertLine({ projectId, alert }: { projectId: Id<'project'>; alert: Alert }) {
  const run = useRun();
  const { alertId, ruleId, ruleName, severity, state, since, flaps } = alert;
  const acknowledge = () =>
    orToast(
      alertsCopy.notAcknowledged,
      run(acknowledgeAlerts, { alertIds: [alertId] }).then(({ acknowledged }) =>
        showToast(alertsCopy.acknowledged(acknowledged), { tone: 'ok' }),
      ),
    );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4.5 py-2.5">
      <SeverityIcon {...{ severity }} />
      <span className="min-w-0 flex-1 text-body">
        <Link
          to="/projects/$projectId/alerts/rules/$ruleId"
          params={{ projectId, ruleId }}
          className="font-head wrap-anywhere text-ink hover:underline"
        >
          {ruleName}
        </Link>{' '}
        <span className="text-ink2">
          · {words.states[state === 'Acknowledged' ? state : 'Firing']}{' '}
          <Duration seconds={0} measuredAt={toMs(since)} />
          {flaps > 0 && `, ${alertsCopy.flaps(flaps)}`}
        </span>
      </span>
      {state === 'Firing' && (
        <Button size="small" isWrite label={alertsCopy.acknowledgeOf(ruleName)} onClick={acknowledge}>
          {alertsCopy.acknowledge}
        </Button>
      )}
    </li>
  );
}

/** Says that nobody is told of the device, and ends that. */
function Muted({ projectId, deviceId }: { projectId: Id<'project'>; deviceId: Id<'device'> }) {
  const run = useRun();
  const { data } = useQuery(alertMutesQuery({ projectId }));
  const mute = data?.mutes.find((one) => one.deviceId === deviceId);
  if (mute === undefined) return null;
  const unmute = () =>
    orToast(
      words.notUnmuted,
      run(unmuteAlerts, { muteId: mute.muteId }).then(() => showToast(words.unmuted, { tone: 'ok' })),
    );
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 text-body text-ink2">
      <BellOff size={15} aria-hidden className="shrink-0" />
      {mute.until === undefined ? (
        words.mutedDaily
      ) : (
        <span>
          {words.mutedUntil} <RelativeTime at={mute.until} />
          {mute.reason !== undefined && `: ${mute.reason}`}
        </span>
      )}
      <Button size="small" isWrite onClick={unmute}>
        {words.unmute}
      </Button>
    </p>
  );
}
