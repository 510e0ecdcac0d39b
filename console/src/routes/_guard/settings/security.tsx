import { createFileRoute } from '@tanstack/react-router';
import { PasswordForm } from '../../../components/PasswordForm.tsx';
import { UserTokens } from '../../../components/UserTokens.tsx';
import { enAccount } from '../../../copy/en-account.ts';
import { userTokensQuery } from '../../../data/queries-account.ts';
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
      <PageHeader title={enAccount.settings.security} />
      <div className="flex flex-col gap-5">
        <Card title={enAccount.security.passwordTitle} className="max-w-[36rem]">
          <PasswordForm userId={userId} />
        </Card>
        <UserTokens userId={userId} />
      </div>
    </Page>
  );
}
