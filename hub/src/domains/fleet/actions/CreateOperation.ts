import { ids } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { mustReadVersion } from '../../repositories/index.ts';
import { createDraft, definitionOf } from '../sql/drafts.ts';
import { recordEvent } from '../sql/events.ts';
import { addSecretPlaces, readSecretPlaces } from '../sql/manifests.ts';
import { planOf } from '../sql/plan.ts';

/** Creates a draft; with the hash of a preview it binds the start to what the preview showed. */
export const CreateOperation: Handler<'fleet_CreateOperation', ProjectAccess> = {
  async authorize({ tx, actor, input }) {
    const access = await mustSeeProject(tx, actor, input.projectId);
    if (input.install !== undefined) await mustReadVersion(tx, actor, input.install.versionId);
    return access;
  },

  async run({ tx, db, input, actor, now, emit }, { projectId }) {
    const scope = { projectId, now, db };
    const plan = await planOf(tx, input, scope);
    const { previewHash } = input;
    const operationId = await createDraft(
      tx,
      { given: input, definition: definitionOf(input), plan, actor, previewHash },
      scope,
    );
    const places = await readSecretPlaces(tx, { projectId, steps: plan.steps });
    await addSecretPlaces(tx, operationId, places);
    await recordEvent(tx, { projectId, operationId, at: now, kind: 'Created', actor });
    const fleetOperationId = ids.fleetOperation.of(operationId);
    emit('fleet_OperationCreated', { projectId: input.projectId, fleetOperationId, name: input.name });
    return { fleetOperationId };
  },
};
