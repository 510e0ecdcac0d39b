import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject } from './seed.ts';

/** An authority of a project, which the hub makes. */
export async function seedCertificateAuthority(hub: FreshExecutor, { projectId, owner }: SeededProject) {
  const given = { projectId, name: 'x' };
  const { authorityId } = await hub.as(owner, 'projects_CreateCertificateAuthority', given);
  return { certificateAuthority: authorityId };
}
