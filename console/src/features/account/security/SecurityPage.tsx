import type { Id } from '@corral/contract';
import { securityCopy } from './copy.ts';
import { IdentitiesCard } from './IdentitiesCard.tsx';
import { PasskeysCard } from './PasskeysCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactorCard } from './SecondFactorCard.tsx';
import { UserTokens } from './UserTokens.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';

/** The password, the second factor, the passkeys, the accounts at the provider and the API tokens of the user. */
export function SecurityPage({ userId, answer }: { userId: Id<'user'>; answer: string | undefined }) {
  return (
    <Page>
      <SectionHeader />
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-start gap-5 *:w-full">
          <Card title={securityCopy.passwordTitle} className="max-w-[36rem] xl:w-[28rem]">
            <PasswordForm userId={userId} />
          </Card>
          <SecondFactorCard userId={userId} />
          <PasskeysCard userId={userId} />
          <IdentitiesCard userId={userId} answer={answer} />
        </div>
        <UserTokens userId={userId} />
      </div>
    </Page>
  );
}
