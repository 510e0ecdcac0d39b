import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { invitationLinkQuery, userQuery } from '../../data/queries-account.ts';
import { isWholeToken } from '../../parts/link-token.ts';
import { Notice } from '../../ui/layout/Notice.tsx';
import { invitationsCopy as words } from './copy.ts';

/** Says why the invitation of a link is not in the list: it is for another address, or has ended. Nothing while it is. */
export function LinkNotice({ userId, token }: { userId: Id<'user'>; token: string }) {
  const { data: invitation } = useQuery({ ...invitationLinkQuery(token), enabled: isWholeToken(token) });
  const { data: user } = useQuery(userQuery(userId));
  if (!isWholeToken(token))
    return (
      <div className="mb-4">
        <Notice tone="warn" title={words.incomplete}>
          {words.incompleteText}
        </Notice>
      </div>
    );
  if (invitation === undefined || user === undefined) return null;
  if (invitation.result === 'NotFound')
    return (
      <div className="mb-4">
        <Notice title={words.ended}>{words.endedText}</Notice>
      </div>
    );
  if (invitation.email === user.email) return null;
  return (
    <div className="mb-4">
      <Notice tone="warn" title={words.otherAddress(invitation.email)}>
        {words.otherAddressText(user.email)}
      </Notice>
    </div>
  );
}
