import type { Input } from '@corral/contract';
import { mustBeSteppedUp } from '../../../auth/stepped-up.ts';
import { probeNewStore } from '../storage/probe-new-store.ts';
import { storeFindings } from '../storage/store-findings.ts';
import type { StoreCapabilities } from '../storage/s3/store-settings.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeValidStore, type StoreFields } from '../policy/object-stores.ts';
import { mustOwnRepository } from '../../repositories/index.ts';
import { setCurrentStore } from '../sql/object-stores.ts';

interface Access {
  readonly repositoryId: string;
  readonly capabilities: StoreCapabilities | undefined;
}

/** All clients that call this know `forcePathStyle`, and leave it out for the default. */
const fieldsOf = ({ s3Config }: Input<'repositories_SetS3Config'>): StoreFields => ({
  ...s3Config,
  forcePathStyle: s3Config.forcePathStyle ?? true,
});

/** Sets the S3-compatible store of a repository, in the shape of the clients of 2026. */
export const SetS3Config: Handler<'repositories_SetS3Config', Access, Access> = {
  async prepare(context) {
    const { tx, actor, input, vault, storages } = context;
    const { repositoryId } = await mustOwnRepository(tx, actor, input.repositoryId);
    mustBeSteppedUp(context);
    const { settings, secretAccessKey } = await mustBeValidStore(
      { tx, vault },
      repositoryId,
      fieldsOf(input),
    );
    return { repositoryId, capabilities: await probeNewStore(storages, { ...settings, secretAccessKey }) };
  },

  async authorize({ tx, actor, input }, prepared) {
    await mustOwnRepository(tx, actor, input.repositoryId);
    return prepared;
  },

  async run({ tx, vault, now, input, emit }, { repositoryId, capabilities }) {
    const store = await mustBeValidStore({ tx, vault }, repositoryId, fieldsOf(input));
    await setCurrentStore({ tx, vault, now }, { repositoryId, ...store, capabilities: capabilities ?? null });
    const { endpoint, bucket } = store.settings;
    emit('repositories_StoreChanged', { repositoryId: input.repositoryId, endpoint, bucket });
    return { findings: storeFindings(capabilities) };
  },
};
