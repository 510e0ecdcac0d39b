import type { Id, Output } from '@corral/contract';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { projectSettingsCopy as words } from './copy.ts';
import { deleteProject } from './mutations.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { Button } from '../../ui/action/Button.tsx';
import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { IdTag } from '../../ui/text/IdTag.tsx';

type Project = Output<'projects_GetProjectDetails'>;

/** The settings of a project, and its deletion. */
export function ProjectSettings({ projectId }: { projectId: Id<'project'> }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const [isDeleting, setIsDeleting] = useState(false);
  const isOwner = project.isOwner !== false;
  return (
    <Page>
      <PageHeader title={terms.sections.projectSettings} />
      <div className="flex max-w-[44rem] flex-col gap-5">
        <Card title={words.about} isFlush>
          <Properties
            items={[
              { name: terms.name, value: <span className="font-head">{project.name}</span> },
              { name: words.id, value: <IdTag value={projectId} what={terms.ids.project} length={30} /> },
              {
                name: words.role,
                value: project.isOwner === undefined ? undefined : <RoleBadge isOwner={isOwner} />,
              },
            ]}
          />
        </Card>
        <Card title={words.danger} tone="danger">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <div className="max-w-[26rem] min-w-0">
              <h3 className="text-body font-head text-ink">{words.deleteProject}</h3>
              <p className="text-body text-ink2">
                {words.text} {deletionSummary(project)}
              </p>
            </div>
            <Button
              variant="danger"
              disabledReason={isOwner ? undefined : words.ownerOnly}
              onClick={() => setIsDeleting(true)}
            >
              {words.deleteProject}
            </Button>
            {!isOwner && <p className="w-full text-body text-ink3">{words.ownerOnly}</p>}
          </div>
        </Card>
      </div>
      <DeleteProjectDialog project={project} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Page>
  );
}

function DeleteProjectDialog({
  project,
  isOpen,
  onClose,
}: {
  project: Project;
  isOpen: boolean;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutateAsync } = useMutation(deleteProject);
  const { name } = project;
  const projectId = project.projectId as Id<'project'>;
  async function remove(): Promise<void> {
    await mutateAsync({ projectId });
    await navigate({ to: '/projects' });
    // After the navigation, because the former page reads them until then.
    client.removeQueries({
      predicate: ({ queryKey }) =>
        (queryKey[1] as { projectId?: unknown } | undefined)?.projectId === projectId,
    });
    showToast(words.deleted(name), { tone: 'ok' });
  }
  return (
    <AlertDialog
      open={isOpen}
      onOpenChange={onClose}
      title={words.deleteTitle(name)}
      verb={words.deleteProject}
      typedName={name}
      onConfirm={remove}
    >
      <p>{words.text}</p>
      <p className="mt-2">{deletionSummary(project)}</p>
    </AlertDialog>
  );
}

/** What is deleted with the project, in numbers. */
function deletionSummary({
  deviceCount,
  deploymentTokenCount,
  memberCount,
  repositoryCount,
}: Project): string {
  const counts: [number | undefined, (n: number) => string][] = [
    [deviceCount, words.devices],
    [deploymentTokenCount, words.tokens],
    [memberCount, words.members],
    [repositoryCount, words.repositories],
  ];
  const parts = counts.flatMap(([n = 0, text]) => (n > 0 ? [text(n)] : []));
  return parts.length === 0 ? words.deletesNothing : words.deletes(words.and(parts));
}
