import type { Id } from '@corral/contract';
import { securityCopy } from './copy.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactorCard } from './SecondFactorCard.tsx';
import { UserTokens } from './UserTokens.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';

/** The password, the second factor and the API tokens of the user. */
export function SecurityPage({ userId }: { userId: Id<'user'> }) {
  return (
    <Page>
      <SectionHeader />
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-start gap-5 *:w-full">
          <Card title={securityCopy.passwordTitle} className="max-w-[36rem] xl:w-[28rem]">
            <PasswordForm userId={userId} />
          </Card>
          <SecondFactorCard userId={userId} />
        </div>
        <UserTokens userId={userId} />
      </div>
    </Page>
  );
}
