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
import { DataCell, inTableAndCard, TypeBadge } from '../log-columns.tsx';

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
      width: '8.5rem',
      of: ({ actionId }) => actionId,
      what: logCopy.actionWhat,
      length: 9,
    }),
    timeColumn({
      id: 'timestamp',
      header: words.timestamp,
      width: '6.75rem',
      of: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      onPhone: 'meta',
    }),
    nameColumn({
      id: 'type',
      header: words.type,
      width: '12rem',
      of: ({ action }) => action,
      cell: ({ action }) => <TypeBadge type={action} onFilter={() => onType(action)} />,
    }),
    {
      id: 'actor',
      header: words.actor,
      width: '9rem',
      value: ({ actor }) => actorText(actor, names),
      ...inTableAndCard(({ actor, data }, isOneLine) => (
        <ActorView
          actor={actor}
          context={{ data, names, isAdmin: true }}
          isOneLine={isOneLine}
          onFilter={() => onActor(actor)}
        />
      )),
    },
    {
      id: 'data',
      header: words.data,
      value: ({ data }) => jsonText(data),
      ...inTableAndCard(({ data }, isOneLine) => (
        <DataCell isOneLine={isOneLine}>
          <DataBadges context={{ data, names, isAdmin: true }} omit="" isOneLine={isOneLine} />
        </DataCell>
      )),
    },
    badgeColumn({
      id: 'status',
      header: logCopy.actions.status,
      width: '8rem',
      of: ({ status }) => status,
      badge: ({ status }) => <ActionBadge status={status} />,
    }),
  ];
}
