import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { userQuery } from '../data/queries-account.ts';
import { Notice } from '../ui/layout/Notice.tsx';
import { TextLink } from '../ui/text/TextLink.tsx';
import { partsCopy } from './copy.ts';
import { useIsMailConfigured } from './use-is-mail-configured.ts';

/** Says that no emails are sent, what to do instead, and where a mail server is set; nothing where there is one. */
export function MissingMailServer({ userId, children }: { userId: Id<'user'>; children: ReactNode }) {
  const isConfigured = useIsMailConfigured();
  const { data: user } = useQuery(userQuery(userId));
  if (isConfigured) return null;
  const { mail: words } = partsCopy;
  return (
    <Notice tone="warn" title={words.missing}>
      <p>
        {children}{' '}
        {user?.isAdmin === true ? (
          <TextLink render={<Link to="/admin/settings" />}>{words.set}</TextLink>
        ) : (
          words.ask
        )}
      </p>
    </Notice>
  );
}
