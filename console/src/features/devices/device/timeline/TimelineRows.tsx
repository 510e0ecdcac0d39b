import type { Id } from '@corral/contract';
import { Link, useParams } from '@tanstack/react-router';
import {
  Activity,
  Bell,
  CircleX,
  ChevronDown,
  Info,
  ListChecks,
  Pencil,
  Plug,
  ShieldCheck,
  ShieldX,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { useState } from 'react';
import type { ActorNames } from '../../../../parts/use-actor-names.ts';
import { KeyValueBadges } from '../../../../ui/badge/KeyValueBadges.tsx';
import { IdTag } from '../../../../ui/text/IdTag.tsx';
import { formatDate, formatDateTime, formatTimeOfDay } from '../../../../ui/time/format-time.ts';
import { timelineCopy } from './copy.ts';
import { severityOf, type TimelineEntry, type TimelineRow } from './timeline-rows.ts';

const words = timelineCopy;

/** The entries of a timeline along a rail, which is green while the device was connected, below the heads of their days. */
export function TimelineRows({
  rows,
  names,
  nowMs,
}: {
  rows: readonly TimelineRow[];
  names: ActorNames;
  nowMs: number;
}) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setOpened((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <ol aria-label={words.title} className="pb-3">
      {rows.map((row) => {
        const [{ entryId }] = row.entries;
        const isOpen = opened.has(entryId);
        return (
          <li key={entryId}>
            {row.day !== undefined && <DayHead day={row.day} row={row} nowMs={nowMs} />}
            <Entry row={row} names={names} isOpen={isOpen} onToggle={() => toggle(entryId)} />
            {isOpen &&
              row.entries
                .slice(1)
                .map((entry) => (
                  <Entry key={entry.entryId} row={{ ...row, entries: [entry] }} names={names} isPart />
                ))}
          </li>
        );
      })}
    </ol>
  );
}

const columns =
  'grid grid-cols-[5.5rem_1.75rem_minmax(0,1fr)] gap-x-3 px-4.5 max-sm:grid-cols-[3.25rem_1.75rem_minmax(0,1fr)] max-sm:gap-x-2 max-sm:px-3';

function DayHead({ day, row, nowMs }: { day: string; row: TimelineRow; nowMs: number }) {
  const name =
    day === formatDate(nowMs)
      ? words.today
      : day === formatDate(nowMs - 86_400_000)
        ? words.yesterday
        : undefined;
  return (
    <div className={columns}>
      <span />
      <Rail isConnected={row.isConnectedAfter} />
      <h3 className="pt-4 pb-2 text-label text-ink2">{name === undefined ? day : `${name}, ${day}`}</h3>
    </div>
  );
}

/** A piece of the rail: solid and green while connected, dotted while not, plain where the entries do not tell. */
function Rail({ isConnected }: { isConnected: boolean | undefined }) {
  return <span aria-hidden className={`mx-auto h-full border-s-2 ${railClass(isConnected)}`} />;
}

function railClass(isConnected: boolean | undefined): string {
  if (isConnected === undefined) return 'border-line';
  return isConnected ? 'border-ok-fill' : 'border-dotted border-line-strong';
}

function Entry({
  row,
  names,
  isOpen = false,
  isPart = false,
  onToggle,
}: {
  row: TimelineRow;
  names: ActorNames;
  isOpen?: boolean;
  isPart?: boolean;
  onToggle?: () => void;
}) {
  const { entries } = row;
  const [entry] = entries;
  const by = nameOf(entry, names);
  const tag = tagOf(entry);
  return (
    <div className={columns}>
      <time
        dateTime={entry.at}
        title={formatDateTime(Date.parse(entry.at))}
        className="tabular pt-2 text-end font-mono text-small text-ink3"
      >
        {timesOf(entries)}
      </time>
      <span className="grid grid-rows-[0.5rem_1.75rem_minmax(0,1fr)] justify-items-center">
        <Rail isConnected={row.isConnectedAfter} />
        <Knot entry={entry} isPart={isPart} />
        <Rail isConnected={row.isConnectedBefore} />
      </span>
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-4 gap-y-1.5 pt-2 pb-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className="text-body wrap-anywhere">
            <Title entry={entry} />
          </p>
          {(entry.detail !== undefined || by !== undefined || tag !== undefined) && (
            <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-small text-ink3 wrap-anywhere">
              {[entry.detail, by && words.by(by)].filter((part) => part !== undefined).join(' · ')}
              {tag !== undefined && <IdTag value={tag} what={words.chips[entry.kind]} length={11} />}
            </p>
          )}
        </div>
        <EntryEnd {...{ entries, isOpen, onToggle }} />
      </div>
    </div>
  );
}

/** What happened; of an operation a link to its steps, of an alert one to its rule. */
function Title({ entry: { kind, link, title } }: { entry: TimelineEntry }) {
  const { projectId } = useParams({ from: '/_guard/projects/$projectId/devices/$deviceId' });
  if (kind === 'Alert')
    return (
      <Link
        to="/projects/$projectId/alerts/rules/$ruleId"
        params={{ projectId, ruleId: link as Id<'alertRule'> }}
        className="hover:underline"
      >
        {title}
      </Link>
    );
  if (kind !== 'Operation' || link === undefined) return title;
  const operation = link as Id<'deviceOperation'>;
  return (
    <Link
      to="."
      search={(before) => ({ ...before, tab: 'operations' as const, operation })}
      resetScroll={false}
      className="hover:underline"
    >
      {title}
    </Link>
  );
}

/** The attributes of an event, and the button that unfolds equal entries. */
function EntryEnd({
  entries,
  isOpen,
  onToggle,
}: {
  entries: TimelineRow['entries'];
  isOpen: boolean;
  onToggle: (() => void) | undefined;
}) {
  const [{ kind, data }] = entries;
  const attributes = kind === 'Event' ? (data as { attributes?: object }).attributes : undefined;
  if (entries.length === 1)
    return (
      attributes !== undefined &&
      Object.keys(attributes).length > 0 && (
        <span className="max-w-full">
          <KeyValueBadges data={attributes} />
        </span>
      )
    );
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="touch-area inline-flex min-h-6 items-center gap-1.5 rounded-control text-label text-ink2 hover:text-ink"
    >
      {words.several(entries.length, words.chips[kind])}
      <ChevronDown size={14} aria-hidden className={isOpen ? 'rotate-180' : ''} />
    </button>
  );
}

function Knot({ entry, isPart }: { entry: TimelineEntry; isPart: boolean }) {
  const [Icon, tone] = iconOf(entry);
  return (
    <span
      aria-hidden
      className={`flex size-7 items-center justify-center rounded-full border bg-surface ${tone} ${isPart ? 'scale-75' : ''}`}
    >
      <Icon size={14} />
    </span>
  );
}

const quiet = 'border-line text-ink3';

function iconOf(entry: TimelineEntry): readonly [typeof Plug, string] {
  const { kind, entryId } = entry;
  switch (kind) {
    case 'Connection':
      if (entryId.startsWith('Ended ')) return [Unplug, 'border-line-strong text-ink'];
      return entryId.startsWith('Connected ') ? [Plug, 'border-line text-ok'] : [Plug, quiet];
    case 'Refusal':
      return [ShieldX, 'border-line text-danger'];
    case 'Certificate':
      return [ShieldCheck, 'border-line text-ok'];
    case 'Property':
      return [Activity, quiet];
    case 'Operation':
      return [ListChecks, operationTone(entry)];
    case 'Alert':
      return [Bell, entryId.startsWith('Resolved ') ? 'border-line text-ok' : alertTone(entry)];
    case 'Action':
      return [Pencil, quiet];
    default:
      return severityIcon(severityOf(entry));
  }
}

function operationTone({ data }: TimelineEntry): string {
  const { status } = data as { status?: string };
  if (status === 'Failed' || status === 'TimedOut') return 'border-line text-danger';
  return status === 'Succeeded' ? 'border-line text-ok' : quiet;
}

function alertTone(entry: TimelineEntry): string {
  const severity = severityOf(entry);
  if (severity === 'Critical') return 'border-line text-danger';
  return severity === 'Warning' ? 'border-line text-warn' : quiet;
}

function severityIcon(severity: string): readonly [typeof Plug, string] {
  if (severity === 'Error' || severity === 'Critical') return [CircleX, 'border-line text-danger'];
  return severity === 'Warning' ? [TriangleAlert, 'border-line text-warn'] : [Info, quiet];
}

/** The time of an entry, or of the oldest and the newest of several. */
function timesOf(entries: TimelineRow['entries']): string {
  const oldest = entries.at(-1) ?? entries[0];
  const [from, to] = [oldest.at, entries[0].until ?? entries[0].at].map((at) =>
    formatTimeOfDay(Date.parse(at)),
  );
  return from === to ? `${from}` : `${from}–${to}`;
}

/** The id of the connection or the certificate that an entry is about. */
function tagOf({ link }: TimelineEntry): string | undefined {
  return link?.startsWith('d_conn_') === true || link?.startsWith('d_c_') === true ? link : undefined;
}

function nameOf({ actor }: TimelineEntry, names: ActorNames): string | undefined {
  if (actor === undefined) return undefined;
  return 'userId' in actor ? (names.get(actor.userId) ?? actor.kind) : actor.kind;
}
