import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hubOf } from '../../data/hub.ts';
import { configQuery } from '../../data/queries-account.ts';
import { LoginForm } from './LoginForm.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { stepUpCopy as words } from './step-up-copy.ts';
import { useProviderTab } from './use-provider-tab.ts';

/** The page that says in the other tab that this one goes on. */
const landing = '/settings/security?provider=signedin';

/** Signs in again over a page that keeps what was typed: here, or at the provider in another tab, which tells this one. */
export function SignInAgain({
  email,
  onSignedIn,
}: {
  email: string | undefined;
  onSignedIn: () => Promise<void>;
}) {
  const hub = hubOf(useQueryClient());
  const { providerName: name, prefersProvider } = useQuery(configQuery).data ?? {};
  const [isAsked, setIsAsked] = useState(false);
  const [isInStep, setIsInStep] = useState(false);
  const tab = useProviderTab(() => hub.beginProviderSignIn(landing));
  const hasForm = isAsked || !prefersProvider || name === undefined;
  return (
    <div className="flex flex-col gap-5">
      {hasForm && (
        <LoginForm
          email={email}
          onSignedIn={onSignedIn}
          onStep={(wants) => setIsInStep(wants !== undefined)}
        />
      )}
      {name !== undefined && !isInStep && (
        <>
          <ProviderButton
            name={name}
            lead={tab.open}
            onOther={hasForm ? undefined : () => setIsAsked(true)}
          />
          {tab.isWaiting && <p className="text-body text-ink2">{words.waiting(name)}</p>}
        </>
      )}
    </div>
  );
}
