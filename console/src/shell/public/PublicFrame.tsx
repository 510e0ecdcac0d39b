import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { configQuery } from '../../data/queries-account.ts';
import { Brand } from './Brand.tsx';
import { ConfiguredBanner } from '../ConfiguredBanner.tsx';
import { SignInPanel } from './SignInPanel.tsx';

/** The layout of pages for visitors who are not signed in. With `isSignUp` the panel explains what an account is. */
export function PublicFrame({
  isSignUp = false,
  children,
}: {
  isSignUp?: boolean | undefined;
  children: ReactNode;
}) {
  const { data: config } = useQuery(configQuery);
  return (
    <div className="flex min-h-dvh flex-col">
      <ConfiguredBanner />
      <div className="flex flex-1">
        <main id="content" className="m-auto w-full max-w-[26.25rem] min-w-0 px-5 py-10 max-sm:mt-0">
          <Brand />
          {children}
        </main>
        <SignInPanel productUrl={config?.productUrl} isSignUp={isSignUp} />
      </div>
    </div>
  );
}
