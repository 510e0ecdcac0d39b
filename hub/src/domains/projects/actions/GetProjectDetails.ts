import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeProject, type ProjectAccess } from '../policy/projects.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { projectCounts } from '../sql/project-counts.ts';

interface Details {
  readonly name: string;
  readonly deviceCount: number;
  readonly maxDeviceCount: number;
  readonly connectedDeviceCount: number;
  readonly pendingCertificateCount: number;
  readonly memberCount: number;
  readonly deploymentTokenCount: number;
  readonly repositoryCount: number;
  readonly openOperationCount: number;
  readonly versionFields: string[] | null;
  readonly approval: Output<'projects_GetProjectDetails'>['approval'] | null;
  readonly terminal: Output<'projects_GetProjectDetails'>['terminal'] | null;
}

/** Returns a project with its counts. */
export const GetProjectDetails: Handler<'projects_GetProjectDetails', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId, isOwner }) {
    const { rows } = await sql<Details>`
      select p.name, p.version_fields as "versionFields", p.approval, p.terminal_policy as terminal, counted.devices as "deviceCount", ${quotaSql('devicesPerProject')} as "maxDeviceCount", counted.connected as "connectedDeviceCount",
        counted.pending as "pendingCertificateCount",
        (select count(*) from project_members m join users u using (user_id) where m.project_id = p.project_id and not u.is_service) as "memberCount",
        (select count(*) from deployment_tokens t where t.project_id = p.project_id) as "deploymentTokenCount",
        (select count(*) from project_repositories l where l.project_id = p.project_id) as "repositoryCount",
        (select count(*) from fleet_operations f where f.project_id = p.project_id and f.status in ('Running', 'Paused')) as "openOperationCount"
      from projects p, lateral (${projectCounts(now)}) as counted where p.project_id = ${projectId}`.execute(
      tx,
    );
    if (rows[0] === undefined) throw notFound('Project');
    const { versionFields, approval, terminal, ...details } = rows[0];
    return {
      projectId: input.projectId,
      ...details,
      isOwner,
      ...(versionFields === null ? {} : { versionFields }),
      ...(approval === null ? {} : { approval }),
      ...(terminal === null ? {} : { terminal }),
    };
  },
};
