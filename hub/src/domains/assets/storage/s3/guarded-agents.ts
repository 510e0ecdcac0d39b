import { lookup as lookUp } from 'node:dns';
import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { StorageError } from '../asset-storage.ts';
import type { AddressRule } from './store-settings.ts';

/** Connections of the hub to one store. */
export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

const options: AgentOptions = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32 };

/**
 * Agents that connect only to addresses that the rule allows. The address that is checked is the one that is connected to, so a name cannot
 * resolve to another one in between.
 */
export function guardedAgents(rule: AddressRule): Agents {
  const check = (address: string, isTls: boolean): StorageError | undefined => {
    const reason = rule(address, isTls);
    return reason === undefined ? undefined : new StorageError('Refused', reason);
  };
  const lookupFor =
    (isTls: boolean): LookupFunction =>
    (hostname, lookupOptions, callback) =>
      lookUp(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
        const refusal = error ?? addresses.map(({ address }) => check(address, isTls)).find(Boolean);
        if (refusal) callback(refusal, '');
        else if (lookupOptions.all === true) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      });
  const mustBeAllowed = (host: string, isTls: boolean): void => {
    const literal = host.replace(/^\[|\]$/g, '');
    const refusal = isIP(literal) === 0 ? undefined : check(literal, isTls);
    if (refusal !== undefined) throw refusal;
  };
  // A literal address is not looked up.
  class GuardedHttpAgent extends HttpAgent {
    override createConnection(args: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void) {
      mustBeAllowed(args.host ?? '', false);
      return super.createConnection(args, done);
    }
  }
  class GuardedHttpsAgent extends HttpsAgent {
    override createConnection(args: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void) {
      mustBeAllowed(args.host ?? '', true);
      return super.createConnection(args, done);
    }
  }
  return {
    httpAgent: new GuardedHttpAgent({ ...options, lookup: lookupFor(false) } as AgentOptions),
    httpsAgent: new GuardedHttpsAgent({ ...options, lookup: lookupFor(true) } as AgentOptions),
  };
}
