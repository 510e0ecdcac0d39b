import { type Id, type Output, versionFieldsProblem } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { object, pipe, transform } from 'valibot';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { terms } from '../../copy/terms.ts';
import { projectSettingsCopy as words } from './copy.ts';
import { problemCopy } from '../../copy/problems.ts';
import { follows } from '../../parts/follows.ts';
import { AuthoritiesCard } from './certificates/AuthoritiesCard.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import { deleteProject, renameProject, setVersionFields } from './mutations.ts';
import { useRun } from '../../data/action-mutation.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { confirm } from '../../parts/confirm.ts';
import { useForget } from '../../parts/use-forget.ts';
import { DangerCard } from '../../parts/DangerCard.tsx';
import {
  createProjectServiceAccount,
  projectServiceAccountsQuery,
} from '../../parts/service-accounts/service-account-data.ts';
import { ServiceAccountsCard } from '../../parts/service-accounts/ServiceAccountsCard.tsx';
import { TerminalPolicyCard } from './TerminalPolicyCard.tsx';
import { nameSchema } from '../../parts/name-schema.ts';
import { QuotaMeter } from '../../parts/QuotaMeter.tsx';
import { RenameCard } from '../../parts/RenameCard.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';

/** Fields with blanks between them. */
const versionFieldsSchema = object({
  name: pipe(
    follows(versionFieldsProblem, problemCopy),
    transform((typed) => typed.trim().replaceAll(/\s+/gu, ' ')),
  ),
});

type Project = Output<'projects_GetProjectDetails'>;

const plain = (n: number): string => n.toLocaleString('en');

/** The settings of a project: its name, and its deletion. */
export function ProjectSettings({ projectId }: { projectId: Id<'project'> }) {
  const { data: project } = useLoadedQuery(projectQuery(projectId));
  const remove = useDeleteProject(project);
  const isOwner = project.isOwner !== false;
  const serviceAccounts = useQuery(projectServiceAccountsQuery(projectId));
  const run = useRun();
  const { versionFields = [] } = project;
  return (
    <Page>
      <SectionHeader />
      <div className="flex max-w-[44rem] flex-col gap-5">
        <Card title={words.about} isFlush>
          <Properties
            items={[
              { name: terms.name, value: <bdi className="font-head">{project.name}</bdi> },
              { name: words.id, value: <IdTag value={projectId} what={terms.ids.project} length={30} /> },
              {
                name: words.deviceQuota,
                value: (
                  <QuotaMeter
                    label={words.deviceQuota}
                    used={project.deviceCount}
                    max={project.maxDeviceCount}
                    format={plain}
                  />
                ),
              },
              {
                name: words.role,
                value: project.isOwner === undefined ? undefined : <RoleBadge isOwner={isOwner} />,
              },
            ]}
          />
        </Card>
        <RenameCard
          name={project.name}
          words={words.rename}
          schema={nameSchema}
          mutation={renameProject}
          inputOf={(name) => ({ projectId, name })}
          ownerOnly={isOwner ? undefined : words.rename.ownerOnly}
        />
        <RenameCard
          name={versionFields.join(' ')}
          label={words.versions.fields}
          isOptional
          words={{
            ...words.versions,
            text:
              versionFields.length === 0
                ? words.versions.text
                : words.versions.chosenText(words.and(versionFields)),
          }}
          consequences={words.versions.explanation}
          schema={versionFieldsSchema}
          mutation={setVersionFields}
          inputOf={(fields) => ({ projectId, fields: fields.split(' ').filter((field) => field !== '') })}
          ownerOnly={isOwner ? undefined : words.versions.ownerOnly}
        />
        <ApprovalCard
          {...{ projectId }}
          approval={project.approval}
          ownerOnly={isOwner ? undefined : words.approval.ownerOnly}
        />
        <TerminalPolicyCard
          {...{ projectId }}
          policy={project.terminal}
          ownerOnly={isOwner ? undefined : words.terminal.ownerOnly}
        />
        <div id="certificates" className="scroll-mt-16">
          <AuthoritiesCard {...{ projectId, isOwner }} />
        </div>
        <ServiceAccountsCard
          accounts={serviceAccounts}
          isOwner={isOwner}
          onCreate={(name) => run(createProjectServiceAccount, { projectId, name })}
        />
        {isOwner && <Connections {...{ projectId }} />}
        <DangerCard
          title={words.danger}
          verb={words.deleteProject}
          text={`${words.text} ${deletionSummary(project)}`}
          ownerOnly={isOwner ? undefined : words.ownerOnly}
          onDelete={remove}
        />
      </div>
    </Page>
  );
}

/** What tells other programs about the project. */
function Connections({ projectId }: { projectId: Id<'project'> }) {
  return (
    <>
      <Card title={terms.sections.webhooks}>
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-[26rem] text-body text-ink2">{words.webhooks}</p>
          <ButtonLink render={<Link to="/projects/$projectId/webhooks" params={{ projectId }} />}>
            {words.seeWebhooks}
          </ButtonLink>
        </div>
      </Card>
      <Card title={terms.sections.otlp}>
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-[26rem] text-body text-ink2">{words.otlp}</p>
          <ButtonLink render={<Link to="/projects/$projectId/otlp" params={{ projectId }} />}>
            {words.seeOtlp}
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}

/** A function that deletes the project after its name was typed, and goes to the list of projects. */
function useDeleteProject(project: Project): () => void {
  const navigate = useNavigate();
  const forget = useForget();
  const run = useRun();
  const { name, projectId } = project;
  return () =>
    void confirm({
      title: words.deleteTitle(name),
      text: (
        <>
          <p>{words.text}</p>
          <p className="mt-2">{deletionSummary(project)}</p>
        </>
      ),
      verb: words.deleteProject,
      typedName: name,
      action: async () => {
        await run(deleteProject, { projectId });
        await navigate({ to: '/projects' });
        forget('projectId', projectId);
      },
      done: words.deleted(name),
    });
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
