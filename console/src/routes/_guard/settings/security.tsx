import { createFileRoute } from '@tanstack/react-router';
import { securityCopy } from '../../../features/account/security/copy.ts';
import { terms } from '../../../copy/terms.ts';
import { PasswordForm } from '../../../features/account/security/PasswordForm.tsx';
import { UserTokens } from '../../../features/account/security/UserTokens.tsx';
import { userTokensQuery } from '../../../features/account/security/queries.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';

export const Route = createFileRoute('/_guard/settings/security')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userTokensQuery(context.userId)),
  component: Security,
});

function Security() {
  const { userId } = Route.useRouteContext();
  return (
    <Page>
      <PageHeader title={terms.sections.security} />
      <div className="flex flex-col gap-5">
        <Card title={securityCopy.passwordTitle} className="max-w-[36rem]">
          <PasswordForm userId={userId} />
        </Card>
        <UserTokens userId={userId} />
      </div>
    </Page>
  );
}
