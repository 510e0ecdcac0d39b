import type { Output } from '@corral/contract';
import { Eye, KeyRound, ShieldCheck } from 'lucide-react';
import { Badge } from '../../ui/badge/Badge.tsx';
import { userTokensCopy as words } from './copy.ts';

type UserToken = Output<'users_QueryUserTokens'>['tokens'][number];

/** What a token may do, in words. */
export function accessOf({ access, verbs, administrator, projects, repositories }: UserToken): string {
  const right =
    verbs === undefined || access === 'read'
      ? words[access === 'read' ? 'accessRead' : 'accessFull']
      : words.verbs(verbs);
  if (administrator === true)
    return verbs === undefined ? words.accessAdministrator : `${words.accessAdministrator}: ${right}`;
  const places = (projects?.length ?? 0) + (repositories?.length ?? 0);
  return projects === undefined && repositories === undefined
    ? right
    : `${right}, ${words.accessLimited(places)}`;
}

/** The same as a badge. */
export function AccessBadge(token: UserToken) {
  const Icon = token.administrator === true ? ShieldCheck : token.access === 'read' ? Eye : KeyRound;
  return (
    <Badge tone={token.administrator === true ? 'rivet' : 'mute'} icon={<Icon size={13} aria-hidden />}>
      {accessOf(token)}
    </Badge>
  );
}
