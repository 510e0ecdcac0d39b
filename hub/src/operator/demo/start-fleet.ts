import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OwnAddress } from './upload-to-own-hub.ts';
import type { DemoTokens } from './seed-demo.ts';

/** A fleet of simulated devices in a separate process. */
export interface RunningFleet {
  stop(): Promise<void>;
}

interface FleetOptions {
  readonly hub: OwnAddress;
  readonly tokens: DemoTokens;
  readonly devices: number;
  readonly searchPath: string | undefined;
  /** Folder for the fleet's fingerprints and certificates, so that it is the same fleet after a restart. */
  readonly stateDir: string;
}

const agent = fileURLToPath(new URL('../../../../agent/bin/corral-agent.cjs', import.meta.url));

/** Starts one real connection per simulated device. Tokens travel in the environment, because process lists show arguments. */
export function startFleet(options: FleetOptions): RunningFleet {
  const { certificate } = options.hub;
  const args = [
    'simulate',
    '--devices',
    String(options.devices),
    '--hub-url',
    options.hub.url,
    '--state',
    options.stateDir,
  ];
  const child: ChildProcess = spawn(process.execPath, [agent, ...args], {
    stdio: ['pipe', 'inherit', 'inherit', 'ignore'],
    env: {
      PATH: options.searchPath,
      CORRAL_AGENT_TOKEN: options.tokens.automatic,
      CORRAL_AGENT_APPROVAL_TOKEN: options.tokens.approval,
      ...(certificate === undefined ? {} : { CORRAL_AGENT_HUB_CERTIFICATE: certificate }),
    },
  });
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
