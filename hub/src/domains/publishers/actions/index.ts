// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AddPublisher } from './AddPublisher.ts';
import { DeletePublisher } from './DeletePublisher.ts';
import { ExchangeIdToken } from './ExchangeIdToken.ts';
import { GetPublishers } from './GetPublishers.ts';

/** The actions of this domain by wire name. */
export const publishersActions = {
  repositories_AddPublisher: AddPublisher,
  repositories_DeletePublisher: DeletePublisher,
  repositories_ExchangeIdToken: ExchangeIdToken,
  repositories_GetPublishers: GetPublishers,
};
