// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AddProjectRepository } from './AddProjectRepository.ts';
import { CreateDeploymentToken } from './CreateDeploymentToken.ts';
import { CreateProject } from './CreateProject.ts';
import { DeleteDeploymentToken } from './DeleteDeploymentToken.ts';
import { DeleteProject } from './DeleteProject.ts';
import { DeleteSavedView } from './DeleteSavedView.ts';
import { GetProjectDetails } from './GetProjectDetails.ts';
import { QueryProjectDeploymentTokens } from './QueryProjectDeploymentTokens.ts';
import { QueryProjectRepositories } from './QueryProjectRepositories.ts';
import { QueryProjects } from './QueryProjects.ts';
import { QuerySavedViews } from './QuerySavedViews.ts';
import { RemoveProjectRepository } from './RemoveProjectRepository.ts';
import { SaveView } from './SaveView.ts';
import { SetDeploymentTokenFlags } from './SetDeploymentTokenFlags.ts';
import { SetName } from './SetName.ts';
import { SetPolicies } from './SetPolicies.ts';
import { SetVersionFields } from './SetVersionFields.ts';

/** The actions of this domain by wire name. */
export const projectsActions = {
  projects_AddProjectRepository: AddProjectRepository,
  projects_CreateDeploymentToken: CreateDeploymentToken,
  projects_CreateProject: CreateProject,
  projects_DeleteDeploymentToken: DeleteDeploymentToken,
  projects_DeleteProject: DeleteProject,
  projects_DeleteSavedView: DeleteSavedView,
  projects_GetProjectDetails: GetProjectDetails,
  projects_QueryProjectDeploymentTokens: QueryProjectDeploymentTokens,
  projects_QueryProjectRepositories: QueryProjectRepositories,
  projects_QueryProjects: QueryProjects,
  projects_QuerySavedViews: QuerySavedViews,
  projects_RemoveProjectRepository: RemoveProjectRepository,
  projects_SaveView: SaveView,
  projects_SetDeploymentTokenFlags: SetDeploymentTokenFlags,
  projects_SetName: SetName,
  projects_SetPolicies: SetPolicies,
  projects_SetVersionFields: SetVersionFields,
};
