import { ids } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { inject, test } from 'vitest';
import { fleetPlan } from '../../../../test/fleet-actions.ts';
import type { RunVersion } from '../../../../test/fleet-definition.ts';
import { FleetRun } from '../../../../test/fleet-run.ts';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { seedCatalogue } from '../../../../test/seed-repository.ts';

/** What earlier runs leave makes later ones slower. */
const runsPerHub = 100;

async function sceneWithVersion(): Promise<{
  scene: FleetScene;
  version: RunVersion;
}> {
  const scene = await fleetScene();
  const { hub, project } = scene;
  const { projectId, owner } = project;
  const { repository, repositoryId, versionId } = await seedCatalogue(hub, {
    owner,
  });
  await hub.as(owner, 'projects_AddProjectRepository', {
    projectId,
    repositoryId,
  });
  await sql`update assets set status = 'Available'`.execute(hub.database.db);
  const said = {
    repository: repository.name,
    package: 'base-image',
    version: '1.0.0',
  };
  await sql`update package_versions set name = ${said.version} where version_id = ${ids.packageVersion.raw(versionId)}`.execute(
    hub.database.db,
  );
  return { scene, version: { versionId, said } };
}

test('operations on fleets go as their model, whatever people, devices and time do', async () => {
  let given = await sceneWithVersion();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fleetPlan, async (actions) => {
      runs += 1;
      if (runs % runsPerHub === 0) {
        await given.scene[Symbol.asyncDispose]();
        given = await sceneWithVersion();
      }
      await new FleetRun(given.scene, given.version).run(actions);
    }),
    { numRuns: inject('figures').fleetRuns, endOnFailure: true },
  );
  await given.scene[Symbol.asyncDispose]();
});
