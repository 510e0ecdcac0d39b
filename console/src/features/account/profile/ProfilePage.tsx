import type { Id } from '@corral/contract';
import { profileCopy } from './copy.ts';
import { terms } from '../../../copy/terms.ts';
import { AppearanceCard } from './AppearanceCard.tsx';
import { DisplayNameForm } from './DisplayNameForm.tsx';
import { userQuery } from '../../../data/queries-account.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Avatar } from '../../../ui/picture/Avatar.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';

/** The name of the user, and how the console looks in this browser. */
export function ProfilePage({ userId }: { userId: Id<'user'> }) {
  const { data: user } = useLoadedQuery(userQuery(userId));
  const name = user.displayName?.trim() ?? '';
  return (
    <Page>
      <SectionHeader meta={user.email} />
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
