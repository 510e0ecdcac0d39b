import type { Output } from '@corral/contract';
import { ActorView, actorText } from '../../../parts/ActorView.tsx';
import { DataBadges } from '../../../parts/DataBadges.tsx';
import type { ActorNames } from '../../../parts/use-actor-names.ts';
import { ActionBadge } from '../../../ui/badge/ActionBadge.tsx';
import { badgeColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { jsonText } from '../../../ui/text/json-text.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { logCopy } from '../copy.ts';
import { DataCell, EventType, inTableAndCard } from '../log-columns.tsx';

/** A command of the log. */
export type LoggedAction = Output<'audit_QueryAuditLogActions'>['actions'][number];

const words = logCopy.columns;

interface Filters {
  readonly onType: (type: string) => void;
  readonly onActor: (actor: LoggedAction['actor']) => void;
}

/** The columns of the commands of the instance. */
export function actionColumns(names: ActorNames, { onType, onActor }: Filters): DataColumn<LoggedAction>[] {
  return [
    idColumn({
      id: 'id',
      header: words.id,
      width: '5.5rem',
      tightWidth: '5rem',
      of: ({ actionId }) => actionId,
      what: logCopy.actionWhat,
      length: 5,
      isPlain: true,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.timestamp,
      width: '6.25rem',
      isExtra: true,
      of: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      onPhone: 'meta',
    }),
    nameColumn({
      id: 'type',
      header: words.type,
      width: '14rem',
      tightWidth: '13rem',
      of: ({ action }) => action,
      cell: ({ action }) => <EventType type={action} onFilter={() => onType(action)} />,
    }),
    {
      id: 'actor',
      header: words.actor,
      width: '10.5rem',
      tightWidth: '7.5rem',
      value: ({ actor }) => actorText(actor, names),
      ...inTableAndCard(({ actor, data }, isBrief) => (
        <ActorView
          actor={actor}
          context={{ data, names, isAdmin: true }}
          isBrief={isBrief}
          onFilter={() => onActor(actor)}
        />
      )),
    },
    {
      id: 'data',
      header: words.data,
      isFilling: true,
      value: ({ data }) => jsonText(data),
      ...inTableAndCard(({ data }, isBrief) => (
        <DataCell isBrief={isBrief}>
          <DataBadges context={{ data, names, isAdmin: true }} omit="" isBrief={isBrief} />
        </DataCell>
      )),
    },
    badgeColumn({
      id: 'status',
      header: logCopy.actions.status,
      width: '8.5rem',
      tightWidth: '7.75rem',
      of: ({ status }) => status,
      badge: ({ status }) => <ActionBadge status={status} />,
    }),
  ];
}
