import { compareNames, type Output } from '@corral/contract';

/** A project in the list of a user's projects. */
export type ProjectSummary = Output<'users_QueryUserProjects'>['projects'][number];

/** The sort orders of projects: problems first, or by name. */
export const projectSorts = ['trouble', 'name'] as const;
/** See `projectSorts`. */
export type ProjectSort = (typeof projectSorts)[number];

/** Sorts projects: pinned first, then by pending certificates, by the share of disconnected devices, and by name. */
export function sortProjects(
  projects: readonly ProjectSummary[],
  sort: ProjectSort,
  pinned: ReadonlySet<string>,
): ProjectSummary[] {
  return [...projects].sort(
    (one, other) =>
      Number(pinned.has(other.projectId)) - Number(pinned.has(one.projectId)) ||
      (sort === 'trouble' ? compareTrouble(one, other) : 0) ||
      compareNames(one.name, other.name),
  );
}

function compareTrouble(one: ProjectSummary, other: ProjectSummary): number {
  return (
    (other.pendingCertificates ?? 0) - (one.pendingCertificates ?? 0) ||
    disconnectedShare(other) - disconnectedShare(one)
  );
}

function disconnectedShare({ devices, connectedDevices = devices }: ProjectSummary): number {
  return devices === 0 ? 0 : (devices - connectedDevices) / devices;
}
