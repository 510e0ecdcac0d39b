import type { Id, Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import {
  ChevronRight,
  Clock,
  Gauge,
  KeyRound,
  type LucideIcon,
  Server,
  ShieldAlert,
  SquareTerminal,
  Undo2,
  Unplug,
} from 'lucide-react';
import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { formatRelative, toMs } from '../ui/time/format-time.ts';
import { useNow } from '../ui/time/use-now.ts';
import type { DeviceSearch } from './device-filters.ts';
import { needsCopy } from './needs-copy.ts';

/** One of the things that need a person. */
export type Need = Output<'projects_GetOverview'>['needs'][number];

const icons: Record<Need['kind'], LucideIcon> = {
  WaitingTerminals: SquareTerminal,
  PendingCertificates: Clock,
  EndingCertificates: ShieldAlert,
  EndingAuthorities: ShieldAlert,
  FailedRotations: Undo2,
  EventQuota: Gauge,
  DeviceQuota: Server,
  SilentDevices: Unplug,
  ExpiringTokens: KeyRound,
};
const tones: Partial<Record<Need['kind'], string>> = {
  WaitingTerminals: 'text-warn',
  PendingCertificates: 'text-warn',
  EndingCertificates: 'text-warn',
  EventQuota: 'text-warn',
};

/** What needs a person in a project, the most urgent first; each row leads to where it is settled. With `isBrief` a row is a line. */
export function NeedsList({
  projectId,
  needs,
  isBrief = false,
}: {
  projectId: Id<'project'>;
  needs: readonly Need[];
  isBrief?: boolean | undefined;
}) {
  const now = useNow('minute');
  return (
    <ul className={isBrief ? 'flex flex-col' : 'divide-y divide-line'}>
      {needs.map((need) => (
        <li key={need.kind}>
          <NeedLink {...{ projectId, need }}>
            <NeedRow {...{ need, isBrief }} nowMs={now} />
          </NeedLink>
        </li>
      ))}
    </ul>
  );
}

function NeedRow({ need, nowMs, isBrief }: { need: Need; nowMs: number; isBrief: boolean }) {
  const Icon = icons[need.kind];
  const [subject, text] = sentenceOf(need);
  const more = isBrief ? '' : detailOf(need, nowMs);
  return (
    <>
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${tones[need.kind] ?? 'text-ink2'}`} />
      <span className="min-w-0 flex-1">
        <span className={isBrief ? 'text-small' : 'text-body'}>
          <b className="tabular font-head">{subject}</b> {text}
        </span>
        {more !== '' && <span className="block truncate text-small text-ink2">{more}</span>}
      </span>
      {!isBrief && <ChevronRight size={16} aria-hidden className="shrink-0 self-center text-ink3" />}
    </>
  );
}

/** The link to where a need is settled, around its row. */
function NeedLink({
  projectId,
  need,
  children,
}: {
  projectId: Id<'project'>;
  need: Need;
  children: ReactNode;
}) {
  return cloneElement(
    linkOf(projectId, need),
    {
      className:
        'relative z-10 flex gap-3 px-4.5 py-3 text-ink transition-colors hover:bg-denim-wash/60 in-[article]:gap-2 in-[article]:rounded-control in-[article]:px-0 in-[article]:py-0.5 in-[article]:hover:bg-transparent in-[article]:hover:underline pointer-coarse:min-h-11',
    },
    children,
  );
}

function linkOf(
  projectId: Id<'project'>,
  { kind, count, names, filter = '' }: Need,
): ReactElement<{ className?: string; children?: ReactNode }> {
  if (kind === 'ExpiringTokens') return <Link to="/settings/security" />;
  if (kind === 'WaitingTerminals')
    return <Link to="/projects/$projectId/terminals" params={{ projectId }} search={{ state: 'Waiting' }} />;
  if (kind === 'EndingAuthorities')
    return <Link to="/projects/$projectId/settings" params={{ projectId }} hash="certificates" />;
  if (kind === 'FailedRotations')
    return (
      <Link
        to="/projects/$projectId/devices/rotations"
        params={{ projectId }}
        search={{ state: 'Unresolved' }}
      />
    );
  const search: Record<typeof kind, DeviceSearch> = {
    PendingCertificates: { certs: 'pending' },
    EndingCertificates: { q: filter },
    SilentDevices: { q: 'silent' },
    EventQuota: count <= names.length ? { q: names.map((name) => JSON.stringify(name)).join(' or ') } : {},
    DeviceQuota: {},
  };
  return <Link to="/projects/$projectId/devices" params={{ projectId }} search={search[kind]} />;
}

/** What a need is about, and what is said of it. */
function sentenceOf({ kind, count, max = 0 }: Need): [string, string] {
  switch (kind) {
    case 'WaitingTerminals':
      return [needsCopy.terminals(count), needsCopy.terminalsText(count)];
    case 'PendingCertificates':
      return [needsCopy.certificates(count), needsCopy.certificatesText(count)];
    case 'EndingCertificates':
      return [needsCopy.endingCertificates(count), needsCopy.endingCertificatesText(count)];
    case 'EndingAuthorities':
      return [needsCopy.authorities(count), needsCopy.authoritiesText(count)];
    case 'FailedRotations':
      return [needsCopy.rotations(count), needsCopy.rotationsText];
    case 'SilentDevices':
      return [needsCopy.silent(count), needsCopy.silentText];
    case 'EventQuota':
      return [needsCopy.events(count), needsCopy.eventsText(count)];
    case 'DeviceQuota':
      return [needsCopy.quota(count, max), needsCopy.quotaText];
    case 'ExpiringTokens':
      return [needsCopy.tokens(count), needsCopy.tokensText(count)];
  }
}

/** The names of some of them, and since or until when. */
function detailOf({ kind, count, names, since, until }: Need, nowMs: number): string {
  const rest = count - names.length;
  const isListed = names.length > 0 && kind !== 'DeviceQuota';
  const listed = isListed ? [...names, ...(rest > 0 ? [needsCopy.more(rest)] : [])].join(', ') : '';
  const when =
    since !== undefined
      ? (kind === 'SilentDevices' ? needsCopy.longest : needsCopy.oldest)(formatRelative(toMs(since), nowMs))
      : until !== undefined
        ? needsCopy.first(formatRelative(toMs(until), nowMs))
        : '';
  return [when, listed].filter((part) => part !== '').join(' · ');
}
