import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { invitationLinkQuery, userQuery } from '../../data/queries-account.ts';
import { isWholeToken } from '../../parts/link-token.ts';
import { Notice } from '../../ui/layout/Notice.tsx';
import { invitationsCopy as words } from './copy.ts';

/** Says why the invitation of a link is not in the list: it is for another address, or has ended. Nothing while it is. */
export function LinkNotice({ userId, token }: { userId: Id<'user'>; token: string }) {
  const isWhole = isWholeToken(token);
  const { data: invitation } = useQuery({ ...invitationLinkQuery(token), enabled: isWhole });
  const { data: user } = useQuery(userQuery(userId));
  if (!isWhole) return <Warning title={words.incomplete} text={words.incompleteText} />;
  if (invitation === undefined || user === undefined) return null;
  if (invitation.result === 'NotFound') return <Notice title={words.ended}>{words.endedText}</Notice>;
  if (invitation.email === user.email) return null;
  return <Warning title={words.otherAddress(invitation.email)} text={words.otherAddressText(user.email)} />;
}

function Warning({ title, text }: { title: string; text: string }) {
  return (
    <Notice tone="warn" title={title}>
      {text}
    </Notice>
  );
}
