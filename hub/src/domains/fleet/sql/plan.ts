import { ActionError, ids } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import { mustBeDefinition, type GivenDefinition } from './definition.ts';
import type { Plan } from './eligibility.ts';
import { findInstallable, stepsOfInstall } from './recipes.ts';
import { mustFindDevices, type Scope } from './selection.ts';

/** What a definition asks of devices: its steps, or those of the recipe that installs its version. Throws an `ActionError` of kind Invalid. */
export async function planOf(tx: Database, given: GivenDefinition, scope: Scope): Promise<Plan> {
  mustBeDefinition(given);
  const { selector, install, steps } = given;
  const { projectId } = scope;
  await readDeviceFilter(tx, selector.query, scope);
  await mustFindDevices(tx, selector, projectId);
  if (install === undefined) return { selector, steps, version: undefined };
  const version = await findInstallable(tx, projectId, ids.packageVersion.raw(install.versionId));
  if (version === undefined)
    throw new ActionError(
      'Invalid',
      'The devices of this project cannot fetch this version: link its repository with the project.',
    );
  return { selector, steps: stepsOfInstall(version, install.recipe), version };
}
