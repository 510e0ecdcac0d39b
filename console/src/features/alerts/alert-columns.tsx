import type { Actor } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { BellOff, Check } from 'lucide-react';
import type { Alert, AlertPlace } from '../../parts/alerts/alerts.ts';
import { AlertState } from '../../parts/alerts/AlertState.tsx';
import { alertsCopy } from '../../parts/alerts/copy.ts';
import { severityCopy } from '../../parts/alerts/severity-copy.ts';
import type { ActorNames } from '../../parts/use-actor-names.ts';
import { Button } from '../../ui/action/Button.tsx';
import { SeverityBadge } from '../../ui/badge/SeverityBadge.tsx';
import { badgeColumn, menuColumn, nameColumn, type RowAction, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { Dash } from '../../ui/text/Dash.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { formatDuration } from '../../ui/time/format-duration.ts';
import { toMs } from '../../ui/time/format-time.ts';
import { ruleLink, subjectLink } from './alert-links.ts';
import { alertPageCopy } from './copy.ts';

const words = alertPageCopy.columns;

/** What can be done with an alert of a list. */
export interface AlertActions {
  readonly acknowledge: (alert: Alert) => Promise<void>;
  readonly mute: (alert: Alert) => void;
}

/** What an alert is about, as it is called. */
export const subjectName = ({ subject }: Alert): string =>
  subject === '' ? alertPageCopy.allDevices : subject;

/** The columns of the alerts that have not ended. */
export const firingColumns = (
  place: AlertPlace,
  names: ActorNames,
  does: AlertActions,
): DataColumn<Alert>[] => [
  severityColumn,
  subjectColumn(place),
  ruleColumn(place),
  {
    id: 'state',
    header: words.state,
    width: '11rem',
    isExtra: true,
    value: ({ state }) => alertsCopy.states[state],
    cell: (alert) => <AlertState {...{ alert }} by={whoOf(alert.acknowledgedBy, names)} />,
  },
  timeColumn<Alert>({ id: 'since', header: words.since, width: '8rem', of: ({ since }) => since }),
  actionsColumn(does),
];

const lasted = ({ since, endedAt }: Alert): string | undefined =>
  endedAt === undefined ? undefined : formatDuration((toMs(endedAt) - toMs(since)) / 1000);

/** The columns of the alerts that have fired. */
export const historyColumns = (place: AlertPlace, names: ActorNames): DataColumn<Alert>[] => [
  severityColumn,
  subjectColumn(place),
  ruleColumn(place),
  timeColumn<Alert>({
    id: 'fired',
    header: words.fired,
    width: '8rem',
    of: ({ firedAt }) => firedAt,
    onPhone: 'meta',
  }),
  {
    id: 'lasted',
    header: words.lasted,
    width: '8rem',
    value: lasted,
    cell: (alert) => <span className="tabular whitespace-nowrap text-ink2">{lasted(alert) ?? <Dash />}</span>,
    phoneCell: lasted,
  },
  {
    id: 'end',
    header: words.end,
    width: '12rem',
    isExtra: true,
    onPhone: 'meta',
    value: ({ state, end }) => (end === undefined ? alertsCopy.states[state] : alertPageCopy.ends[end]),
    cell: (alert) =>
      alert.end === undefined ? (
        <AlertState {...{ alert }} by={whoOf(alert.acknowledgedBy, names)} />
      ) : (
        <span className="text-ink2 in-[td]:block in-[td]:min-w-36">{alertPageCopy.ends[alert.end]}</span>
      ),
  },
];

const severityColumn = badgeColumn<Alert>({
  id: 'severity',
  header: words.severity,
  width: '7.5rem',
  of: ({ severity }) => severityCopy[severity],
  badge: ({ severity }) => <SeverityBadge {...{ severity }} isHanging={false} />,
});

const subjectColumn = (place: AlertPlace): DataColumn<Alert> =>
  nameColumn<Alert>({
    id: 'subject',
    header: words.subject,
    isFilling: true,
    of: subjectName,
    cell: (alert) => (
      <span className="block">
        <Link
          {...subjectLink(place, alert)}
          className="touch-area font-head wrap-anywhere text-ink hover:underline"
          onClick={(event) => event.stopPropagation()}
        >
          {subjectName(alert)}
        </Link>
        {alert.flaps > 0 && (
          <span className="block text-small text-warn">{alertsCopy.flaps(alert.flaps)}</span>
        )}
      </span>
    ),
  });

const ruleColumn = (place: AlertPlace): DataColumn<Alert> => ({
  id: 'rule',
  header: words.rule,
  width: '15rem',
  tightWidth: '11rem',
  value: ({ ruleName }) => ruleName,
  cell: ({ ruleId, ruleName }) => (
    <TextLink render={<Link {...ruleLink(place, ruleId)} onClick={(event) => event.stopPropagation()} />}>
      <span className="wrap-anywhere in-[td]:block in-[td]:min-w-32 lg:in-[td]:min-w-44">{ruleName}</span>
    </TextLink>
  ),
  onPhone: 'meta',
});

function actionsColumn(does: AlertActions): DataColumn<Alert> {
  const menu = menuColumn<Alert>({
    idOf: ({ alertId }) => alertId,
    nameOf: subjectName,
    what: alertPageCopy.id,
    of: (alert) => [...(alert.state === 'Firing' ? [acknowledgeOf(does, alert)] : []), muteOf(does, alert)],
  });
  return {
    ...menu,
    width: '10rem',
    cell: (alert) => (
      <span className="flex items-center justify-end gap-1">
        {alert.state === 'Firing' && (
          <Button
            size="small"
            isWrite
            label={alertsCopy.acknowledgeOf(subjectName(alert))}
            onClick={() => does.acknowledge(alert)}
          >
            {alertsCopy.acknowledge}
          </Button>
        )}
        {menu.cell?.(alert)}
      </span>
    ),
    phoneCell: menu.cell,
  };
}

const acknowledgeOf = (does: AlertActions, alert: Alert): RowAction => ({
  label: alertsCopy.acknowledge,
  icon: <Check aria-hidden />,
  onSelect: () => does.acknowledge(alert),
});
const muteOf = (does: AlertActions, alert: Alert): RowAction => ({
  label: alertsCopy.mute,
  icon: <BellOff aria-hidden />,
  onSelect: () => does.mute(alert),
});

/** Who did something, by name where that is known. */
export function whoOf(actor: Actor | undefined, names: ActorNames): string | undefined {
  if (actor === undefined) return undefined;
  return 'userId' in actor ? names.get(actor.userId) : actor.kind;
}
