import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { guardedLookup, mustBeAllowed, type AddressRule } from './address-rule.ts';

/** Connections of the hub for clients of node:http. */
export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

const options: AgentOptions = { keepAlive: true, maxSockets: 256, maxFreeSockets: 32 };

/** Agents that connect only to addresses that the rule allows. */
export function guardedAgents(rule: AddressRule): Agents {
  const guarded = (args: ClientRequestArgs, isTls: boolean): ClientRequestArgs => {
    const target = { host: args.host ?? '', port: Number(args.port), isTls };
    mustBeAllowed(rule, target);
    return { ...args, lookup: guardedLookup(rule, target) };
  };
  class GuardedHttpAgent extends HttpAgent {
    override createConnection(args: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void) {
      return super.createConnection(guarded(args, false), done);
    }
  }
  class GuardedHttpsAgent extends HttpsAgent {
    override createConnection(args: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void) {
      return super.createConnection(guarded(args, true), done);
    }
  }
  return { httpAgent: new GuardedHttpAgent(options), httpsAgent: new GuardedHttpsAgent(options) };
}
