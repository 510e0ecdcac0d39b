import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../../../data/queries-account.ts';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { securityCopy } from './copy.ts';

const words = securityCopy.passkeys;

/** Why there can be no passkeys on this page, and where there can. */
export function PasskeysElsewhere() {
  const { data: config } = useQuery(configQuery);
  if (config === undefined) return undefined;
  const { passkeyOrigin } = config;
  if (passkeyOrigin === undefined) return <Reason>{words.noName}</Reason>;
  if (passkeyOrigin === window.location.origin) return <Reason>{words.noBrowser}</Reason>;
  return (
    <Reason>
      {words.onlyAt}{' '}
      <TextLink render={<a href={`${passkeyOrigin}${window.location.pathname}`} />}>{passkeyOrigin}</TextLink>
      . {words.onlyAtMore}
    </Reason>
  );
}

function Reason({ children }: { children: ReactNode }) {
  return <p className="text-body text-ink2">{children}</p>;
}
