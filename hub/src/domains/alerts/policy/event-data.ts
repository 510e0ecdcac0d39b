import { ids, type Id } from '@corral/contract';

/** What an event says of its project, by its raw id; nothing of one of the instance. */
export function ofProject(projectId: string | null): { readonly projectId?: Id<'project'> } {
  return projectId === null ? {} : { projectId: ids.project.of(projectId) };
}
