import type { ActionName } from '@corral/contract';
import type { Handler } from '../executor/handler.ts';
import type { UnavailableAction } from './unavailable.ts';

/** A handler for every action that the hub serves: one that is missing does not compile. */
export type Handlers = { readonly [Name in Exclude<ActionName, UnavailableAction>]: Handler<Name> };
