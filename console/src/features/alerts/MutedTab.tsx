import type { Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Bell, BellOff } from 'lucide-react';
import { useMemo } from 'react';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { type AlertPlace, alertMutesQuery } from '../../parts/alerts/alerts.ts';
import { unmuteAlerts } from '../../parts/alerts/mutations.ts';
import { MuteDialog } from '../../parts/alerts/MuteDialog.tsx';
import { askFirst } from '../../parts/ask-first.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { queryRows } from '../../parts/row-source.ts';
import type { ActorNames } from '../../parts/use-actor-names.ts';
import { menuColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { whoOf } from './alert-columns.tsx';
import type { AlertTabProps } from './alert-tab.ts';
import { alertPageCopy } from './copy.ts';
import { usePeopleOf } from './use-people-of.ts';

const words = alertPageCopy.muted;

type Mute = Output<'alerts_QueryMutes'>['mutes'][number];

/** What is muted in a place, and until when. */
export function MutedTab({ place, tabs }: AlertTabProps) {
  const run = useRun();
  const names = usePeopleOf(place);
  return (
    <ResourceListPage
      label={words.title}
      meta={() => words.emptyText}
      intro={tabs}
      source={queryRows(alertMutesQuery(place), ({ mutes }) => mutes)}
      columns={useMemo(() => muteColumns(place, names, run), [place, names, run])}
      rowKey={({ muteId }) => muteId}
      rowName={mutedName}
      isSortable={false}
      csvName={words.csvName}
      create={{
        label: words.mute,
        dialog: (dialog) => <MuteDialog {...dialog} {...{ place }} target={nothing} />,
      }}
      empty={{ icon: <BellOff size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

const nothing = {};

/** What is muted, in words. */
function mutedName({ ruleId, ruleName, deviceId, deviceName, filter }: Mute): string {
  if (deviceId !== undefined) return words.device(deviceName ?? deviceId);
  if (filter !== undefined) return words.matching(filter);
  return ruleId === undefined ? words.all : words.rule(ruleName ?? ruleId);
}

const dailyOf = ({ window }: Mute): string =>
  window === undefined ? '' : words.daily(window.from, window.to, window.timeZone);

function muteColumns({ projectId }: AlertPlace, names: ActorNames, run: Run): DataColumn<Mute>[] {
  return [
    nameColumn<Mute>({
      header: words.what,
      isFilling: true,
      of: mutedName,
      cell: (mute) =>
        projectId === undefined || mute.deviceId === undefined ? (
          <span className="font-head wrap-anywhere">{mutedName(mute)}</span>
        ) : (
          <Link
            to="/projects/$projectId/devices/$deviceId"
            params={{ projectId, deviceId: mute.deviceId }}
            className="touch-area font-head wrap-anywhere text-ink hover:underline"
          >
            {mutedName(mute)}
          </Link>
        ),
    }),
    {
      id: 'until',
      header: words.until,
      width: '14rem',
      value: (mute) => (mute.until === undefined ? dailyOf(mute) : new Date(mute.until)),
      cell: (mute) =>
        mute.until === undefined ? (
          <span className="text-ink2 in-[td]:block in-[td]:min-w-44">{dailyOf(mute)}</span>
        ) : (
          <RelativeTime at={mute.until} />
        ),
    },
    {
      id: 'reason',
      header: words.reason,
      width: '16rem',
      value: ({ reason }) => reason,
      cell: ({ reason }) => (
        <span className="wrap-anywhere text-ink2 in-[td]:block in-[td]:min-w-52">{reason}</span>
      ),
      phoneCell: ({ reason }) => reason,
    },
    {
      id: 'by',
      header: words.by,
      width: '10rem',
      isExtra: true,
      value: ({ createdBy }) => whoOf(createdBy, names),
    },
    timeColumn<Mute>({
      id: 'at',
      header: words.at,
      width: '8rem',
      isExtra: true,
      of: ({ createdAt }) => createdAt,
    }),
    menuColumn<Mute>({
      idOf: ({ muteId }) => muteId,
      nameOf: mutedName,
      what: words.id,
      of: (mute) => [
        askFirst({
          label: words.unmute,
          icon: <Bell aria-hidden />,
          title: words.unmuteTitle(mutedName(mute)),
          text: words.unmuteText,
          action: () => run(unmuteAlerts, { muteId: mute.muteId }),
          done: words.unmuted,
        }),
      ],
    }),
  ];
}
