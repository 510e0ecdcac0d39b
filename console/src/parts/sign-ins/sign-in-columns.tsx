import type { Output } from '@corral/contract';
import { CircleX, LogIn, MonitorCheck } from 'lucide-react';
import { Badge } from '../../ui/badge/Badge.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { signInsCopy as words } from './copy.ts';
import { nameUserAgent } from './user-agent.ts';

/** A sign-in that succeeded or failed. */
export type SignIn = Output<'users_QuerySignIns'>['signIns'][number];

/** The columns of sign-ins. */
export const signInColumns: readonly DataColumn<SignIn>[] = [
  {
    id: 'at',
    header: words.at,
    value: ({ at }) => new Date(at),
    cell: ({ at }) => <RelativeTime at={at} className="text-ink" />,
    onPhone: 'title',
  },
  {
    id: 'outcome',
    header: words.outcome,
    value: outcomeOf,
    cell: (signIn) => <Outcome {...signIn} />,
    onPhone: 'badge',
  },
  {
    id: 'methods',
    header: words.method,
    value: ({ methods }) => words.by(methods) || words.unknown,
  },
  {
    id: 'address',
    header: words.from,
    value: ({ address }) => address,
    cell: ({ address }) => <span className="font-mono text-small text-ink2">{address ?? words.unknown}</span>,
  },
  {
    id: 'browser',
    header: words.browser,
    value: ({ userAgent }) => (userAgent === undefined ? words.unknown : nameUserAgent(userAgent)),
  },
];

function outcomeOf({ hasSucceeded, isCurrent, sessionId }: SignIn): string {
  if (hasSucceeded) return isCurrent ? words.thisSession : words.signedIn;
  return sessionId === undefined ? words.failed : words.notConfirmed;
}

function Outcome(signIn: SignIn) {
  const { hasSucceeded, isCurrent } = signIn;
  const Icon = hasSucceeded ? (isCurrent ? MonitorCheck : LogIn) : CircleX;
  return (
    <Badge tone={hasSucceeded ? (isCurrent ? 'ok' : 'mute') : 'danger'} icon={<Icon size={13} aria-hidden />}>
      {outcomeOf(signIn)}
    </Badge>
  );
}
