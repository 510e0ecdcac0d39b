import type { Output } from '@corral/contract';

/** A project in the list of a user's projects. */
export type ProjectSummary = Output<'users_QueryUserProjects'>['projects'][number];

/** How projects are sorted: what is wrong first, or by name. */
export const projectSorts = ['trouble', 'name'] as const;
/** See `projectSorts`. */
export type ProjectSort = (typeof projectSorts)[number];

/** Sorts projects: pinned ones first, then waiting certificates, then the share of devices that are away, then the name. */
export function sortProjects(
  projects: readonly ProjectSummary[],
  sort: ProjectSort,
  pinned: ReadonlySet<string>,
): ProjectSummary[] {
  return [...projects].sort(
    (one, other) =>
      Number(pinned.has(other.projectId)) - Number(pinned.has(one.projectId)) ||
      (sort === 'trouble' ? compareTrouble(one, other) : 0) ||
      one.name.localeCompare(other.name),
  );
}

function compareTrouble(one: ProjectSummary, other: ProjectSummary): number {
  return (
    (other.pendingCertificates ?? 0) - (one.pendingCertificates ?? 0) || shareAway(other) - shareAway(one)
  );
}

function shareAway({ devices, connectedDevices = devices }: ProjectSummary): number {
  return devices === 0 ? 0 : (devices - connectedDevices) / devices;
}
