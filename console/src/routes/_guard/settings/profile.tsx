import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { profileCopy } from '../../../features/account/profile/copy.ts';
import { terms } from '../../../copy/terms.ts';
import { AppearanceCard } from '../../../features/account/profile/AppearanceCard.tsx';
import { DisplayNameForm } from '../../../features/account/profile/DisplayNameForm.tsx';
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
      <PageHeader title={terms.sections.profile} meta={user.email} />
      <div className="flex max-w-[36rem] flex-col gap-5">
        <Card title={profileCopy.nameTitle}>
          <div className="flex flex-col gap-5">
            <div className="flex items-center gap-4">
              <Avatar name={name === '' ? user.email : name} size={56} />
              <div className="min-w-0">
                <p className="text-section wrap-anywhere">{name === '' ? terms.myAccount : name}</p>
                <p className="mt-1">
                  <IdTag value={user.userId} what={terms.ids.user} length={20} />
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
