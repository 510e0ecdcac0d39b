// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import type { ActionName } from '@corral/contract';
import type { Handler } from '../calls/handler.ts';
import { alertsActions } from './alerts/actions/index.ts';
import { assetsActions } from './assets/actions/index.ts';
import { auditActions } from './audit/actions/index.ts';
import { certificatesActions } from './certificates/actions/index.ts';
import { devicesActions } from './devices/actions/index.ts';
import { fleetActions } from './fleet/actions/index.ts';
import { historyActions } from './history/actions/index.ts';
import { identitiesActions } from './identities/actions/index.ts';
import { instanceActions } from './instance/actions/index.ts';
import { membersActions } from './members/actions/index.ts';
import { operationsActions } from './operations/actions/index.ts';
import { otlpActions } from './otlp/actions/index.ts';
import { packagesActions } from './packages/actions/index.ts';
import { pairingActions } from './pairing/actions/index.ts';
import { passkeysActions } from './passkeys/actions/index.ts';
import { projectsActions } from './projects/actions/index.ts';
import { publishersActions } from './publishers/actions/index.ts';
import { repositoriesActions } from './repositories/actions/index.ts';
import { servicesActions } from './services/actions/index.ts';
import { terminalsActions } from './terminals/actions/index.ts';
import { usersActions } from './users/actions/index.ts';
import { webhooksActions } from './webhooks/actions/index.ts';

/** A handler for every action of the contract: one that is missing does not compile. */
export const handlers: { readonly [Name in ActionName]: Handler<Name> } = {
  ...alertsActions,
  ...assetsActions,
  ...auditActions,
  ...certificatesActions,
  ...devicesActions,
  ...fleetActions,
  ...historyActions,
  ...identitiesActions,
  ...instanceActions,
  ...membersActions,
  ...operationsActions,
  ...otlpActions,
  ...packagesActions,
  ...pairingActions,
  ...passkeysActions,
  ...projectsActions,
  ...publishersActions,
  ...repositoriesActions,
  ...servicesActions,
  ...terminalsActions,
  ...usersActions,
  ...webhooksActions,
};
