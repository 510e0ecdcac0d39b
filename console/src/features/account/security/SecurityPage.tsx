import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { securityCopy } from './copy.ts';
import { IdentitiesCard } from './IdentitiesCard.tsx';
import { PasskeysCard } from './PasskeysCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProviderOutcome } from './ProviderOutcome.tsx';
import { SecondFactorCard } from './SecondFactorCard.tsx';
import { UserTokens } from './UserTokens.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { signInsCopy } from '../../../parts/sign-ins/copy.ts';
import { SignInList } from '../../../parts/sign-ins/SignInList.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';

/** The password, the second factor, the passkeys, the accounts at the provider, the API tokens and the sign-ins of the user. */
export function SecurityPage({ userId, answer }: { userId: Id<'user'>; answer: string | undefined }) {
  return (
    <Page>
      <SectionHeader />
      <div className="flex flex-col gap-5">
        {answer !== undefined && <ProviderOutcome answer={answer} />}
        <div className="grid items-start gap-5 xl:grid-cols-[repeat(2,minmax(0,36rem))]">
          <Card title={securityCopy.passwordTitle} className="max-w-[36rem]">
            <PasswordForm userId={userId} />
          </Card>
          <div className="flex min-w-0 flex-col gap-5">
            <SecondFactorCard userId={userId} />
            <PasskeysCard userId={userId} />
            <IdentitiesCard userId={userId} />
          </div>
        </div>
        <Card
          title={signInsCopy.title}
          meta={<span className="max-sm:hidden">{signInsCopy.kept}</span>}
          actions={
            <TextLink render={<Link to="/settings/sessions" search={{}} />}>{securityCopy.sessions}</TextLink>
          }
          isFlush
        >
          <SignInList userId={userId} />
        </Card>
        <UserTokens userId={userId} />
      </div>
    </Page>
  );
}
