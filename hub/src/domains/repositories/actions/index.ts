// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CreateRepository } from './CreateRepository.ts';
import { DeleteRepository } from './DeleteRepository.ts';
import { GetRepositoryDetails } from './GetRepositoryDetails.ts';
import { QueryAuditLogEvents } from './QueryAuditLogEvents.ts';
import { QueryRepositoryProjects } from './QueryRepositoryProjects.ts';
import { ResolveRepositoryName } from './ResolveRepositoryName.ts';
import { SetDisplayName } from './SetDisplayName.ts';
import { SetQuota } from './SetQuota.ts';
import { SetRepositoryVisibility } from './SetRepositoryVisibility.ts';
import { SetSlug } from './SetSlug.ts';

/** The actions of this domain by wire name. */
export const repositoriesActions = {
  repositories_CreateRepository: CreateRepository,
  repositories_DeleteRepository: DeleteRepository,
  repositories_GetRepositoryDetails: GetRepositoryDetails,
  repositories_QueryAuditLogEvents: QueryAuditLogEvents,
  repositories_QueryRepositoryProjects: QueryRepositoryProjects,
  repositories_ResolveRepositoryName: ResolveRepositoryName,
  repositories_SetDisplayName: SetDisplayName,
  repositories_SetQuota: SetQuota,
  repositories_SetRepositoryVisibility: SetRepositoryVisibility,
  repositories_SetSlug: SetSlug,
};
