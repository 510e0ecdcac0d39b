import type { ActorNames } from './use-actor-names.ts';

/** The context by which the page of an id is found. */
export interface IdContext {
  /** The data of the log entry or command that has the id. */
  readonly data: unknown;
  readonly names: ActorNames;
  /** Whether the user sees the administration. */
  readonly isAdmin: boolean;
}

const idPattern = /^([a-z]+(?:_[a-z]+)*)_(?:\d{8}-\d{4}-)?[1-9A-HJ-NP-Za-km-z]{8,22}$/u;

/** The kind of an id, such as "d" of a device; undefined for any other text. */
export function idKindOf(text: string): string | undefined {
  return idPattern.exec(text)?.[1];
}

/** The page of what an id names; undefined where it has none. A device that may be deleted is looked up in the list. */
export function pathOfId(id: string, { data, names, isAdmin }: IdContext): string | undefined {
  const project = member(data, 'projectId');
  const repository = member(data, 'repositoryId');
  const packageId = member(data, 'packageId');
  switch (idKindOf(id)) {
    case 'p':
      return `/projects/${id}`;
    case 'd':
      if (project === undefined) return undefined;
      return names.has(id) ? `/projects/${project}/devices/${id}` : `/projects/${project}/devices?q=${id}`;
    case 'flt_job':
      return project && `/projects/${project}/devices/changes/${id}`;
    case 'flt_op':
      return project && `/projects/${project}/operations/${id}`;
    case 'deployment_id':
      return project && `/projects/${project}/tokens?q=${id}`;
    case 'repo':
      return `/repositories/${id}`;
    case 'pkg':
      return repository && `/repositories/${repository}/packages/${id}`;
    case 'pkg_v':
      return repository && packageId && `/repositories/${repository}/packages/${packageId}/versions/${id}`;
    case 'repo_a':
      return repository && `/repositories/${repository}/assets?q=${id}`;
    case 'u':
      if (isAdmin) return `/admin/users?q=${id}`;
      if (project !== undefined) return `/projects/${project}/members?q=${id}`;
      return repository && `/repositories/${repository}/members?q=${id}`;
    case 'audit_act':
      return isAdmin ? `/admin/actions?entry=${id}` : undefined;
    case 'cluster_node':
      return isAdmin ? `/admin/cluster?q=${id}` : undefined;
    case 'job':
      return isAdmin ? `/admin/jobs?q=${id}` : undefined;
    default:
      return undefined;
  }
}

function member(data: unknown, key: string): string | undefined {
  const value =
    typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && idKindOf(value) !== undefined ? value : undefined;
}
