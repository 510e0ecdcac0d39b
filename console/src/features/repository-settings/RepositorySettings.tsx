import type { Id } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { repositoryQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { DangerCard } from '../../parts/DangerCard.tsx';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { repositorySettingsCopy as words } from './copy.ts';
import { LinkedProjectsCard } from './LinkedProjectsCard.tsx';
import { PublishingCard } from './PublishingCard.tsx';
import { RenameRepository } from './RenameRepository.tsx';
import { ServiceAccounts } from './ServiceAccounts.tsx';
import { StoreCard } from './StoreCard.tsx';
import { UsageCard } from './UsageCard.tsx';
import { deletionSummary, useDeleteRepository } from './use-delete-repository.tsx';
import { VisibilityCard } from './VisibilityCard.tsx';

/** The settings of a repository: its name, who may read it, which projects do, what it uses, where its bytes are, and its deletion. */
export function RepositorySettings({
  repositoryId,
  userId,
}: {
  repositoryId: Id<'repository'>;
  userId: Id<'user'>;
}) {
  const { data: repository } = useLoadedQuery(repositoryQuery(repositoryId));
  const remove = useDeleteRepository(repository);
  const { name, isOwner, canWrite, createdAt } = repository;
  return (
    <Page>
      <SectionHeader />
      <div className="flex max-w-[44rem] flex-col gap-5">
        <Card title={words.about} isFlush>
          <Properties
            items={[
              { name: terms.name, value: <bdi className="font-head">{name}</bdi> },
              {
                name: words.id,
                value: <IdTag value={repositoryId} what={terms.ids.repository} length={30} />,
              },
              { name: words.created, value: <RelativeTime at={createdAt} /> },
              { name: words.role, value: canWrite ? <RoleBadge isOwner={isOwner} /> : undefined },
            ]}
          />
        </Card>
        <RenameRepository repository={repository} />
        <VisibilityCard repository={repository} />
        {canWrite && <LinkedProjectsCard {...{ repositoryId, isOwner }} />}
        {canWrite && <ServiceAccounts {...{ repositoryId, isOwner }} />}
        <UsageCard {...{ repository, userId }} />
        {isOwner && <StoreCard {...{ repositoryId, name }} />}
        {isOwner && <PublishingCard repositoryId={repositoryId} />}
        <DangerCard
          title={words.danger}
          verb={words.deleteRepository}
          text={`${words.text} ${deletionSummary(repository)}`}
          ownerOnly={isOwner ? undefined : words.ownerOnly}
          onDelete={remove}
        />
      </div>
    </Page>
  );
}
