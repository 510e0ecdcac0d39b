import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Globe, Lock } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { repositoryProjectsQuery } from '../../data/queries-repositories.ts';
import { confirm } from '../../parts/confirm.ts';
import { publicUrl } from '../../parts/publish-commands.ts';
import { runUndoable } from '../../parts/undoable.ts';
import { Button } from '../../ui/action/Button.tsx';
import { VisibilityBadge } from '../../ui/badge/VisibilityBadge.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { repositorySettingsCopy } from './copy.ts';
import { setVisibility } from './mutations.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.visibility;

/** Who may read a repository, and the button that changes it after a prompt that states the consequence. */
export function VisibilityCard({ repository }: { repository: Repository }) {
  const change = useChangeVisibility(repository);
  const { name, visibility, isOwner } = repository;
  const isPublic = visibility === 'Public';
  const Icon = isPublic ? Lock : Globe;
  // The words for package, tag and file stay as they are: they are to be replaced.
  const address = `${publicUrl(window.location.origin, [name])}/${words.example.map((part) => `<${part}>`).join('/')}`;
  return (
    <Card title={words.title} meta={<VisibilityBadge visibility={visibility} />}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{isPublic ? words.isPublic : words.isPrivate}</p>
        <Button
          icon={<Icon size={15} aria-hidden />}
          isWrite
          disabledReason={isOwner ? undefined : words.ownerOnly}
          onClick={change}
        >
          {isPublic ? words.makePrivate : words.makePublic}
        </Button>
      </div>
      {isPublic && (
        <div className="mt-4 flex flex-col gap-1.5">
          <span className="text-body text-ink2">{words.address}</span>
          <CodeBlock code={address} what={words.addressWhat} />
        </div>
      )}
    </Card>
  );
}

/** A function that asks and then changes the visibility at once, with Undo. */
function useChangeVisibility({
  repositoryId,
  name,
  visibility,
  assetCount,
  isOwner,
}: Repository): () => void {
  const { data } = useQuery({
    ...repositoryProjectsQuery(repositoryId as Id<'repository'>),
    enabled: isOwner,
  });
  const linked = data?.projects ?? [];
  const staying = linked.filter(({ isConfirmed }) => isConfirmed).map((project) => project.name);
  const run = useRun();
  const isPublic = visibility === 'Public';
  return () =>
    void confirm({
      title: isPublic ? words.privateTitle(name) : words.publicTitle(name),
      text: isPublic
        ? words.privateText(staying, linked.length - staying.length)
        : words.publicText(assetCount),
      verb: isPublic ? words.makePrivate : words.makePublic,
      tone: isPublic ? 'primary' : 'danger',
      action: () =>
        runUndoable(
          run,
          setVisibility,
          { repositoryId, visibility: isPublic ? 'Private' : 'Public' },
          {
            inverse: { repositoryId, visibility },
            done: isPublic ? words.nowPrivate(name) : words.nowPublic(name),
            failed: words.failed,
          },
        ),
    });
}
