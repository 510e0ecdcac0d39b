import type { ActionName } from '@corral/contract';
import type { Handler } from '../executor/handler.ts';

/** A handler for every action of the contract: one that is missing does not compile. */
export type Handlers = { readonly [Name in ActionName]: Handler<Name> };
