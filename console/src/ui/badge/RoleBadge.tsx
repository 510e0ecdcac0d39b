import { KeyRound, User } from 'lucide-react';
import { Badge } from './Badge.tsx';

/** Owner or Member. */
export function RoleBadge({ isOwner }: { isOwner: boolean }) {
  const Icon = isOwner ? KeyRound : User;
  return (
    <Badge tone={isOwner ? 'rivet' : 'mute'} icon={<Icon size={13} aria-hidden />}>
      {isOwner ? 'Owner' : 'Member'}
    </Badge>
  );
}
