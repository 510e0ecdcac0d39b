import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AppearanceCard } from '../../../components/AppearanceCard.tsx';
import { DisplayNameForm } from '../../../components/DisplayNameForm.tsx';
import { en } from '../../../copy/en.ts';
import { enAccount } from '../../../copy/en-account.ts';
import { userQuery } from '../../../data/queries-account.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Avatar } from '../../../ui/picture/Avatar.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';

export const Route = createFileRoute('/_guard/settings/profile')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userQuery(context.userId)),
  component: Profile,
});

function Profile() {
  const { userId } = Route.useRouteContext();
  const { data: user } = useSuspenseQuery(userQuery(userId));
  const name = user.displayName?.trim() ?? '';
  return (
    <Page>
      <PageHeader title={enAccount.settings.profile} meta={user.email} />
      <div className="flex max-w-[36rem] flex-col gap-5">
        <Card title={enAccount.profile.nameTitle}>
          <div className="flex flex-col gap-5">
            <div className="flex items-center gap-4">
              <Avatar name={name === '' ? user.email : name} size={56} />
              <div className="min-w-0">
                <p className="text-section wrap-anywhere">{name === '' ? en.shell.myAccount : name}</p>
                <p className="mt-1">
                  <IdTag value={user.userId} what={enAccount.profile.userIdWhat} length={20} />
                </p>
              </div>
            </div>
            <DisplayNameForm userId={userId} displayName={user.displayName ?? ''} />
          </div>
        </Card>
        <AppearanceCard />
      </div>
    </Page>
  );
}
